"""Page on how much time pruning and sampling save in a search, and what sampling costs."""

import time
from pathlib import Path

import numpy as np

from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.game import Board
from bearoff.game.evaluation import Net
from bearoff.game.search import Searcher, SearchSettings, net_mover

PATH = Path("game", "search.md")

Decision = tuple[Board, tuple[int, int]]


def decisions(count: int, seed: int) -> list[Decision]:
    """Return every ninth contact position, with its roll, in games of the network."""
    rng = np.random.default_rng(seed)
    move, turn = net_mover(Net.load()), 0
    found: list[Decision] = []
    while len(found) < count:
        board = Board.start()
        while board.race is None and not board.points_won:
            high, low = sorted(rng.integers(1, 7, 2).tolist(), reverse=True)
            turn += 1
            if turn % 9 == 0:
                found.append((board, (high, low)))
            board = Board(tuple(move(board.array, high, low).tolist()))
    return found[:count]


def measure(met: list[Decision], settings: SearchSettings) -> tuple[float, ...]:
    """Return the work of a search per decision: nodes, positions, hits and CPU seconds."""
    Searcher(Net.load(), settings).choose(*met[0])
    searcher = Searcher(Net.load(), settings)
    start = time.process_time()
    for board, roll in met:
        searcher.choose(board, roll)
    seconds = time.process_time() - start
    counts = searcher.counts
    return tuple(
        value / len(met) for value in (counts.nodes, counts.positions, counts.hits, seconds)
    )


def loss(
    met: list[Decision], settings: SearchSettings, judge: Searcher
) -> tuple[float, float]:
    """Return the mean loss per decision in points, judged by `judge`, and its error."""
    searcher, lost = Searcher(Net.load(), settings), []
    for board, roll in met:
        best = judge.choose(board, roll).board
        play = searcher.choose(board, roll).board
        lost.append(judge.worth(best) - judge.worth(play))
    return float(np.mean(lost)), float(np.std(lost, ddof=1) / len(lost) ** 0.5)


def page(quick: bool = False) -> str:
    count, deep = (2, 1) if quick else (200, 8)
    met = decisions(count, seed=1)
    rows = []
    for depth, some, width, inner in ((1, met, 8, 1), (2, met[:deep], 4, 3)):
        for method in ("plain", "star1", "star2"):
            for table in (0, 1 << 18):
                settings = SearchSettings(
                    depth=depth, width=width, inner_width=inner, method=method, table=table
                )
                nodes, positions, hits, seconds = measure(some, settings)
                rows.append(
                    [
                        f"depth {depth}, {width} plays of each roll"
                        + (f", then {inner} plays" if depth > 1 else ""),
                        method,
                        "yes" if table else "no",
                        f"{nodes:,.0f}",
                        f"{positions:,.0f}",
                        f"{hits:,.1f}",
                        f"{1000 * seconds:,.1f}",
                    ]
                )
    judge = Searcher(Net.load(), SearchSettings(depth=1, width=1000))
    samples = []
    for name, settings in (
        ("depth 0", SearchSettings(depth=0)),
        *(
            (
                f"search at depth 1, {rolls} of the 21 rolls",
                SearchSettings(depth=1, rolls=rolls),
            )
            for rolls in (7, 14, 18)
        ),
        (
            "search at depth 1, all rolls, the best 4 plays",
            SearchSettings(depth=1, width=4),
        ),
        ("search at depth 1, all rolls, the best 8 plays", SearchSettings(depth=1)),
    ):
        lost, error = loss(met, settings, judge)
        seconds = measure(met, settings)[3]
        samples.append(
            [name, f"{1000 * lost:.1f} ± {1000 * error:.1f}", f"{1000 * seconds:.1f}"]
        )
    return markdown_page(
        [
            "# Time saved by the search",
            f"`python -m benchmarks --page search` measures {count} decisions before "
            f"the race, {deep} of them also at depth 2, from games of the neural net. "
            "All search methods give the same plays and values. Per decision, the "
            "table gives the number of chance *nodes* (rolls considered), the number "
            "of evaluated *positions*, the number of values found in the transposition "
            "table (*hits*), and the processor time in ms. The column *table* says "
            "whether the transposition table is used.",
            markdown_table(
                ["search", "method", "table", "nodes", "positions", "hits", "ms"], rows
            ),
            "## Estimating a chance node from some of its rolls",
            "A search can save time if each chance node considers only some of the "
            "rolls. The table gives the loss of the plays that such searches choose, "
            "in thousandths of a point per decision. The judge of a chosen play is a "
            "search at depth 1 with all rolls and all plays. Each chance node draws its "
            "own rolls, so the search compares the plays in a position over different "
            "rolls. A search that considers only 14 of the 21 rolls is not better than "
            "no search. The searches in the last two rows save time by considering fewer "
            "plays, with all rolls. Times are processor times.",
            markdown_table(["search", "lost", "ms"], samples),
        ]
    )
