"""Compares the speed of batches from Python with the same batches in Rust.

    cargo build --release -p npuzzle --example batch
    python bench.py target/release/examples/batch [--count 10000] [--size 4x4] [--rounds 3]

Both solve the same random boards with `Options::solve_many`, alternately, each time in a new process. The
time is that of the whole process. Wall-clock and CPU times are printed; on a busy machine the CPU times are
more reliable. The package must be built with `maturin build --release`.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import npuzzle

PROGRAM = """
import sys, npuzzle
for report in npuzzle.solve_many(open(sys.argv[1]).read()):
    print(f"{report.stm}: {report.solution}")
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("batch", help="the path of the Rust example")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--size", default="4x4")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    boards = npuzzle.generate(args.size, count=args.count, seed=1)
    rust, python = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "boards.txt")
        with open(path, "w") as file:
            file.writelines(f"{board}\n" for board in boards)
        for _ in range(args.rounds):
            (lines, *times) = timed(lambda: subprocess.check_output([args.batch, path], text=True))
            rust.append(times)
            # Like the Rust example: from a text to lines.
            (reports, *times) = timed(lambda: subprocess.check_output([sys.executable, "-c", PROGRAM, path], text=True))
            python.append(times)
            assert reports == lines
    print(f"{args.count} boards of {args.size}, best of {args.rounds}")
    for kind, column in (("wall-clock", 0), ("CPU", 1)):
        fastest = [min(times[column] for times in rounds) for rounds in (rust, python)]
        print(f"{kind:11} Rust {fastest[0]:8.2f} s, Python {fastest[1]:8.2f} s, ratio {fastest[0] / fastest[1]:.2f}")


def timed(work):
    """Returns the result, the wall-clock seconds and the CPU seconds."""
    started, before = time.perf_counter(), os.times()
    result = work()
    after = os.times()
    cpu_seconds = sum(after[:4]) - sum(before[:4])
    return result, time.perf_counter() - started, cpu_seconds


if __name__ == "__main__":
    main()
