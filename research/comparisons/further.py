"""Possible reasons why this program's costs of race decisions differ from eXtreme Gammon's.

At home at a score, the same races are solved with other match equity tables. With checkers
outside home, the player's choice and the file's best choice are rolled out with the same
dice.
"""

from collections.abc import Sequence
from pathlib import Path

from bearoff.analysis.output import markdown_table
from bearoff.answers import Answer, Judge, intervals
from bearoff.scores import read_match_equities
from bearoff.sim.rollouts import Goal, PairedSource
from research.comparisons.reviewed import Pair

METS = ("Kazaross-XG2", "Rockwell-Kazaross", "g11", "woolsey", "mec26", "snowie")
"""Names of GNU Backgammon's match equity tables; eXtreme Gammon uses the first table."""

FOLDER = Path("/usr/share/gnubg/met")
"""Folder of match equity tables in Debian's package of GNU Backgammon."""

LONGER = Goal(0.001, 10_000_000)
"""Standard error at which longer rollouts stop, and their maximum number of games."""


def _better(answer: Answer, pair: Pair) -> tuple[float, float]:
    """Return the equity that the match file's choice gains over the player's choice.

    The second value that is returned is the error of this equity.
    """
    ours, file = pair.ours, pair.file
    if ours.kind != "play":
        one = answer.decided(ours.decided)
        other = answer.decided(file.best)
        return one.cost - other.cost, max(one.error, other.error)
    plays = {one.name: one for one in answer.plays}
    one, other = plays[ours.decided], plays[file.best]
    return other.equity - one.equity, max(one.error, other.error)


def by_tables(pairs: Sequence[Pair]) -> str:
    """Solve races with several match equity tables; return a Markdown table of losses."""
    judges = [
        Judge(patience=600.0, equities=read_match_equities(FOLDER / f"{met}.xml"))
        for met in METS
    ]
    rows = []
    for pair in pairs:
        race = pair.ours.race
        found = [f"{_better(judge.answer(race), pair)[0]:+.5f}" for judge in judges]
        rows.append([*_named(pair), f"{pair.theirs:+.5f}", *found])
    return markdown_table([*_HEAD, *METS], rows)


_HEAD = "XGID", "choice made", "best choice according to the file", "loss by the file"


def _named(pair: Pair) -> list[str]:
    xgid = pair.ours.race.xgid.removeprefix("XGID=")
    return [f"`{xgid}`", pair.ours.decided, pair.file.best]


def by_games(pairs: Sequence[Pair]) -> str:
    """Roll races out longer; return whether the match file may be right, as a table."""
    judge, spread = Judge(patience=0.0), intervals("rollout")
    rows, possible = [], 0
    for pair in pairs:
        race, ours = pair.ours.race, pair.ours
        names = {one.name: one.play.after for one in judge.answer(race).plays}
        played = names.get(pair.file.best)
        decided = (ours.decided, pair.file.best) if ours.kind != "play" else ()
        source = PairedSource(race, LONGER, played, decided)
        better, error = _better(judge.answer(race, source=source), pair)
        off = abs(better - pair.theirs)
        possible += off <= spread * error
        who = "possible" if off <= spread * error else "excluded"
        numbers = f"{pair.theirs:+.4f}", f"{better:+.4f}", f"{spread * error:.4f}"
        rows.append([*_named(pair), *numbers, who])
    head = [
        *_HEAD,
        "loss by longer rollouts",
        "error of this loss",
        "verdict on the loss by the file",
    ]
    told = (
        f"In {possible} of {len(pairs)} decisions, the loss by the file is within the "
        "error of the rollouts."
    )
    return f"{told}\n\n{markdown_table(head, rows)}"
