"""`python -m npuzzle`: the verbs solve, generate and check of the command line, from Python alone.

Whoever wants the others (grade, trace, audit, compare, render and more) installs the program itself:
`cargo install --path crates/npuzzle-cli`.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from typing import Callable, List, Optional

import npuzzle

YES, NO, USAGE, LIMIT, FILE, INTERRUPTED = 0, 1, 2, 3, 4, 130
# Which of the codes of a batch a script must hear about.
BY_WEIGHT = (YES, NO, LIMIT, USAGE, FILE, INTERRUPTED)


def main(argv: Optional[List[str]] = None) -> int:
    args = parser().parse_args(argv)
    try:
        return args.run(args)
    except npuzzle.LimitReached as error:
        complain(error)
        return LIMIT
    except npuzzle.NpuzzleError as error:
        complain(error)
        return USAGE
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else error)
        return FILE
    except KeyboardInterrupt:
        return INTERRUPTED


def complain(message: object) -> None:
    print(f"npuzzle: {message}", file=sys.stderr)


def text_of(arg: str) -> str:
    """What an argument stands for: `-`, a file that is there, or the text itself."""
    if arg == "-":
        return sys.stdin.read()
    looks_like_file = not any(letter.isspace() for letter in arg) and arg.endswith((".txt", ".csv", ".json"))
    if os.path.exists(arg) or looks_like_file:
        with open(arg, encoding="utf-8-sig") as file:
            try:
                return file.read()
            except UnicodeDecodeError as error:
                raise npuzzle.InputError(f"{arg}: not a text in UTF-8: {error.reason}") from None
    return arg


def solve(args: argparse.Namespace) -> int:
    options = {name: getattr(args, name) for name in OPTIONS if getattr(args, name) is not None}
    code = YES
    # Each is read on its own: two grids in a row would be a board and its goal.
    for arg in args.boards:
        answers = npuzzle.solve_many(text_of(arg), errors="return", **options)
        is_batch = len(args.boards) > 1 or len(answers) > 1
        for answer in answers:
            code = max(code, tell(answer, args, is_batch), key=BY_WEIGHT.index)
    return code


def tell(answer: object, args: argparse.Namespace, is_batch: bool) -> int:
    if isinstance(answer, Exception):
        complain(answer)
        return USAGE
    assert isinstance(answer, npuzzle.Report)
    solution = answer.write(args.notation)
    if args.json:
        print(answer.to_json(args.notation))
    elif is_batch:
        print(answer if solution is None else f"{answer}: {solution}")
    else:
        print(answer)
        if solution is not None:
            print(solution)
        if args.all is not None and answer.optimal_solutions is not None:
            print(f"{answer.optimal_solutions} optimal solutions{':' if answer.solutions else ''}")
            print("\n".join(answer.solutions or []), end="\n" if answer.solutions else "")
    if answer.limit is not None:
        return LIMIT
    return YES if answer.solvable else NO


def generate(args: argparse.Namespace) -> int:
    wish = {name: getattr(args, name) for name in WISHES if getattr(args, name) is not None}
    for board in npuzzle.generate(args.size, count=args.count, **wish):
        print(board)
    return YES


def check(args: argparse.Namespace) -> int:
    puzzle, solution = text_of(args.board), text_of(args.solution)
    found = npuzzle.check(puzzle, solution, goal=args.goal, metric=args.metric)
    if args.json:
        import json

        print(json.dumps(found.to_dict(), separators=(",", ":"), ensure_ascii=False))
    else:
        print(repr(found)[len("<Check: ") : -1])
    # A length without moves shows nothing.
    if not found.valid or found.shortest is False or found.read_as == "none":
        return NO
    return LIMIT if found.shortest is None else YES


def unit(units: dict) -> Callable[[str], float]:
    """Reads a number with a unit, or `none`."""

    def number(text: str) -> float:
        if text == "none":
            return math.inf
        for end, factor in units.items():
            if text.endswith(end):
                return float(text[: len(text) - len(end)]) * factor
        return float(text)

    return number


seconds = unit({"ms": 1e-3, "s": 1, "m": 60, "h": 3600})
count = unit({"k": 1e3, "M": 1e6, "G": 1e9})
size = unit({"K": 2**10, "M": 2**20, "G": 2**30})


def span(text: str):
    """`22`, or `20..25` with both ends."""
    first, dots, last = text.partition("..")
    return (int(first), int(last.lstrip("="))) if dots else int(first)


OPTIONS = (
    "goal metric algorithm heuristic weight time nodes memory threads effort optimal all tables cache"
).split()
WISHES = "seed name goal moves metric unique unsolvable".split()


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m npuzzle", description=__doc__)
    top.add_argument("--version", action="version", version=f"npuzzle {npuzzle.__version__}")
    verbs = top.add_subparsers(required=True, metavar="VERB")

    verb = verbs.add_parser("solve", help="solve boards: texts, files, or - for standard input")
    verb.set_defaults(run=solve)
    verb.add_argument("boards", nargs="+", metavar="BOARD|FILE")
    for name in "goal algorithm heuristic effort tables cache".split():
        verb.add_argument(f"--{name}")
    verb.add_argument("--metric", choices=["stm", "mtm"])
    verb.add_argument("--weight", type=float)
    verb.add_argument("--time", type=seconds, help="for each board: 500ms, 5s, 2m, none")
    verb.add_argument("--nodes", type=count, help="states to expand: 1e6, 5M, none")
    verb.add_argument("--memory", type=size, help="512M, 2G, none")
    verb.add_argument("--threads", type=int)
    verb.add_argument("--optimal", action="store_true", default=None)
    verb.add_argument("--all", type=int, nargs="?", const=100, metavar="N")
    verb.add_argument("--notation", default="tile", choices=["tile", "blank", "numbers", "boards"])
    verb.add_argument("--json", action="store_true", help="one object per board, one per line")

    verb = verbs.add_parser("generate", help="make boards")
    verb.set_defaults(run=generate)
    verb.add_argument("--size", default="4x4")
    verb.add_argument("-n", "--count", type=int, default=1)
    verb.add_argument("--seed", type=int)
    verb.add_argument("--for", dest="name", metavar="ID", help="boards for somebody")
    verb.add_argument("--goal")
    verb.add_argument("--moves", type=span, metavar="N|A..B")
    verb.add_argument("--metric", choices=["stm", "mtm"])
    verb.add_argument("--unique", action="store_true", default=None)
    verb.add_argument("--unsolvable", action="store_true", default=None)

    verb = verbs.add_parser("check", help="check a solution")
    verb.set_defaults(run=check)
    verb.add_argument("board", metavar="BOARD|FILE")
    verb.add_argument("solution", metavar="MOVES|FILE")
    verb.add_argument("--goal")
    verb.add_argument("--metric", default="stm", choices=["stm", "mtm"])
    verb.add_argument("--json", action="store_true")
    return top


if __name__ == "__main__":
    sys.exit(main())
