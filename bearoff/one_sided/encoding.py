r"""Roll distributions in 16 bits a chance, read without reading the table.

Stored for a position is the chance :math:`F(n)` that it is off within n rolls, as the whole
number nearest to :math:`2^{16} F(n)`, for those n only where that number is neither 0
nor :math:`2^{16}`: a *first* roll and the *codes* from there on. So

- each :math:`F(n)` is within :math:`2^{-17} = 7.6 \cdot 10^{-6}` of the float64 value it
  was made from, whatever comes before or after it;
- the chance of exactly n rolls, a difference of two, is within :math:`2^{-16}`; none is
  negative, and each row sums to exactly 1;
- a win probability :math:`\sum_n P(X = n)\,P(Y \ge n)` is within
  :math:`2^{-16} = 1.5 \cdot 10^{-5}`: with h = :math:`2^{-17}`, changing Y changes an
  average of its tails, each by at most h; changing X then changes
  :math:`\sum_n (F'_X - F_X)(n)\,P(Y = n)` by at most h again.

The stored mean rolls are float64 and not made from the codes.
"""

import numpy as np
from numpy.typing import NDArray

from bearoff.storage import CheckedArrays

UNIT = 2**16
"""What a chance of 1 is coded as."""

GROUP = 16
"""Positions that share one start among the codes; the lengths tell the rest."""

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]


def group_starts(lengths: NDArray[np.uint8]) -> NDArray[np.unsignedinteger]:
    """Say where the codes of the first position of each `GROUP` begin.

    Parameters
    ----------
    lengths : ndarray of uint8, shape (positions,)
        Codes of each position.

    Returns
    -------
    ndarray of uint32, or uint64 where that is too small, shape (groups,)

    Examples
    --------
    >>> group_starts(np.full(33, 2, dtype=np.uint8))
    array([ 0, 32, 64], dtype=uint32)
    """
    sums = np.add.reduceat(lengths, np.arange(0, len(lengths), GROUP), dtype=np.uint64)
    starts = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(sums)[:-1]])
    return starts.astype(np.uint32 if starts[-1] < 2**31 else np.uint64)


class CodedRows:
    """The distributions of some positions, in codes.

    Parameters
    ----------
    arrays : mapping of str to CheckedArray
        ``firsts`` and ``lengths``, uint8, shape (positions,): the n of a position's first
        code, and how many it has; ``starts`` as of `group_starts`; ``codes``, uint16, of
        all positions one after another: ``2**16`` times the chance to be off within
        ``firsts[x]`` rolls, one more, and so on.
    numbers : ndarray of int64, shape (n,)
        Positions; not checked.

    Raises
    ------
    TableError
        If what is read of the arrays is damaged; so with all methods.
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
        """Most codes of one of the positions."""
        return int(self._length.max(initial=0))

    def within(self, rolls: Int64Array) -> Float64Array:
        """Chance to be off within so many rolls, for ``rolls[i, j]`` of position i.

        Parameters
        ----------
        rolls : ndarray of int64, shape (n, any) or (1, any)
        """
        place = rolls - self.first[:, None]
        coded = (place >= 0) & (place < self._length[:, None])
        codes = self._codes.take(np.where(coded, place + self._start[:, None], 0))
        return np.where(coded, codes, UNIT * (place >= 0)) / UNIT

    def rows(self, width: int) -> Float64Array:
        """Chance of exactly 0, 1, ... rolls, shape (n, width); rows sum to exactly 1.

        `width` must be enough for the longest.
        """
        return np.diff(self.within(np.arange(width)[None]), prepend=0.0)


def first_off(
    arrays: CheckedArrays,
    rollers: Int64Array,
    opponents: Int64Array,
) -> Float64Array:
    """Chance that the side on roll is off first; see `bearoff.one_sided.convolution`.

    Parameters
    ----------
    arrays
        As in `CodedRows`.
    rollers, opponents : ndarray of int64, shape (n,)
        Positions of each pair; not checked.

    Returns
    -------
    ndarray of float64, shape (n,)
    """
    x, y = CodedRows(arrays, rollers), CodedRows(arrays, opponents)
    # The roller may be off from the first code on, to one after the last.
    rolls = x.first[:, None] + np.arange(x.longest + 1)
    exactly = np.diff(x.within(rolls), prepend=0.0)
    return np.asarray(np.einsum("ij,ij->i", exactly, 1.0 - y.within(rolls - 1)))
