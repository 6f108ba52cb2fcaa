"""`bearoff library search` and `export`: find decisions, and print or export them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bearoff.app.library.wanted import EACH, Wanted, wanted_by
from bearoff.app.options import Json
from bearoff.app.output import amount, note as tell, say, say_json, say_table
from bearoff.app.progress import waits
from bearoff.app.race_answers.sharing import shares

if TYPE_CHECKING:
    from collections.abc import Callable

    from bearoff.app.library.kept import KeptDecision
    from bearoff.app.library.library import Library
    from bearoff.app.race_answers.sharing import Command

SHOWN = 20


def searches(
    names: tuple[str, ...] = EACH,
) -> "Callable[[Command[None]], Command[None]]":
    """Return a decorator that adds the options of a search to a command."""

    def option(name: str, metavar: str, words: str) -> object:
        if not metavar:
            # An option without a value needs no counterpart named `--no-NAME`.
            return typer.Option(f"--{name}", help=words)
        return typer.Option(metavar=metavar, help=words, show_default=False)

    return shares(wanted_by(option, names))


Most = Annotated[int, typer.Option(metavar="N", min=1, help="Maximum number of rows.")]


@searches()
@waits("searching the library")
def search(
    wanted: Wanted,
    sort: Annotated[
        str,
        typer.Option(metavar="ORDER", help="Order of the decisions: cost, date or pips."),
    ] = "cost",
    most: Most = SHOWN,
    json: Json = False,
) -> None:
    """Find decisions in the library, the costliest first.

    \b
    bearoff library search --player gnubg --kind play --mistakes
    bearoff library search --feature "gaps>=2" --pips 40-70
    """
    from bearoff.app.library.library import open_library
    from bearoff.app.library.searching import SORTS
    from bearoff.checks import choice

    choice(sort, "--sort", tuple(SORTS))
    kept = open_library()
    found, count = kept.find(wanted, sort, most)
    if json:
        say_json({"found": count, "decisions": [kept_json(one) for one in found]})
        return
    if not found:
        say("No decisions were found.")
        _suggest(kept, wanted)
        return
    say_decisions(found)
    say()
    say(f"{amount(count, 'decisions')}; {len(found):,} shown.")


@searches()
@waits("writing decisions of the library")
def export(
    wanted: Wanted,
    path: Annotated[
        Path,
        typer.Option(
            "--to",
            metavar="FILE",
            help="File to write: .csv, .parquet, .apkg (flashcards) or .txt (boards).",
        ),
    ],
    sort: Annotated[
        str,
        typer.Option(metavar="ORDER", help="Order of the decisions: cost, date or pips."),
    ] = "cost",
) -> None:
    """Write decisions of the library as a table, flashcards or text.

    \b
    bearoff library export --to mistakes.apkg --player gnubg --mistakes
    """
    from bearoff import BearoffError
    from bearoff.app.library.exporting import export as write, refuse_other_than
    from bearoff.app.library.library import open_library
    from bearoff.app.library.searching import SORTS
    from bearoff.checks import choice

    choice(sort, "--sort", tuple(SORTS))
    refuse_other_than(path)
    kept = open_library()
    found = kept.search(wanted, sort)
    if not found:
        raise BearoffError(f"no decisions were found, so {path} was not written")
    write(path, found, kept.notes.of())
    say(f"{path}: {amount(len(found), 'decisions')}")


def _suggest(kept: "Library", wanted: Wanted) -> None:
    """Print a similar player name if the requested one is unknown."""
    from bearoff.checks import did_you_mean

    names = [name for name, _ in kept.players()]
    for given in (wanted.player, wanted.opponent):
        if given and given.casefold() not in (name.casefold() for name in names):
            tell(f"nobody is called {given!r}{did_you_mean(given, names)}")


def say_decisions(found: "list[KeptDecision]", *, of_match: bool = False) -> None:
    """Print decisions as a table.

    With `of_match`, all decisions belong to one match; the table then omits the date, and
    shows the analysis in the match file.
    """
    from bearoff.analysis.review import UNIT

    files = [one.judged.file for one in found if one.judged.file and of_match]
    by = sorted({f"{said.program}, {said.level}".strip(", ") for said in files})
    analysed = (
        f" The file's analysis is by {' and '.join(by[:3])}{', ...' * (len(by) > 3)}."
    )
    say(f"Costs are in {UNIT}: 1 is the value of the cube.{analysed if files else ''}")
    say_table(
        [
            "ref",
            *([] if of_match else ["<day"]),
            *("<player", "pips", "<chosen", "<best", "lost"),
            *(["<in the file", "lost"] if files else []),
        ],
        [
            [
                one.reference,
                *([] if of_match else [one.day]),
                one.judged.player,
                str(one.pips),
                one.judged.done,
                one.judged.best,
                f"{one.judged.cost:.4f}",
                *(_in_file(one) if files else ()),
            ]
            for one in found
        ],
    )


def _in_file(one: "KeptDecision") -> tuple[str, str]:
    said = one.judged.file
    if said is None:
        return "", ""
    return said.best, "" if said.cost is None else f"{said.cost:.4f}"


def kept_json(one: "KeptDecision") -> dict[str, Any]:
    from bearoff.analysis.review import decision_json
    from bearoff.app.library.exporting import row_of

    shown = row_of(one, {})
    del shown["notes"], shown["tags"]
    return shown | decision_json(one.judged)
