"""Interface of the three kinds of simulations: races, games with the cube, and rollouts.

For all kinds, the number of games of each pair is fixed in advance; a block returns one row
of integers per pair; rows of a pair can be added in any order; and the sums of a part
become its Parquet table. One runner can therefore distribute, store and resume all kinds,
with reproducible bytes.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bearoff.matchup import CubeStrategy
from bearoff.sim.config import BatchConfig
from bearoff.sim.engine import Block, Task
from bearoff.sim.pairs import RunPairs
from bearoff.sim.runs.sums import Summing, Sums

if TYPE_CHECKING:
    import pyarrow as pa


class Work(Protocol):
    """Simulation of the pairs of positions in one run.

    Attributes
    ----------
    kind : str
        Kind of the run, one of `sim.storage.schema.KINDS`.
    games : ndarray of int64, shape (pairs,)
        Number of games of each pair, at least 1.
    summing : Summing
        Converter of counts to sums over games.
    width : int
        Number of columns of the counts. The column `sim.play.tally.GAMES` contains the
        number of games.
    block_games : int
        Maximum number of games in a block, which should take a fraction of a second to
        simulate.
    counted : str
        Unit that the run counts, in the plural, such as ``games``.
    strategies : mapping of str to dict
        Data that identify each named cube strategy.
    """

    @property
    def kind(self) -> str: ...
    @property
    def pairs(self) -> RunPairs: ...
    @property
    def games(self) -> NDArray[np.int64]: ...
    @property
    def summing(self) -> Summing: ...
    @property
    def width(self) -> int: ...
    @property
    def block_games(self) -> int: ...
    @property
    def counted(self) -> str: ...
    @property
    def strategies(self) -> Mapping[str, dict[str, Any]]: ...

    def inputs(self) -> Iterable[memoryview]:
        """Return the data that determine the results together with the configuration."""

    def task(self, block: Block) -> Task:
        """Return a function that simulates a block and returns it with its statistics.

        The function must be picklable, because workers may be processes. The counts are an
        ndarray of int64 of the shape (pairs of the block, width).
        """

    def table(self, part: slice, total: Sums) -> "pa.Table":
        """Return the rows of a result file in the run's schema, without metadata."""


def work_of(config: BatchConfig, strategies: Mapping[str, CubeStrategy]) -> Work:
    """Return the simulation that a configuration describes."""
    if config.cube is not None:
        from bearoff.sim.runs.cubeful import CubefulWork

        return CubefulWork(config, strategies)
    if config.rollout is not None:
        from bearoff.sim.runs.rollouts import RolloutWork

        return RolloutWork(config)
    from bearoff.sim.runs.races import RaceWork

    return RaceWork(config)
