"""Exceptions and their messages."""

import inspect

import pytest

import npuzzle


def test_errors_in_texts_show_their_position():
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
        (7, "expected a board as text, as rows of integers or as an array of integers, not int"),
        ([["a", "b"], ["c", "d"]], "expected a board as text"),
        ([[1, 2.0], [3, 0]], "an array of integers, not list with 2.0"),
        (None, "expected a board as text"),
    ],
)
def test_errors_in_lists_have_the_same_messages(rows, message):
    with pytest.raises(npuzzle.InputError) as caught:
        npuzzle.Board(rows)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (None, None)


def test_impossible_requests_raise_plan_error():
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
def test_invalid_values_raise_input_error(options):
    with pytest.raises(npuzzle.InputError):
        npuzzle.solve("1 2/3 0", **options)


@pytest.mark.parametrize("options", [{"seed": -1}, {"count": -1}, {"seed": 1 << 64}, {"moves": -1}])
def test_integers_out_of_range_raise_input_error(options):
    with pytest.raises(npuzzle.InputError, match=next(iter(options))):
        npuzzle.generate(3, **options)
    with pytest.raises(npuzzle.InputError, match="steps: -1 is out of range"):
        npuzzle.trace("1 2/3 0", steps=-1)


def test_unknown_arguments_raise_type_error():
    for function in (npuzzle.solve, npuzzle.solve_many, npuzzle.distance, npuzzle.trace):
        with pytest.raises(TypeError, match="unexpected keyword argument 'tme'"):
            function("1 2/3 0", tme=1)


def test_functions_accept_all_arguments_of_their_signatures():
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
