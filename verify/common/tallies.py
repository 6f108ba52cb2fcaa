"""Results of a trial: a tally for each thing tried; runs of several seeds add up.

Runs are stored as JSON, one line per seed, next to the page.
"""

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from bearoff.analysis.output import markdown_table
from bearoff.sim.storage.provenance import commit, now
from verify.trials import behind

EXAMPLES = 50
"""Maximum number of errors that a tally stores as examples."""

WRONG = "WRONG"
"""Verdict of a failed try."""

_STARTED = time.monotonic()


@dataclass
class Tally:
    """Results of the tries of one kind; tallies can be added.

    Attributes
    ----------
    counts : Counter of str
        Number of tries by outcome; their sum is the number of tries.
    sums : dict of str to float
        Other quantities that are summed, such as seconds.
    most : dict of str to float
        Quantities whose maximum is recorded.
    notes : Counter of str
        Frequencies of texts, such as reasons or messages.
    failures : int
        Number of failed tries.
    wrong : list of str
        Descriptions of the first `EXAMPLES` failed tries.
    """

    counts: Counter[str] = field(default_factory=Counter)
    sums: dict[str, float] = field(default_factory=dict)
    most: dict[str, float] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    failures: int = 0
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:  # JSON has no counters
        self.counts, self.notes = Counter(self.counts), Counter(self.notes)
        self.sums = defaultdict(int, self.sums)

    @property
    def tried(self) -> int:
        return self.counts.total()

    def add(self, verdict: str, why: str = "") -> None:
        """Count a try and its outcome."""
        self.counts[verdict] += 1
        if verdict == WRONG:
            self.fail(why)

    def fail(self, why: str) -> None:
        """Record a failed try."""
        self.failures += 1
        if len(self.wrong) < EXAMPLES:
            self.wrong.append(why)

    def reach(self, name: str, number: float) -> None:
        """Update a maximum."""
        self.most[name] = max(number, self.most.get(name, number))

    def __iadd__(self, other: Self) -> Self:
        self.counts.update(other.counts)
        self.notes.update(other.notes)
        for name, number in other.sums.items():
            self.sums[name] += number
        for name, number in other.most.items():
            self.reach(name, number)
        self.failures += other.failures
        self.wrong += other.wrong[: EXAMPLES - len(self.wrong)]
        return self


Found = dict[str, Tally]
"""Tallies by what was tried."""


@dataclass(frozen=True)
class Run:
    """Run of a trial with one seed; a line of the file next to the page."""

    seed: int
    commit: str
    finished: str
    seconds: int
    found: Found

    @classmethod
    def of(cls, line: str) -> Self:
        """Parse a line."""
        kept = json.loads(line)
        found = {name: Tally(**tally) for name, tally in kept.pop("found").items()}
        return cls(**kept, found=found)

    def line(self) -> str:
        """Return the line that `of` parses."""
        return f"{json.dumps(vars(self), default=vars)}\n"


def add(trial: str, page: Path | None, seed: int, found: Found) -> list[Run]:
    """Store the results of a run, and return all runs with the present code.

    Parameters
    ----------
    trial : str
        Name of the trial; results of runs with other code are removed.
    page : Path or None
        Path of the page. None stores and reads nothing.
    seed : int
        Random seed; the run replaces an earlier run with the same seed.
    found : dict of str to Tally
        Tallies by what was tried.
    """
    revision, dirty = commit()
    made = f"{revision}{' (with changes)' if dirty else ''}"
    run = Run(seed, made, now(), round(time.monotonic() - _STARTED), found)
    if page is None:
        return [run]
    path = page.with_suffix(".jsonl")
    others = [one for one in runs(path) if one.seed != seed]
    kept = [one for one in others if not behind(trial, one.commit)] + [run]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(one.line() for one in kept), encoding="utf-8")
    return kept


def runs(path: Path) -> list[Run]:
    """Return the runs in a file, the newest last."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return list(map(Run.of, lines))


def together(kept: Iterable[Run]) -> Found:
    """Return the sum of the results of runs."""
    found: Found = {}
    for run in kept:
        for name, tally in run.found.items():
            found.setdefault(name, Tally())
            found[name] += tally
    return found


Column = str | Callable[[Tally], object]
"""Column of a table: the name of a count, of a sum or of a maximum of a tally."""


def table(
    first: str, found: Mapping[str, Tally], columns: Mapping[str, Column], total: str = ""
) -> str:
    """Return a table with a row per tally, and one for the total if it has a name."""
    rows = dict(found)
    if total:
        rows[total] = Tally()
        for tally in found.values():
            rows[total] += tally
    cells = [
        [name, *(_cell(tally, column) for column in columns.values())]
        for name, tally in rows.items()
    ]
    return markdown_table([first, *columns], cells)


def _cell(tally: Tally, column: Column) -> str:
    if isinstance(column, str):
        here = (by for by in (tally.sums, tally.most) if column in by)
        value: Any = next(here, tally.counts).get(column, 0)
    else:
        value = column(tally)
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def notes(first: str, what: str, times: str, found: Mapping[str, Tally]) -> str:
    """Return a table of the notes and their frequencies."""
    rows = [
        [name, text, f"{count:,}"]
        for name, tally in found.items()
        for text, count in sorted(tally.notes.items())
    ]
    return markdown_table([first, what, times], rows)


def complaints(found: Mapping[str, Tally]) -> str:
    """Return the errors, one per line, or a sentence that there are none."""
    lines = [f"- {name}: {why}" for name, tally in found.items() for why in tally.wrong]
    untold = sum(tally.failures for tally in found.values()) - len(lines)
    return "\n".join([*lines, *([f"- and {untold:,} more"] if untold else [])]) or (
        "Nothing was wrong."
    )


def body(found: Mapping[str, Tally], what: str, text: str, *parts: str) -> str:
    """Return the text of a page: number of tries, errors, and other parts.

    Parameters
    ----------
    found : mapping of str to Tally
        Tallies by what was tried.
    what : str
        Plural noun for what is tried.
    text : str
        Text after the number.
    parts : str
        Tables and paragraphs.
    """
    tried = sum(tally.tried for tally in found.values())
    return "\n\n".join([f"{tried:,} {what}{text}", complaints(found), *parts])


def table_of(kept: Sequence[Run], what: str) -> str:
    """Return the last part of a page: the number of tries and the code of each run."""
    rows = [
        [
            str(run.seed),
            f"{sum(tally.tried for tally in run.found.values()):,}",
            f"{failures(run.found):,}",
            f"{run.seconds:,}",
            run.commit[:10] + run.commit[40:],
            run.finished[:16],
        ]
        for run in kept
    ]
    head = ["seed", what, "wrong", "seconds", "commit", "finished"]
    return f"## Runs\n\n{markdown_table(head, rows)}"


def failures(found: Mapping[str, Tally]) -> int:
    """Return the number of failed tries."""
    return sum(tally.failures for tally in found.values())


def warn(name: str, why: str) -> None:
    """Print an error at once."""
    print(f"{WRONG}: {name}: {why}", file=sys.stderr, flush=True)
