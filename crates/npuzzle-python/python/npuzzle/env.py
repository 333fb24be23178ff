"""The sliding puzzle as an environment for reinforcement learning, in the manner of Gymnasium.

>>> from npuzzle.env import SlidingPuzzleEnv
>>> env = SlidingPuzzleEnv("3x3", moves=10)
>>> observation, info = env.reset(seed=1)
>>> info["distance"]
10

Gymnasium need not be installed. If it is, the environment is one of its own, with spaces, and is
registered as `npuzzle/SlidingPuzzle-v0`.
"""

from __future__ import annotations

import random
from typing import Any, Optional

from . import Board, distance, generate

try:
    import numpy
except ImportError:
    numpy = None

try:
    import gymnasium
except ImportError:
    gymnasium = None

__all__ = ["ACTIONS", "SlidingPuzzleEnv"]

ACTIONS = ("U", "D", "L", "R")
"""What the actions 0 to 3 mean: the way the tile slides."""

_Base: Any = object if gymnasium is None else gymnasium.Env


class SlidingPuzzleEnv(_Base):
    """Slide tiles until the board is the goal.

    Observations are the rows of the board: an array if numpy is installed, else tuples. Every step
    costs 1, so that the return of an episode is minus its length; with `shaped=True` a step is
    rewarded by how much nearer it comes instead, 1 or -1. An action that no tile can make changes
    nothing, costs 1 and has `info["illegal"]`.

    size: rows x columns, as `npuzzle.generate` takes them.
    goal: as `npuzzle.solve` takes it.
    moves: how far from the goal episodes begin: a number or a pair; any board unless given.
    max_steps: how many steps until an episode is cut off.
    distances: whether `info["distance"]` is there, the exact number of moves left. A look at a table
        up to 12 cells, where it is on unless told otherwise; a search up to 16.
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        size: Any = "3x3",
        *,
        goal: Any = None,
        moves: Any = None,
        max_steps: Optional[int] = None,
        shaped: bool = False,
        distances: Optional[bool] = None,
        render_mode: Optional[str] = None,
    ) -> None:
        first = generate(size, goal=goal, seed=0)
        n_cells = first.rows * first.cols
        if distances is None:
            distances = n_cells <= 12
        if n_cells > 16 and (distances or shaped):
            raise ValueError("exact distances are for boards of up to 16 cells")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is one of {self.metadata['render_modes']}")
        self.size, self.goal, self.moves = size, goal, moves
        self.max_steps, self.shaped, self.distances = max_steps, shaped, distances
        self.render_mode = render_mode
        self._random = random.Random()
        self._board: Board = first
        self._solved = Board.goal_of(size, goal)
        self._n_steps = 0
        self._distance = self._exact()
        if gymnasium is not None:
            shape = (first.rows, first.cols)
            self.observation_space = gymnasium.spaces.Box(0, n_cells - 1, shape, numpy.int16)
            self.action_space = gymnasium.spaces.Discrete(len(ACTIONS))

    @property
    def board(self) -> Board:
        """The board as it is now."""
        return self._board

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None):
        """Begins an episode: with options={"board": …} there, else on a random board.

        A seed makes this episode and those after it the same every time.
        """
        if gymnasium is not None:
            super().reset(seed=seed)
        if seed is not None:
            self._random = random.Random(seed)
        board = (options or {}).get("board")
        if board is not None:
            self._board = Board(board)
            if not self._board.is_solvable(self._solved):
                raise ValueError(self._board.solvability(self._solved))
        else:
            seed = self._random.getrandbits(63)
            self._board = generate(self.size, goal=self.goal, moves=self.moves, seed=seed)
        self._n_steps = 0
        self._distance = self._exact()
        return self._observation(), self._info()

    def step(self, action: int):
        """Slides a tile: the observation, the reward, whether it is solved, whether it is cut off, infos."""
        if not 0 <= int(action) < len(ACTIONS):
            raise ValueError(f"{action} is no action: they are 0 to {len(ACTIONS) - 1}")
        way = ACTIONS[int(action)]
        is_legal = way in self._board.slides()
        before = self._distance
        if is_legal:
            self._board = self._board.slide(way)
            self._distance = self._exact()
        self._n_steps += 1
        terminated = self._board == self._solved
        truncated = self.max_steps is not None and self._n_steps >= self.max_steps
        is_shaped = self.shaped and is_legal
        reward = float(before - self._distance) if is_shaped else -1.0
        info = self._info()
        if not is_legal:
            info["illegal"] = True
        return self._observation(), reward, terminated, truncated and not terminated, info

    def action_masks(self):
        """Which actions are legal, in the order of `ACTIONS`."""
        slides = self._board.slides()
        masks = [way in slides for way in ACTIONS]
        return masks if numpy is None else numpy.array(masks)

    def render(self):
        """The board as a text, or as a picture with `render_mode="svg"`."""
        if self.render_mode == "svg":
            return self._board.to_svg(self._solved)
        width = len(str(self._board.rows * self._board.cols - 1))
        rows = (" ".join(f"{tile or '':>{width}}" for tile in row) for row in self._board)
        return "\n".join(rows)

    def close(self) -> None:
        """There is nothing to close."""

    def _exact(self) -> Optional[int]:
        """The moves left, if somebody wants to know."""
        wanted = self.distances or self.shaped
        return distance(self._board, goal=self._solved) if wanted else None

    def _observation(self):
        rows = tuple(self._board)
        return rows if numpy is None else numpy.array(rows, dtype=numpy.int16)

    def _info(self) -> dict:
        info: dict = {"board": str(self._board), "action_mask": self.action_masks()}
        if self.distances:
            info["distance"] = self._distance
        return info


if gymnasium is not None:
    gymnasium.register(id="npuzzle/SlidingPuzzle-v0", entry_point="npuzzle.env:SlidingPuzzleEnv")
