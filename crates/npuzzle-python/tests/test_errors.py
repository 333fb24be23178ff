"""Errors have the messages of the command line."""

import inspect

import pytest

import npuzzle


def test_mistakes_in_texts_are_shown_where_they_are():
    with pytest.raises(npuzzle.InputError) as caught:
        npuzzle.solve("1 2 3/4 5 6/7 8 9")
    error = caught.value
    reason = "tile 9 is out of range: a 3x3 board has tiles 0 to 8, and there is no 0 for the blank"
    assert (error.message, error.line, error.column) == (reason, 1, 17)
    place = "  |\n1 | 1 2 3/4 5 6/7 8 9\n  |                 ^"
    assert str(error) == f"<board>:1:17: {reason}\n{place}"
    assert isinstance(error, ValueError) and isinstance(error, npuzzle.NpuzzleError)


@pytest.mark.parametrize(
    "rows, message",
    [
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], "tile 9 is out of range: a 3x3 board has tiles 0 to 8"),
        ([[1, 2], [3, 3]], "tile 3 appears twice"),
        ([[1, 2, 3], [4, 5], [6, 7, 0]], "row 2 has 2 numbers, but the other rows have 3"),
        ([[1, -2], [3, 0]], "tile -2 is negative"),
        ([1, 2, 3, 4, 0], "5 numbers in one array cannot fill a square"),
        ([[]], "row 1 is empty"),
        ([[1, 70000], [3, 0]], "70000"),
        (7, "a board is a text, rows of whole numbers or an array of them, not int"),
        ([["a", "b"], ["c", "d"]], "a board is a text"),
        ([[1, 2.0], [3, 0]], "whole numbers or an array of them, not list of 2.0"),
        (None, "a board is a text"),
    ],
)
def test_mistakes_in_lists_have_the_same_words(rows, message):
    with pytest.raises(npuzzle.InputError) as caught:
        npuzzle.Board(rows)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (None, None)


def test_what_cannot_be_done_is_said():
    with pytest.raises(npuzzle.PlanError):
        npuzzle.solve(npuzzle.generate(4, seed=1), algorithm="table")
    with pytest.raises(npuzzle.PlanError):
        npuzzle.solve("1 2/3 0", algorithm="astar", weight=2)
    with pytest.raises(npuzzle.PlanError, match="the hardest take 31"):
        npuzzle.generate(3, moves=32)


@pytest.mark.parametrize(
    "options",
    [
        {"algorithm": "magic"},
        {"heuristic": "euclid"},
        {"metric": "qtm"},
        {"effort": "some"},
        {"weight": 0.5},
        {"time": -1},
        {"time": float("nan")},
        {"nodes": 1.5},
        {"threads": 0},
        {"goal": "elsewhere"},
        {"all": -1},
    ],
)
def test_values_that_mean_nothing_are_refused(options):
    with pytest.raises(npuzzle.InputError):
        npuzzle.solve("1 2/3 0", **options)


@pytest.mark.parametrize("options", [{"seed": -1}, {"count": -1}, {"seed": 1 << 64}, {"moves": -1}])
def test_numbers_below_zero_are_refused(options):
    with pytest.raises(npuzzle.InputError, match=next(iter(options))):
        npuzzle.generate(3, **options)
    with pytest.raises(npuzzle.InputError, match="steps: expected a whole number from 0 on, not -1"):
        npuzzle.trace("1 2/3 0", steps=-1)


def test_unknown_arguments_are_refused():
    for function in (npuzzle.solve, npuzzle.solve_many, npuzzle.distance, npuzzle.trace):
        with pytest.raises(TypeError, match="unexpected keyword argument 'tme'"):
            function("1 2/3 0", tme=1)


def test_all_arguments_of_the_signatures_are_known():
    calls = {
        npuzzle.solve: ["1 2/3 0"],
        npuzzle.solve_many: [["1 2/3 0"]],
        npuzzle.distance: ["1 2/3 0"],
        npuzzle.heuristic: ["1 2/3 0"],
        npuzzle.generate: [2],
        npuzzle.check: ["1 2/3 0", "L R"],
        npuzzle.trace: ["1 2/3 0"],
    }
    for function, positional in calls.items():
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY:
                function(*positional, **{name: parameter.default})
