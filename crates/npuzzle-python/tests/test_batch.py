"""solve_many: the order, and the same results with any number of threads."""

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
    with pytest.raises(npuzzle.InputError):
        npuzzle.solve_many(boards)
    first, bad, last = npuzzle.solve_many(boards, errors="return")
    assert (first.moves, bad.column, last.moves) == (2, 17, 1)
    boards[1] = npuzzle.generate(4, seed=1)
    first, refused, last = npuzzle.solve_many(boards, errors="return", algorithm="table")
    assert (first.moves, type(refused), last.moves) == (2, npuzzle.PlanError, 1)
    with pytest.raises(npuzzle.InputError):
        npuzzle.solve_many(boards, errors="ignore")


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
