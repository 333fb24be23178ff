"""solve, distance, heuristic and Board: the results agree with the command line and the literature."""

import json
import math
import operator
import pickle

import pytest

import npuzzle

EIGHT = "8 1 3/4 0 2/7 6 5"
FIFTEEN = "7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4"
# One of the hardest 8-puzzles.
HARDEST = "8 6 7/2 5 4/3 0 1"


def replayed(report):
    board = report.start
    for direction in report.slides:
        board = board.slide(direction)
    return board


def test_boards_of_the_readme_have_its_results():
    report = npuzzle.solve(EIGHT, algorithm="astar", heuristic="misplaced")
    assert (report.stm, report.mtm, report.optimal) == (14, 12, True)
    assert report.solution == "L U R2 D2 L U R U L D L U"
    assert (report.stats["expanded"], report.stats["generated"]) == (256, 449)
    report = npuzzle.solve(FIFTEEN)
    assert (report.stm, report.mtm, report.optimal) == (43, 29, True)
    assert report.solution == "D2 R3 U L2 U2 R D R U L D L U R2 D L3 U R D3 L U2 R D2 R U L D L U3"
    assert (report.stats["expanded"], report.stats["generated"]) == (1577, 3187)
    assert replayed(report) == report.goal == npuzzle.Board.goal_of(4)


def test_boards_from_texts_lists_and_boards():
    rows = [[8, 1, 3], [4, 0, 2], [7, 6, 5]]
    flat = [8, 1, 3, 4, 0, 2, 7, 6, 5]
    tuples = tuple(map(tuple, rows))
    board = npuzzle.Board(EIGHT)
    for same in (EIGHT, "813402765", "3\n8 1 3\n4 0 2\n7 6 5\n", rows, tuples, flat, board, json.dumps(rows)):
        assert npuzzle.Board(same) == board
        assert npuzzle.solve(same).stm == 14
    assert board.to_list() == rows and list(board) == list(tuples) and board.tiles == tuple(flat)
    assert (board.rows, board.cols, board.blank, board[-1]) == (3, 3, (1, 1), (7, 6, 5))
    assert (str(board), repr(board)) == (EIGHT, f"Board('{EIGHT}')")
    assert eval(repr(board), {"Board": npuzzle.Board}) == board == pickle.loads(pickle.dumps(board))
    assert len({board, npuzzle.Board(rows)}) == 1
    with pytest.raises(IndexError):
        board[3]


def test_boards_from_arrays():
    numpy = pytest.importorskip("numpy")
    for kind in ("int64", "uint8", "int16"):
        array = numpy.array([[8, 1, 3], [4, 0, 2], [7, 6, 5]], dtype=kind)
        assert npuzzle.solve(array).stm == 14
        assert npuzzle.solve(numpy.asfortranarray(array)).stm == 14
    assert (numpy.array(npuzzle.Board(EIGHT)) == array).all()
    with pytest.raises(npuzzle.InputError, match="array of integers"):
        npuzzle.solve(array.astype(float))
    with pytest.raises(npuzzle.InputError):
        npuzzle.solve(numpy.zeros((2, 2, 2), dtype=int))
    assert npuzzle.solve(memoryview(bytes([1, 2, 3, 0])).cast("B", (2, 2))).moves == 0


def test_slide_returns_another_board():
    board = npuzzle.Board("1 2 3/4 5 6/7 0 8")
    assert board.slides() == ["D", "R", "L"]
    assert board.slide("L") == npuzzle.Board.goal_of("3x3")
    assert str(board) == "1 2 3/4 5 6/7 0 8"
    for bad in ("U", "X", "LL", ""):
        with pytest.raises(ValueError):
            board.slide(bad)


def test_goals_and_metrics():
    assert npuzzle.solve("1 2 3/8 4 0/7 6 5", goal="snail").solution == "R"
    assert npuzzle.solve(EIGHT, goal=npuzzle.Board(EIGHT)).moves == 0
    assert npuzzle.solve(EIGHT, goal=[[8, 1, 3], [4, 2, 0], [7, 6, 5]]).solution == "L"
    runs = npuzzle.solve("2 3 0/1 5 6/4 7 8", metric="mtm")
    assert (runs.moves, runs.stm, runs.mtm, runs.metric) == (3, 6, 3, "mtm")
    assert runs.write("numbers") == "3 2 1 4 7 8"
    with pytest.raises(npuzzle.InputError, match="the goal is 2x2, but the start is 3x3"):
        npuzzle.solve(EIGHT, goal="1 2/3 0")


def test_notations():
    report = npuzzle.solve("1 2 3/4 0 5/7 8 6")
    assert [report.write(name) for name in ("tile", "blank", "numbers")] == ["L U", "R D", "5 6"]
    assert report.write("boards").splitlines() == [str(board) for board in report.boards()]
    boards = report.boards()
    assert (operator.length_hint(boards), next(boards), operator.length_hint(boards)) == (3, report.start, 2)
    with pytest.raises(npuzzle.InputError, match="tile, blank, numbers, boards"):
        report.write("latin")


def test_all_shortest_solutions():
    report = npuzzle.solve("3 2 1/4 5 6/8 7 0", metric="mtm", all=True)
    assert report.optimal_solutions == len(report.solutions) == 2
    assert report.to_dict()["optimal_solutions"] == 2
    assert npuzzle.solve(EIGHT, all=0).solutions == []
    assert npuzzle.solve(EIGHT).solutions is None


def test_unsolvable_board_is_not_an_error():
    report = npuzzle.solve("1 2 3/4 5 6/8 7 0")
    assert (report.status, report.solvable, report.moves, report.solution) == ("unsolvable", False, None, None)
    assert "permutation is odd" in report.reason
    assert npuzzle.distance("1 2 3/4 5 6/8 7 0") is None
    board = npuzzle.Board("1 2 3/4 5 6/8 7 0")
    assert not board.is_solvable() and board.solvability() == report.reason
    assert board.is_solvable([[1, 2, 3], [4, 5, 6], [8, 7, 0]])


def test_limits_are_reported_or_raised():
    report = npuzzle.solve(HARDEST, algorithm="bidirectional", nodes=3e3)
    assert (report.status, report.limit, report.stm, report.lower_bound) == ("limit", "nodes", 31, 30)
    assert not report.optimal
    with pytest.raises(npuzzle.LimitReached) as caught:
        npuzzle.solve(HARDEST, algorithm="bidirectional", nodes=3000, strict=True)
    assert (caught.value.limit, caught.value.report.stm) == ("nodes", 31)
    assert pickle.loads(pickle.dumps(caught.value)).limit == "nodes"
    with pytest.raises(npuzzle.LimitReached):
        npuzzle.distance("0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1", nodes=1000)
    assert npuzzle.solve(HARDEST, time=math.inf, memory=math.inf, nodes=math.inf).optimal


def test_records_equal_those_of_the_command_line():
    record = npuzzle.solve(EIGHT).to_dict()
    assert list(record)[:6] == ["schema", "status", "rows", "cols", "start", "goal"]
    assert (record["status"], record["moves"], record["optimal"]) == ("solved", 14, True)
    assert record["version"] == npuzzle.__version__
    assert json.loads(npuzzle.solve(EIGHT).to_json("boards"))["boards"][0] == EIGHT


def test_larger_boards_have_bounds():
    board = npuzzle.generate(6, seed=1)
    report = npuzzle.solve(board, effort="fast")
    assert report.status in ("solved", "limit") and replayed(report) == report.goal
    assert report.lower_bound <= report.moves


def test_distance_and_heuristic():
    assert npuzzle.distance(HARDEST) == 31
    assert npuzzle.distance(FIFTEEN) == 43
    assert npuzzle.distance("2 3 0/1 5 6/4 7 8", metric="mtm") == 3
    estimates = {name: npuzzle.heuristic(EIGHT, name) for name in ("zero", "misplaced", "manhattan")}
    assert estimates == {"zero": 0, "misplaced": 5, "manhattan": 10}
    assert npuzzle.heuristic(FIFTEEN, "max(pattern,walking)") <= 43
    assert npuzzle.heuristic("1 2 3/4 5 0/7 8 6", "misplaced-with-blank") == 2
    with pytest.raises(npuzzle.PlanError):
        npuzzle.heuristic(npuzzle.generate(6, seed=1), "pattern")


def test_cache_is_stored_in_the_given_folder(tmp_path):
    board = npuzzle.generate("3x4", seed=1)
    expected = npuzzle.distance(board)
    folder = tmp_path / "tables"
    assert npuzzle.solve(board, algorithm="table", cache=folder).moves == expected
    # One table serves a board and its transpose.
    assert [file.name for file in folder.glob("*.table")] == ["full-4x3-0-stm.table"]
    assert npuzzle.solve(board, algorithm="table", cache=str(folder)).moves == expected


def test_drawings():
    board, report = npuzzle.Board(EIGHT), npuzzle.solve(EIGHT)
    assert board._repr_svg_().startswith("<svg ") and EIGHT in board.to_svg("last")
    assert report.to_html("A title").startswith("<!DOCTYPE html>")
    frame = report._repr_html_()
    assert frame.startswith("<iframe ") and frame.count("<") == 2
    assert report.to_gif().startswith(b"GIF89a")
    assert "<svg " in npuzzle.solve("1 2 3/4 5 6/8 7 0")._repr_html_()
