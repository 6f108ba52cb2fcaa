"""Markdown pages of results, as the comparison programs write them."""

import argparse
from pathlib import Path


def page_parser(description: str | None, page: Path) -> argparse.ArgumentParser:
    """Return a parser with the option ``--write``, which all comparison programs have.

    Parameters
    ----------
    description : str
        Docstring of the program's module, which describes the program.
    page : Path
        Path that ``--write`` uses by default.
    """
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument(
        "--write",
        type=Path,
        nargs="?",
        const=page,
        help=f"write the page, to {page} if no file is given",
    )
    return parser


def write_page(page: str, path: Path | None) -> None:
    """Print a Markdown page, and write it to a file if a path is given."""
    print(page)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
