"""`bearoff library`: list, show, back up and delete reviewed matches."""

import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bearoff.app.commands.library_notes import names, note, save, saved
from bearoff.app.commands.library_progress import progress
from bearoff.app.commands.library_search import (
    SHOWN,
    Most,
    export,
    kept_json,
    say_decisions,
    search,
    searches,
)
from bearoff.app.library.wanted import OF_MATCHES, Wanted
from bearoff.app.options import Json
from bearoff.app.output import amount, note as tell, say, say_json, say_table

if TYPE_CHECKING:
    from bearoff.app.library.kept import KeptMatch
    from bearoff.app.library.library import Library

library = typer.Typer(
    help="""Your reviewed matches: search, notes, progress, export.

`bearoff review` stores matches in the library.

\b
bearoff library search --mistakes --kind play
""",
    rich_markup_mode=None,
    no_args_is_help=True,
)
for one in (search, export, names, note, save, saved, progress):
    library.command()(one)


@library.command("list")
@searches(OF_MATCHES)
def list_(wanted: Wanted, most: Most = SHOWN, json: Json = False) -> None:
    """List the matches, the newest first, and the size of the library.

    \b
    bearoff library list --player gnubg --since 2025
    """
    from bearoff.app.library.library import open_library

    kept = open_library()
    found = kept.matches(wanted, most)
    if json:
        say_json({"matches": [asdict(one) for one in found]} | _size(kept))
        return
    if found:
        _say_matches(found)
        say()
    say(_size_text(kept))


@library.command()
def show(
    about: Annotated[
        str,
        typer.Argument(metavar="REF", help="Match such as 12, or decision such as 12.3."),
    ],
    json: Json = False,
) -> None:
    """Show a match with its decisions, or one decision with its board.

    \b
    bearoff library show 1.3
    """
    from bearoff.app.library.exporting import board_text
    from bearoff.app.library.library import open_library
    from bearoff.app.library.tables import read_reference

    kept = open_library()
    match, number = read_reference(about)
    notes = kept.notes.of(match)
    if number is not None:
        one = kept.decision(number)
        mine = [each for each in notes if each.about == one.reference]
        if json:
            say_json(kept_json(one) | {"notes": [asdict(each) for each in mine]})
        else:
            say(board_text(one, mine))
        return
    found, decisions = kept.match(match), kept.decisions_of(match)
    if json:
        shown = [kept_json(one) for one in decisions]
        noted = [asdict(each) for each in notes]
        say_json(asdict(found) | {"made": shown, "notes": noted})
        return
    _say_matches([found])
    for name in ("event", "place", "comment"):
        if text := getattr(found, name):
            say(f"{name}: {text}")
    for each in notes:
        tags = "".join(f" #{tag}" for tag in each.tags)
        say(f"note {each.id} to {each.about}: {each.text}{tags}")
    say()
    say_decisions(decisions, of_match=True)


@library.command()
def backup(
    path: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="File to write. Default: library-DAY.sqlite in the current folder.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check the library, and write a copy of it.

    \b
    bearoff library backup mine.sqlite
    """
    from datetime import datetime

    from bearoff import BearoffError
    from bearoff.app.library.library import open_library

    kept = open_library()
    day = datetime.now().astimezone().date().isoformat()
    to = path or Path(f"library-{day}.sqlite")
    if to.exists():
        raise BearoffError(f"{to} already exists; choose another name, or remove the file")
    kept.file.back_up(to)
    say(f"{to}: {amount(to.stat().st_size, 'bytes')}")


@library.command()
def restore(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="File of the backup.")],
) -> None:
    """Check a backup, and replace the library with it.

    The previous library is kept in the same folder, under another name.

    \b
    bearoff library restore mine.sqlite
    """
    from bearoff.app.library.library import open_library

    kept = open_library()
    before = kept.file.restore(path)
    say(_size_text(kept))
    if before is not None:
        tell(f"the previous library is kept as {before}")


@library.command()
def check(json: Json = False) -> None:
    """Read the whole library, and report damage.

    \b
    bearoff library check
    """
    from bearoff.app.library.library import open_library

    kept = open_library()
    rows = kept.file.check()
    if json:
        say_json({"rows": rows} | _size(kept))
        return
    say(f"{amount(rows, 'rows')} checked; no damage found.")
    say(_size_text(kept))


@library.command()
def delete(
    about: Annotated[
        str, typer.Argument(metavar="REF", help="Match such as 12, or note such as n3.")
    ],
) -> None:
    """Delete a match with its notes, a note or a saved position.

    \b
    bearoff library delete 12
    """
    from bearoff import BearoffError
    from bearoff.app.library.library import open_library
    from bearoff.app.library.tables import read_reference

    kept = open_library()
    if re.fullmatch("n[0-9]{1,9}", about):
        gone = kept.notes.delete(int(about[1:]))
        say(f"note {gone.id} is deleted: {gone.text or gone.xgid}")
        return
    match, decision = read_reference(about)
    if decision is not None:
        raise BearoffError(
            f"only a whole match, such as {match}, can be deleted, got {about}"
        )
    found = kept.delete(match)
    say(f"match {match} is deleted: {found.source}, {amount(found.decisions, 'decisions')}")


def _size(kept: "Library") -> dict[str, Any]:
    return {"path": str(kept.file.path), "bytes": kept.file.size}


def _size_text(kept: "Library") -> str:
    matches, decisions = kept.matches_kept(), kept.count()
    size = f"{kept.file.size / 1e6:.1f} MB"
    return (
        f"{amount(matches, 'matches') if matches != 1 else '1 match'}, "
        f"{amount(decisions, 'decisions')}, {size}: {kept.file.path}"
    )


def _result(one: "KeptMatch") -> str:
    """Return a match's score and length as text, or "" for a list of positions."""
    if not one.players[0]:
        return ""
    of = f" of {one.length}" if one.length else ", money"
    return f"{one.won[0]}-{one.won[1]}{of}"


def _ratings(rated: "tuple[float | None, float | None]") -> str:
    """Return the ratings of both players as text, one per line."""
    if rated == (None, None):
        return ""
    return "\n".join("-" if one is None else f"{one:.1f}" for one in rated)


def _say_matches(found: "list[KeptMatch]") -> None:
    from bearoff.analysis.review import UNIT

    say(f"Costs are in {UNIT}: 1 is the value of the cube.")
    say("The columns 'mistakes' and 'lost' count both players' decisions in races.")
    say(
        "PR is a player's performance rating in the whole match, and 'in races' is "
        "the\nrating in its races alone."
    )
    say_table(
        [
            "match",
            "<day",
            "<players",
            "<result",
            "mistakes",
            "lost",
            "PR",
            "in races",
        ],
        [
            [
                str(one.id),
                one.day,
                "\n".join(one.players) if one.players[0] else one.source,
                _result(one),
                f"{one.mistakes:,}",
                f"{one.lost:.4f}",
                _ratings(one.ratings),
                _ratings(one.race_ratings),
            ]
            for one in found
        ],
    )
