"""Ctrl-C: the time from a signal to another process until its exception is raised."""

import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = """
import sys, time, npuzzle
hard = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"  # 80 moves
large = npuzzle.generate(127, seed=1)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print(time.time(), flush=True)
    assert npuzzle.solve("8 1 3/4 0 2/7 6 5").stm == 14
    sys.exit(7)
"""

CALLS = {
    "pattern": 'npuzzle.solve(hard, tables="small", time=60)',
    "one thread": 'npuzzle.solve(hard, tables="small", threads=1, time=60)',
    "astar": 'npuzzle.solve(hard, algorithm="astar", time=60)',
    "runs": 'npuzzle.solve(hard, metric="mtm", tables="small", time=60)',
    "large": "npuzzle.solve(large, time=60)",
    "many": 'npuzzle.solve_many([hard] * 100, tables="small", time=60)',
    "generate": "npuzzle.generate(4, moves=(78, 80), count=1000, seed=1, time=60)",
    "tables": 'npuzzle.solve(hard, tables="large", cache=False, time=60)',
    "distance": "npuzzle.distance(hard)",
    "check": 'npuzzle.check(hard, npuzzle.solve(hard, algorithm="construct").solution, time=60)',
}


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("name", CALLS)
def test_signal_stops_a_search(name, record_property):
    # The best of three, because machines that run tests are busy.
    seconds = min(seconds_to_stop(CALLS[name]) for _ in range(3))
    record_property("seconds", seconds)
    print(f"{name}: {seconds * 1000:.0f} ms from the signal to the exception")
    assert seconds < 0.2


def seconds_to_stop(call):
    program = PROGRAM.format(call=call)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    with child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.7)
        sent = time.time()
        child.send_signal(signal.SIGINT)
        stopped = float(child.stdout.readline())
        assert child.wait(timeout=30) == 7
    return stopped - sent
