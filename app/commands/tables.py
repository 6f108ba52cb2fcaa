"""`bearoff tables`: solved tables stored in the cache."""

from typing import TYPE_CHECKING, Annotated

import typer

from bearoff.app.commands.export import export
from bearoff.app.commands.import_ import import_file
from bearoff.app.commands.one_sided_tables import build_one_sided, verify_one_sided
from bearoff.app.commands.two_sided_tables import (
    build_at_score,
    build_two_sided,
    describe_cached,
    verify_two_sided,
)
from bearoff.app.options import (
    DEFAULT_CHECKERS,
    DEFAULT_POINTS,
    Checkers,
    Crawford,
    Json,
    Points,
    Threads,
)
from bearoff.app.output import amount, say, say_json, say_table
from bearoff.app.progress import waiting

if TYPE_CHECKING:
    from bearoff import Score
    from bearoff.one_sided import CachedOneSidedTable
    from bearoff.two_sided import CachedTwoSidedTable

OnlyPoints = Annotated[
    int | None, typer.Option(metavar="N", help="Only tables with this number of points.")
]
OnlyCheckers = Annotated[
    int | None, typer.Option(metavar="N", help="Only tables with this number of checkers.")
]

MEGABYTE = 1e6

tables = typer.Typer(
    help="""Solved tables: list, build, verify, export, delete.

They are stored in the user's cache folder, or in the folder that BEAROFF_CACHE names.

\b
bearoff tables build --two-sided --checkers 8
""",
    rich_markup_mode=None,
)


@tables.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@tables.command("list")
def list_tables(json: Json = False) -> None:
    """List the stored tables.

    Small one-sided tables are verified completely. Of larger tables, only the description
    and the file size are checked; `bearoff tables verify` reads everything.

    \b
    bearoff tables list
    """
    from bearoff import cache_folder, position_count
    from bearoff.one_sided import cached_tables
    from bearoff.two_sided import cached_two_sided_tables

    cached = cached_tables()
    two_sided = cached_two_sided_tables()
    if json:
        say_json(
            [
                {
                    "kind": "one-sided",
                    "points": table.points,
                    "checkers": table.checkers,
                    "positions": position_count(table.points, table.checkers),
                    "bytes": table.bytes,
                    "good": table.is_good,
                    "folder": str(table.folder),
                }
                for table in cached
            ]
            + [{"kind": "two-sided", **describe_cached(table)} for table in two_sided]
        )
        return
    say(f"Tables in {cache_folder()}: {len(cached) + len(two_sided)}")
    if cached:
        say()
        _show_one_sided(cached)
    if two_sided:
        say()
        _show_two_sided(two_sided)


def _show_one_sided(cached: "list[CachedOneSidedTable]") -> None:
    from bearoff import position_count

    say_table(
        ("one-sided: points", "checkers", "positions", "MB", "<state"),
        [
            (
                str(table.points),
                str(table.checkers),
                f"{position_count(table.points, table.checkers):,}",
                f"{table.bytes / MEGABYTE:,.1f}",
                "good" if table.is_good else "stale or damaged: built again when needed",
            )
            for table in cached
        ],
    )


def _show_two_sided(cached: "list[CachedTwoSidedTable]") -> None:
    from bearoff import position_count

    for heading, of_kind in (
        ("planes", [table for table in cached if table.score is None]),
        ("at score", [table for table in cached if table.score is not None]),
    ):
        rows = [
            (
                str(table.points),
                str(table.checkers),
                f"{position_count(table.points, table.checkers) ** 2:,}",
                f"{table.bytes / MEGABYTE:,.1f}",
                _state(table),
            )
            for table in of_kind
        ]
        if rows:
            say_table(("two-sided: points", "checkers", "pairs", "MB", f"<{heading}"), rows)


def _state(table: "CachedTwoSidedTable") -> str:
    """Return a table's match score and values as text, or say that the table is damaged."""
    score = f"{table.score}: " if table.score else ""
    if table.damage:
        return f"{score}damaged: build it again"
    if table.score and table.is_complete:
        return table.score
    return f"{score}{' '.join(table.planes) or 'none: being built'}"


@tables.command("build")
def build(
    points: Points = DEFAULT_POINTS,
    checkers: Checkers = DEFAULT_CHECKERS,
    two_sided: Annotated[
        bool,
        typer.Option(
            "--two-sided",
            help="Build a two-sided table: all pairs of positions, with the cube.",
        ),
    ] = False,
    cubeless: Annotated[
        bool,
        typer.Option("--cubeless", help="For a two-sided table: leave out the cube."),
    ] = False,
    score: Annotated[
        tuple[int, int] | None,
        typer.Option(
            metavar="A B",
            help="For a two-sided table: points that the roller and the opponent need to "
            "win the match.",
            show_default=False,
        ),
    ] = None,
    crawford: Crawford = None,
    workers: Threads = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="For a two-sided table: maximum memory of the build, such as 6GB. "
            "Default: nine tenths of the free memory.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Build a one-sided or a two-sided table.

    One-sided tables are also built when a query needs them, but two-sided tables only by
    this command. The required disk space, memory and time are printed first; a table that
    does not fit is refused. If a two-sided build is interrupted, run the same command again
    to continue.

    \b
    bearoff tables build --points 10
    bearoff tables build --two-sided --checkers 8
    bearoff tables build --two-sided --checkers 10 --score 2 4
    """
    from bearoff.runtime import parse_bytes

    needing = {"--cubeless": cubeless, "--memory": memory, "--score": score}
    for name, given in needing.items():
        if given and not two_sided:
            raise typer.BadParameter(f"{name} requires --two-sided")
    if crawford is not None and score is None:
        raise typer.BadParameter("--crawford requires --score")
    room = parse_bytes(memory) if memory is not None else None
    if score is not None:
        if cubeless:
            raise typer.BadParameter(
                "a table at a score always includes the cube; omit --cubeless"
            )
        at = _score(score, crawford)
        build_at_score(points, checkers, at, workers=workers, memory=room, json=json)
        return
    if two_sided:
        cube = not cubeless
        build_two_sided(
            points, checkers, cube=cube, workers=workers, memory=room, json=json
        )
        return
    build_one_sided(points, checkers, workers=workers, json=json)


def _score(away: tuple[int, int], crawford: bool | None) -> "Score":
    from bearoff import Score

    if crawford is None:
        return Score(away)
    return Score(away, "crawford" if crawford else "post-crawford")


@tables.command("verify")
def verify(
    points: OnlyPoints = None,
    checkers: OnlyCheckers = None,
) -> None:
    """Read every byte of stored tables, and report damage.

    This takes about a second per gigabyte.

    \b
    bearoff tables verify --points 12
    """
    from bearoff import TableError
    from bearoff.one_sided import cached_tables
    from bearoff.two_sided import cached_two_sided_tables

    stored: list[tuple[int, int, int]] = [
        (one.points, one.checkers, one.bytes) for one in cached_tables()
    ]
    stored += [(one.points, one.checkers, one.bytes) for one in cached_two_sided_tables()]
    sizes = [b for p, c, b in stored if points in (None, p) and checkers in (None, c)]
    if not sizes:
        raise TableError(
            "the table to verify does not exist; 'bearoff tables list' shows all tables"
        )
    with waiting("reading stored tables", sum(sizes) / 1e6):
        verify_one_sided(points, checkers)
        verify_two_sided(points, checkers)


tables.command("export")(export)
tables.command("import")(import_file)


@tables.command("clear")
def clear(
    points: OnlyPoints = None,
    checkers: OnlyCheckers = None,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Delete all tables, stored answers and compiled code."),
    ] = False,
) -> None:
    """Delete stored tables: those of one size, or all.

    --all also deletes compiled code, and the answers at match scores that the web page has
    stored. Code is compiled again when it is needed.

    \b
    bearoff tables clear --points 10
    """
    from bearoff.app.answer_cache import remove_answers
    from bearoff.one_sided import cached_tables
    from bearoff.runtime import remove_compiled_code
    from bearoff.two_sided import cached_two_sided_tables

    sized = points is not None or checkers is not None
    if everything and sized:
        raise typer.BadParameter(
            "--all deletes tables of every size; omit --all, or omit --points and "
            "--checkers"
        )
    if not (everything or sized):
        raise typer.BadParameter(
            "specify the tables to delete with --points N, --checkers N or --all"
        )
    stored: list[CachedOneSidedTable | CachedTwoSidedTable] = [
        *cached_tables(),
        *cached_two_sided_tables(),
    ]
    chosen = [
        cached
        for cached in stored
        if points in (None, cached.points) and checkers in (None, cached.checkers)
    ]
    for cached in chosen:
        cached.remove()
    freed = sum(cached.bytes for cached in chosen)
    say(f"{amount(len(chosen), 'tables')} deleted, {freed / MEGABYTE:,.1f} MB")
    if everything and (kept := remove_answers()):
        say(f"stored answers deleted, {kept / MEGABYTE:,.1f} MB")
    if everything and (code := remove_compiled_code()):
        say(f"compiled code deleted, {code / MEGABYTE:,.1f} MB")
