"""`bearoff site`: the calculator as static files."""

from pathlib import Path
from typing import Annotated

import typer

from bearoff.app.options import FormulaFile, Json
from bearoff.app.output import note, say, say_json
from bearoff.app.progress import waits


@waits("writing the site")
def site(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER",
            help="Folder to write to: a new or empty folder, or the folder of an "
            "earlier site.",
        ),
    ],
    checkers: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=8,
            help="Maximum number of checkers per side in the two-sided table that "
            "the page contains.",
        ),
    ] = 8,
    table: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="URL or relative path of the folder of a larger table, such as "
            "../two-sided-06-15. The page reads only the parts that it needs.",
            show_default=False,
        ),
    ] = None,
    formulas: FormulaFile = None,
    json: Json = False,
) -> None:
    """Write the calculator as static files for any web host.

    The page gives the answers of `bearoff race` without Python. A device that has stored
    the page can use the page offline. docs/calculator.md explains what it can answer, and
    how to publish it.

    \b
    bearoff site public
    """
    from bearoff import BearoffError
    from bearoff.app.formulas import formulas_by_name
    from bearoff.app.serve.site.writing import write_site

    known = formulas_by_name(formulas)
    try:
        written = write_site(folder, known, checkers, table or ())
    except OSError as error:
        raise BearoffError(
            f"cannot write to {folder}: {error.strerror or error}"
        ) from error
    if json:
        say_json(
            {
                "folder": str(folder),
                "bytes": written.bytes,
                "table_bytes": written.table_bytes,
                "checkers": checkers,
                "formulas": list(written.formulas),
                "left_out": list(written.left_out),
            }
        )
        return
    say(
        f"{folder}: {written.bytes / 1e6:.1f} MB, of which {written.table_bytes / 1e6:.1f} "
        f"MB are the table of up to {checkers} checkers, loaded as needed."
    )
    note(
        f"formulas: {', '.join(written.formulas)}; left out, because they need more "
        f"than pip counts: {', '.join(written.left_out)}"
    )
