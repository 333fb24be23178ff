"""Programs of students that solve nothing.

usage: trivial.py BUG FILE
"""
import sys
import time

BUG, FILE = sys.argv[1], sys.argv[2]
if BUG == "endless-loop":
    while True:
        pass
elif BUG == "sleeps":
    time.sleep(1000)
elif BUG == "waits-for-input":
    while not sys.stdin.readline():
        time.sleep(0.01)
elif BUG == "crashes":
    raise ValueError("invalid literal for int() with base 10: '3\\n'")
elif BUG == "import-error":
    import numpy_of_another_machine
elif BUG == "exits-with-3":
    sys.exit(3)
elif BUG == "prints-nothing":
    pass
elif BUG == "prints-a-greeting":
    print("Hello, world!")
elif BUG == "echoes-the-input":
    print(open(FILE).read())
elif BUG == "answers-the-first-board":
    print("Minimum number of moves = 0\n3\n1 2 3\n4 5 6\n7 8 0")
elif BUG == "never-finds-a-solution":
    print("No solution possible")
elif BUG == "prints-debug-forever":
    while True:
        print("expanding", flush=False)
elif BUG == "eats-memory":
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
elif BUG == "recursion":
    def solve(board):
        return solve(board)
    solve(())
else:
    sys.exit(f"unknown bug {BUG}")
