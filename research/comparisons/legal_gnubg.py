"""Comparison and timing of the legal plays listed by this program and by GNU Backgammon.

Each of the 21 rolls is played from every board. The sets of boards after the plays are
compared.
"""

import statistics
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff import ROLLS
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.game import Board, legal_plays
from bearoff.game.rules import BAR
from oracles import gnubg
from oracles.gnubg_plays import listed_plays
from oracles.legal_ways import (
    ALL_ROLLS,
    count_called,
    count_enumerated,
    count_plays,
    random_boards,
)
from oracles.timing import seconds_of, seconds_of_children
from research.comparisons.pages import page_parser, write_page

SEED = 17
BLOCK = 100
"""Number of boards that are sent to each process of GNU Backgammon."""
FEW = 40
"""Number of boards whose legal plays are also found by a simple function in Python."""


@dataclass(frozen=True)
class Compared:
    """Legal plays that were compared, and the differences between the two programs.

    Attributes
    ----------
    boards : ndarray of int8, shape (n, 26)
        Boards from which each of the 21 rolls is played.
    plays : int
        Total number of boards after the plays, over all boards and rolls.
    stuck : int
        Number of combinations of a board and a roll without a legal play.
    different : list of str
        Sentence for each combination of a board and a roll for which the two programs
        differ.
    seconds : float
        Processor time of GNU Backgammon in seconds.
    """

    boards: NDArray[np.int8]
    plays: int
    stuck: int
    different: list[str]
    seconds: float


def compare(number: int, processes: int = 4) -> Compared:
    """Compare the legal plays of both programs on random boards, for all 21 rolls."""
    boards = random_boards(number, SEED)
    blocks = [boards[k : k + BLOCK] for k in range(0, number, BLOCK)]
    plays, stuck, before = 0, 0, seconds_of_children()
    different: list[str] = []
    with ThreadPoolExecutor(processes) as pool:
        for block, lists in zip(blocks, pool.map(_all_rolls, blocks), strict=True):
            for board, roll, after in zip(
                np.repeat(block, len(ROLLS), axis=0), ROLLS * len(block), lists, strict=True
            ):
                plays += len(after)
                stuck += len(after) == 1 and (after[0] == board).all()
                different += differences(board, roll, after)
    return Compared(boards, plays, stuck, different, seconds_of_children() - before)


def _all_rolls(boards: NDArray[np.int8]) -> list[NDArray[np.int8]]:
    return listed_plays(
        np.repeat(boards, len(ROLLS), axis=0), np.tile(ALL_ROLLS, (len(boards), 1))
    )


def differences(
    board: NDArray[np.int8], roll: tuple[int, int], listed: NDArray[np.int8]
) -> Iterator[str]:
    """Yield a sentence if `legal_plays` and GNU Backgammon do not list the same plays."""
    given = Board(tuple(board.tolist()))
    ours = legal_plays(given, roll)
    own, theirs = set(map(bytes, ours)), set(map(bytes, listed))
    if own != theirs or len(ours) != len(own):
        yield (
            f"{given} with {roll[0]}-{roll[1]}: {len(own - theirs)} plays that only this "
            f"program lists, {len(theirs - own)} plays that only GNU Backgammon lists"
        )


def kinds(boards: NDArray[np.int8]) -> dict[str, int]:
    """Count the boards with special features, such as checkers on the bar."""
    own, theirs = np.maximum(boards, 0), np.maximum(-boards, 0)
    on_bar = own[:, BAR] > 0
    home = own[:, 7:].sum(axis=1) == 0
    closed = (theirs[:, 19:25] >= 2).all(axis=1)
    last = 25 - (own[:, ::-1] > 0).argmax(axis=1)
    contact = (theirs * (np.arange(26) < last[:, None])).any(axis=1)
    return {
        "all boards": len(boards),
        "boards in which the roller is on the bar": int(on_bar.sum()),
        "boards in which the roller has two or more checkers on the bar": int(
            (own[:, BAR] > 1).sum()
        ),
        "boards in which the roller is on the bar against a closed board": int(
            (on_bar & closed).sum()
        ),
        "boards in which the opponent is on the bar": int((theirs[:, 0] > 0).sum()),
        "the roller bears off": int(home.sum()),
        "the roller bears off with an opposing checker behind": int((home & contact).sum()),
        "the roller has checkers borne off and others outside home": int(
            (~home & (own.sum(axis=1) < 15)).sum()
        ),
    }


def page(found: Compared) -> str:
    boards, pairs = found.boards, len(found.boards) * len(ROLLS)
    total = count_plays(boards)
    ours = statistics.median(seconds_of(lambda: count_plays(boards), 5))
    few = boards[:FEW]
    slow = statistics.median(seconds_of(lambda: count_enumerated(few), 1))
    called = statistics.median(seconds_of(lambda: count_called(few), 5))
    rows = [
        [
            "`plays_of_roll`, compiled, one thread",
            *_rates(pairs, total, ours),
        ],
        [
            f"`game.legal_plays`, called from Python for each pair, {len(few):,} of the "
            "boards",
            *_rates(len(few) * len(ROLLS), count_plays(few), called),
        ],
        [
            f"enumeration of all plays in Python, on {len(few):,} of the boards",
            *_rates(len(few) * len(ROLLS), count_plays(few), slow),
        ],
        [
            "GNU Backgammon's hint, which also rates each play at 0 ply",
            *_rates(pairs, found.plays, found.seconds),
        ],
    ]
    return markdown_page(
        [
            "# Legal plays compared with GNU Backgammon's",
            f"`python -m research.comparisons.legal_gnubg --positions {len(boards)}` "
            "compares the legal plays of all 21 rolls on random boards with the plays "
            f"that the hint of GNU Backgammon {gnubg.version()} lists. Plays count as "
            "equal if they lead to the same board. Half of the boards occurred in games "
            "with random plays. On the other boards, the checkers are placed at random.",
            f"The comparison includes {len(boards):,} boards, {pairs:,} pairs of a board "
            f"and a roll, and {found.plays:,} plays. No play is possible in "
            f"{found.stuck:,} of the pairs of a board and a roll. Number of pairs in "
            f"which the two programs' legal plays differ: **{len(found.different)}**.",
            *(f"- {one}" for one in found.different[:20]),
            markdown_table(
                ["boards", "number"],
                [[name, f"{count:,}"] for name, count in kinds(boards).items()],
            ),
            "## Speed",
            "The table shows how many pairs of a board and a roll each method handles "
            "per second of processor time, and how many plays it generates. All methods "
            "were measured in the same run.",
            markdown_table(
                [
                    "method",
                    "pairs of board and roll per second",
                    "plays per second",
                ],
                rows,
            ),
        ]
    )


def _rates(pairs: int, plays: int, seconds: float) -> list[str]:
    return [f"{float(f'{count / seconds:.3g}'):,.0f}" for count in (pairs, plays)]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = page_parser(__doc__, Path("results/agreement/legal-plays.md"))
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument(
        "--processes", type=int, default=4, help="number of GNU Backgammon processes"
    )
    options = parser.parse_args(arguments)
    text = page(compare(options.positions, options.processes))
    write_page(text, options.write)


if __name__ == "__main__":
    main()
