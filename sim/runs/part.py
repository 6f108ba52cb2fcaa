"""Result file (part) of a run while its blocks of games are being simulated."""

from collections.abc import Callable, Iterator

import numpy as np

from bearoff.sim.engine import Block
from bearoff.sim.play import tally


class PartAccumulator:
    """Sum of the statistics of the blocks of games that belong to one result file.

    Blocks are added in the order of their games. A block that arrives early waits for the
    blocks before it, so that the sum covers the first games of each pair without gaps.

    Parameters
    ----------
    pairs : slice
        Slice of the run's pairs that the result file contains.
    blocks : list of Block
        Blocks of games that belong to the result file. Empty if all its games were stored
        before.
    stored : callable
        Function that returns the stored statistics of a block of games; None if the block
        is not stored.

    Attributes
    ----------
    counts : ndarray of int64, shape (pairs, width)
        Sum of the statistics of all blocks that have been added, one row per pair.
    added : int
        Number of blocks that have been added.
    """

    def __init__(
        self,
        pairs: slice,
        blocks: list[Block],
        width: int,
        stored: Callable[[Block], tally.Counts | None],
    ) -> None:
        self.pairs = pairs
        self.counts = np.zeros((pairs.stop - pairs.start, width), dtype=np.int64)
        self.added = 0
        self._blocks = blocks
        self._missing = {block.index for block in blocks}
        self._waiting: dict[int, tally.Counts] = {}
        for block in blocks:
            counts = stored(block)
            if counts is not None:
                self.add(block, counts)

    def add(self, block: Block, counts: tally.Counts) -> None:
        """Add the statistics of a block of games once all earlier blocks are added."""
        self._missing.remove(block.index)
        self._waiting[block.index] = counts
        while self.added in self._waiting:
            self._add_next(self._waiting.pop(self.added))

    def _add_next(self, counts: tally.Counts) -> None:
        if len(self._blocks) == 1 and len(counts) == len(self.counts):
            self.counts = counts
        else:
            start = self._blocks[self.added].first_pair - self.pairs.start
            self.counts[start : start + len(counts)] += counts
        self.added += 1

    def missing(self) -> Iterator[Block]:
        """Yield the blocks of games that still have to be simulated."""
        return (block for block in self._blocks if block.index in self._missing)

    @property
    def complete(self) -> bool:
        return not self._missing

    @property
    def block_count(self) -> int:
        return len(self._blocks)

    @property
    def games(self) -> int:
        """Number of games whose statistics are known."""
        waiting = sum(
            int(counts[:, tally.GAMES].sum()) for counts in self._waiting.values()
        )
        return int(self.counts[:, tally.GAMES].sum()) + waiting
