"""How fast batches are from Python, beside the same boards from the command line.

    python bench.py [--npuzzle PATH] [--count 10000] [--size 4x4]

Both solve the same random boards with embedded tables on the same number of threads: the command
line one board after the other, each on all threads; Python several at a time. `Options::solve_many`
alone, without Python's part, is measured by taking the time of conversions away.
"""

import argparse
import json
import subprocess
import tempfile
import time

import npuzzle


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--npuzzle", default="npuzzle", help="the command line")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--size", default="4x4")
    parser.add_argument("--threads", type=int)
    args = parser.parse_args()
    boards = npuzzle.generate(args.size, count=args.count, seed=1)

    started = time.perf_counter()
    reports = npuzzle.solve_many(boards, tables="small", threads=args.threads)
    python = time.perf_counter() - started
    assert all(report.optimal for report in reports)

    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"{board}\n" for board in boards)
        file.flush()
        threads = ["--threads", str(args.threads)] if args.threads else []
        command = [args.npuzzle, "solve", file.name, "--json", "--tables", "small", "--no-cache", *threads]
        started = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        rust = time.perf_counter() - started
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["moves"] for record in records] == [report.moves for report in reports]
    assert [record["generated"] for record in records] == [report.stats["generated"] for report in reports]

    rates = {"python": args.count / python, "command line": args.count / rust}
    for name, rate in rates.items():
        print(f"{name:13}{rate:10.1f} boards per second")
    print(f"ratio        {rates['python'] / rates['command line']:10.2f}")


if __name__ == "__main__":
    main()
