r"""Distributions of rolls as 16-bit integers, from which single positions can be read.

Let :math:`F(n)` be the probability that a position bears off within n rolls. The integer
nearest to :math:`2^{16} F(n)` is stored for each n. The integers 0 and :math:`2^{16}` are
left out, and the others are called *codes*. The number of rolls of a position's first code
is also stored. The rounding has the following effects:

- The error of each :math:`F(n)` is at most :math:`h = 2^{-17} = 7.6 \cdot 10^{-6}`.
- The probability of exactly n rolls is the difference of two successive :math:`F(n)`, so
  its error is at most :math:`2h`. No probability is negative, and the probabilities of a
  position sum to exactly 1.
- The error of a win probability :math:`\sum_n P(X = n)\,P(Y \ge n)` is at most
  :math:`2h = 1.5 \cdot 10^{-5}`. Rounding Y changes each tail probability by at most h, so
  the average of the tail probabilities changes by at most h. Rounding X changes the result
  by :math:`\sum_n (F'_X - F_X)(n)\,P(Y = n)`, which is again at most h.

A table stores mean numbers of rolls in float64, so they have no error from this rounding.
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
    """Return the index in ``codes`` of the first code of every `GROUP` positions.

    Examples
    --------
    >>> group_starts(np.full(33, 2, dtype=np.uint8))
    array([ 0, 32, 64], dtype=uint32)
    """
    sums = np.add.reduceat(lengths, np.arange(0, len(lengths), GROUP), dtype=np.uint64)
    starts = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(sums)[:-1]])
    return starts.astype(np.uint32 if starts[-1] < 2**31 else np.uint64)


class CodedRows:
    """Encoded distributions of rolls of some positions of a one-sided table.

    Parameters
    ----------
    arrays : mapping of str to CheckedArray
        Arrays of the table. ``codes`` contains the codes of all positions one after
        another. The codes of position ``x`` are ``2**16`` times the probabilities of
        bearing off within ``firsts[x]`` rolls, within ``firsts[x] + 1`` rolls, and so on.
        ``lengths[x]`` is the number of codes of position ``x``, and ``starts`` is the
        result of `group_starts`.
    numbers : ndarray of int64, shape (n,)
        Position numbers, which are not checked.

    Raises
    ------
    TableError
        If the data in the arrays are damaged. All methods may raise this error, too.
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

        Requires a `width` above the largest number of rolls. The probabilities of each
        position then sum to exactly 1.
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
