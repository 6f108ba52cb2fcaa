"""Blocks of games that are stored in a folder, so that a run can be continued."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.storage import load_checkpoint, save_checkpoint

Arrays = dict[str, NDArray[np.float64]]
"""Arrays with the results of a block of games, by name."""


def played(
    count: int, folder: Path, stem: str, play: Callable[[int], Arrays], threads: int
) -> list[Arrays]:
    """Play the blocks of games that are missing in a folder, and return all blocks.

    Parameters
    ----------
    count : int
        Number of blocks.
    folder : Path
        Folder in which the blocks are stored.
    stem : str
        First part of the name of each block's file, before the number of the block.
    play : callable
        Function that plays the block with a given number.
    threads : int
        Number of threads.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def complete(block: int) -> Arrays:
        path = folder / f"{stem}-{block:05d}"
        if (kept := load_checkpoint(path)) is None:
            save_checkpoint(path, **(kept := play(block)))
        return kept

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(complete, range(count)))
