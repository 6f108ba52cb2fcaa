"""Second implementation of games with the cube, in plain Python."""

from dataclasses import dataclass, field
from functools import cache

import numpy as np

import bearoff
from bearoff.matchup.strategies import CubeDecision
from bearoff.sim.cubeful import cube_tally
from bearoff.sim.play import player, tally, throws_of_game
from tests.sim.play.replay import ROLL_OF_THROW

POINTS, CHECKERS = 6, 4
"""Numbers of points and of checkers per side in most replayed games."""


@dataclass(frozen=True)
class ByLead:
    """Strategy that doubles, redoubles and takes by the lead in pips."""

    double: int
    redouble: int
    take: int
    name: str = "by lead"
    asked: list | None = field(default=None, compare=False)

    def decide(self, rollers, opponents):
        if self.asked is not None:
            self.asked.append((rollers.tolist(), opponents.tolist()))
        lead = (opponents - rollers) @ np.arange(1, POINTS + 1)
        return CubeDecision(lead >= self.double, lead >= self.redouble, lead <= self.take)


EAGER = ByLead(-100, -100, 100, "eager")
"""Strategy that doubles as often as allowed, and always takes."""


@cache
def _counts(number):
    return np.array(bearoff.Position.from_number(number, POINTS).counts)


@cache
def _says(strategy, what, roller, opponent):
    answer = strategy.decide(_counts(roller)[None], _counts(opponent)[None])
    return bool(getattr(answer, what)[0])


@cache
def _next(name, roller, opponent, cube):
    """Return the positions after a player's plays of all rolls."""
    if name in ("optimal", "perfect"):
        table = bearoff.two_sided_table(CHECKERS)
        where = cube if name == "perfect" else None
        return table.best_after(roller, opponent, where).tolist()
    # A table of 15 checkers gives positions of few checkers the same numbers and plays as a
    # smaller table.
    return player(name, POINTS, 15).policy[roller].tolist()


@dataclass
class Game:
    """Result of one replayed game, with its numbers of rolls and doubles."""

    points: int
    rolls: int
    doubles: list[int]
    passed: int | None
    gammon: bool = False


def _sees(owner, side):
    return {0: "centred", 1 - 2 * side: "owned"}.get(owner, "opponent")


def _is_gammon(match, loser, owner):
    return int(_counts(loser).sum()) == 15 and not (
        match.terms.stakes.jacoby and owner == 0
    )


def play(match, cubes, roller, opponent, game):
    """Play one game by the rules; `cubes` has the `CubeSide` of each side."""
    at, owner, cube = [roller, opponent], match.owner, 1
    doubles, rolls = [0, 0], 0
    dice = throws_of_game(match.seed, roller, opponent, game)
    while True:
        throws = next(dice)
        for side in (0, 1):
            other, sign = 1 - side, 1 - 2 * side
            state = _sees(owner, side)
            if state != "opponent" and cube < 2**cube_tally.MOST_LEVEL:
                strategy = getattr(cubes[side], state)
                what = "double" if state == "centred" else "redouble"
                if _says(strategy, what, at[side], at[other]):
                    doubles[side] += 1
                    if not _says(cubes[other].take, "take", at[side], at[other]):
                        return Game(sign * cube, rolls, doubles, other)
                    owner, cube = 2 * side - 1, 2 * cube
            roll = ROLL_OF_THROW[throws[side]]
            name = (match.roller, match.opponent)[side]
            at[side] = _next(name, at[side], at[other], _sees(owner, side))[roll]
            rolls += 1
            if at[side] == 0:
                gammon = _is_gammon(match, at[other], owner)
                return Game(sign * cube * (1 + gammon), rolls, doubles, None, gammon)


def count(match, roller, opponent, games):
    """Replay some games; return the counts of their results."""
    row = np.zeros(cube_tally.WIDTH, dtype=np.int64)
    for number in games:
        game = play(
            match, (match.roller_cube, match.opponent_cube), roller, opponent, number
        )
        level = abs(game.points).bit_length() - 1 - game.gammon
        bins = row[cube_tally.WON if game.points > 0 else cube_tally.LOST]
        bins[level] += 1
        if game.gammon:
            won = game.points > 0
            row[cube_tally.GAMMONS_WON if won else cube_tally.GAMMONS_LOST][level] += 1
        row[tally.GAMES] += 1
        row[tally.WINS] += game.points > 0
        row[tally.LENGTH] += game.rolls
        row[tally.LENGTH_SQUARED] += game.rolls**2
        row[cube_tally.DOUBLES] += game.doubles
        if game.passed is not None:
            row[cube_tally.PASSES][game.passed] += 1
        if match.rival_cube is not None:
            rivals = (match.rival_cube, match.opponent_cube)
            points = play(match, rivals, roller, opponent, number).points
            row[cube_tally.RIVAL_POINTS] += points
            row[cube_tally.DIFFERENCE_SQUARED] += (game.points - points) ** 2
    return row


def exact_equity(match, x, y):
    """Return the roller's exact equity, computed by a recursion over all rolls."""
    cubes = (match.roller_cube, match.opponent_cube)
    names = (match.roller, match.opponent)

    @cache
    def before_roll(at, side, owner):
        """Return the roller's equity, in units of the cube value, just before `side` may
        double.
        """
        state, other, sign = _sees(owner, side), 1 - side, 1 - 2 * side
        if state != "opponent":
            strategy = getattr(cubes[side], state)
            what = "double" if state == "centred" else "redouble"
            if _says(strategy, what, at[side], at[other]):
                if not _says(cubes[other].take, "take", at[side], at[other]):
                    return sign
                return 2 * after_cube(at, side, 2 * side - 1)
        return after_cube(at, side, owner)

    @cache
    def after_cube(at, side, owner):
        other, total = 1 - side, 0.0
        ways = _next(names[side], at[side], at[other], _sees(owner, side))
        for weight, after in zip(bearoff.WEIGHTS, ways, strict=True):
            if after == 0:
                total += weight * (1 - 2 * side) * (1 + _is_gammon(match, at[other], owner))
                continue
            left = (after, at[1]) if side == 0 else (at[0], after)
            total += weight * before_roll(left, other, owner)
        return total / 36

    return before_roll((x, y), 0, match.owner)
