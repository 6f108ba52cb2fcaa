"""Script that records which plays GNU Backgammon lists.

The script uses 20 random boards with all 21 rolls. The array ``plays`` has the number of
rows of ``after`` that belong to each board and roll.
"""

from pathlib import Path

import numpy as np

from oracles.gnubg_plays import listed_plays
from oracles.legal_ways import ALL_ROLLS, random_boards

BOARDS, SEED = 20, 3


def main():
    """Write `gnubg_plays.npz`."""
    boards = np.repeat(random_boards(BOARDS, SEED), len(ALL_ROLLS), axis=0)
    rolls = np.tile(ALL_ROLLS, (BOARDS, 1))
    listed = listed_plays(boards, rolls)
    np.savez_compressed(
        Path(__file__).with_name("gnubg_plays.npz"),
        boards=boards,
        rolls=rolls,
        plays=np.array(list(map(len, listed)), np.int16),
        after=np.concatenate(listed),
    )


if __name__ == "__main__":
    main()
