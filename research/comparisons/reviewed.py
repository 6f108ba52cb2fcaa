"""Decisions in match files, with costs by this program and by another program."""

from collections.abc import Iterable
from dataclasses import dataclass

from bearoff.analysis import formulas
from bearoff.analysis.review import Decision, FileSays, Reviewing, RollOut
from bearoff.answers import Judge
from bearoff.game.records import MatchRecord
from bearoff.positions import POINTS


@dataclass(frozen=True)
class Pair:
    """Decision with its costs by this program and by the match file.

    Attributes
    ----------
    ours : Decision
        Decision as judged by this program.
    file : FileSays
        Decision as judged by the program that wrote the match file.
    theirs : float
        Cost of the player's choice according to the file.
    equities : tuple of float
        Equities in the match file minus this program's equities: after the play, or without
        a double and after a double and a take.
    """

    ours: Decision
    file: FileSays
    theirs: float
    equities: tuple[float, ...]

    @property
    def off(self) -> float:
        """Cost of the player's choice by the match file, minus its cost by this program."""
        return self.theirs - self.ours.cost

    @property
    def home(self) -> bool:
        """Whether all checkers of both sides are home."""
        race = self.ours.race
        return max(race.roller.highest, race.opponent.highest) <= POINTS


def pair_of(ours: Decision) -> Pair | None:
    """Return a decision with the costs by this program and by the match file, or None."""
    said = ours.file
    if said is None or said.cost is None:
        return None
    known, theirs = {one.name: one.equity for one in ours.alternatives}, dict(said.equities)
    both = [name for name in known if name in theirs and not name.endswith("pass")]
    names = [ours.decided] if ours.kind == "play" else both
    apart = (theirs[name] - known[name] for name in names if name in theirs)
    return Pair(ours, said, said.cost, tuple(apart))


def pairs_of(
    matches: Iterable[MatchRecord], judge: Judge, roll_out: RollOut | None = None
) -> list[Pair]:
    """Return the decisions whose costs both this program and the match files state."""
    reviewing = Reviewing(
        list(matches), judge, formulas.get(formulas.RECOMMENDED), roll_out
    )
    for _ in reviewing.run():
        pass
    found = map(pair_of, reviewing.review().judged)
    return [pair for pair in found if pair is not None]
