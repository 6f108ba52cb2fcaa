"""Cubes at a score: what they are worth in a match, from the points won to typical races.

Values are normalised equities (EMG) at the cube that the rollout begins with, of the
roller: 1 for a single game won there, -1 for one lost. They are straight in the chance to
win the match, so means of the one are means of the other.

A cube is turned by the values of typical races of that length, solved at the score like
the fast model for money; where games stop in a `bearoff.MatchTable`, by that.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bearoff
from bearoff.race_model import solve_cube
from bearoff.stakes import Cube, Match, RollersCube, Terms
from sim.rollouts.systematic import EXACT, Systematic, systematic_error_at_score
from sim.rollouts.values import COLUMNS, STATES, TableSize, Techniques, ValueModel

if TYPE_CHECKING:
    from sim.rollouts.match_kernels import Nodes

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

UNITS = np.array([1.0, 1.0, 1.0, 2.0])
"""By what the estimates of `STATES` are divided, so that the last is at a cube of 1."""

_MOST_POINTS = 3
"""Cubes that a game may be worth: a backgammon."""

_SPARE, _BLOCK = 32, 64
"""Bins beyond the longest side, which a bad roll and a lead moved may reach, and bins of a
block: whole blocks are solved."""


class Node(NamedTuple):
    """What the cube shows, and where it is from the roller's side; None without one."""

    value: int
    cube: Cube | None


@dataclass(frozen=True, eq=False, kw_only=True)
class MatchValues(ValueModel):
    """The values of a rollout at a score; see `ValueModel`.

    Attributes
    ----------
    cube : {"centred", "owned", "opponent"}
        Where the cube is at the start.
    match_table : MatchTable or None
        Chances of the pairs that it holds, at that score.
    longest_epc : float or None
        Of the sides to come, in pips; None for any race.
    """

    cube: Cube
    match_table: bearoff.MatchTable | None = None
    longest_epc: float | None = None

    units: ClassVar[Float64Array] = UNITS

    @property
    def stakes(self) -> Match:
        """The score, and the match equities as the roller has them."""
        stakes = self.terms.stakes
        assert isinstance(stakes, Match)
        return stakes

    @property
    def score(self) -> bearoff.Score:
        """The score."""
        return self.stakes.score

    def after(self, points: int) -> float:
        """Normalised equity after so many points won, negative if they are lost."""
        return _worth(self.terms, points)

    def gammon_stakes(self, side: int) -> tuple[float, float]:
        """Return what losing a gammon, and a backgammon beyond it, costs a side.

        With the cube as it is at the start, whatever becomes of it.
        """
        sign = 1 - 2 * side
        single, gammon, backgammon = (
            sign * self.after(-sign * n * self.terms.cube_value) for n in (1, 2, 3)
        )
        return single - gammon, gammon - backgammon

    @property
    def doublings(self) -> tuple[RollersCube, ...]:  # type: ignore[override]
        """Where the cube is, if the roller may double."""
        if self.cube == "opponent" or not self.score.has_cube:
            return ()
        return (self.cube,)

    @cached_property
    def starts(self) -> tuple[Node | None, ...]:
        """Node of each of `STATES` at the start; None where it is not played for."""
        value = self.terms.cube_value
        none = Node(value, None)
        if not self.score.has_cube:
            return none, Node(value, "centred"), None, None
        if self.cube == "opponent":
            return none, None, None, Node(value, "opponent")
        centred = self.cube == "centred"
        here, taken = Node(value, self.cube), Node(2 * value, "opponent")
        return none, here if centred else None, None if centred else here, taken

    @cached_property
    def solved(self) -> "_Solved":
        """What the cube is worth in typical races at the score."""
        model = self.model
        bins = model.planes.shape[1]
        if self.longest_epc is not None:
            needed = int(self.longest_epc / model.step) + _SPARE
            bins = min(bins, -(-needed // _BLOCK) * _BLOCK)
        cubeless = model.planes[0, :bins, :bins].astype(np.float64)
        return _Solved(self.terms, self.starts, cubeless)

    @cached_property
    def solved_arrays(self) -> "Nodes":
        """The same for compiled code."""
        return self.solved.arrays()

    @cached_property
    def theirs(self) -> bearoff.MatchTable:
        """The table with the opponent on roll."""
        if self.match_table is None:
            raise ValueError("there is no table")
        return self.match_table.exchanged()

    def is_live(self, state: int) -> bool:
        """Whether anybody can turn the cube of one of `STATES`, now or later."""
        return self.starts[state] is not None and self.solved.is_live(
            self.solved.starts[state]
        )

    def typical(self, roller_epc: float, opponent_epc: float) -> list[float]:
        """About what typical sides are worth, for each of `STATES`."""
        at = (round(roller_epc / self.model.step), round(opponent_epc / self.model.step))
        places = list(zip(self.solved.starts, UNITS, strict=True))[1:]
        cubeless = float(self.model.equity(roller_epc, opponent_epc, None))
        return [
            cubeless,
            *(float(self.solved.planes[place][0][at]) / unit for place, unit in places),
        ]

    @cached_property
    def table_size(self) -> TableSize | None:
        """Points and checkers of the table that games are stopped at; None if at none."""
        if self.match_table is None or not self.techniques.truncate:
            return None
        return TableSize(bearoff.POINTS, self.match_table.checkers)

    def solve(self) -> None:
        """Solve what games will ask for, which threads would solve side by side."""
        if self.table_size is None or self.match_table is None:
            return
        for value, cube in self.solved.nodes:
            if cube is not None:
                self.match_table.value(1, 1, value, cube)

    def without_cube(
        self, rollers: Int64Array, opponents: Int64Array
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Return chances as of `ValueModel`, of play to win; gammons by fewest rolls."""
        if self.match_table is None:
            raise ValueError("chances are a table's, and there is none")
        wins = self.match_table.win_probability(rollers, opponents)
        return wins, *self.gammon_chances(rollers, opponents)

    def exact(self, roller: int, opponent: int) -> Float64Array:
        """Return `COLUMNS` of a pair that the table holds, numbers in the table."""
        table, pair = self.match_table, (roller, opponent)
        if table is None:
            raise ValueError("exact values are a table's, and there is none")
        means = np.zeros(len(COLUMNS))
        wins, *gammons = self.without_cube(*(np.array([number]) for number in pair))
        means[0] = 2 * wins[0] - 1
        for state, start in enumerate(self.starts):
            if start is None or start.cube is None:
                continue
            waits = table.value if start.cube == "opponent" else table.no_double
            means[state] = (
                self.terms.equity(waits(*pair, start.value, start.cube)) / UNITS[state]
            )
        means[len(STATES) : len(STATES) + 2] = np.ravel(gammons)
        return means

    @property
    def stored_error(self) -> Systematic:
        """Error of what the table holds: it is not rounded."""
        return EXACT

    def systematic_error(self, race: bearoff.Race) -> Systematic:
        """Return the error to expect; of a cube that is dead, of the chance to win."""
        into_table = self.table_size is not None
        found = systematic_error_at_score(race, into_table=into_table)
        of_chance = 2 * found.win_probability
        if not self.is_live(STATES.index(self.cube)):
            found = found._replace(no_double=of_chance)
        if not self.is_live(STATES.index("opponent")):
            found = found._replace(double_take=of_chance)
        return found


def match_values(
    terms: Terms,
    cube: Cube,
    table: bearoff.MatchTable | None = None,
    techniques: Techniques = Techniques(),  # noqa: B008
    longest_epc: float | None = None,
) -> MatchValues:
    """Return what rollouts at a score rest on; see `MatchValues`.

    Raises
    ------
    ScoreError
        If the table is not of the score, or solved with another match equity table.
    """
    stakes = terms.stakes
    assert isinstance(stakes, Match)
    score = stakes.score
    if table is not None:
        if (table.score.away, table.score.game) != (score.away, score.game):
            raise bearoff.ScoreError(
                f"games at {score} cannot stop in a table of {table.score}; solve one of "
                "the score"
            )
        if stakes.equities != table.equities:
            raise bearoff.ScoreError(
                "the table was solved with another match equity table; leave equities out"
            )
    values = MatchValues(
        table=None,
        techniques=techniques,
        terms=terms,
        cube=cube,
        match_table=table,
        longest_epc=longest_epc,
    )
    values.solve()
    return values


def _worth(terms: Terms, points: int) -> float:
    """Normalised equity after so many points won; see `MatchValues.after`."""
    stakes = terms.stakes
    assert isinstance(stakes, Match)
    return float(terms.equity(stakes.equities.after(stakes.score, points)))


class _Solved:
    """Nodes with the values of typical races, as `sim.rollouts.match_kernels` has them."""

    def __init__(
        self, terms: Terms, starts: tuple[Node | None, ...], cubeless: Float64Array
    ) -> None:
        assert isinstance(terms.stakes, Match)
        # Not whose values these are, which with all that is solved would not be let go.
        self._terms, self._score = terms, terms.stakes.score
        self._cubeless = cubeless
        self.nodes: list[Node] = []
        self.planes: list[tuple[Float64Array, Float64Array]] = []
        self._doubled: list[tuple[int, int]] = []
        self._dead = 1 << (max(self._score.away) - 1).bit_length()
        self.starts = [0 if node is None else self._add(node) for node in starts]
        self.won = np.array([self._won(node) for node in self.nodes])
        """What each node gives once a side has won so many points, shape (n, 2, 4)."""

    def is_live(self, place: int) -> bool:
        """Whether either side may turn the cube of a node."""
        return max(self._doubled[place]) >= 0

    def arrays(self) -> "Nodes":
        """Return the arrays of the kernels."""
        from sim.rollouts.match_kernels import Nodes

        single = self.won[:, :, 1]
        live = [self.is_live(place) for place in range(len(self.nodes))]
        planes = [
            plane for node, is_live in zip(self.planes, live, strict=True) if is_live
            for plane in node
        ]  # fmt: skip
        first = 2 * np.cumsum(live) - 2
        plane_of = np.where(np.array(live)[:, None], first[:, None] + [0, 1], -1)
        bins = len(self._cubeless)
        signs = np.array([1, -1])
        return Nodes(
            np.array(planes, dtype=np.float32).reshape(-1, bins, bins),
            plane_of.astype(np.int64),
            single.sum(axis=1) / 2,
            (single[:, 0] - single[:, 1]) / 2,
            np.array(self._doubled, dtype=np.int64),
            np.ascontiguousarray(signs * single),
            np.ascontiguousarray(signs * (self.won[:, :, 2] - single)),
        )

    def _add(self, node: Node) -> int:
        """Return the place of a node, solved with all that the cube leads to."""
        value, cube = node = node._replace(value=min(node.value, self._dead))
        if node in self.nodes:
            return self.nodes.index(node)
        score, doubled = self._score, [-1, -1]
        # A side that wins the match with the cube as it is has no use for it.
        if cube in ("centred", "owned") and score.has_cube and score.away[0] > value:
            doubled[0] = self._add(Node(2 * value, "opponent"))
        if cube in ("centred", "opponent") and score.has_cube and score.away[1] > value:
            doubled[1] = self._add(Node(2 * value, "owned"))
        won, lost = (_worth(self._terms, points) for points in (value, -value))
        if max(doubled) < 0:
            middle, half = (won + lost) / 2, (won - lost) / 2
            planes = half * self._cubeless + middle, half * self._cubeless - middle
        else:
            turned = [
                None if at < 0 else self.planes[at][side] for side, at in enumerate(doubled)
            ]
            ends = won, -lost
            planes = solve_cube(len(self._cubeless), ends, ends, (turned[0], turned[1]))
        self.nodes.append(node)
        self.planes.append(planes)
        self._doubled.append((doubled[0], doubled[1]))
        return len(self.nodes) - 1

    def _won(self, node: Node) -> Float64Array:
        points = np.arange(_MOST_POINTS + 1)
        if node.cube is None:  # Who wins is all that counts.
            return np.repeat([[1.0], [-1.0]], len(points), axis=1)
        found = np.zeros((2, len(points)))
        for side, sign in enumerate((1, -1)):
            for count in points[1:].tolist():
                found[side, count] = _worth(self._terms, sign * count * node.value)
        return found
