"""The page that a trial leaves in results/reliability."""

import argparse
import os
import shlex
import sys
import time
from pathlib import Path

from analysis.output import markdown_table
from bearoff.runtime import processor
from research.comparisons.pages import page_parser, write_page
from sim.storage.provenance import commit, now, versions
from verify.trials import RESULTS

_STARTED = time.monotonic()


def trial_parser(description: str | None, name: str) -> argparse.ArgumentParser:
    """Return a parser with the options that every trial has: ``--seed``, ``--write``.

    Parameters
    ----------
    description : str
        What the trial does: its module's docstring.
    name : str
        Of the page that ``--write`` makes in results/reliability, without suffix.
    """
    parser = page_parser(description, RESULTS / f"{name}.md")
    parser.add_argument("--seed", type=int, default=1, help="of all that is random in it")
    return parser


def finish(title: str, body: str, path: Path | None) -> None:
    """Print a trial's page with where it comes from; write it where asked.

    Parameters
    ----------
    title : str
        Of the page.
    body : str
        Its Markdown.
    path : Path or None
        The file to write; none if None.
    """
    page = f"# {title}\n\n{body.strip()}\n\n## Where this comes from\n\n{_provenance()}\n"
    write_page(page, path)


def _provenance() -> str:
    revision, dirty = commit()
    module = sys.modules["__main__"].__spec__
    called = f"python -m {module.name}" if module else "python"
    facts = [
        ["command", f"`{shlex.join([*called.split(), *sys.argv[1:]])}`"],
        ["commit", f"{revision}{' (with changes)' if dirty else ''}"],
        ["finished", now()],
        ["seconds", f"{time.monotonic() - _STARTED:,.0f}"],
        ["machine", f"{processor()}, {os.cpu_count()} processors"],
        *([name, str(version)] for name, version in sorted(versions().items())),
    ]
    return markdown_table(["", "value"], facts)
