"""`python -m npuzzle`: the commands solve, generate and check of the command line, without the program.

For the other commands (grade, trace, audit, compare, render and more) install the program:
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
# The exit codes in the order of severity; a batch returns the most severe one.
BY_SEVERITY = (YES, NO, LIMIT, USAGE, FILE, INTERRUPTED)


def main(argv: Optional[List[str]] = None) -> int:
    args = parser().parse_args(argv)
    try:
        return args.run(args)
    except npuzzle.LimitReached as error:
        print_error(error)
        return LIMIT
    except npuzzle.NpuzzleError as error:
        print_error(error)
        return USAGE
    except OSError as error:
        print_error(f"{error.filename}: {error.strerror}" if error.filename else error)
        return FILE
    except KeyboardInterrupt:
        return INTERRUPTED


def print_error(message: object) -> None:
    print(f"npuzzle: {message}", file=sys.stderr)


def text_of(arg: str) -> str:
    """Returns the text of an argument: standard input for `-`, a file if it exists, or the argument."""
    if arg == "-":
        return sys.stdin.read()
    looks_like_file = not any(letter.isspace() for letter in arg) and arg.endswith((".txt", ".csv", ".json"))
    if os.path.exists(arg) or looks_like_file:
        with open(arg, encoding="utf-8-sig") as file:
            try:
                return file.read()
            except UnicodeDecodeError:
                raise npuzzle.InputError(f"{arg}: the file is not UTF-8 text") from None
    return arg


def solve(args: argparse.Namespace) -> int:
    options = {name: getattr(args, name) for name in SOLVE_OPTIONS if getattr(args, name) is not None}
    code = YES
    # Each argument is parsed separately: two consecutive grids would be a board and its goal.
    for arg in args.boards:
        results = npuzzle.solve_many(text_of(arg), errors="return", **options)
        is_batch = len(args.boards) > 1 or len(results) > 1
        for result in results:
            code = max(code, print_result(result, args, is_batch), key=BY_SEVERITY.index)
    return code


def print_result(result: object, args: argparse.Namespace, is_batch: bool) -> int:
    if isinstance(result, Exception):
        print_error(result)
        return USAGE
    assert isinstance(result, npuzzle.Report)
    solution = result.write(args.notation)
    if args.json:
        print(result.to_json(args.notation))
    elif is_batch:
        print(result if solution is None else f"{result}: {solution}")
    else:
        print(result)
        if solution is not None:
            print(solution)
        if args.all is not None and result.optimal_solutions is not None:
            n = result.optimal_solutions
            print(f"{n} optimal solution{'' if n == 1 else 's'}{':' if result.solutions else ''}")
            print("\n".join(result.solutions or []), end="\n" if result.solutions else "")
    if result.limit is not None:
        return LIMIT
    return YES if result.solvable else NO


def generate(args: argparse.Namespace) -> int:
    options = {name: getattr(args, name) for name in GENERATE_OPTIONS if getattr(args, name) is not None}
    for board in npuzzle.generate(args.size, count=args.count, **options):
        print(board)
    return YES


def check(args: argparse.Namespace) -> int:
    puzzle, solution = text_of(args.board), text_of(args.solution)
    verdict = npuzzle.check(puzzle, solution, goal=args.goal, metric=args.metric)
    if args.json:
        import json

        print(json.dumps(verdict.to_dict(), separators=(",", ":"), ensure_ascii=False))
    else:
        print(repr(verdict)[len("<Check: ") : -1])
    # A length without moves proves nothing.
    if not verdict.valid or verdict.shortest is False or verdict.read_as == "none":
        return NO
    return LIMIT if verdict.shortest is None else YES


def unit(units: dict) -> Callable[[str], float]:
    """Returns a parser of numbers with a unit; `none` is infinity."""

    def number(text: str) -> float:
        if text == "none":
            return math.inf
        for suffix, factor in units.items():
            if text.endswith(suffix):
                return float(text[: len(text) - len(suffix)]) * factor
        return float(text)

    return number


seconds = unit({"ms": 1e-3, "s": 1, "m": 60, "h": 3600})
count = unit({"k": 1e3, "M": 1e6, "G": 1e9})
size = unit({"K": 2**10, "M": 2**20, "G": 2**30})


def span(text: str):
    """Parses `22`, or `20..25` with both ends included."""
    first, dots, last = text.partition("..")
    return (int(first), int(last.lstrip("="))) if dots else int(first)


SOLVE_OPTIONS = (
    "goal metric algorithm heuristic weight time nodes memory threads effort optimal all tables cache"
).split()
GENERATE_OPTIONS = "seed name goal moves metric unique unsolvable".split()


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m npuzzle", description=__doc__)
    top.add_argument("--version", action="version", version=f"npuzzle {npuzzle.__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("solve", help="solve boards: texts, files, or - for standard input")
    command.set_defaults(run=solve)
    command.add_argument("boards", nargs="+", metavar="BOARD|FILE")
    for name in "goal algorithm heuristic effort tables cache".split():
        command.add_argument(f"--{name}")
    command.add_argument("--metric", choices=["stm", "mtm"])
    command.add_argument("--weight", type=float)
    command.add_argument("--time", type=seconds, help="time limit per board: 500ms, 5s, 2m, none")
    command.add_argument("--nodes", type=count, help="maximum number of expanded states: 1e6, 5M, none")
    command.add_argument("--memory", type=size, help="maximum memory: 512M, 2G, none")
    command.add_argument("--threads", type=int)
    command.add_argument("--optimal", action="store_true", default=None)
    command.add_argument("--all", type=int, nargs="?", const=100, metavar="N")
    command.add_argument("--notation", default="tile", choices=["tile", "blank", "numbers", "boards"])
    command.add_argument("--json", action="store_true", help="print one JSON object per board and line")

    command = commands.add_parser("generate", help="generate boards")
    command.set_defaults(run=generate)
    command.add_argument("--size", default="4x4")
    command.add_argument("-n", "--count", type=int, default=1)
    command.add_argument("--seed", type=int)
    command.add_argument("--for", dest="name", metavar="ID", help="generate the boards of this recipient")
    command.add_argument("--goal")
    command.add_argument("--moves", type=span, metavar="N|A..B")
    command.add_argument("--metric", choices=["stm", "mtm"])
    command.add_argument("--unique", action="store_true", default=None)
    command.add_argument("--unsolvable", action="store_true", default=None)

    command = commands.add_parser("check", help="check a solution")
    command.set_defaults(run=check)
    command.add_argument("board", metavar="BOARD|FILE")
    command.add_argument("solution", metavar="MOVES|FILE")
    command.add_argument("--goal")
    command.add_argument("--metric", default="stm", choices=["stm", "mtm"])
    command.add_argument("--json", action="store_true")
    return top


if __name__ == "__main__":
    sys.exit(main())
