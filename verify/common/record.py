"""Runs of a trial that add up: JSON for each seed, beside the page of them all."""

import json
import time
from pathlib import Path
from typing import Any

from bearoff.analysis.output import markdown_table
from bearoff.sim.storage.provenance import commit, now
from verify.trials import behind

Run = dict[str, Any]

_STARTED = time.monotonic()


def add(trial: str, page: Path | None, seed: int, found: Run) -> list[Run]:
    """Keep what a run found beside its page, and return all runs of the code as it is.

    Parameters
    ----------
    trial : str
        What runs of other code found is forgotten.
    page : Path or None
        Nothing is kept, nor read, if it is not to be written.
    seed : int
        A run takes the place of an earlier one of the same seed, which tried the same.
    found : dict
        What JSON can say.
    """
    revision, dirty = commit()
    run = {
        "seed": seed,
        "commit": f"{revision}{' (with changes)' if dirty else ''}",
        "finished": now(),
        "seconds": round(time.monotonic() - _STARTED),
        **found,
    }
    if page is None:
        return [run]
    path = page.with_suffix(".jsonl")
    others = [one for one in runs(path) if one["seed"] != seed]
    kept = [one for one in others if not behind(trial, one["commit"])] + [run]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(one)}\n" for one in kept), encoding="utf-8")
    return kept


def runs(path: Path) -> list[Run]:
    """Return the runs that a file keeps, the newest last."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def table_of(kept: list[Run], what: str, counts: list[int], wrong: list[int]) -> str:
    """Return a table of runs: how much each tried, what was wrong, of which code."""
    rows = [
        [
            str(one["seed"]),
            f"{count:,}",
            str(bad),
            f"{one['seconds']:,}",
            one["commit"][:10] + one["commit"][40:],
            one["finished"][:16],
        ]
        for one, count, bad in zip(kept, counts, wrong, strict=True)
    ]
    return markdown_table(["seed", what, "wrong", "seconds", "commit", "finished"], rows)
