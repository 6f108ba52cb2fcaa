"""Decisions of matches as this program and the file's judge them, side by side."""

from collections.abc import Iterable
from dataclasses import dataclass

from bearoff.analysis import formulas
from bearoff.analysis.review import Decision, FileSays, Reviewing, RollOut
from bearoff.answers import Judge
from bearoff.game.records import MatchRecord
from bearoff.positions import POINTS


@dataclass(frozen=True)
class Pair:
    """A decision as both judge it.

    Attributes
    ----------
    ours : Decision
        Ours.
    file : FileSays
        What the file says.
    theirs : float
        What the choice costs by the file.
    equities : tuple of float
        How much higher than ours its equities are: of waiting and of a double that is
        taken, or of the play.
    """

    ours: Decision
    file: FileSays
    theirs: float
    equities: tuple[float, ...]

    @property
    def off(self) -> float:
        """How far apart the costs are."""
        return self.theirs - self.ours.cost

    @property
    def home(self) -> bool:
        """Whether both sides are home."""
        race = self.ours.race
        return max(race.roller.highest, race.opponent.highest) <= POINTS


def pair_of(ours: Decision) -> Pair | None:
    """Set what both say of a decision side by side; None if the file does not value it."""
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
    """Return the decisions of matches that both judge."""
    reviewing = Reviewing(
        list(matches), judge, formulas.get(formulas.RECOMMENDED), roll_out
    )
    for _ in reviewing.run():
        pass
    found = map(pair_of, reviewing.review().judged)
    return [pair for pair in found if pair is not None]
