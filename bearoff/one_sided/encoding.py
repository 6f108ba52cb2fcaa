r"""Distributions of rolls as 16-bit integers, from which single positions can be read.

For each position, the stored values are the probabilities :math:`F(n)` of bearing off
within n rolls, as the integers nearest to :math:`2^{16} F(n)`. The integers 0 and
:math:`2^{16}` are left out, and the others are called *codes*. The number of rolls of the
first code is also stored. Hence

- each :math:`F(n)` is within :math:`2^{-17} = 7.6 \cdot 10^{-6}` of its float64 value,
whatever the other codes are; - the probability of exactly n rolls, a difference of two
codes, is within :math:`2^{-16}`; no probability is negative, and each row sums to exactly
1; - a win probability :math:`\sum_n P(X = n)\,P(Y \ge n)` is within :math:`2^{-16} = 1.5
\cdot 10^{-5}`: rounding Y changes each of its tail probabilities by at most h =
:math:`2^{-17}`, so it changes their average by at most h; rounding X changes the result
:math:`\sum_n (F'_X - F_X)(n)\,P(Y = n)` by at most h again.

Mean numbers of rolls are stored separately in float64 and do not depend on the codes.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.storage import CheckedArrays

UNIT = 2**16
"""Integer that represents a probability of 1 in encoded distributions."""

GROUP = 16
"""Number of consecutive positions for which one start index is stored."""

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


def group_starts(lengths: NDArray[np.uint8]) -> NDArray[np.unsignedinteger]:
    """Return the index of the first code of each group of `GROUP` positions.

    Examples
    --------
    >>> group_starts(np.full(33, 2, dtype=np.uint8))
    array([ 0, 32, 64], dtype=uint32)
    """
    sums = np.add.reduceat(lengths, np.arange(0, len(lengths), GROUP), dtype=np.uint64)
    starts = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(sums)[:-1]])
    return starts.astype(np.uint32 if starts[-1] < 2**31 else np.uint64)


class CodedRows:
    """Encoded distributions of rolls for given positions, which are read from a table.

    Parameters
    ----------
    arrays : mapping of str to CheckedArray
        Arrays of the table. ``codes`` contains ``2**16`` times the probability of bearing
        off within ``firsts[x]`` rolls, within ``firsts[x] + 1`` rolls, and so on, for all
        positions one after another. ``firsts`` and ``lengths`` are each position's first
        number of rolls and number of codes, and ``starts`` is the result of `group_starts`.
    numbers : ndarray of int64, shape (n,)
        Position numbers, which are not checked.

    Raises
    ------
    TableError
        If the data in the arrays are damaged. All methods raise this error, too.
    """

    def __init__(self, arrays: CheckedArrays, numbers: Int64Array) -> None:
        group, place = np.divmod(numbers, GROUP)
        mates = np.arange(GROUP - 1)
        before = mates < place[:, None]
        lengths = arrays["lengths"].take(
            np.where(before, (group * GROUP)[:, None] + mates, 0)
        )
        start = arrays["starts"].take(group).astype(np.int64)
        self._start = start + (lengths * before).sum(axis=1, dtype=np.int64)
        self._codes = arrays["codes"]
        self._length = arrays["lengths"].take(numbers).astype(np.int64)
        self.first = arrays["firsts"].take(numbers).astype(np.int64)

    @property
    def longest(self) -> int:
        """Largest number of stored codes of any of the given positions."""
        return int(self._length.max(initial=0))

    def within(self, rolls: Int64Array) -> Float64Array:
        """Return the probability that position i bears off within ``rolls[i, j]`` rolls."""
        place = rolls - self.first[:, None]
        coded = (place >= 0) & (place < self._length[:, None])
        codes = self._codes.take(np.where(coded, place + self._start[:, None], 0))
        return np.where(coded, codes, UNIT * (place >= 0)) / UNIT

    def rows(self, width: int) -> Float64Array:
        """Return the probabilities of exactly 0, 1, ... rolls, shape (n, width).

        `width` must exceed the largest number of rolls. Each row sums to exactly 1.
        """
        return np.diff(self.within(np.arange(width)[None]), prepend=0.0)


def first_off(
    arrays: CheckedArrays,
    rollers: Int64Array,
    opponents: Int64Array,
) -> Float64Array:
    """Return the probability that the roller bears off first, from stored codes."""
    x, y = CodedRows(arrays, rollers), CodedRows(arrays, opponents)
    rolls = x.first[:, None] + np.arange(x.longest + 1)
    exactly = np.diff(x.within(rolls), prepend=0.0)
    return np.asarray(np.einsum("ij,ij->i", exactly, 1.0 - y.within(rolls - 1)))
