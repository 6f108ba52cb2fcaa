"""Kinds of work: what a run may do with its pairs, and what the runner needs to know of it.

Plain races are one kind, races with the cube another. Whatever the kind, a pair gets a
number of games that is fixed before the first is played, a block of them gives a row of
whole numbers for each of its pairs, rows of one pair add in any order to the same sum,
and the sums of a part become its Parquet table. So every kind is spread over workers,
stored and resumed by one runner, to the same bytes.
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
    """One kind of work, for the pairs of one run.

    Attributes
    ----------
    kind : str
        Its name, one of `sim.storage.schema.KINDS`.
    pairs : RunPairs
        The pairs.
    games : ndarray of int64, shape (pairs,)
        Games of each pair, at least one.
    summing : Summing
        What counts add up to.
    width : int
        Columns of a row of counts. The first, `sim.play.tally.GAMES`, is that of games.
    block_games : int
        Most games of a block: a fraction of a second of work.
    counted : str
        What its games are called, in the plural.
    strategies : mapping of str to dict
        What tells each cube strategy that is named from another; see
        `sim.runs.strategies`.
    """

    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def pairs(self) -> RunPairs: ...  # noqa: D102
    @property
    def games(self) -> NDArray[np.int64]: ...  # noqa: D102
    @property
    def summing(self) -> Summing: ...  # noqa: D102
    @property
    def width(self) -> int: ...  # noqa: D102
    @property
    def block_games(self) -> int: ...  # noqa: D102
    @property
    def counted(self) -> str: ...  # noqa: D102
    @property
    def strategies(self) -> Mapping[str, dict[str, Any]]: ...  # noqa: D102

    def inputs(self) -> Iterable[memoryview]:
        """Return what the outcomes depend on besides the configuration: its pairs."""

    def task(self, block: Block) -> Task:
        """Return what a worker is sent to do; it gives (block, counts).

        All of it is picklable, for workers may be other processes. The counts are an
        ndarray of int64, shape (pairs of the block, width).
        """

    def table(self, part: slice, total: Sums) -> "pa.Table":
        """Build the rows of a part, of the schema of the kind, without metadata.

        Parameters
        ----------
        part : slice
            Its pairs, among the run's.
        total : dict of str to ndarray of int64, shape (pairs of the part, ...)
            The sums over all their games, as `summing` gives them.
        """


def work_of(config: BatchConfig, strategies: Mapping[str, CubeStrategy]) -> Work:
    """Return the work that a configuration asks for.

    Parameters
    ----------
    config : BatchConfig
        Of the run.
    strategies : mapping of str to CubeStrategy
        What names in the configuration stand for, besides formulas.

    Raises
    ------
    BearoffError
        If something it needs is unknown or missing; nothing was started.
    """
    if config.cube is not None:
        from bearoff.sim.runs.cubeful import CubefulWork

        return CubefulWork(config, strategies)
    if config.rollout is not None:
        from bearoff.sim.runs.rollouts import RolloutWork

        return RolloutWork(config)
    from bearoff.sim.runs.races import RaceWork

    return RaceWork(config)
