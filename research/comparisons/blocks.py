"""Games in blocks, kept in a folder: a block that is there is not played again."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.storage import load_checkpoint, save_checkpoint

Arrays = dict[str, NDArray[np.float64]]
"""What is kept of a block, by name."""


def played(
    count: int, folder: Path, stem: str, play: Callable[[int], Arrays], threads: int
) -> list[Arrays]:
    """Play the blocks that a folder does not hold yet; return all.

    Parameters
    ----------
    count : int
        Of blocks.
    folder : Path
        Where they are kept.
    stem : str
        Beginning of their files' names: blocks of another are others.
    play : callable
        Plays the block of a number, by dice that follow from it.
    threads : int
        That play.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def complete(block: int) -> Arrays:
        path = folder / f"{stem}-{block:05d}"
        if (kept := load_checkpoint(path)) is None:
            save_checkpoint(path, **(kept := play(block)))
        return kept

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(complete, range(count)))
