"""The environment for reinforcement learning."""

import importlib
import sys

import pytest

import npuzzle
import npuzzle.env
from npuzzle.env import ACTIONS, SlidingPuzzleEnv


def rows(observation):
    return [[int(tile) for tile in row] for row in observation]


def test_solution_terminates_an_episode():
    env = SlidingPuzzleEnv("3x3", moves=12)
    observation, info = env.reset(seed=3)
    assert info["distance"] == 12 and rows(observation) == env.board.to_list()
    total, left = 0.0, 12
    for direction in npuzzle.solve(env.board).slides:
        assert env.action_masks()[ACTIONS.index(direction)]
        observation, reward, terminated, truncated, info = env.step(ACTIONS.index(direction))
        total, left = total + reward, left - 1
        assert info["distance"] == left and not truncated
    assert terminated and total == -12
    assert rows(observation) == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]


def test_seeds_repeat_episodes():
    def boards(seed):
        env = SlidingPuzzleEnv("4x4", goal="snail")
        env.reset(seed=seed)
        return [env.board] + [env.reset()[1]["board"] for _ in range(3)]

    assert boards(1) == boards(1) != boards(2)


def test_illegal_actions_change_nothing():
    env = SlidingPuzzleEnv(3, max_steps=2)
    start, _ = env.reset(options={"board": "1 2 3/4 5 6/7 0 8"})
    assert list(env.action_masks()) == [False, True, True, True]
    after, reward, terminated, truncated, info = env.step(ACTIONS.index("U"))
    assert rows(after) == rows(start) and info["illegal"] and reward == -1
    assert (terminated, truncated) == (False, False)
    _, _, terminated, truncated, info = env.step(ACTIONS.index("R"))
    assert (terminated, truncated) == (False, True) and "illegal" not in info
    with pytest.raises(ValueError, match="permutation is odd"):
        env.reset(options={"board": "1 2 3/4 5 6/8 7 0"})


def test_shaped_reward_is_the_decrease_of_the_distance():
    env = SlidingPuzzleEnv(3, shaped=True)
    env.reset(options={"board": "1 2 3/4 5 0/7 8 6"})
    assert env.step(ACTIONS.index("R"))[1] == -1
    assert env.step(ACTIONS.index("L"))[1] == 1
    assert env.step(ACTIONS.index("U"))[1:3] == (1, True)


def test_render_modes_and_invalid_arguments():
    env = SlidingPuzzleEnv(3)
    env.reset(options={"board": "8 1 3/4 0 2/7 6 5"})
    assert env.render() == "8 1 3\n4   2\n7 6 5"
    svg = SlidingPuzzleEnv(4, render_mode="svg")
    svg.reset(seed=1)
    assert svg.render().startswith("<svg ")
    for size in (2, 3, 10):
        pixels = SlidingPuzzleEnv(size, render_mode="rgb_array")
        pixels.reset(seed=1)
        image = pixels.render()
        assert image.dtype == "uint8" and image.shape[2] == 3 and 100 < image.shape[0] == image.shape[1] < 700
        assert len({tuple(color) for row in image[::8, ::8] for color in row}) > 2
        pixels.step(0), pixels.step(1), pixels.step(2)
        assert (pixels.render() != image).any()
    assert SlidingPuzzleEnv.metadata["render_fps"] > 0
    with pytest.raises(ValueError):
        SlidingPuzzleEnv(5, distances=True)
    with pytest.raises(ValueError):
        SlidingPuzzleEnv(3, render_mode="smell")


def test_numpy_and_gymnasium_are_optional(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "npuzzle.env")
    plain = importlib.import_module("npuzzle.env")
    observation, info = plain.SlidingPuzzleEnv(3, moves=5).reset(seed=1)
    assert isinstance(observation, tuple) and info["distance"] == 5 and isinstance(info["action_mask"], list)


def test_gymnasium_accepts_the_environment():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("npuzzle/SlidingPuzzle-v0", size=3, moves=5)
    check_env(env.unwrapped, skip_render_check=True)
    drawn = gymnasium.make("npuzzle/SlidingPuzzle-v0", size=3, moves=5, render_mode="rgb_array")
    drawn.reset(seed=1)
    assert drawn.render().shape[2] == 3
