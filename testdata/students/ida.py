"""A student's IDA* for the Princeton course, which is right and slow.

usage: ida.py none FILE
"""
import sys

sys.setrecursionlimit(10_000)
numbers = [int(word) for word in open(sys.argv[2]).read().split()]
n, start = numbers[0], numbers[1:]
goal = list(range(1, n * n)) + [0]


def h(board):
    return sum(abs(c // n - (t - 1) // n) + abs(c % n - (t - 1) % n) for c, t in enumerate(board) if t)


def solvable(board):
    tiles = [tile for tile in board if tile]
    swaps = sum(a > b for i, a in enumerate(tiles) for b in tiles[i + 1:])
    rows = n - 1 - board.index(0) // n if n % 2 == 0 else 0
    return (swaps + rows) % 2 == 0


def search(path, g, bound):
    """Returns the next bound, or None when the path ends at the goal."""
    board = path[-1]
    f = g + h(board)
    if f > bound:
        return f
    if board == goal:
        return None
    smallest = float("inf")
    blank = board.index(0)
    for cell in (blank - n, blank + n, blank - 1, blank + 1):
        if not 0 <= cell < n * n or cell // n != blank // n and cell % n != blank % n:
            continue
        child = list(board)
        child[blank], child[cell] = child[cell], 0
        if len(path) > 1 and child == path[-2]:
            continue
        path.append(child)
        found = search(path, g + 1, bound)
        if found is None:
            return None
        path.pop()
        smallest = min(smallest, found)
    return smallest


if not solvable(start):
    print("No solution possible")
    sys.exit()
path, bound = [start], h(start)
while bound is not None:
    bound = search(path, 0, bound)
print("Minimum number of moves =", len(path) - 1)
for board in path:
    print(n)
    for row in range(n):
        print(*board[n * row:n * row + n])
