"""HTTP routes of the library: matches, decisions, notes, saved positions and progress."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Annotated, Literal, TypeVar

from fastapi import Depends, Path, Query, Request
from starlette.responses import Response

from bearoff import Race
from bearoff.app.library.kept import KeptDecision, KeptMatch, KeptNote
from bearoff.app.library.library import Library
from bearoff.app.library.wanted import OF_MATCHES, Wanted, wanted_by
from bearoff.app.serve.json_route import new_router
from bearoff.app.serve.library import models
from bearoff.app.serve.library.example import example_library
from bearoff.app.serve.problems import Refusal
from bearoff.app.serve.review.judging import decision_row, sums_of
from bearoff.app.serve.state import state_of

MOST = 500
"""Maximum number of matches or decisions in a response."""

T = TypeVar("T")

_KINDS = {
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "parquet": "application/octet-stream",
    "apkg": "application/octet-stream",
}

_Number = Annotated[int, Path(ge=1, le=999_999_999)]
_Most = Annotated[int, Query(ge=1, le=MOST, description="Maximum number of rows.")]


def _said(name: str, metavar: str, words: str) -> object:
    return Query(description=words)


Searched = Annotated[Wanted, Depends(wanted_by(_said))]
Chosen = Annotated[Wanted, Depends(wanted_by(_said, OF_MATCHES))]


def library_of(
    request: Request,
    example: Annotated[
        bool, Query(description="Whether to use the example library instead of your own.")
    ] = False,
) -> Callable[[], Library]:
    """Return a function that opens the user's library or the example library."""
    return example_library if example else lambda: own_library(request)


def own_library(request: Request) -> Library:
    library = state_of(request).library
    if library is None:
        raise Refusal(
            403,
            "the library belongs to one player, so it is available only if the server "
            "serves this machine alone",
        )
    return library


Opened = Annotated[Callable[[], Library], Depends(library_of)]

router = new_router()


async def _run(request: Request, work: Callable[[], T]) -> T:
    return await state_of(request).views.run(work)


@router.get("/library")
async def library(request: Request, opened: Opened) -> models.LibraryOut:
    """Return the size of the library, its players, and the search parameters."""

    def found() -> models.LibraryOut:
        kept = opened()
        players = kept.players()
        return models.LibraryOut(
            path=str(kept.file.path),
            bytes=kept.file.size,
            matches=kept.matches_kept(),
            decisions=kept.count(),
            players=[models.PlayerOut(name=n, decisions=made) for n, made in players],
            names=list(kept.names.read()),
            mine=list(kept.mine()),
            fields=[
                models.FieldOut(
                    name=one.name,
                    placeholder=one.metadata["metavar"],
                    words=one.metadata["words"],
                    choices=one.metadata["choices"],
                    of_matches=one.name in OF_MATCHES,
                )
                for one in fields(Wanted)
            ],
        )

    return await _run(request, found)


@router.post("/library/names")
async def names(asked: models.NamesIn, request: Request) -> models.NamesOut:
    """Set the user's names, which select decisions for statistics and questions."""
    kept = own_library(request)
    found = await _run(request, lambda: kept.names.write(asked.names))
    return models.NamesOut(names=list(found))


@router.get("/library/matches")
async def matches(
    request: Request, opened: Opened, wanted: Chosen, most: _Most = 50
) -> models.MatchesOut:
    """Return the matches in the library that a search finds, newest first."""
    found = await _run(request, lambda: opened().matches(wanted, most))
    return models.MatchesOut(matches=found)


@router.get("/library/matches/{number}")
async def match(request: Request, opened: Opened, number: _Number) -> models.OpenedOut:
    """Return a match with its decisions, their totals, and its notes."""

    def found() -> models.OpenedOut:
        kept = opened()
        decisions = kept.decisions_of(number)
        made = [one.judged for one in decisions if one.judged.decided]
        return models.OpenedOut(
            match=kept.match(number),
            decisions=[_made(one) for one in decisions],
            **sums_of(made),
            notes=kept.notes.of(number),
        )

    return await _run(request, found)


@router.delete("/library/matches/{number}")
async def delete(request: Request, number: _Number) -> KeptMatch:
    """Delete a match with its decisions and notes, and return its description."""
    kept = own_library(request)
    return await _run(request, lambda: kept.delete(number))


@router.get("/library/decisions.{ending}", response_class=Response)
async def export(
    request: Request,
    opened: Opened,
    wanted: Searched,
    ending: Literal["csv", "parquet", "apkg", "txt"],
    mine: Annotated[
        bool,
        Query(description="Whether to return only your decisions, under all your names."),
    ] = False,
) -> Response:
    """Return the decisions that a search finds, as a table, Anki cards or drawn boards."""

    def written() -> bytes:
        from bearoff.app.library.exporting import export_bytes

        kept = opened()
        names = kept.mine() if mine else (wanted.player,)
        found = [d for name in names for d in kept.search(replace(wanted, player=name))]
        if not found:
            raise Refusal(404, "no decisions were found, so there is nothing to write")
        found.sort(key=lambda one: -one.judged.cost)
        return export_bytes(ending, found, kept.notes.of())

    return Response(
        await _run(request, written),
        media_type=_KINDS[ending],
        headers={"Content-Disposition": f"attachment; filename=decisions.{ending}"},
    )


@router.get("/library/decisions")
async def decisions(
    request: Request,
    opened: Opened,
    wanted: Searched,
    sort: Annotated[
        Literal["cost", "date", "pips"],
        Query(description="Key by which the decisions are sorted, in decreasing order."),
    ] = "cost",
    most: _Most = 50,
) -> models.FoundOut:
    """Return the decisions that a search finds, and their total number."""
    found, count = await _run(request, lambda: opened().find(wanted, sort, most))
    return models.FoundOut(found=count, decisions=[_made(one) for one in found])


@router.get("/library/saved")
async def saved(
    request: Request,
    opened: Opened,
    tag: Annotated[str, Query(max_length=60, description="Tag to find.")] = "",
    text: Annotated[
        str, Query(max_length=200, description="Words to find in the note.")
    ] = "",
) -> models.SavedOut:
    """Return the saved positions, newest first."""
    found = await _run(request, lambda: opened().notes.saved(tag, text))
    return models.SavedOut(saved=[_saved(one) for one in reversed(found)])


@router.post("/library/positions")
async def save(asked: models.SaveIn, request: Request) -> models.SavedPosition:
    """Save a position with a note and tags."""
    kept = own_library(request).notes
    return _saved(
        await _run(request, lambda: kept.save(asked.position, asked.text, asked.tags))
    )


@router.post("/library/notes")
async def note(asked: models.NoteIn, request: Request) -> KeptNote:
    """Add a note to a match or a decision."""
    kept = own_library(request).notes
    return await _run(request, lambda: kept.add(asked.about, asked.text, asked.tags))


@router.delete("/library/notes/{number}")
async def forget(request: Request, number: _Number) -> KeptNote:
    """Delete a note or a saved position, and return its description."""
    kept = own_library(request).notes
    return await _run(request, lambda: kept.delete(number))


@router.get("/library/progress")
async def progress(
    request: Request,
    opened: Opened,
    player: Annotated[
        str,
        Query(
            max_length=200,
            description="Name of the player; by default the player with the most "
            "decisions.",
        ),
    ] = "",
    since: Annotated[
        str,
        Query(
            max_length=20, description="First day of play to include, such as 2026-05-17."
        ),
    ] = "",
    until: Annotated[
        str,
        Query(
            max_length=20, description="Last day of play to include, such as 2026-05-17."
        ),
    ] = "",
) -> models.ProgressOut:
    """Return a player's ratings, mean errors in races, and results without luck."""

    def found() -> models.ProgressOut:
        # The import is slow, so only this request waits for it.
        from bearoff.analysis.progress import FEWEST

        summed = opened().progress(player, since, until)
        return models.ProgressOut(**vars(summed), fewest=FEWEST)

    return await _run(request, found)


def _made(one: KeptDecision) -> models.MadeOut:
    """Return a decision of the library in the format of a review's decisions."""
    return models.MadeOut(
        **decision_row(one.judged),
        number=one.place,
        reference=one.reference,
        day=one.day,
        opponent_name=one.opponent,
        stakes=one.stakes,
        formula_cost=one.formula_cost,
    )


def _saved(one: KeptNote) -> models.SavedPosition:
    race = Race.parse(one.xgid)
    return models.SavedPosition(
        **vars(one),
        roller=list(race.roller.counts),
        opponent=list(race.opponent.counts),
        cube=race.cube,
        cube_value=race.cube_value,
        dice=race.dice,
        score=None if race.score is None else str(race.score),
    )
