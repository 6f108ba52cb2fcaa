"""`bearoff library names`, `note`, `save` and `saved`: the user's names and notes."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.options import Json
from bearoff.app.output import say, say_json

if TYPE_CHECKING:
    from bearoff.app.library.kept import KeptNote

Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag",
        metavar="TAG",
        help="Tag of one word; may be given several times.",
        show_default=False,
    ),
]


def names(
    mine: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Names under which you play. Default: show the stored names.",
            show_default=False,
        ),
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="Delete the stored names.")] = False,
    json: Json = False,
) -> None:
    """Set the names under which you play.

    Your progress, your mistakes and the trainer's questions are then those of the player
    with these names.

    \b
    bearoff library names "Ann Lee" ann_plays
    """
    from bearoff.app.library.library import open_library

    kept = open_library()
    found = kept.names.write(mine or ()) if mine or none else kept.names.read()
    if json:
        say_json({"names": found})
    else:
        say("\n".join(found) or "No names are stored.")


def note(
    about: Annotated[
        str,
        typer.Argument(metavar="REF", help="Match such as 12, or decision such as 12.3."),
    ],
    text: Annotated[str, typer.Argument(metavar="[TEXT]", help="Text of the note.")] = "",
    tag: Tags = None,
) -> None:
    """Add a note to a match or a decision, with tags.

    \b
    bearoff library note 1.3 "I forgot the gap" --tag gaps
    """
    from bearoff.app.library.library import open_library

    kept = open_library().notes.add(about, text, tag or ())
    say(_line(kept))


def save(
    position: Annotated[
        str,
        typer.Argument(
            metavar="POSITION", help="Decision such as 12.3, or position such as an XGID."
        ),
    ],
    text: Annotated[
        str, typer.Option("--note", metavar="TEXT", help="Text of the note.")
    ] = "",
    tag: Tags = None,
) -> None:
    """Save a position with a note and tags.

    \b
    bearoff library save 1.3 --note "two gaps" --tag gaps
    """
    from bearoff.app.library.library import open_library

    say(_line(open_library().notes.save(position, text, tag or ())))


def saved(
    tag: Annotated[
        str, typer.Option(metavar="TAG", help="Tag to find.", show_default=False)
    ] = "",
    text: Annotated[
        str,
        typer.Option(metavar="TEXT", help="Text to find in the note.", show_default=False),
    ] = "",
    json: Json = False,
) -> None:
    """List saved positions with their notes and tags.

    \b
    bearoff library saved --tag gaps
    """
    from bearoff.app.library.library import open_library

    found = open_library().notes.saved(tag, text)
    if json:
        say_json({"saved": [asdict(one) for one in found]})
        return
    if not found:
        say("There are no saved positions.")
        return
    for one in found:
        say(_line(one))
        if one.text:
            say(f"    {one.xgid}")


def _line(kept: "KeptNote") -> str:
    tags = "".join(f" #{tag}" for tag in kept.tags)
    about = f" to {kept.about}" if kept.about else ""
    return f"n{kept.id}{about}: {kept.text or kept.xgid}{tags}"
