"""All trials in one command: those whose pages are behind the code.

    python -m verify           # what `make trials` runs
    python -m verify --list    # what each does, and which pages are behind

A page is behind if `git diff` shows a change, since the page's commit, of the code that it
speaks of. So the command goes on where it was stopped. Nothing else depends on it.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence

from verify.trials import TRIALS, state


def run(trial: str) -> bool:
    """Run a trial, which writes its page; return whether all was well."""
    began = time.monotonic()
    command = [sys.executable, "-m", f"verify.{trial}", *TRIALS[trial].options, "--write"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    came_of_it = "well" if done.returncode == 0 else f"failed, status {done.returncode}"
    print(f"{trial}: {came_of_it}, after {time.monotonic() - began:,.0f} s", flush=True)
    return done.returncode == 0


def list_trials() -> None:
    """Print what each trial does, and the state of its page."""
    for trial, entry in TRIALS.items():
        print(f"{trial:<15}{entry.does}")
        if differs := state(trial):
            print(f"{'':<15}  page behind: {differs}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the trials whose pages are behind; return 1 if one failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--list", action="store_true", help="say what each does and which pages are behind"
    )
    if parser.parse_args(arguments).list:
        list_trials()
        return 0
    failed = [trial for trial in TRIALS if state(trial) and not run(trial)]
    if failed:
        print(f"something was wrong: {', '.join(failed)}", file=sys.stderr)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
