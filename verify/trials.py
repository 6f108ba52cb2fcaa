"""All trials in one command, those left out whose pages are of the code as it stands.

    python -m verify.trials            # what `make trials` runs
    python -m verify.trials --list     # which pages are old, and what has changed since

A page names the commit that it was made with. It is old once its program, or what it speaks
of, has changed; so the same command goes on where it was stopped.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from verify.common.report import RESULTS

STORED = "bearoff/storage", "bearoff/runtime"
RUNS = "sim/runs", "sim/storage", "sim/engine", "sim/play"
TABLES = "bearoff/one_sided", "bearoff/pair_planes", "bearoff/two_sided"
ANSWERED = "bearoff/answers", "bearoff/sources", "bearoff/stakes", "bearoff/match_solver"

SPEAKS_OF = {
    "kills": (
        *STORED,
        *RUNS,
        *TABLES,
        "sim/populations",
        "sim/answers",
        "app/library/sealed.py",
    ),
    "faults": (*STORED, *RUNS, "app/main.py", "app/run.py"),
    "flips": (*STORED, *TABLES, "sim/storage", "sim/populations", "app/library"),
    "hostile_files": (*STORED, "bearoff/pair_planes", "sim/pairs", "sim/config"),
    "server": ("app/serve",),
    "fuzz": ("bearoff/positions", "sim/config", "game/records", "game/state"),
    "consistency": (*ANSWERED, *TABLES, "app/answers", "sim/answers"),
    "dice": ("sim/engine", "sim/play", "sim/rollouts"),
    "coverage": ("analysis/outcomes",),
    "stopping": ("sim/rollouts",),
    "load": (*RUNS,),
    "cluster": (*RUNS,),
    "s3": ("sim/storage",),
    "dispatch": ("sim/engine", "sim/runs"),
    "places": (*STORED, "app/run.py", "app/library/sealed.py", "pyproject.toml"),
    "first_use": ("app/commands", "app/warm.py", "bearoff/plays", *TABLES),
}
"""Trials, in the order in which they run, and the code that each speaks of."""

PAGES = {"dispatch": "scaling", "first_use": "first-use"}
"""Names of pages that are not named as their trials."""

OPTIONS = {"first_use": ("--clone",)}


def page_of(trial: str) -> Path:
    """Return where a trial's page is kept."""
    return RESULTS / f"{PAGES.get(trial, trial)}.md"


def changes(trial: str) -> str | None:
    """Say what has changed since a page was made; None if it is of the code as it is."""
    page = page_of(trial)
    if not page.exists():
        return "there is no page"
    found = re.search(r"^\| commit \| (\w+)( \(with changes\))? \|", page.read_text(), re.M)
    if found is None or found[2]:
        return "its commit is unknown"
    paths = f"verify/{trial}.py", *SPEAKS_OF[trial]
    done = subprocess.run(
        ["git", "diff", "--shortstat", found[1], "--", *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return f"there is no commit {found[1][:7]} here"
    return done.stdout.strip() or None


def run(trial: str) -> bool:
    """Run a trial, which writes its page; return whether all was well."""
    began = time.monotonic()
    command = [sys.executable, "-m", f"verify.{trial}", *OPTIONS.get(trial, ()), "--write"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    told = "well" if done.returncode == 0 else f"failed with status {done.returncode}"
    print(f"{trial}: {told}, after {time.monotonic() - began:,.0f} s", flush=True)
    return done.returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trials whose pages are old; 1 if one failed, or, for a list, is old."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="say which pages are old")
    options = parser.parse_args(arguments)
    failed = []
    for trial in SPEAKS_OF:
        changed = changes(trial)
        if changed is None:
            print(f"{trial}: {page_of(trial)} is of this code")
        elif options.list:
            print(f"{trial}: {page_of(trial)} is old: {changed}")
            failed.append(trial)
        elif not run(trial):
            failed.append(trial)
    if failed and not options.list:
        print(f"something was wrong: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
