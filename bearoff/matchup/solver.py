"""Solver of a race between two given players: first cube decisions, then equities."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from bearoff.matchup.sides import CUBES, DOUBLE, REDOUBLE, TAKE, SidePositions
from bearoff.matchup.strategies import CubeStrategy
from bearoff.positions import CHECKERS
from bearoff.runtime import check_memory, in_threads

Int64Array = NDArray[np.int64]
BitsArray = NDArray[np.uint8]
Progress = Callable[[str, float], None]

TIES = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-6}
"""Largest difference between equities that count as equal, by data type. If two decisions
have equal equities, doubling and taking count as right."""

_PAIRS_AT_A_TIME = 1 << 18
"""Maximum number of pairs of positions in one call of a cube strategy."""

_BYTES_BESIDES = 300_000_000
"""Assumed memory, in bytes, for everything except the equities and cube decisions of the
games."""


@dataclass(frozen=True, eq=False)
class DecisionBits:
    """Cube decisions for every pair of positions, encoded as bits.

    Attributes
    ----------
    on_roll_a, on_roll_b : ndarray of uint8, shape (positions of A, positions of B)
        Decisions with A on roll and with B on roll.
    """

    on_roll_a: BitsArray
    on_roll_b: BitsArray

    @classmethod
    def none(cls, side_a: SidePositions, side_b: SidePositions) -> "DecisionBits":
        shape = (len(side_a), len(side_b))
        return cls(np.zeros(shape, np.uint8), np.zeros(shape, np.uint8))

    def copy_a(self, other: "DecisionBits") -> None:
        """Copy player A's cube decisions from `other`, which has the same positions."""
        _copy_bits(self.on_roll_a, other.on_roll_a, DOUBLE | REDOUBLE)
        _copy_bits(self.on_roll_b, other.on_roll_b, TAKE)

    def copy_b(self, other: "DecisionBits") -> None:
        """Copy player B's cube decisions from `other`, which has the same positions."""
        _copy_bits(self.on_roll_b, other.on_roll_b, DOUBLE | REDOUBLE)
        _copy_bits(self.on_roll_a, other.on_roll_a, TAKE)


def _copy_bits(bits: BitsArray, others: BitsArray, mask: int) -> None:
    for mine, theirs in zip(bits, others, strict=True):  # Copying row by row saves memory.
        mine |= theirs & np.uint8(mask)


def ask(
    cube_a: CubeStrategy | None,
    cube_b: CubeStrategy | None,
    side_a: SidePositions,
    side_b: SidePositions,
    decisions: DecisionBits,
    workers: int,
    progress: Progress,
) -> None:
    """Ask the cube strategies for decisions on every pair of positions, and store them."""
    # In both arrays, the first axis is the roller's position and the second is the
    # opponent's.
    a_rolls, b_rolls = decisions.on_roll_a, decisions.on_roll_b.T
    questions: list[_Question] = []
    lock = Lock()
    for cube, own, other, own_turn, others_turn in (
        (cube_a, side_a, side_b, a_rolls, b_rolls),
        (cube_b, side_b, side_a, b_rolls, a_rolls),
    ):
        if cube is None:
            continue
        if own is other:
            # Both players have the same positions, so one question covers all pairs.
            questions.append(_Question(cube, own, own, own_turn, others_turn, lock))
        else:
            questions.append(_Question(cube, own, other, own_turn, None, lock))
            questions.append(_Question(cube, other, own, None, others_turn, lock))
    parts = [(question, rows) for question in questions for rows in question.parts]
    in_threads(
        workers,
        lambda one: one[0].ask(one[1]),
        parts,
        lambda done: progress("decisions", done / len(parts)),
    )


@dataclass(frozen=True, eq=False)
class _Question:
    """Cube strategy, and the pairs of positions for which it must make decisions.

    Attributes
    ----------
    rollers, opponents : SidePositions
        Positions of the roller and of the opponent.
    turns, takes : ndarray of uint8, shape (rollers, opponents), or None
        Output arrays: `turns` for the decisions to double and to redouble, `takes` for the
        decisions to take.
    lock : Lock
        Lock to hold while decisions are stored, because both players' decisions share
        bytes.
    """

    cube: CubeStrategy
    rollers: SidePositions
    opponents: SidePositions
    turns: BitsArray | None
    takes: BitsArray | None
    lock: Lock

    @property
    def parts(self) -> list[slice]:
        """Ranges of the rollers' indices, each for one call of the cube strategy."""
        step = max(1, _PAIRS_AT_A_TIME // len(self.opponents))
        firsts = range(1, len(self.rollers), step)
        return [slice(first, min(first + step, len(self.rollers))) for first in firsts]

    def ask(self, rows: slice) -> None:
        ours, theirs = self.rollers.counts[rows], self.opponents.counts[1:]
        answer = self.cube.decide(
            np.repeat(ours, len(theirs), axis=0), np.tile(theirs, (len(ours), 1))
        )

        def note(bits: BitsArray, decided: NDArray[np.bool_], bit: int) -> None:
            chosen = np.where(decided, np.uint8(bit), np.uint8(0))
            with self.lock:
                bits[rows, 1:] |= chosen.reshape(len(ours), len(theirs))

        if self.turns is not None:
            note(self.turns, answer.double, DOUBLE)
            note(self.turns, answer.redouble, REDOUBLE)
        if self.takes is not None:
            note(self.takes, answer.take, TAKE)


def solve(
    side_a: SidePositions,
    side_b: SidePositions,
    decisions: DecisionBits,
    free: tuple[bool, bool],
    dtype: type[np.floating],
    jacoby: bool,
    workers: int,
    progress: Callable[[float], None],
) -> NDArray[np.floating]:
    """Return A's equities with B on roll, for every pair of positions and cube owner.

    The result has the shape (positions of A, positions of B, 3), for a cube that is
    centred, owned by A and owned by B. `free` tells for A and for B whether the best cube
    actions are chosen, which are then stored in `decisions`. `progress` is called with the
    completed fraction.
    """
    from bearoff.matchup import kernels

    planes = np.empty((len(side_a), len(side_b), CUBES), dtype=dtype)
    lost = ends(side_a, jacoby)
    planes[0], planes[0, 0] = ends(side_b, jacoby), -1.0
    flat = planes.reshape(len(side_a), -1)

    rules = kernels.FreeSides(*free, TIES[np.dtype(dtype)])

    def solve_rows(rows: Int64Array) -> None:
        kernels.solve_rows(
            rows,
            flat,
            side_a.turns,
            side_b.turns,
            decisions.on_roll_a,
            decisions.on_roll_b,
            lost,
            rules,
        )

    done = 1
    for level in side_a.levels:
        in_threads(workers, solve_rows, np.array_split(level, workers))
        done += len(level)
        progress(done / len(side_a))
    return planes


def ends(side: SidePositions, jacoby: bool) -> NDArray[np.float64]:
    """Return the points that a player loses if the opponent bears off, at cube value 1.

    The result has the shape (positions, 3), for a cube that is centred, owned by the player
    and owned by the opponent.
    """
    points = np.ones((len(side), CUBES))
    points[side.counts.sum(axis=1) == CHECKERS, int(jacoby) :] = 2.0
    return points


def check_room(
    side_a: SidePositions, side_b: SidePositions, dtype: type[np.floating], games: int
) -> None:
    """Raise `TableError` if the equities of the given number of games exceed the memory."""
    pairs = len(side_a) * len(side_b)
    need = games * pairs * (CUBES * np.dtype(dtype).itemsize + 2) + _BYTES_BESIDES
    remedy = "use fewer checkers or starting positions"
    check_memory(
        f"a game with {len(side_a):,} positions of A and {len(side_b):,} of B",
        need,
        remedy if dtype == np.float32 else f"{remedy} or dtype float32",
    )
