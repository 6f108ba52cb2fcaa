"""Command line of the trials: run a named trial, run all outdated trials, or list them.

    python -m verify           # what each does, and which pages are behind
    python -m verify --all     # what `make trials` runs: those whose pages are behind
    python -m verify kills --kills 200 --seed 1 --write

A page is outdated if `git diff` shows that the code it covers has changed since the commit
on the page. The command updates outdated pages only, so it can be interrupted and run
again.
"""

import argparse
import importlib
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

from verify.trials import TRIALS, state


def run(trial: str) -> bool:
    """Run a trial in a separate process; return whether the trial passed."""
    began = time.monotonic()
    command = [sys.executable, "-m", "verify", trial, *TRIALS[trial].options, "--write"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    came_of_it = "well" if done.returncode == 0 else f"failed, status {done.returncode}"
    print(f"{trial}: {came_of_it}, after {time.monotonic() - began:,.0f} s", flush=True)
    return done.returncode == 0


def list_trials() -> None:
    """Print a description of each trial, and whether its page of results is up to date."""
    for trial, entry in TRIALS.items():
        print(f"{trial:<18}{entry.does}")
        if differs := state(trial):
            print(f"{'':<18}  page behind: {differs}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run trials, or list them; return 1 if a trial failed."""
    parser = argparse.ArgumentParser(
        "python -m verify",
        description="Run the named trial; without a name, list all.",
    )
    parser.add_argument(
        "--all", action="store_true", help="run all trials whose pages are outdated"
    )
    parser.add_argument(
        "trial", nargs="?", choices=TRIALS, metavar="NAME", help="name of a trial"
    )
    parser.add_argument(
        "options",
        nargs=argparse.REMAINDER,
        metavar="...",
        help="options of the trial (see NAME --help)",
    )
    asked = parser.parse_args(arguments)
    if asked.trial:
        module = importlib.import_module(f"verify.{asked.trial}")
        status: int = module.TRIAL.main(asked.trial, asked.options)
        return status
    if not asked.all:
        list_trials()
        return 0
    failed = [trial for trial in TRIALS if state(trial) and not run(trial)]
    if failed:
        print(f"these trials failed: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    # A command that reads the output, such as `| head`, may stop early. SIGPIPE then ends
    # this program without an error message.
    if not sys.argv[1:]:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
