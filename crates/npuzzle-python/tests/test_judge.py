"""dataset, judge, reward and their batches."""

import importlib.util
import inspect
import random
import re
from pathlib import Path

import pytest

import npuzzle

PUZZLE = "1 2 3/4 0 5/7 8 6"


def test_judgments_explain_their_score():
    best = npuzzle.judge(PUZZLE, "<think>5? 6?</think> **Answer:** L, U")
    assert (best.score, best.status, best.wasted, best.first_move_optimal) == (1.0, "shortest", 0, True)
    assert (best.found_in, best.read_as, best.sense, best.answer) == ("label", "letters", "tile", "L U")
    detour = npuzzle.judge(PUZZLE, "<answer>L R L U</answer>")
    assert (detour.score, detour.solved, detour.shortest, detour.wasted) == (0.75, True, False, 2)
    illegal = npuzzle.judge(PUZZLE, "<answer>L L</answer>")
    assert (illegal.score, illegal.legal, illegal.illegal_at, illegal.progress) == (0.125, False, 2, 1)
    assert illegal.reason in repr(illegal) and illegal.to_dict()["distance_after"] == 1
    assert npuzzle.reward(PUZZLE, "R D", notation="blank") == npuzzle.reward(PUZZLE, "R D", notation="any") == 1.0
    assert npuzzle.reward(PUZZLE, "L R L U", scoring="shortest") == 0.0
    assert npuzzle.reward([[1, 2, 3], [4, 0, 5], [7, 8, 6]], "5 6", notation="numbers") == 1.0
    assert npuzzle.reward("1 2 3/8 4 0/7 6 5", "R", goal="snail") == 1.0


@pytest.mark.parametrize("text", ["", None, "\ud800", "\0", "é" * 10, "L" * 10**6, "<answer>" * 1000, "1e999", "{" * 500])
def test_no_text_raises(text):
    assert 0.0 <= npuzzle.reward(PUZZLE, text) < 1.0
    assert npuzzle.rewards([PUZZLE], [text]) == [npuzzle.reward(PUZZLE, text)]


def test_random_texts_score_between_0_and_1():
    choice = random.Random(3)
    pieces = ["<answer>", "</answer>", "Answer:", "L", "U2", "5", "0", "\n", "```", "\\boxed{", "}", "\U0001f600", " "]
    texts = ["".join(choice.choices(pieces, k=12)) for _ in range(3000)]
    scores = npuzzle.rewards([PUZZLE] * len(texts), texts)
    assert all(0.0 <= score <= 1.0 for score in scores) and len(set(scores)) > 2


def test_batches_equal_single_judgments():
    tasks = npuzzle.dataset("3x3", splits={"test": 62}, seed=1)
    boards = [task["board"] for task in tasks]
    answers = [f"<answer>{task['solution']}</answer>" for task in tasks]
    assert npuzzle.rewards(boards, answers) == [1.0] * 62
    answers = ["<answer>L U</answer>"] * 62
    judgments = npuzzle.judge_many(iter(boards), answers, threads=2)
    assert [j.to_dict() for j in judgments] == [npuzzle.judge(*pair).to_dict() for pair in zip(boards, answers)]
    with pytest.raises(npuzzle.InputError, match="2 boards, but 1 answers"):
        npuzzle.rewards([PUZZLE] * 2, ["L"])
    with pytest.raises(npuzzle.InputError):
        npuzzle.reward("1 2/3 3", "L")
    with pytest.raises(TypeError, match="not int"):
        npuzzle.reward(PUZZLE, 5)


def test_dataset_has_disjoint_reproducible_splits():
    splits = {"test": 31, "hard": "8@25..28", "train": 93}
    tasks = npuzzle.dataset("3x3", splits=splits, seed=5, notation="numbers", mirrors=False)
    assert tasks == npuzzle.dataset((3, 3), splits=splits, seed=5, notation="numbers", mirrors=False)
    assert len({task["board"] for task in tasks}) == len(tasks) == 132
    assert {task["distance"] for task in tasks if task["split"] == "hard"} == {25, 26, 27, 28}
    for task in tasks:
        assert npuzzle.distance(task["board"]) == task["distance"]
        assert task["solution"].split()[0] in task["first_moves"]
        assert npuzzle.reward(task["board"], task["solution"], notation=task["notation"]) == 1.0
    custom = npuzzle.dataset(2, splits={"all": 1}, template="{{{board}}} to {goal}", distances=3)
    assert custom[0]["prompt"] == "{" + custom[0]["board"] + "} to 1 2/3 0"
    with pytest.raises(npuzzle.PlanError, match="only 12 are available|only 11 are available"):
        npuzzle.dataset(2, splits={"all": 50})
    for wrong in ({"splits": {"a b": 1}}, {"splits": 5}, {"splits": {}}, {"template": "{bord}"}, {"template": "x"}):
        with pytest.raises(npuzzle.InputError):
            npuzzle.dataset(3, **wrong)


def test_functions_accept_their_default_arguments():
    calls = {
        npuzzle.judge: [PUZZLE, "L"], npuzzle.reward: [PUZZLE, "L"],
        npuzzle.judge_many: [[PUZZLE], ["L"]], npuzzle.rewards: [[PUZZLE], ["L"]], npuzzle.dataset: [3],
    }
    for function, positional in calls.items():
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY:
                function(*positional, **{name: parameter.default})


def test_example_draws_accuracy_by_distance(tmp_path, capsys):
    path = Path(__file__).parents[1] / "examples" / "evaluate_agents.py"
    spec = importlib.util.spec_from_file_location("evaluate_agents", path)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    example.main(["--count", "62", "--svg", str(tmp_path / "accuracy.svg")])
    lines = capsys.readouterr().out.splitlines()
    # One line for every distance of the 8-puzzle.
    assert len(lines) == 1 + 31 + 1 and lines[0].split() == ["distance", "random", "greedy", "perfect"]
    assert all(line.endswith("#" * 20 + " 100 %") for line in lines[1:-1])
    scores = [float(word) for word in lines[-1].split() if word[0].isdigit()]
    assert scores[0] < scores[1] < scores[2] == 1.0
    assert (tmp_path / "accuracy.svg").read_text().count("<polyline") == 3


def test_guide_example_runs():
    text = (Path(__file__).parents[3] / "docs" / "datasets.md").read_text()
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "datasets.md", "exec"), {})
