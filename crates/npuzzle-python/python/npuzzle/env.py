"""The sliding puzzle as an environment for reinforcement learning, with the interface of Gymnasium.

>>> from npuzzle.env import SlidingPuzzleEnv
>>> env = SlidingPuzzleEnv("3x3", moves=10)
>>> observation, info = env.reset(seed=1)
>>> info["distance"]
10

Gymnasium is optional. If it is installed, the environment is a `gymnasium.Env` with spaces and is
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
"""The meanings of the actions 0 to 3: the direction in which a tile moves."""

_Base: Any = object if gymnasium is None else gymnasium.Env


class SlidingPuzzleEnv(_Base):
    """Slide tiles until the board is the goal.

    An observation contains the rows of the board: an array if numpy is installed, else tuples. The
    reward of a step is -1, so the return of an episode is minus its length. With `shaped=True` the
    reward is the decrease of the distance instead, 1 or -1. An illegal action leaves the board
    unchanged, has the reward -1 and sets `info["illegal"]`.

    size: the size of the board, as for `npuzzle.generate`.
    goal: the goal, as for `npuzzle.solve`.
    moves: the distance of the first board of an episode: a number or a pair; any distance by default.
    max_steps: the number of steps after which an episode is truncated.
    shaped: whether the reward is the decrease of the distance.
    distances: whether `info["distance"]` is the exact distance. It is a table lookup for boards of up
        to 12 cells, where the default is True, and a search for boards of up to 16 cells.
    render_mode: 'ansi', 'svg', or 'rgb_array', which needs numpy.
    """

    metadata = {"render_modes": ["ansi", "svg", "rgb_array"], "render_fps": 4}

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
            raise ValueError("exact distances are available for boards of up to 16 cells")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"unknown render_mode {render_mode!r}: expected one of {self.metadata['render_modes']}")
        if render_mode == "rgb_array" and numpy is None:
            raise ValueError("render_mode='rgb_array' needs numpy")
        self.size, self.goal, self.moves = size, goal, moves
        self.max_steps, self.shaped, self.distances = max_steps, shaped, distances
        self.render_mode = render_mode
        # Pictures of at most some 512 pixels.
        self._tile = max(4, min(64, 480 // max(first.rows, first.cols)))
        self._random = random.Random()
        self._board: Board = first
        self._solved = Board.goal_of(size, goal)
        self._n_steps = 0
        self._distance = self._exact_distance()
        if gymnasium is not None:
            shape = (first.rows, first.cols)
            self.observation_space = gymnasium.spaces.Box(0, n_cells - 1, shape, numpy.int16)
            self.action_space = gymnasium.spaces.Discrete(len(ACTIONS))

    @property
    def board(self) -> Board:
        """The current board."""
        return self._board

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict] = None):
        """Starts an episode with the board of options={"board": …}, else with a random board.

        A seed makes this episode and the following ones reproducible.
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
        self._distance = self._exact_distance()
        return self._observation(), self._info()

    def step(self, action: int):
        """Slides a tile and returns (observation, reward, terminated, truncated, info)."""
        if not 0 <= int(action) < len(ACTIONS):
            raise ValueError(f"unknown action {action}: expected 0 to {len(ACTIONS) - 1}")
        direction = ACTIONS[int(action)]
        is_legal = direction in self._board.slides()
        before = self._distance
        if is_legal:
            self._board = self._board.slide(direction)
            self._distance = self._exact_distance()
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
        """Returns whether each action is legal, in the order of `ACTIONS`."""
        slides = self._board.slides()
        masks = [direction in slides for direction in ACTIONS]
        return masks if numpy is None else numpy.array(masks)

    def render(self):
        """Returns the board as text, as a drawing with `render_mode="svg"`, or as an array of pixels with
        `render_mode="rgb_array"`: height, width, and red, green, blue."""
        if self.render_mode == "svg":
            return self._board.to_svg(self._solved)
        if self.render_mode == "rgb_array":
            height, width, pixels = self._board._rgb(self._solved, self._tile)
            return numpy.frombuffer(pixels, dtype=numpy.uint8).reshape(height, width, 3).copy()
        width = len(str(self._board.rows * self._board.cols - 1))
        rows = (" ".join(f"{tile or '':>{width}}" for tile in row) for row in self._board)
        return "\n".join(rows)

    def close(self) -> None:
        """Does nothing; there are no resources to release."""

    def _exact_distance(self) -> Optional[int]:
        """Returns the exact distance if it is needed."""
        is_needed = self.distances or self.shaped
        return distance(self._board, goal=self._solved) if is_needed else None

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
