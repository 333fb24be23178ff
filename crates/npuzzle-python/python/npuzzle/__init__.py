"""Solves sliding-tile puzzles: the 8-puzzle, the 15-puzzle, any rectangle from 2x2 to 127x127.

>>> import npuzzle
>>> report = npuzzle.solve("8 1 3/4 0 2/7 6 5")
>>> report.solution, report.stm, report.optimal
('L U R2 D2 L U R U L D L U', 14, True)

Letters are the directions in which tiles move; `L2` moves two tiles at once. `solve_many` solves boards
in parallel, `generate` creates boards, `check` checks solutions, `trace` records a search step by step,
`distance` and `heuristic` return numbers, `dataset` makes tasks for language models, `judge` and `reward`
judge their answers, and `npuzzle.env` is an environment for reinforcement learning.
"""

from ._errors import InputError, LimitReached, NpuzzleError, PlanError
from ._npuzzle import (
    Board,
    Boards,
    Check,
    Judgment,
    Report,
    Steps,
    Trace,
    __version__,
    check,
    dataset,
    distance,
    generate,
    heuristic,
    judge,
    judge_many,
    reward,
    rewards,
    solve,
    solve_many,
    trace,
)

__all__ = [
    "Board",
    "Boards",
    "Check",
    "InputError",
    "Judgment",
    "LimitReached",
    "NpuzzleError",
    "PlanError",
    "Report",
    "Steps",
    "Trace",
    "__version__",
    "check",
    "dataset",
    "distance",
    "generate",
    "heuristic",
    "judge",
    "judge_many",
    "reward",
    "rewards",
    "solve",
    "solve_many",
    "trace",
]
