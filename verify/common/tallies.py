"""Counts of the outcomes of a trial, which are added up over runs with different seeds.

The runs are stored as JSON in a file next to the page, with one line for each seed.
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
"""Maximum number of failures that are stored as examples."""

WRONG = "WRONG"
"""Name of the outcome of a failed attempt."""

_STARTED = time.monotonic()


@dataclass
class Tally:
    """Outcomes of all attempts of one kind; two tallies can be added.

    Attributes
    ----------
    counts : Counter of str
        Number of attempts with each outcome; their sum is the number of attempts.
    sums : dict of str to float
        Sum of each quantity that is added up over attempts, such as seconds.
    most : dict of str to float
        Maximum of each quantity for which a maximum is kept, such as seconds.
    notes : Counter of str
        Number of occurrences of each text, such as a reason or a message.
    failures : int
        Number of failed attempts.
    wrong : list of str
        Descriptions of the first `EXAMPLES` failed attempts.
    """

    counts: Counter[str] = field(default_factory=Counter)
    sums: dict[str, float] = field(default_factory=dict)
    most: dict[str, float] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    failures: int = 0
    wrong: list[str] = field(default_factory=list)

    # A tally read from JSON has dictionaries in place of counters.
    def __post_init__(self) -> None:
        self.counts, self.notes = Counter(self.counts), Counter(self.notes)
        self.sums = defaultdict(int, self.sums)

    @property
    def tried(self) -> int:
        return self.counts.total()

    def add(self, verdict: str, why: str = "") -> None:
        """Count an attempt with its outcome."""
        self.counts[verdict] += 1
        if verdict == WRONG:
            self.fail(why)

    def fail(self, why: str) -> None:
        """Record a failed attempt."""
        self.failures += 1
        if len(self.wrong) < EXAMPLES:
            self.wrong.append(why)

    def reach(self, name: str, number: float) -> None:
        """Raise the stored maximum of a quantity if a number is larger."""
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
"""For each kind of attempt, the tally of its outcomes."""


@dataclass(frozen=True)
class Run:
    """Results of a trial with one seed, stored as one line of a JSONL file."""

    seed: int
    commit: str
    finished: str
    seconds: int
    found: Found

    @classmethod
    def of(cls, line: str) -> Self:
        """Parse a line of the JSONL file."""
        kept = json.loads(line)
        found = {name: Tally(**tally) for name, tally in kept.pop("found").items()}
        return cls(**kept, found=found)

    def line(self) -> str:
        """Return the run as a line of a JSONL file; `of` parses the line."""
        return f"{json.dumps(vars(self), default=vars)}\n"


def add(trial: str, page: Path | None, seed: int, found: Found) -> list[Run]:
    """Store the results of a run; return all stored runs of the same version of the code.

    Parameters
    ----------
    trial : str
        Name of the trial. Stored results of runs with other code are removed.
    page : Path or None
        Path of the page; None to store and read nothing.
    seed : int
        Random seed of the run, which replaces an earlier run with the same seed.
    found : dict of str to Tally
        Tallies by the kind of attempt.
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
    """Return the stored runs in a file, ending with the newest."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return list(map(Run.of, lines))


def together(kept: Iterable[Run]) -> Found:
    """Return the summed results of several runs of a trial."""
    found: Found = {}
    for run in kept:
        for name, tally in run.found.items():
            found.setdefault(name, Tally())
            found[name] += tally
    return found


Column = str | Callable[[Tally], object]
"""Content of a table's column: the name of a quantity in each tally, or a function of the
tally."""


def table(
    first: str, found: Mapping[str, Tally], columns: Mapping[str, Column], total: str = ""
) -> str:
    """Return a Markdown table with a row per tally; `total` names a row for the total."""
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
    """Return a Markdown table of the notes in tallies and how often each of them occurs."""
    rows = [
        [name, text, f"{count:,}"]
        for name, tally in found.items()
        for text, count in sorted(tally.notes.items())
    ]
    return markdown_table([first, what, times], rows)


def complaints(found: Mapping[str, Tally]) -> str:
    """Return descriptions of all failures, one per line, or a sentence if none occurred."""
    lines = [f"- {name}: {why}" for name, tally in found.items() for why in tally.wrong]
    untold = sum(tally.failures for tally in found.values()) - len(lines)
    return "\n".join([*lines, *([f"- and {untold:,} more"] if untold else [])]) or (
        "Nothing was wrong."
    )


def body(found: Mapping[str, Tally], what: str, text: str, *parts: str) -> str:
    """Return the text of a results page, which begins with the attempts and failures.

    Parameters
    ----------
    found : mapping of str to Tally
        Tallies by the kind of attempt.
    what : str
        Plural noun by which the page calls the attempts, such as "cases".
    text : str
        Rest of the first sentence, after the number and the noun of the attempts.
    parts : str
        Tables and paragraphs that follow the list of failures.
    """
    tried = sum(tally.tried for tally in found.values())
    return "\n\n".join([f"{tried:,} {what}{text}", complaints(found), *parts])


def table_of(kept: Sequence[Run], what: str) -> str:
    """Return a page's section "Runs", with a table of their attempts and code commits."""
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
    """Return the number of failed attempts."""
    return sum(tally.failures for tally in found.values())


def warn(name: str, why: str) -> None:
    """Print an error of a trial as soon as it occurs."""
    print(f"{WRONG}: {name}: {why}", file=sys.stderr, flush=True)
