"""`bearoff library search` and `export`: decisions found, shown and written."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.answers.sharing import shares
from app.options import Json
from app.output import amount, note as tell, say, say_json, say_table

if TYPE_CHECKING:
    from app.library.kept import KeptDecision
    from app.library.library import Library
    from app.library.searching import Wanted

SHOWN = 20


@dataclass(frozen=True)
class Selection:
    """What is searched for; each field is an option of its name."""

    player: Annotated[
        str, typer.Option(metavar="NAME", help="Who decided.", show_default=False)
    ] = ""
    opponent: Annotated[
        str, typer.Option(metavar="NAME", help="Against whom.", show_default=False)
    ] = ""
    since: Annotated[
        str,
        typer.Option(
            metavar="DAY", help="From this day, month or year on.", show_default=False
        ),
    ] = ""
    until: Annotated[
        str,
        typer.Option(
            metavar="DAY", help="Up to this day, month or year.", show_default=False
        ),
    ] = ""
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="double, take or play.", show_default=False)
    ] = ""
    stakes: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="money, match, Crawford, post-Crawford or double match point.",
            show_default=False,
        ),
    ] = ""
    pips: Annotated[
        str,
        typer.Option(
            metavar="A-B", help="Pips of the side on roll, as 40-70.", show_default=False
        ),
    ] = ""
    cost: Annotated[
        float | None,
        typer.Option(metavar="EMG", help="Lost at least.", show_default=False),
    ] = None
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="Only what costs more than its error.")
    ] = False
    feature: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help="Of the side that decides, such as gaps>=2 or their_stack<5; may be "
            "given again. Any other word lists all features.",
            show_default=False,
        ),
    ] = None
    structure: Annotated[
        str,
        typer.Option(
            metavar="POINTS",
            help="Its checkers on ace to six, as 3,3,*,0,2+,1.",
            show_default=False,
        ),
    ] = ""
    text: Annotated[
        str,
        typer.Option(
            metavar="WORDS",
            help="In names, events, places, comments and notes.",
            show_default=False,
        ),
    ] = ""
    tag: Annotated[
        str, typer.Option(metavar="TAG", help="Of a note.", show_default=False)
    ] = ""
    match: Annotated[
        int | None,
        typer.Option(metavar="N", help="Of one match.", show_default=False),
    ] = None

    def wanted(self) -> "Wanted":
        """Return what is searched for."""
        from app.library.searching import Wanted

        given = asdict(self)
        features = tuple(given.pop("feature") or ())
        return Wanted(**given, features=features)


selects = shares(Selection)

Most = Annotated[int, typer.Option(metavar="N", min=1, help="Shown at most.")]


@selects
def search(
    selection: Selection,
    sort: Annotated[
        str, typer.Option(metavar="ORDER", help="By cost, date or pips.")
    ] = "cost",
    most: Most = SHOWN,
    json: Json = False,
) -> None:
    """Find decisions, the costliest first.

    \b
    bearoff library search --player gnubg --kind play --mistakes
    bearoff library search --feature "gaps>=2" --pips 40-70
    bearoff library search --structure "*,*,2+,0,0,0" --text london
    """
    from app.library.library import open_library
    from app.library.searching import SORTS
    from bearoff.checks import choice

    choice(sort, "--sort", tuple(SORTS))
    kept = open_library()
    found, count = kept.find(selection.wanted(), sort, most)
    if json:
        say_json({"found": count, "decisions": [decision_json(one) for one in found]})
        return
    if not found:
        say("No decision was found.")
        _suggest(kept, selection)
        return
    say_decisions(found)
    say()
    say(f"{amount(count, 'decisions')}; {len(found):,} shown.")


@selects
def export(
    selection: Selection,
    path: Annotated[
        Path,
        typer.Option(
            "--to",
            metavar="FILE",
            help="Ends in .csv, .parquet, .apkg (flashcards) or .txt (boards).",
        ),
    ],
    sort: Annotated[
        str, typer.Option(metavar="ORDER", help="By cost, date or pips.")
    ] = "cost",
) -> None:
    """Write decisions into a file: a table, flashcards for Anki, boards as text.

    \b
    bearoff library export --to mistakes.apkg --player gnubg --mistakes
    bearoff library export --to plays.csv --kind play --since 2025
    """
    from app.library.exporting import export as write, refuse_other_than
    from app.library.library import open_library
    from app.library.searching import SORTS
    from bearoff import BearoffError
    from bearoff.checks import choice

    choice(sort, "--sort", tuple(SORTS))
    refuse_other_than(path)
    kept = open_library()
    found = kept.search(selection.wanted(), sort)
    if not found:
        raise BearoffError(f"no decision was found, so {path} is not written")
    write(path, found, kept.notes.of())
    say(f"{path}: {amount(len(found), 'decisions')}")


def _suggest(kept: "Library", selection: Selection) -> None:
    """Say which name was meant, if there is none as it is given."""
    from bearoff.checks import did_you_mean

    names = [name for name, _ in kept.players()]
    for given in (selection.player, selection.opponent):
        if given and given.casefold() not in (name.casefold() for name in names):
            tell(f"nobody is called {given!r}{did_you_mean(given, names)}")


def say_decisions(found: "list[KeptDecision]") -> None:
    """Write decisions as a table."""
    from analysis.review import UNIT

    say(f"Costs are {UNIT}: 1 is what the cube shows.")
    say_table(
        ["ref", "<day", "<player", "pips", "<chosen", "<right", "lost"],
        [
            [
                one.reference,
                one.day,
                one.judged.player,
                str(one.pips),
                one.judged.decided,
                one.judged.best,
                f"{one.judged.cost:.4f}",
            ]
            for one in found
        ],
    )


def decision_json(one: "KeptDecision") -> dict[str, Any]:
    """Return a decision as JSON says it."""
    from app.library.exporting import row_of

    alternatives = [
        {"name": name, "equity": equity} for name, equity in one.judged.equities
    ]
    shown = row_of(one, {})
    del shown["notes"], shown["tags"]
    return shown | {"equities": alternatives}
