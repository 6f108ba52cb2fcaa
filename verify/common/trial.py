"""Common code of all trials: options, execution, and the page of results."""

import argparse
import os
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bearoff.analysis.output import markdown_table
from bearoff.runtime import processor
from bearoff.sim.storage.provenance import commit, now, versions
from research.comparisons.pages import write_page
from verify.trials import TRIALS, page_of

Option = tuple[tuple[str, ...], dict[str, Any]]

_STARTED = time.monotonic()


def option(*names: str, **details: Any) -> Option:
    """Return an option of a trial, with the arguments of `argparse`."""
    return names, details


@dataclass(frozen=True)
class Verdict:
    """Result of a trial: its page, and whether the trial failed.

    Attributes
    ----------
    body : str
        Markdown of the page; empty for no page.
    wrong : bool
        Whether the trial failed; the exit status is then 1.
    """

    body: str
    wrong: bool


@dataclass(frozen=True)
class Trial:
    """Trial that a module of `verify` defines, with its title and options.

    Attributes
    ----------
    title : str
        Title of the page.
    carry_out : callable
        Function that carries out the trial with given options, and returns the verdict.
    options : tuple of Option
        Options of this trial. All trials also have ``--seed`` and ``--write``.
    """

    title: str
    carry_out: Callable[[argparse.Namespace], Verdict]
    options: tuple[Option, ...] = ()

    def main(self, name: str, arguments: Sequence[str]) -> int:
        """Run the trial from the command line; return the exit status."""
        page = page_of(name)
        parser = argparse.ArgumentParser(
            f"python -m verify {name}", description=TRIALS[name].does
        )
        parser.add_argument(
            "--seed", type=int, default=1, help="seed of everything random in the trial"
        )
        parser.add_argument(
            "--write",
            type=Path,
            nargs="?",
            const=page,
            help=f"write the page, to {page} if no file is given",
        )
        for names, details in self.options:
            parser.add_argument(*names, **details)
        asked = parser.parse_args(arguments)
        try:
            verdict = self.carry_out(asked)
        except BadOptionError as error:
            parser.error(str(error))
        if verdict.body:
            command = shlex.join(["python", "-m", "verify", name, *arguments])
            write_page(_page(self.title, verdict.body, command), asked.write)
        return int(verdict.wrong)


class BadOptionError(ValueError):
    """Error for a trial's option with an invalid value."""


def _page(title: str, body: str, command: str) -> str:
    revision, dirty = commit()
    facts = [
        ["command", f"`{command}`"],
        ["commit", f"{revision}{' (with changes)' if dirty else ''}"],
        ["finished", now()],
        ["seconds", f"{time.monotonic() - _STARTED:,.0f}"],
        ["machine", f"{processor()}, {os.cpu_count()} processors"],
        *([name, str(version)] for name, version in sorted(versions().items())),
    ]
    table = markdown_table(["", "value"], facts)
    return f"# {title}\n\n{body.strip()}\n\n## Where this comes from\n\n{table}\n"
