"""Evaluates agents on sliding puzzles and draws the share of solved boards by distance.

    python evaluate_agents.py [--size 3x3] [--count 310] [--seed 7] [--svg accuracy.svg]

An agent gets the prompt of a task and returns a text. The three agents here are a random one, a greedy one, which makes
the move that looks best by Manhattan distance, and a perfect one. Replace one of them by a call of your model.
"""

import argparse
import random

import npuzzle

OPPOSITE = {"U": "D", "D": "U", "L": "R", "R": "L"}


def random_agent(task, choice):
    """Makes as many random moves as the shortest solution has, never back and forth."""
    board, moves = npuzzle.Board(task["board"]), []
    for _ in range(task["distance"]):
        slides = [slide for slide in board.slides() if not moves or slide != OPPOSITE[moves[-1]]]
        moves.append(choice.choice(slides))
        board = board.slide(moves[-1])
    return f"I guess: <answer>{' '.join(moves)}</answer>"


def greedy_agent(task, choice):
    """Makes the move with the smallest Manhattan distance to the goal, never to a board that it has seen."""
    board, moves = npuzzle.Board(task["board"]), []
    seen = {board}
    while str(board) != task["goal"] and len(moves) < 3 * task["distance"]:
        nexts = [(slide, board.slide(slide)) for slide in board.slides()]
        nexts = [(slide, after) for slide, after in nexts if after not in seen]
        if not nexts:
            break
        slide, board = min(nexts, key=lambda move: (npuzzle.heuristic(move[1], goal=task["goal"]), choice.random()))
        seen.add(board)
        moves.append(slide)
    return f"Step by step toward the goal.\n\n**Answer:** {', '.join(moves)}"


def perfect_agent(task, choice):
    """Solves the board."""
    return f"<think>Easy.</think>\n\\boxed{{{npuzzle.solve(task['board'], goal=task['goal']).solution}}}"


AGENTS = {"random": random_agent, "greedy": greedy_agent, "perfect": perfect_agent}


def evaluate(agent, tasks, seed):
    """Returns the mean score, and the share of solved boards at each distance."""
    choice = random.Random(seed)
    answers = [agent(task, choice) for task in tasks]
    judgments = npuzzle.judge_many([task["board"] for task in tasks], answers, goal=tasks[0]["goal"])
    by_distance = {}
    for task, judgment in zip(tasks, judgments):
        by_distance.setdefault(task["distance"], []).append(judgment.solved)
    shares = {distance: sum(solved) / len(solved) for distance, solved in sorted(by_distance.items())}
    return sum(judgment.score for judgment in judgments) / len(judgments), shares


def chart(results):
    """Returns one line per distance, with a bar of at most 20 characters for each agent."""
    lines = ["distance  " + "".join(f"{name:<28}" for name in results)]
    for distance in next(iter(results.values()))[1]:
        shares = [shares[distance] for _, shares in results.values()]
        bars = "".join(f"{'#' * round(20 * share):<20} {100 * share:3.0f} %  " for share in shares)
        lines.append(f"{distance:>8}  {bars}".rstrip())
    scores = "".join(f"mean score {score:<17.3f}" for score, _ in results.values())
    return "\n".join([*lines, f"{'all':>8}  {scores}".rstrip()])


def svg(results):
    """Returns a line chart."""
    width, height, left, bottom = 720, 360, 60, 310
    colors = ("#bb5566", "#ddaa33", "#004488")
    distances = list(next(iter(results.values()))[1])
    step = (width - left - 20) / max(1, len(distances) - 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">distance to the goal</text>',
    ]
    for percent in range(0, 101, 25):
        y = bottom - 2.6 * percent
        parts.append(f'<line x1="{left}" y1="{y}" x2="{width - 20}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>')
    for index in range(0, len(distances), max(1, len(distances) // 10)):
        parts.append(f'<text x="{left + index * step}" y="{bottom + 18}" text-anchor="middle">{distances[index]}</text>')
    for number, (name, (_, shares)) in enumerate(results.items()):
        points = " ".join(f"{left + i * step:.1f},{bottom - 260 * share:.1f}" for i, share in enumerate(shares.values()))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colors[number % 3]}" stroke-width="2"/>')
        parts.append(f'<text x="{left + 10 + 90 * number}" y="24" fill="{colors[number % 3]}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="3x3")
    parser.add_argument("--count", type=int, default=310, help="number of boards, divided among the distances")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--svg", metavar="FILE", help="draw a chart into a file")
    args = parser.parse_args(arguments)
    tasks = npuzzle.dataset(args.size, splits={"test": args.count}, seed=args.seed)
    results = {name: evaluate(agent, tasks, args.seed) for name, agent in AGENTS.items()}
    print(chart(results))
    if args.svg:
        with open(args.svg, "w") as file:
            file.write(svg(results))


if __name__ == "__main__":
    main()
