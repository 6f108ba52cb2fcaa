"""The part that is being played: its blocks and the sum of their counts."""

from collections.abc import Callable, Iterator

import numpy as np

from sim.engine import Block
from sim.play import tally


class PartAccumulator:
    """Counts of a part, added up block by block in any order.

    Parameters
    ----------
    pairs : slice
        Its pairs, among the run's.
    blocks : list of Block
        All its blocks, in order.
    width : int
        Columns of the counts; see `sim.runs.work`.
    stored : callable
        Returns the counts of a block that an earlier session played, or None.
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
        self._blocks = blocks
        self._missing = {block.index for block in blocks}
        for block in blocks:
            counts = stored(block)
            if counts is not None:
                self.add(block, counts)

    def add(self, block: Block, counts: tally.Counts) -> None:
        """Add the counts of a block, once."""
        self._missing.remove(block.index)
        if len(self._blocks) == 1:
            self.counts = counts
            return
        start = block.first_pair - self.pairs.start
        self.counts[start : start + len(counts)] += counts

    def missing(self) -> Iterator[Block]:
        """Yield the blocks that are still to be played."""
        return (block for block in self._blocks if block.index in self._missing)

    @property
    def complete(self) -> bool:
        """Whether every block is played."""
        return not self._missing

    @property
    def block_count(self) -> int:
        """Blocks in all."""
        return len(self._blocks)

    @property
    def games(self) -> int:
        """Games counted so far."""
        return int(self.counts[:, tally.GAMES].sum())
