"""Files, names and places made to do harm: each refused in a sentence, none accepted.

    python -m verify hostile_files --write

Every case is a command of `bearoff` on a file that a stranger might send, with all digests
and seals taken anew where the format has some, or on a name or place that is none. The
command runs in a process with a gigabyte to spare. What must come of it is one sentence
and exit code 2 (1 where a full disk is at fault), or, where a case says so, the answer of
a good file. WRONG is a traceback, a process that dies or hangs, a file left behind where
none belongs, or a hostile file that is accepted.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bearoff.analysis.output import markdown_table
from verify.common.trial import BadOptionError, Trial, Verdict, option
from verify.hostile.cases import groups
from verify.hostile.child import PATIENCE


def run_group(name: str, scratch: Path, every: int = 1) -> list[tuple[str, str, str]]:
    """Run every so many cases of a group in a process; name, verdict, sentence of each."""
    found: list[tuple[str, str, str]] = []
    cases = groups()[name][::every]
    while len(found) < len(cases):
        folder = scratch / f"{name.replace(' ', '-')}-{len(found)}"
        folder.mkdir(parents=True)
        command = [sys.executable, "-m", "verify.hostile.child", name]
        done = subprocess.run(
            [*command, str(folder), str(len(found)), str(every)],
            capture_output=True,
            text=True,
            check=False,
        )
        found += [tuple(json.loads(line)) for line in done.stdout.splitlines()]
        if len(found) < len(cases):  # The next one broke it; the rest gets another process.
            why = f"the process died with {done.returncode}: {done.stderr[-300:]}"
            if done.returncode == -signal.SIGALRM:
                why = f"no answer within {PATIENCE} s"
            found.append((cases[len(found)].name, "WRONG", why))
    for case, verdict, why in found:
        if verdict == "WRONG":
            print(f"WRONG: {name}, {case}: {why}", file=sys.stderr, flush=True)
    return found


def run(
    chosen: str = "", processes: int = 2, every: int = 1
) -> dict[str, list[tuple[str, str, str]]]:
    """Run all groups with this in their name, of each every so many cases."""
    names = [name for name in groups() if chosen in name]
    with (
        tempfile.TemporaryDirectory(prefix="bearoff-hostile-") as scratch,
        ThreadPoolExecutor(processes) as pool,
    ):
        answers = pool.map(lambda name: run_group(name, Path(scratch), every), names)
        return dict(zip(names, answers, strict=True))


def page(found: dict[str, list[tuple[str, str, str]]]) -> str:
    """Return the Markdown of the page."""
    rows = []
    for name, answers in found.items():
        counts = Counter(verdict for _, verdict, _ in answers)
        rows.append([name, *(str(counts[v]) for v in ("refused", "taken", "WRONG"))])
    wrong = [
        f"- {group}, {case}: {why}"
        for group, answers in found.items()
        for case, verdict, why in answers
        if verdict == "WRONG"
    ]
    total = sum(len(answers) for answers in found.values())
    parts = [
        f"{total} cases. *Refused*: one sentence, exit code 2 or 1. *Taken*: names and "
        "places that are odd but good, and files in the cache that are built anew.",
        markdown_table(["what", "refused", "taken", "WRONG"], rows),
        "The message for each:",
        "\n".join(
            f"- {group}, {case}: {message}"
            for group, answers in found.items()
            for case, verdict, message in answers
            if verdict == "refused"
        ),
    ]
    if wrong:
        parts += ["What was wrong:", "\n".join(wrong)]
    return "\n\n".join(parts)


def carry_out(options: argparse.Namespace) -> Verdict:
    if not any(options.group in name for name in groups()):
        raise BadOptionError(f"no group has {options.group!r} in its name")
    found = run(options.group, options.processes)
    wrong = any(v == "WRONG" for answers in found.values() for _, v, _ in answers)
    return Verdict(page(found), wrong)


TRIAL = Trial(
    "Hostile files",
    carry_out,
    (
        option("--processes", type=int, default=2, help="that run at a time"),
        option("--group", default="", help="only groups with this in their name"),
    ),
)
