"""Rollouts at a score: chances to win the match, and the cube action there."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import bearoff
from bearoff import checks
from bearoff.stakes import match_equities
from sim.rollouts.at_score import MatchValues
from sim.rollouts.cubes import Start
from sim.rollouts.estimate import (
    Goal,
    exact_values,
    model_values,
    on_24_points,
    play_to,
)
from sim.rollouts.results import (
    Estimate,
    RollersCube,
    RolloutAction,
    action_of,
    estimate_of,
    weights_of,
    win_probability_of,
)
from sim.rollouts.sums import Moments
from sim.rollouts.systematic import Systematic, systematic_error_at_score
from sim.rollouts.values import CHANCES, STATES, TableSize, Techniques


@dataclass(frozen=True)
class MatchRollout:
    """What a rollout at a score found.

    Equities are normalised (EMG) at the cube of `state`: 1 for a single game won, -1 for
    one lost, so that a double that is passed is worth 1. `chance` and `lost` turn them
    into chances to win the match.

    Attributes
    ----------
    state : Start
        Score and cube.
    equities : MatchEquities
        The match equity table, as the roller has it.
    win_probability : Estimate
        The roller's chance to win the game without a cube, both sides playing to win.
    gammon_won, gammon_lost, backgammon_won, backgammon_lost : Estimate
        As in `Rollout`.
    cubeless : Estimate
        Equity if the cube stays as it is.
    value : Estimate
        Equity if the roller does not double now, the cube where it is.
    action : RolloutAction or None
        Equities and what is right; None if the roller may not double.
    games : int
        Games played; none where a table holds the race.
    table : TableSize or None
        The table of the score that games were stopped at.
    seconds : float
        It took.
    """

    state: Start
    equities: bearoff.MatchEquities
    win_probability: Estimate
    gammon_won: Estimate
    gammon_lost: Estimate
    backgammon_won: Estimate
    backgammon_lost: Estimate
    cubeless: Estimate
    value: Estimate
    action: RolloutAction | None
    games: int
    table: TableSize | None
    seconds: float

    @property
    def standard_error(self) -> float:
        """Largest standard error of the equities."""
        taken = 0.0 if self.action is None else self.action.double_take.standard_error
        return max(self.value.standard_error, taken)

    def chance(self, equity: Estimate) -> Estimate:
        """Turn an equity into the roller's chance to win the match."""
        won, lost = self._ends()
        found = self.lost(equity)
        return replace(found, value=(won + lost) / 2 + found.value)

    def lost(self, difference: Estimate) -> Estimate:
        """Turn a difference of equities, such as a gain, into one of chances."""
        won, lost = self._ends()
        half, off = (won - lost) / 2, difference.systematic_error
        return Estimate(
            half * difference.value,
            half * difference.standard_error,
            None if off is None else half * off,
        )

    def _ends(self) -> tuple[float, float]:
        value, score = self.state.cube_value, self.state.score
        return self.equities.after(score, value), self.equities.after(score, -value)


def match_rollout(
    race: bearoff.Race,
    goal: Goal = Goal(),  # noqa: B008
    *,
    equities: bearoff.MatchEquities | None = None,
    seed: int = 0,
    techniques: Techniques = Techniques(),  # noqa: B008
    table: bearoff.MatchTable | None = None,
    workers: int | str = "auto",
    on_progress: Callable[[Moments], object] = lambda moments: None,
) -> MatchRollout:
    """Estimate a race's cubeful equities and cube action at a score.

    Parameters
    ----------
    race : Race
        With a score and the cube, of any number of points, without contact.
    goal : Goal
        When to stop; its standard error is in EMG.
    equities : MatchEquities, optional
        The match equity table; that of `table`, or Kazaross-XG2.
    table : MatchTable, optional
        Of this score; games stop where it holds them. See `bearoff.match_table`.
    seed, techniques, workers, on_progress
        As for `rollout`.

    Returns
    -------
    MatchRollout

    Raises
    ------
    BearoffError
        If the seed is out of range.
    PositionError
        If a side has borne off, or the sides are in contact.
    ScoreError
        If the race has no score, or the table is of another.

    Examples
    --------
    Six checkers a side, into the table of five, the leader on roll at 2-away 4-away:

    >>> import bearoff
    >>> sides = 2 * [bearoff.Position.parse("2,2,2,0,0,0")]
    >>> race = bearoff.Race(*sides, score=bearoff.Score((2, 4)))
    >>> table = bearoff.match_table(5, (2, 4))
    >>> answer = match_rollout(race, Goal(0.01), table=table)
    >>> answer.action.action, answer.standard_error < 0.01
    ('double, take', True)
    >>> gain = answer.lost(answer.action.gain)
    >>> print(f"{gain.value:.3f} of the match, {answer.action.gain.value:.3f} EMG")
    0.014 of the match, 0.133 EMG
    """
    checks.integer(seed, "seed", 0, 2**64 - 1, bearoff.BearoffError)
    started = time.monotonic()
    if race.score is None:
        raise bearoff.ScoreError(
            "a rollout at a score needs a race that has one; for money use rollout"
        )
    state = Start(race.score, race.cube_value, race.cube)
    race = on_24_points(race)
    values = match_values(state, equities, table, techniques, race)
    moments = exact_values(values, race)
    if moments is None:
        sums = play_to(values, race, goal, seed, workers, on_progress)
        moments = Moments.of(sums, model_values(values, race))
    found = summarise_match(moments, values, race)
    return replace(found, seconds=time.monotonic() - started)


def match_values(
    state: Start,
    equities: bearoff.MatchEquities | None,
    table: bearoff.MatchTable | None,
    techniques: Techniques = Techniques(),  # noqa: B008
    race: bearoff.Race | None = None,
) -> MatchValues:
    """Return what a rollout at a score rests on, for one race or for any.

    Raises
    ------
    ScoreError
        If there is no such score in the match equity table, or `table` is of another.
    """
    if table is not None:
        if (table.score.away, table.score.game) != (state.score.away, state.score.game):
            raise bearoff.ScoreError(
                f"games at {state.score} cannot stop in a table of {table.score}; solve "
                "one of the score"
            )
        if equities not in (None, table.equities):
            raise bearoff.ScoreError(
                "the table was solved with another match equity table; leave equities out"
            )
        equities = table.equities
    equities = match_equities() if equities is None else equities
    equities.chance(state.score)
    values = MatchValues(
        table=None,
        techniques=techniques,
        state=state,
        equities=equities,
        match_table=table,
    )
    if race is not None:
        epcs = [values.bear_in.epc(side.counts) for side in (race.roller, race.opponent)]
        values = replace(values, longest_epc=float(max(epcs)))
    values.solve()
    return values


def summarise_match(
    moments: Moments, values: MatchValues, race: bearoff.Race
) -> MatchRollout:
    """Summarise the moments of a race's games at a score; see `MatchRollout`."""
    state, systematic = values.state, _systematic_error(values, race)
    chances = {name: estimate_of(moments, weights_of(**{name: 1.0})) for name in CHANCES}
    cube: RollersCube = "owned" if state.cube == "owned" else "centred"
    # With the opponent's cube values are at a cube of 1, half of this one.
    worth = weights_of(**{state.cube: 2.0 if state.cube == "opponent" else 1.0})
    single, gammon, backgammon = (values.after(n * state.cube_value) for n in (1, 2, 3))
    lost, two, three = (values.after(-n * state.cube_value) for n in (1, 2, 3))
    cubeless = weights_of(
        cubeless=1,
        gammon_won=gammon - single,
        backgammon_won=backgammon - gammon,
        gammon_lost=two - lost,
        backgammon_lost=three - two,
    )
    return MatchRollout(
        state=state,
        equities=values.equities,
        win_probability=win_probability_of(moments, systematic),
        **chances,
        cubeless=estimate_of(moments, cubeless),
        value=estimate_of(moments, worth, systematic.no_double),
        action=action_of(moments, cube, systematic) if values.may_double else None,
        games=moments.games,
        table=values.table_size,
        seconds=0.0,
    )


def _systematic_error(values: MatchValues, race: bearoff.Race) -> Systematic:
    """Return the error to expect; where nobody can turn the cube, of the chance to win."""
    into_table = values.table_size is not None
    found = systematic_error_at_score(race, into_table=into_table)
    of_chance = 2 * found.win_probability
    waiting, taken = STATES.index(values.state.cube), STATES.index("opponent")
    if not values.is_live(waiting):
        found = found._replace(no_double=of_chance)
    if not values.is_live(taken):
        found = found._replace(double_take=of_chance)
    return found
