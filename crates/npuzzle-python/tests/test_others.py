"""check, trace, generate, and `python -m npuzzle`."""

import json
import subprocess
import sys

import pytest

import npuzzle

EIGHT = "8 1 3/4 0 2/7 6 5"


def test_check_reports_validity_and_wasted_moves():
    verdict = npuzzle.check("1 2 3/4 0 5/7 8 6", "L R L U")
    assert (verdict.valid, verdict.shortest, verdict.lost, verdict.lost_at) == (True, False, 2, [2])
    assert (verdict.read_as, verdict.sense, verdict.stm, verdict.mtm) == ("letters", "tile", 4, 4)
    assert verdict.to_dict()["valid"] is True
    for same in ("L U", ["L", "U"], [5, 6], npuzzle.solve("1 2 3/4 0 5/7 8 6")):
        assert npuzzle.check("1 2 3/4 0 5/7 8 6", same).shortest
    wrong = npuzzle.check("1 2 3/4 0 5/7 8 6", "L L")
    assert not wrong.valid and "move 2" in wrong.fault
    with pytest.raises(npuzzle.InputError, match="found neither boards"):
        npuzzle.check(EIGHT, "xyz")


def test_trace_yields_steps():
    trace = npuzzle.trace("1 2 3/4 0 5/7 8 6")
    steps = list(trace)
    assert len(trace) == len(steps) == len(list(trace)) and trace.ending == "goal"
    assert [step["fate"] for step in steps] == ["expanded", "expanded", "goal"]
    assert steps[0]["before"] == [0] and len(steps[0]["pushed"]) == 4
    assert steps[1]["before"] == steps[0]["after"]
    assert len(trace.solution) == 3 and trace.stats["expanded"] == 2
    assert trace.to_dict()["steps"][2]["node"] == trace.solution[-1]
    cut = npuzzle.trace(EIGHT, algorithm="bfs", steps=5)
    assert (len(cut), cut.ending, cut.solution) == (5, "cut", None)
    assert npuzzle.trace(EIGHT, algorithm="ida", steps=10_000).ending == "goal"
    with pytest.raises(npuzzle.PlanError, match="has no tie-break"):
        npuzzle.trace(EIGHT, algorithm="ida", tie_break="fifo")
    with pytest.raises(npuzzle.InputError):
        npuzzle.trace(EIGHT, duplicates="some")


def test_generate_meets_its_specification():
    # The boards of the README.
    boards = npuzzle.generate("3x3", moves=22, unique=True, seed=7, count=2)
    assert [str(board) for board in boards] == ["5 7 2/6 4 1/0 8 3", "0 5 6/4 3 7/1 8 2"]
    assert all(npuzzle.solve(board, all=0).optimal_solutions == 1 for board in boards)
    assert npuzzle.generate(3, seed=5) == npuzzle.generate((3, 3), seed=5) == npuzzle.generate("3x3", seed=5)
    assert not npuzzle.generate(4, unsolvable=True, seed=1).is_solvable()
    assert npuzzle.generate(3, name="ada") == npuzzle.generate(3, name="ada") != npuzzle.generate(3, name="bob")
    assert len(set(npuzzle.generate(4, count=20))) == 20
    for moves in ((20, 22), range(20, 23), [20, 22]):
        assert npuzzle.distance(npuzzle.generate(3, moves=moves, seed=3)) in (20, 21, 22)
    effort = {"algorithm": "astar", "heuristic": "manhattan"}
    board = npuzzle.generate(3, expanded=(1000, 2000), seed=1, **effort)
    assert 1000 <= npuzzle.solve(board, **effort).stats["expanded"] <= 2000


def run(*args, **kwargs):
    command = [sys.executable, "-m", "npuzzle", *args]
    return subprocess.run(command, capture_output=True, text=True, **kwargs)


def test_module_is_a_command_line_program(tmp_path):
    done = run("solve", EIGHT, "--json")
    record = npuzzle.solve(EIGHT).to_dict()
    assert done.returncode == 0
    # These fields differ if a table is already in memory.
    differ = {"ms": None, "reason": None}
    assert {**json.loads(done.stdout), **differ} == {**record, **differ}
    done = run("solve", EIGHT)
    assert done.stdout == "14 STM / 12 MTM (optimal)\nL U R2 D2 L U R U L D L U\n"
    unsolvable = run("solve", "1 2 3/4 5 6/8 7 0")
    assert unsolvable.returncode == 1 and unsolvable.stdout.count("unsolvable") == 1
    every = run("solve", "3 2 1/4 5 6/8 7 0", "--all").stdout.splitlines()
    assert every[2] == "6 optimal solutions:" and len(every) == 3 + 6
    assert run("solve", "-", input="1 2 3/4 5 6/7 8 9").returncode == 2
    limited = run("solve", "0 15 14 13/12 11 10 9/8 7 6 5/4 3 2 1", "--nodes", "1k", "--time", "30s")
    assert limited.returncode == 3
    file = tmp_path / "boards.txt"
    file.write_text(run("generate", "--size", "3x3", "--count", "3", "--seed", "1").stdout)
    assert len(run("solve", str(file)).stdout.splitlines()) == 3
    assert run("solve", str(file), "nonsense").returncode == 2
    # Each argument is parsed separately: the second is not the goal of the first.
    grids = "1 2 3\n4 0 5\n7 8 6", "1 2 3\n4 5 6\n7 0 8"
    assert len(run("solve", *grids).stdout.splitlines()) == 2
    assert run("solve", "missing.txt").returncode == 4
    (tmp_path / "latin.txt").write_bytes(b"1 2\xff")
    latin = run("solve", str(tmp_path / "latin.txt"))
    assert latin.returncode == 2 and "UTF-8" in latin.stderr and "Traceback" not in latin.stderr
    assert run("check", EIGHT, "L U R2 D2 L U R U L D L U").stdout == "valid, shortest\n"
    assert run("check", EIGHT, "L L").returncode == 1
    assert run("generate", "--size", "3x3", "--moves", "40").returncode == 2
    assert run("--version").stdout == f"npuzzle {npuzzle.__version__}\n"
