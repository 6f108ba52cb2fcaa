"""The history of the ratios: one line of JSON for each run that was recorded.

::

    {"date": "2026-11-21T22:30:00+00:00", "commit": "d09551f...", "dirty": false,
     "machine": {"processor": "...", "processors": 2, "system": "Linux x86_64"},
     "versions": {"numpy": "2.4.0", ...},
     "ratios": {"self-play": {"value": 6.3, "low": 6.2, "high": 6.4, "rounds": 7}, ...}}

A line may have some of the benchmarks only; the committed figure of each is the last one
recorded on the same kind of machine, or else the last one of all.
"""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from bearoff import BearoffError
from bearoff.analysis.output import write_text
from bearoff.runtime import processor
from bearoff.sim.storage.provenance import commit, now, versions

FOLDER = Path(__file__).resolve().parents[2] / "results" / "benchmarks"
HISTORY = FOLDER / "history.jsonl"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Ratio(_Strict):
    """How many times the baseline's speed ours is; more is better.

    Attributes
    ----------
    value : float
        Median of the rounds.
    low, high : float
        Bounds of their middle half.
    rounds : int
        How many there were.
    """

    value: float = Field(gt=0)
    low: float = Field(gt=0)
    high: float = Field(gt=0)
    rounds: PositiveInt


class Machine(_Strict):
    """A kind of machine: ratios of the same kind can be compared best."""

    processor: str
    processors: PositiveInt
    system: str

    @classmethod
    def this(cls) -> "Machine":
        """Return the one that this runs on."""
        return cls(
            processor=processor(),
            processors=os.cpu_count() or 1,
            system=f"{platform.system()} {platform.machine()}",
        )

    def __str__(self) -> str:
        return f"{self.processor}, {self.processors} processors, {self.system}"


class Record(_Strict):
    """A run of the benchmarks.

    Attributes
    ----------
    date : str
        When it ended, ISO 8601.
    commit : str or None
        Of the code that was measured.
    dirty : bool or None
        Whether that was changed since.
    machine : Machine
        Where.
    versions : dict of str to str
        Of Python and what it runs on.
    ratios : dict of str to Ratio
        By the names of the benchmarks.
    """

    date: str
    commit: str | None
    dirty: bool | None
    machine: Machine
    versions: dict[str, str]
    ratios: dict[str, Ratio]

    @classmethod
    def of(cls, ratios: Mapping[str, Ratio]) -> "Record":
        """Make the record of what was just measured here."""
        revision, dirty = commit()
        return cls(
            date=now(),
            commit=revision,
            dirty=dirty,
            machine=Machine.this(),
            versions=versions(),
            ratios=dict(ratios),
        )


@dataclass(frozen=True)
class Committed:
    """The figure that a benchmark is held to, and the run that it is of."""

    ratio: Ratio
    record: Record


def read_history(path: Path) -> list[Record]:
    """Read all records, the oldest first; none if there is no such file.

    Raises
    ------
    BearoffError
        Naming the first line that is no record.
    """
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    records = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(Record.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise BearoffError(
                f"{path}, line {number}, is no record of benchmarks ({where}: "
                f"{first['msg']}); take the file from version control again, or remove "
                "the line"
            ) from None
    return records


def append_record(record: Record, path: Path) -> list[Record]:
    """Add a record to the history; return it with those before.

    Raises
    ------
    BearoffError
        If what is there cannot be read; it is left as it is.
    """
    records = [*read_history(path), record]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text("".join(f"{one.model_dump_json()}\n" for one in records), path)
    return records


def committed(name: str, history: Sequence[Record], machine: Machine) -> Committed | None:
    """Return the figure that a benchmark is held to; None if it was never recorded."""
    having = [record for record in history if name in record.ratios]
    same = [record for record in having if record.machine == machine]
    for record in reversed(same or having):
        return Committed(record.ratios[name], record)
    return None
