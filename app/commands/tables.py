"""`bearoff tables`: the solved tables in the cache."""

from typing import Annotated

import typer

from app.options import DEFAULT_CHECKERS, DEFAULT_POINTS, Checkers, Json, Points
from app.output import say, say_json, say_table

MEGABYTE = 1e6

tables = typer.Typer(
    help="""List, build and delete the solved tables kept in the cache.

    The cache is the user's, or the folder that BEAROFF_CACHE names.
    """,
    rich_markup_mode=None,
)


@tables.callback(invoke_without_command=True)
def _help_by_default(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        say(context.get_help())


@tables.command("list")
def list_tables(json: Json = False) -> None:
    """List the kept tables, each checked byte by byte.

    \b
    bearoff tables list
    """
    from bearoff import cache_folder, position_count
    from bearoff.kept import kept_tables

    kept = kept_tables()
    if json:
        say_json(
            [
                {
                    "points": table.points,
                    "checkers": table.checkers,
                    "positions": position_count(table.points, table.checkers),
                    "bytes": table.bytes,
                    "good": table.is_good,
                    "folder": str(table.folder),
                }
                for table in kept
            ]
        )
        return
    say(f"{len(kept)} in {cache_folder()}")
    if not kept:
        return
    say_table(
        ("points", "checkers", "positions", "MB", "<state"),
        [
            (
                str(table.points),
                str(table.checkers),
                f"{position_count(table.points, table.checkers):,}",
                f"{table.bytes / MEGABYTE:,.1f}",
                "good" if table.is_good else "stale or damaged: built anew when needed",
            )
            for table in kept
        ],
    )


@tables.command("build")
def build(
    points: Points = DEFAULT_POINTS,
    checkers: Checkers = DEFAULT_CHECKERS,
    json: Json = False,
) -> None:
    """Solve a table anew and keep it.

    Queries build what they miss by themselves; this is for large tables, which take
    minutes, and for a machine to be prepared.

    \b
    bearoff tables build
    bearoff tables build --points 10
    """
    from time import perf_counter

    from app.solve import solve_anew

    start = perf_counter()
    table = solve_anew(points, checkers)
    seconds = perf_counter() - start
    if json:
        say_json(
            {
                "points": points,
                "checkers": checkers,
                "positions": len(table),
                "seconds": round(seconds, 3),
            }
        )
        return
    say(f"{len(table):,} positions solved in {seconds:.1f} s")


@tables.command("clear")
def clear(
    points: Annotated[
        int | None, typer.Option(metavar="N", help="Only tables of so many points.")
    ] = None,
    checkers: Annotated[
        int | None, typer.Option(metavar="N", help="Only tables of so many checkers.")
    ] = None,
) -> None:
    """Delete kept tables: all of them, or those of a size.

    \b
    bearoff tables clear
    bearoff tables clear --points 10
    """
    from bearoff.kept import kept_tables

    chosen = [
        kept
        for kept in kept_tables()
        if points in (None, kept.points) and checkers in (None, kept.checkers)
    ]
    for kept in chosen:
        kept.remove()
    freed = sum(kept.bytes for kept in chosen)
    say(f"{len(chosen)} deleted, {freed / MEGABYTE:,.1f} MB")
