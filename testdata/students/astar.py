"""A student's A* with the bug that the first argument names; `none` is right.

usage: astar.py BUG COURSE FILE [OUTPUT]
"""
import heapq
import itertools
import random
import sys

BUG, COURSE = sys.argv[1], sys.argv[2]
PUSHED = itertools.count()


def read():
    numbers = [int(word) for word in open(sys.argv[3]).read().split()]
    n = 3 if COURSE in ("umbc", "bu", "cuhk") else numbers.pop(0)
    start, rest = tuple(numbers[:n * n]), tuple(numbers[n * n:])
    last = tuple(range(1, n * n)) + (0,)
    goal = {"umbc": rest, "bu": tuple(range(n * n)), "42": snail(n)}.get(COURSE, last)
    if BUG == "wrong-goal":
        goal = snail(n)
    if BUG == "wrong-goal-first":
        goal = tuple(range(n * n))
    if BUG == "reads-columns":
        start = tuple(start[n * c + r] for r in range(n) for c in range(n))
    return n, start, goal


def snail(n):
    cells, row, col, dr, dc = [0] * (n * n), 0, 0, 0, 1
    for tile in range(1, n * n):
        cells[n * row + col] = tile
        r, c = row + dr, col + dc
        if not (0 <= r < n and 0 <= c < n) or cells[n * r + c]:
            dr, dc = dc, -dr
            r, c = row + dr, col + dc
        row, col = r, c
    return tuple(cells)


class Puzzle:
    def __init__(self, n, start, goal):
        self.n, self.start, self.goal = n, start, goal
        self.cell = {tile: cell for cell, tile in enumerate(goal)}

    def h(self, board):
        n, total = self.n, 0
        if BUG in ("uniform", "depth-first"):
            return 0
        for cell, tile in enumerate(board):
            if tile == 0 and BUG != "blank-counted":
                continue
            to = self.cell[tile]
            if BUG == "shifted-goal":
                to = (to + 1) % (n * n)
            rows, cols = abs(cell // n - to // n), abs(cell % n - to % n)
            if COURSE == "umbc" or BUG == "misplaced":
                total += cell != to
            elif BUG == "squared":
                total += rows * rows + cols * cols
            elif BUG == "rows-only":
                total += rows
            elif BUG == "max-instead-of-sum":
                total = max(total, rows + cols)
            elif BUG == "plus-misplaced":
                total += rows + cols + (cell != to)
            else:
                total += rows + cols
        if BUG == "conflict-pairs":
            total += 2 * self.conflicts(board)
        factor = {"doubled": 2, "fivefold": 5}.get(BUG, 1)
        return factor * total

    def conflicts(self, board):
        n, count = self.n, 0
        for a, b in itertools.combinations(range(n * n), 2):
            if 0 in (board[a], board[b]):
                continue
            to_a, to_b = self.cell[board[a]], self.cell[board[b]]
            if a // n == b // n == to_a // n == to_b // n:
                count += to_a > to_b
            if a % n == b % n == to_a % n == to_b % n:
                count += to_a > to_b
        return count

    def neighbors(self, board):
        n, blank = self.n, board.index(0)
        for dr, dc in (-1, 0), (1, 0), (0, -1), (0, 1):
            row, col = blank // n + dr, blank % n + dc
            if 0 <= row < n and 0 <= col < n:
                tiles, cell = list(board), n * row + col
                tiles[blank], tiles[cell] = tiles[cell], 0
                yield tuple(tiles)

    def is_solvable(self):
        order = [self.cell[tile] for tile in self.start]
        swaps = sum(a > b for a, b in itertools.combinations(order, 2))
        blank, to = self.start.index(0), self.cell[0]
        n = self.n
        return swaps % 2 == (abs(blank // n - to // n) + abs(blank % n - to % n)) % 2

    def key(self, g, h):
        if BUG in ("greedy", "greedy-by-board"):
            return h
        if BUG == "depth-first":
            return -g
        if BUG == "largest-first":
            return -(g + h)
        return g + h

    def entry(self, g, h, board, parent):
        by_board = BUG in ("by-board", "greedy-by-board")
        tie = (board if by_board else (), next(PUSHED))
        return self.key(g, h), tie, g, board, parent

    def solve(self):
        """Returns the path, or None."""
        h = self.h(self.start)
        queue = [self.entry(0, h, self.start, None)]
        closed, inserted = set(), {self.start}
        while queue:
            node = queue.pop() if BUG == "unsorted" else heapq.heappop(queue)
            _, _, g, board, parent = node
            if board == self.goal and BUG != "goal-on-insertion":
                return self.path(node)
            if BUG not in ("no-closed-list", "wrong-parent", "closed-on-insertion", "no-detection"):
                if board in closed:
                    continue
                closed.add(board)
            for child in self.neighbors(board):
                if BUG in ("no-closed-list", "no-detection", "goal-on-insertion"):
                    if parent and child == parent[3]:
                        continue
                if BUG == "closed-on-insertion":
                    if child in inserted:
                        continue
                    inserted.add(child)
                cost = 1 if BUG == "cost-stays-one" else g + 1
                entry = self.entry(cost, self.h(child), child, node)
                if BUG == "goal-on-insertion" and child == self.goal:
                    return self.path(entry)
                if child not in closed:
                    queue.append(entry) if BUG == "unsorted" else heapq.heappush(queue, entry)
        if BUG == "crash-on-unsolvable":
            heapq.heappop(queue)
        return None

    def path(self, node):
        boards = []
        while node:
            boards.append(node[3])
            node = node[4]
        return boards[::-1]

    def climb(self):
        """Hill climbing, which stops in a local minimum."""
        boards = [self.start]
        while boards[-1] != self.goal:
            best = min(self.neighbors(boards[-1]), key=self.h)
            if self.h(best) >= self.h(boards[-1]):
                break
            boards.append(best)
        return boards

    def walk(self):
        """A random walk of at most 50,000 moves."""
        choose, boards = random.Random(1), [self.start]
        while boards[-1] != self.goal and len(boards) < 50_000:
            boards.append(choose.choice(list(self.neighbors(boards[-1]))))
        return boards


def print_board(n, board, out):
    if COURSE in ("princeton", "auc"):
        print(n, file=out)
    for r in range(n):
        print(" ".join(f"{tile:2}" for tile in board[n * r:n * r + n]), file=out)
    if COURSE not in ("princeton", "auc"):
        print(file=out)


def print_umbc(puzzle, path, out):
    def state(board, g):
        print_board(puzzle.n, board, out)
        print(f"Cost = {g + puzzle.h(board)}\ng = {g}\nh = {puzzle.h(board)}\n", file=out)
    print("Initial state", file=out)
    state(path[0], 0)
    print("Goal state reached:", file=out)
    state(path[-1], len(path) - 1)
    print("Solution cost is:", len(path) - (BUG != "off-by-one"), file=out)


def print_path(puzzle, path, out):
    n, moves = puzzle.n, len(path) - (BUG != "off-by-one")
    if BUG == "debug-lines":
        print("queue: <heap at 0x7f>", "h =", puzzle.h(path[0]), file=out)
    if BUG == "letters-only":
        names = {-n: "U", n: "D", -1: "L", 1: "R"}
        steps = zip(path, path[1:])
        print("".join(names[b.index(0) - a.index(0)] for a, b in steps), file=out)
        return
    if COURSE == "princeton" or BUG == "only-counts":
        print("Minimum number of moves =", moves, file=out)
    if COURSE == "bu":
        print(f"Ok, I found a solution with {moves} moves:\n", file=out)
    if COURSE == "42":
        print("Number of moves:", moves, file=out)
    if BUG == "only-counts":
        return
    shown = {
        "reversed-path": path[::-1],
        "no-start": path[1:],
        "no-goal": path[:-1],
        "every-second": path[::2],
        "twice": [board for board in path for _ in range(2)],
        "only-start": path[:1],
    }.get(BUG, path)
    for level, board in enumerate(shown):
        if COURSE == "auc" and level > 0:
            before, after = shown[level - 1], board
            tile = before[after.index(0)]
            step = before.index(0) - after.index(0)
            if BUG == "ways-swapped":
                step = -step
            name = {n: "Down", -n: "Up", 1: "Right", -1: "Left"}[step]
            h = puzzle.h(board)
            print(f"// Level {level}: {tile} {name}  g = {level} h = {h} c = {level + h}", file=out)
        if BUG == "no-spaces":
            print("Board<" + "".join(f"[{tile}]" for tile in board) + ">", file=out)
        elif BUG == "transposed":
            print_board(n, [board[n * c + r] for r in range(n) for c in range(n)], out)
        else:
            print_board(n, board, out)


def main():
    out = open(sys.argv[4], "w") if len(sys.argv) > 4 else sys.stdout
    puzzle = Puzzle(*read())
    solvable = puzzle.is_solvable()
    if BUG == "parity-reversed":
        solvable = not solvable
    if BUG == "never-solvable":
        solvable = False
    searches = solvable or BUG in ("no-detection", "crash-on-unsolvable", "exhausts")
    if BUG == "crash-on-4x4" and puzzle.n > 3:
        raise IndexError("list index out of range")
    if BUG == "hill-climbing":
        path = puzzle.climb() if solvable else None
    elif BUG == "random-walk":
        path = puzzle.walk() if solvable else None
    else:
        path = puzzle.solve() if searches else None
    if path is None:
        if BUG != "silent-on-unsolvable" and COURSE != "umbc":
            print("No solution possible", file=out)
    elif BUG == "crash-on-solved" and len(path) == 1:
        raise ZeroDivisionError("division by zero")
    elif COURSE == "umbc":
        print_umbc(puzzle, path, out)
    else:
        print_path(puzzle, path, out)


main()
