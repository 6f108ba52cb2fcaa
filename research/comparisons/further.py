"""Reasons why costs of eXtreme Gammon and ours differ, each tried.

At home at a score: the same races solved with other match equity tables, which says what
the table can explain. Beyond home: what was chosen and what the file calls right, rolled
out side by side until the error is that of the players alone.
"""

from collections.abc import Sequence
from pathlib import Path

from bearoff.answers import Answer, Judge, intervals
from bearoff.scores import read_match_equities
from bearoff.sim.rollouts import Goal, PairedSource
from research.comparisons.reviewed import Pair

METS = ("Kazaross-XG2", "Rockwell-Kazaross", "g11", "woolsey", "mec26", "snowie")
"""Match equity tables of GNU Backgammon; eXtreme Gammon's is the first."""

FOLDER = Path("/usr/share/gnubg/met")
"""Where Debian's package has them."""

LONGER = Goal(0.001, 10_000_000)
"""Of the rollouts that decide; what their players do wrong remains."""


def _better(answer: Answer, pair: Pair) -> tuple[float, float]:
    """Return by how much the file's choice is better than that chosen, and its error."""
    ours, file = pair.ours, pair.file
    if ours.kind != "play":
        one = answer.decided(ours.decided)
        other = answer.decided(file.best)
        return one.cost - other.cost, max(one.error, other.error)
    plays = {one.name: one for one in answer.plays}
    one, other = plays[ours.decided], plays[file.best]
    return other.equity - one.equity, max(one.error, other.error)


def by_tables(pairs: Sequence[Pair]) -> str:
    """Solve with other match equity tables, as Markdown; a row a decision."""
    judges = [
        Judge(patience=600.0, equities=read_match_equities(FOLDER / f"{met}.xml"))
        for met in METS
    ]
    lines = [
        f"| XGID | chosen | right by the file | better by the file | {' | '.join(METS)} |",
        "|:---|:---|:---|---:|" + len(METS) * "---:|",
    ]
    for pair in pairs:
        race = pair.ours.race
        found = [f"{_better(judge.answer(race), pair)[0]:+.5f}" for judge in judges]
        lines.append(
            f"| `{race.xgid.removeprefix('XGID=')}` | {pair.ours.decided} "
            f"| {pair.file.best} | {pair.theirs:+.5f} | {' | '.join(found)} |"
        )
    return "\n".join(lines)


def by_games(pairs: Sequence[Pair]) -> str:
    """Roll out longer, as Markdown; what the file says is excluded, or is not."""
    judge, spread = Judge(patience=0.0), intervals("rollout")
    lines = [
        "| XGID | chosen | right by the file | better by the file | by longer rollouts | "
        "their error | the file's number |",
        "|:---|:---|:---|---:|---:|---:|:---|",
    ]
    for pair in pairs:
        race, ours = pair.ours.race, pair.ours
        names = {one.name: one.play.after for one in judge.answer(race).plays}
        played = names.get(pair.file.best)
        decided = (ours.decided, pair.file.best) if ours.kind != "play" else ()
        source = PairedSource(race, LONGER, played, decided)
        better, error = _better(judge.answer(race, source=source), pair)
        off = abs(better - pair.theirs)
        who = "possible" if off <= spread * error else "excluded"
        lines.append(
            f"| `{race.xgid.removeprefix('XGID=')}` | {ours.decided} | {pair.file.best} "
            f"| {pair.theirs:+.4f} | {better:+.4f} | {spread * error:.4f} | {who} |"
        )
    possible = sum(line.endswith("| possible |") for line in lines)
    told = (
        f"Of {len(pairs)} numbers of the file {possible} are possible by ours, the others "
        "are not: there ours are right."
    )
    return f"{told}\n\n" + "\n".join(lines)
