"""The page that a comparison leaves in results/."""

import argparse
from pathlib import Path


def page_parser(description: str | None, page: Path) -> argparse.ArgumentParser:
    """Return a parser with the option that all comparisons have: ``--write``.

    Parameters
    ----------
    description : str
        What the program does: its module's docstring.
    page : Path
        Where the page is kept that ``--write`` makes if it names no other file.
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
    """Print a page; write it where asked."""
    print(page)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
