"""Stored results of a run that is being extended, or combined with other runs."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bearoff.sim.pairs import Pairs, RunPairs
from bearoff.sim.runs.sums import Summing, Sums
from bearoff.sim.storage import PartEntry, RunError

if TYPE_CHECKING:
    import pyarrow as pa

Int64Array = NDArray[np.int64]

_AT_ONCE = 4
"""Number of result files whose rows are cached in memory."""


class StoredRows:
    """Results of a stored run, which can be looked up by pair of positions.

    Parameters
    ----------
    parts : mapping of str to PartEntry
        Result files of the run, by name.
    read : callable
        Function that returns the rows of a result file, given its file name.
    """

    def __init__(
        self, parts: Mapping[str, PartEntry], read: Callable[[str], "pa.Table"]
    ) -> None:
        self.parts = dict(parts)
        self._read = lru_cache(maxsize=_AT_ONCE)(read)

    @property
    def pairs(self) -> int:
        return sum(part.pairs for part in self.parts.values())

    def keys(self) -> Int64Array:
        """Return the sort key of each pair: roller's number * 2**32 + opponent's number."""
        found = [np.empty(0, dtype=np.int64)]
        for name in self.parts:
            rows = self._read(name)
            found.append(_keys(rows["roller"].to_numpy(), rows["opponent"].to_numpy()))
        return np.concatenate(found)

    def of(self, pairs: Pairs) -> "Iterator[tuple[pa.Table, Int64Array]]":
        """Yield stored rows of sorted pairs, each with the index of its pair."""
        keys = _keys(pairs.rollers, pairs.opponents)
        for name, part in self.parts.items():
            first, last = (_key(*pair) for pair in (part.first, part.last))
            if last < keys[0] or first > keys[-1]:
                continue
            rows = self._read(name)
            theirs = _keys(rows["roller"].to_numpy(), rows["opponent"].to_numpy())
            places = np.searchsorted(keys, theirs)
            known = keys[np.minimum(places, len(keys) - 1)] == theirs
            if known.any():
                yield rows.filter(known), places[known]


@dataclass(frozen=True)
class Played:
    """Stored games of some of a run's pairs of positions.

    Attributes
    ----------
    sums : dict or None
        Sums over the stored games; None if no games are stored.
    """

    games: Int64Array
    sums: Sums | None


class EarlierGames:
    """Games that were simulated before a run was extended.

    Parameters
    ----------
    layers : list of StoredRows
        Results that the run had before each time it was extended.
    summing : Summing
        Functions that convert rows of result files to sums over games, and sums to rows.
    """

    def __init__(self, layers: list[StoredRows], summing: Summing) -> None:
        self._layers = layers
        self._summing = summing

    def of(self, pairs: Pairs) -> Played:
        """Return the numbers of stored games of some pairs of positions, and their sums."""
        games = np.zeros(len(pairs), dtype=np.int64)
        found: Sums | None = None
        for layer in self._layers:
            for rows, places in layer.of(pairs):
                sums = self._summing.of_rows(rows)
                more = sums["games"] > games[places]
                if found is None:
                    found = {
                        name: np.zeros((len(pairs), *column.shape[1:]), dtype=np.int64)
                        for name, column in sums.items()
                    }
                games[places[more]] = sums["games"][more]
                for name, column in sums.items():
                    found[name][places[more]] = column[more]
        return Played(games, found)

    def check(self, pairs: RunPairs, ranges: list[slice], games: Int64Array) -> None:
        """Raise an error if the extended run lacks games that are already stored."""
        last = self._layers[-1]
        left = last.pairs
        for part in ranges:
            chosen = pairs[part]
            for rows, places in last.of(chosen):
                left -= len(places)
                stored, asked = rows["games"].to_numpy(), games[part][places]
                if (stored > asked).any():
                    row = int(np.argmax(stored > asked))
                    raise RunError(
                        f"the pair {rows['roller'][row]} and {rows['opponent'][row]} has "
                        f"{stored[row]:,} stored games, but the configuration requests "
                        f"only {asked[row]:,}; a run can be extended but not made smaller"
                    )
        if left:
            raise RunError(
                f"{left:,} of the {last.pairs:,} stored pairs are missing from the "
                "configuration; a run can be extended but not made smaller"
            )


def _key(roller: int, opponent: int) -> int:
    return (roller << 32) + opponent


def _keys(rollers: Int64Array, opponents: Int64Array) -> Int64Array:
    return (rollers << 32) + opponents
