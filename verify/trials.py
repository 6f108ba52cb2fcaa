"""List of trials, and a check for pages of results that are out of date."""

import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from verify import ROOT

RESULTS = Path("results/reliability")
"""Folder of the trials' result pages within the repository."""

STORED = "bearoff/storage", "bearoff/runtime"
RUNS = "sim/runs", "sim/storage", "sim/engine", "sim/play"
TABLES = "bearoff/one_sided", "bearoff/pair_planes", "bearoff/two_sided"
ANSWERED = "bearoff/answers", "bearoff/sources", "bearoff/stakes", "bearoff/match_solver"

KEPT = *STORED, *RUNS, *TABLES, "sim/populations", "sim/race_files", "app/library/sealed.py"


@dataclass(frozen=True)
class Entry:
    """Description of one trial in the list of all trials.

    Attributes
    ----------
    does : str
        Description of the trial in one sentence.
    paths : tuple of str
        Files and folders of code that the page covers.
    options : tuple of str
        Options with which `make trials` runs the trial.
    page : str
        Name of the results page, if it differs from the name of the trial.
    """

    does: str
    paths: tuple[str, ...]
    options: tuple[str, ...] = ()
    page: str = ""


TRIALS = {
    "kills": Entry(
        "Kills every command that stores data with kill -9, at random moments.", KEPT
    ),
    "stops": Entry(
        "Sends Ctrl-C or SIGTERM to every command that stores data.",
        (*KEPT, "app/interruption.py", "app/main.py", "app/run.py", "verify/kills.py"),
    ),
    "faults": Entry(
        "Fills disks, makes them read-only, limits memory, runs two processes at once.",
        (*STORED, *RUNS, "app/main.py", "app/run.py"),
    ),
    "flips": Entry(
        "Damages stored files of every kind at random places.",
        (*STORED, *TABLES, "sim/storage", "sim/populations", "app/library"),
    ),
    "hostile_files": Entry(
        "Opens malicious files, names and folders.",
        (*STORED, "bearoff/pair_planes", "sim/pairs", "sim/config"),
    ),
    "server": Entry(
        "Sends the page's server hostile, slow, excessive and good requests.",
        ("app/serve",),
    ),
    "fuzz": Entry(
        "Gives malformed input to every reader, and compares with independent readers.",
        ("bearoff/positions", "sim/config", "game/records", "game/state"),
    ),
    "consistency": Entry(
        "Asks the same questions through every interface, and compares with an "
        "independent solver.",
        (*ANSWERED, *TABLES, "app/race_answers", "sim/race_files"),
    ),
    "static_site": Entry(
        "Asks the page of `bearoff site` and the server the same questions, and compares "
        "every field.",
        (*ANSWERED, "app/serve/site", "app/serve/web/local"),
    ),
    "two_sided_float64": Entry(
        "Compares the two-sided tables with a build in float64 by another method.", TABLES
    ),
    "dice": Entry(
        "Checks that no two streams of dice overlap, and that all generators give equal "
        "dice.",
        ("sim/engine", "sim/play", "sim/rollouts"),
    ),
    "coverage": Entry(
        "Measures how often 95% intervals include the true value.", ("analysis/outcomes",)
    ),
    "stopping": Entry(
        "Measures the bias of rollouts that stop at a given error.", ("sim/rollouts",)
    ),
    "load": Entry("Plays billions of games and millions of pairs.", RUNS),
    "cluster": Entry(
        "Compares a run on one machine with a run on a cluster that loses machines.",
        RUNS,
    ),
    "scale": Entry(
        "Plays a hundred billion games on a cluster, and reads them back.", RUNS
    ),
    "s3": Entry(
        "Runs a batch in an object store that is killed, silent or unreachable.",
        ("sim/storage",),
    ),
    "dispatch": Entry(
        "Measures the overhead of sending a block to a worker.", ("sim/engine", "sim/runs")
    ),
    "places": Entry(
        "Installs the wheel with other Pythons, without home, git or disk space.",
        (*STORED, "app/run.py", "app/library/sealed.py", "pyproject.toml"),
    ),
    "first_use": Entry(
        "Measures the duration of the first commands after a clone.",
        ("app/commands", "app/warm.py", "bearoff/plays", *TABLES),
        ("--clone",),
        "first-use",
    ),
}
"""All trials by name, in the order in which they are run."""


def page_of(trial: str) -> Path:
    """Return the path of a trial's page of results."""
    return RESULTS / f"{TRIALS[trial].page or trial}.md"


def state(trial: str) -> str:
    """Return a short note if a trial's page is older than the code that it covers.

    Returns
    -------
    str
        Note that says why the page is outdated; empty if the page is up to date.
    """
    page = page_of(trial)
    if not page.exists():
        return "no page"
    text = page.read_text(encoding="utf-8")
    made = re.search(r"^\| commit \| ([^|]*?) \|$", text, re.M)
    return behind(trial, made[1] if made else "")


def behind(trial: str, commit: str) -> str:
    """Return a short note if the code that a trial covers has changed since a commit.

    Parameters
    ----------
    trial : str
        Key of `TRIALS`.
    commit : str
        Commit as written on a page, followed by ``(with changes)`` if code was not
        committed.

    Returns
    -------
    str
        Note that says how the code has changed; empty if no file differs.
    """
    made, _, changes = commit.partition(" ")
    if not re.fullmatch(r"[0-9a-f]{40}", made) or changes:
        return "made of code that was not committed"
    files = _differing(made, (*TRIALS[trial].paths, f"verify/{trial}.py"))
    if files is None:
        return f"{made[:8]} is not in this clone"
    return f"{len(files)} files differ since {made[:8]}" if files else ""


@cache
def _differing(commit: str, paths: tuple[str, ...]) -> tuple[str, ...] | None:
    command = ["git", "-C", str(ROOT), "diff", "--name-only", commit, "--", *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return tuple(done.stdout.split()) if done.returncode == 0 else None
