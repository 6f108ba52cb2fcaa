"""All trials in one command, those left out whose pages are of the code as it stands.

    python -m verify.trials            # what `make trials` runs
    python -m verify.trials --list     # which pages are old; --write: into README.md

A page keeps a digest of its program and of the code it speaks of, without comments and
docstrings. It is old once that is another; so the same command goes on where it was
stopped. A test fails while the list in README.md calls a page new that is old.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from analysis.output import markdown_table
from verify.common.report import RESULTS
from verify.common.spoken import SPEAKS_OF, content

PAGES = {"first_use": "first-use"}
"""Names of pages that are not named as their trials."""

LEDGER = RESULTS / "README.md"
"""The list of pages that `--write` keeps."""

OPTIONS = {"first_use": ("--clone",)}


def page_of(trial: str) -> Path:
    """Return where a trial's page is kept."""
    return RESULTS / f"{PAGES.get(trial, trial)}.md"


def changes(trial: str) -> str | None:
    """Say why a page is not of the code as it is; None if it is."""
    page = page_of(trial)
    if not page.exists():
        return "there is no page"
    text = page.read_text(encoding="utf-8")
    made = re.search(r"^\| commit \| (\w+)( \(with changes\))? \|", text, re.M)
    if made is None or made[2]:
        return "its commit is unknown"
    code = re.search(r"^\| code \| (\w+) \|", text, re.M)
    if code is None or code[1] != content(trial):
        return f"the code has changed since {made[1][:8]}"
    return None


def ledger() -> str:
    """Return the list of pages, and which are of the code as it is, as Markdown."""
    rows = []
    for trial in SPEAKS_OF:
        page = page_of(trial)
        name = f"[{trial}]({page.name})" if page.exists() else trial
        rows.append([name, changes(trial) or "of this code"])
    return (
        "# Trials\n\nWhich pages are of the code as it is: `python -m verify.trials --list "
        f"--write` wrote this.\n\n{markdown_table(['page', 'state'], rows)}\n"
    )


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
    parser.add_argument("--write", action="store_true", help="keep that list")
    options = parser.parse_args(arguments)
    if options.write and options.list:
        LEDGER.write_text(ledger(), encoding="utf-8")
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
