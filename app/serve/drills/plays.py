"""Drill on the best play of a roll."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np

from bearoff import BearoffError, Play, Position, Race, parse_roll
from bearoff.analysis.review import Alternative, Decision, rated_alternatives
from bearoff.app.output import amount
from bearoff.app.serve.drills.asked import (
    Drill,
    DrillQuestion,
    Level,
    Marked,
    SolutionLine,
    board_of,
    marked,
    rank_of,
    ranked,
    third,
)
from bearoff.app.serve.drills.sample import CLEAR, race_at, shipped_sample
from bearoff.app.serve.drills.seeing import in_words
from bearoff.bear_in import bear_in, widen

SHOWN = 5
"""Maximum number of plays to choose from, and of plays in a solution."""

ABSURD = 0.25
"""Cost, in points of equity, from which a play is not offered as a choice. The second-best
play is always offered."""


class PlayDrill(Drill):
    """Drill on how to play a roll that has a unique best play."""

    name, title = "play", "Best play"
    text = (
        "Find the best play of a roll, with a centred cube. Harder where the second "
        "best play costs less."
    )

    def draw(self, rng: Random, level: Level) -> str:
        """Draw a race and its roll from the shipped sample."""
        rolls = shipped_sample().play
        row = rng.choice(third(_order(), level))
        high, low = rolls.dice[row].tolist()
        return f"{high}{low} {race_at(rolls, row).position_id}"

    def race(self, rest: str) -> Race:
        """Parse the race with its dice from a question's key."""
        dice, _, position = rest.partition(" ")
        race = Race.parse(position)
        return replace(race, dice=parse_roll(dice))

    def question(self, rest: str) -> DrillQuestion:
        """Return the question of how to play a roll; the best plays are the choices."""
        race = self.race(rest)
        best, second, *others = _options(race, _row(race))[:SHOWN]
        near = [best, second, *(one for one in others if (one.cost or 0.0) < ABSURD)]
        return DrillQuestion(
            key=self.key(rest),
            kind=self.name,
            title=self.title,
            text="You are on roll, in money play with a centred cube. How do you play?",
            form="choice",
            choices=sorted(one.name for one in near),
            hints=len(self.hints(rest)),
            **board_of(race),  # type: ignore[arg-type]
        )

    def difficulty(self, rest: str) -> float:
        """Return a question's difficulty, which is higher for a cheap second-best play."""
        return rank_of(_row(self.race(rest)), _order())

    def hints(self, rest: str) -> list[str]:
        """Return hints: checkers to bear off, board features, and the best result."""
        race = self.race(rest)
        options = _options(race, _row(race))
        left = [_after(race, one).on_board for one in options[:SHOWN]]
        off = race.roller.on_board - min(left)
        best = _after(race, options[0])
        seen = in_words(race.roller, "you")
        return [
            f"At most {amount(off, 'checkers')} can be borne off.",
            f"{seen[0].upper()}{seen[1:]}: fill gaps, and do not waste pips.",
            f"The best play leaves {_left(best)}.",
        ]

    def mark(self, rest: str, given: str) -> Marked:
        """Mark a play, given in any notation, by its equity."""
        race = self.race(rest)
        options = _options(race, _row(race))
        assert race.dice is not None
        played = str(Play.parse(given.strip(), race.roller, race.dice))
        one = Decision("play", race, options, played).shortened(SHOWN)
        notes, steps = _notes(race, options), _steps(race, one.alternatives)
        return marked(self.key(rest), played, one, "exact", notes, steps)


@cache
def _order() -> tuple[int, ...]:
    rolls = shipped_sample().play
    first = rolls.firsts[:-1]
    lost = rolls.equities[first] - rolls.equities[first + 1]
    return ranked((-float(cost), row) for row, cost in enumerate(lost))


def _row(race: Race) -> int:
    """Return the index of a race with its dice in the shipped sample."""
    rolls = shipped_sample().play
    pair = widen([race.roller.counts, race.opponent.counts])
    same = (rolls.rollers == pair[0]).all(axis=1) & (rolls.opponents == pair[1]).all(axis=1)
    rows = np.flatnonzero(same & (rolls.dice == race.dice).all(axis=1))
    if not len(rows):
        raise BearoffError(
            f"the position {race.xgid} is not among the questions; request a new question"
        )
    return int(rows[0])


def _options(race: Race, row: int) -> tuple[Alternative, ...]:
    """Return all plays of a roll with their costs, the best first."""
    rolls = shipped_sample().play
    own = slice(rolls.firsts[row], rolls.firsts[row + 1])
    assert race.dice is not None
    named = []
    for number, equity in zip(
        rolls.after[own].tolist(), rolls.equities[own].tolist(), strict=True
    ):
        after = Position.from_number(number).counts
        named.append((str(Play.between(race.roller, race.dice, after)), equity))
    return rated_alternatives(named, CLEAR)


def _notes(race: Race, options: Sequence[Alternative]) -> list[str]:
    """Return remarks on the second-best play and on the play with the smallest EPC."""
    best, second = options[:2]
    near = next_best(second)
    epcs = [_epc(_after(race, one)) for one in options]
    least = options[int(np.argmin(epcs))]
    if not least.cost or min(epcs) > epcs[0] - SAME:
        return [near, "The best play is also the one with the smallest EPC."]
    return [
        near,
        f"{least.name} leaves the smallest EPC, but costs {least.cost:.4f} points (EMG): "
        f"{_why(race, best, least)}.",
    ]


def _steps(race: Race, shown: Sequence[Alternative]) -> list[SolutionLine]:
    """Return the checkers, pips and EPC that each play leaves, as steps of the solution."""
    lines = []
    for one in shown:
        after = _after(race, one)
        left = f"{_left(after)}, EPC {_epc(after):.2f}"
        lines.append(SolutionLine(words=one.name, arithmetic=left))
    return lines


def next_best(second: Alternative) -> str:
    """Return a sentence on the cost of the second-best play."""
    return f"The next best play, {second.name}, costs {second.cost:.4f} points (EMG)."


SAME = 0.005
"""Difference below which two EPCs, shown with two decimals, look equal, in pips."""


def _why(race: Race, best: Alternative, least: Alternative) -> str:
    """Return a sentence on why the best play is better than the play with the least EPC."""
    ours, theirs = _after(race, best), _after(race, least)
    if ours.on_board < theirs.on_board:
        left = amount(theirs.on_board, "checkers")
        return f"this play leaves {left}, but the best play only {ours.on_board}"
    opponent = amount(race.opponent.on_board, "checkers")
    return (
        f"the opponent has {opponent} left and may win soon, so lucky rolls matter more "
        "than the EPC"
    )


def _after(race: Race, option: Alternative) -> Position:
    assert race.dice is not None
    return Play.parse(option.name, race.roller, race.dice).after


def _left(after: Position) -> str:
    return f"{amount(after.on_board, 'checkers')}, {amount(after.pips, 'pips')}"


def _epc(after: Position) -> float:
    return float(bear_in().epc(widen([after.counts]))[0]) if after.on_board else 0.0
