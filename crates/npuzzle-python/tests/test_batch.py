"""solve_many: the order, and the same results with any number of threads."""

import copy
import multiprocessing
import pickle
import threading
import time

import pytest

import npuzzle

BOARDS = npuzzle.generate("3x3", count=200, seed=1)


def test_batch_equals_sequential_solving():
    sequential = [npuzzle.solve(board).solution for board in BOARDS]
    for threads in (1, 2, 7):
        batch = npuzzle.solve_many(BOARDS, threads=threads)
        assert [report.start for report in batch] == BOARDS
        assert [report.solution for report in batch] == sequential


def test_batch_has_the_same_node_counts():
    boards = npuzzle.generate("4x4", count=6, seed=2, moves=(30, 44))
    sequential = [npuzzle.solve(board, tables="small").stats["generated"] for board in boards]
    batch = npuzzle.solve_many(iter(boards), tables="small", threads=2)
    assert [report.stats["generated"] for report in batch] == sequential


def test_text_with_many_boards():
    text = "\n".join(map(str, BOARDS[:5]))
    assert [report.start for report in npuzzle.solve_many(text)] == BOARDS[:5]
    assert npuzzle.solve_many([]) == []


def test_errors_are_raised_or_returned():
    boards = ["1 2 3/4 0 5/7 8 6", "1 2 3/4 5 6/7 8 9", "1 2 3/4 5 0/7 8 6"]
    with pytest.raises(npuzzle.InputError, match=r"^boards\[1\]: <board>:1:17: tile 9") as caught:
        npuzzle.solve_many(boards)
    assert (caught.value.index, caught.value.column) == (1, 17)
    first, bad, last = npuzzle.solve_many(boards, errors="return")
    assert (first.moves, bad.column, bad.index, last.moves) == (2, 17, 1, 1)
    boards[1] = npuzzle.generate(4, seed=1)
    first, refused, last = npuzzle.solve_many(boards, errors="return", algorithm="table")
    assert (first.moves, type(refused), refused.index, last.moves) == (2, npuzzle.PlanError, 1, 1)
    with pytest.raises(npuzzle.PlanError, match=r"^boards\[1\]: "):
        npuzzle.solve_many(boards, algorithm="table")
    hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1"
    with pytest.raises(npuzzle.LimitReached, match=r"^boards\[1\]: ") as caught:
        npuzzle.solve_many(["1 2/0 3", hard], nodes=100, strict=True)
    assert (caught.value.index, caught.value.limit, str(caught.value.report.start)) == (1, "nodes", hard)
    with pytest.raises(npuzzle.InputError):
        npuzzle.solve_many(boards, errors="ignore")


def test_reports_are_pickled_and_sent_to_processes():
    reports = npuzzle.solve_many(BOARDS[:3] + ["1 2 3/4 5 6/8 7 0"], all=2, notation="blank")
    for report in reports:
        for again in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
            assert again.to_dict() == report.to_dict() and repr(again) == repr(report)
            assert (again.solution, again.solutions, again.stats) == (report.solution, report.solutions, report.stats)
    # Each process imports the package.
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        solved = pool.map(npuzzle.solve, BOARDS[:3])
    assert [report.solution for report in solved] == [npuzzle.solve(board).solution for board in BOARDS[:3]]
    function, (state,) = reports[0].__reduce__()
    with pytest.raises(npuzzle.InputError, match="damaged"):
        function(state.replace("version\":\"", "version\":\"x"))


def test_notation_is_that_of_the_solution():
    board = "1 2 3/4 0 5/7 8 6"
    for notation, expect in [("tile", "L U"), ("blank", "R D"), ("numbers", "5 6")]:
        report = npuzzle.solve(board, notation=notation, all=1)
        assert (report.solution, report.solutions) == (expect, [expect])
        assert report.to_dict()["solution"] == expect and report.to_dict("tile")["solution"] == "L U"
        assert npuzzle.solve_many([board], notation=notation)[0].solution == expect
    assert npuzzle.solve(board, notation="boards").solution.count("/") == 6
    with pytest.raises(npuzzle.InputError, match="is not a notation"):
        npuzzle.solve(board, notation="up")


def test_solving_releases_the_gil():
    hard = "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1"
    n_ticks = 0
    is_done = threading.Event()

    def solve():
        npuzzle.solve(hard, time=0.5)
        is_done.set()

    worker = threading.Thread(target=solve)
    worker.start()
    while not is_done.is_set():
        n_ticks += 1
        time.sleep(0.001)
    worker.join()
    # If the GIL were held, there would be at most one tick.
    assert n_ticks > 20
