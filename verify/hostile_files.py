"""Trial: malicious files, names and paths must be rejected in one sentence.

    python -m verify hostile_files --write

Every case is a command of `bearoff` with a malicious name or path, or on a file that an
attacker might send, with valid digests and checksums if the format has them. The command
runs with one gigabyte of spare memory. It must print one sentence and exit with code 2 (1
for a full disk) or, if the case says so, give the answer for a good file. WRONG is a
traceback, a process that dies or hangs, a file that is left behind, or a malicious file
that is accepted.
"""

import argparse
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bearoff.analysis.output import markdown_table
from verify.common.processes import Apart, Died
from verify.common.tallies import WRONG, Found, Tally, body, failures, table, warn
from verify.common.trial import BadOptionError, Trial, Verdict, option
from verify.hostile.cases import groups
from verify.hostile.verdicts import REFUSED, TAKEN, judge

PATIENCE = 300.0
"""Seconds after which a malicious case counts as hanging."""


def run_group(name: str, scratch: Path, every: int = 1) -> Tally:
    """Run one in `every` cases of a group, and count the outcomes."""
    tally, cases = Tally(), groups()[name]
    with Apart(judge, name, scratch / name.replace(" ", "-")) as judging:
        for number in range(0, len(cases), every):
            case = cases[number].name
            try:
                verdict, why = judging.ask(number, PATIENCE)
            except Died as died:
                verdict, why = WRONG, str(died)
            tally.add(verdict, f"{case}: {why}")
            if verdict == REFUSED:
                tally.notes[f"{case}: {why}"] += 1
            if verdict == WRONG:
                warn(name, f"{case}: {why}")
    return tally


def run(chosen: str = "", processes: int = 2, every: int = 1) -> Found:
    """Run the malicious cases of each group whose name contains `chosen`."""
    names = [name for name in groups() if chosen in name]
    with (
        tempfile.TemporaryDirectory(prefix="bearoff-hostile-") as scratch,
        ThreadPoolExecutor(processes) as pool,
    ):
        tallies = pool.map(lambda name: run_group(name, Path(scratch), every), names)
        return dict(zip(names, tallies, strict=True))


def page(found: Found) -> str:
    return body(
        found,
        "cases",
        " were tried. *Refused* counts the files and names that the program refused with "
        "one sentence and exit status 2 or 1. *Taken* counts unusual but valid names and "
        "places that the program accepted, and damaged cache files that the program "
        "built again.",
        table("what", found, {verdict: verdict for verdict in (REFUSED, TAKEN, WRONG)}),
        "## Messages",
        "The tables show the message of the program for each refused file or name, at the "
        "commit below.",
        *(_messages(group, tally) for group, tally in found.items() if tally.notes),
    )


def _messages(group: str, tally: Tally) -> str:
    """Return the page's section on a group of cases, with a table of its messages."""
    rows = [note.replace("|", "\\|").split(": ", 1) for note in tally.notes]
    listed = markdown_table(["input", "message"], rows, numbers=False)
    return f"### {group}\n\n{listed}"


def carry_out(options: argparse.Namespace) -> Verdict:
    if not any(options.group in name for name in groups()):
        raise BadOptionError(f"no group has {options.group!r} in its name")
    found = run(options.group, options.processes)
    return Verdict(page(found), failures(found) > 0)


TRIAL = Trial(
    "Hostile files",
    carry_out,
    (
        option(
            "--processes", type=int, default=2, help="number of processes at the same time"
        ),
        option("--group", default="", help="try only groups whose names contain this text"),
    ),
)
