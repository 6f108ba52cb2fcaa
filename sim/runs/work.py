"""Interface of the three kinds of simulations: races, games with the cube, and rollouts.

All kinds of simulations have the same form, so that `sim.runs.runner` can distribute, store
and resume each of them. The number of games of each pair is fixed in advance. A block of
games returns one row of integers per pair. The rows of a pair can be added in any order,
and their sums determine the result file, byte for byte.
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
        Functions that convert statistics of games to sums, and sums to rows of result
        files.
    width : int
        Number of columns in the statistics of a block. The column with the index
        `sim.play.tally.GAMES` contains the number of games.
    block_games : int
        Maximum number of games in a block. Simulating a block should take a fraction of a
        second.
    counted : str
        Unit that the run counts, in the plural, such as ``games``.
    strategies : mapping of str to dict
        JSON values that identify each cube strategy that is not built in, by name.
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
        """Return data that determine the results, in addition to the settings, as bytes."""

    def task(self, block: Block) -> Task:
        """Return a function that simulates a block and returns it with its statistics.

        The returned function must be picklable, because workers may be processes. It
        returns the block and its statistics, an ndarray of int64 of shape (pairs of the
        block, width).
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
