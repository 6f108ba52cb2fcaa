"""History of measured speed ratios, stored as one line of JSON for each recorded run.

::

    {"date": "2026-11-21T22:30:00+00:00", "commit": "d09551f...", "dirty": false,
     "machine": {"processor": "...", "processors": 2, "system": "Linux x86_64"},
     "versions": {"numpy": "2.4.0", ...},
     "ratios": {"self-play": {"value": 6.3, "low": 6.2, "high": 6.4, "rounds": 7}, ...}}

Each line is the record of one run, which need not include every benchmark. The reference
ratio of a benchmark is the latest one that was recorded on the same type of machine, or
else on any machine.
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
    """Ratio of the program's speed to the baseline's speed; larger is better.

    Attributes
    ----------
    value : float
        Median of the speed ratio over the rounds of a benchmark.
    low, high : float
        Lower and upper quartile of the speed ratio over the rounds.
    rounds : int
        Number of rounds in which the speed ratio was measured.
    """

    value: float = Field(gt=0)
    low: float = Field(gt=0)
    high: float = Field(gt=0)
    rounds: PositiveInt


class Machine(_Strict):
    """Type of machine on which benchmarks were measured."""

    processor: str
    processors: PositiveInt
    system: str

    @classmethod
    def this(cls) -> "Machine":
        """Return the type of the machine that runs this process."""
        return cls(
            processor=processor(),
            processors=os.cpu_count() or 1,
            system=f"{platform.system()} {platform.machine()}",
        )

    def __str__(self) -> str:
        return f"{self.processor}, {self.processors} processors, {self.system}"


class Record(_Strict):
    """Recorded run of the benchmarks on one machine.

    Attributes
    ----------
    date : str
        Time at which the run ended, in ISO 8601.
    commit : str or None
        Commit of the code that was measured.
    dirty : bool or None
        Whether the code had uncommitted changes.
    machine : Machine
        Type of machine.
    versions : dict of str to str
        Versions of Python and of the packages that were used.
    ratios : dict of str to Ratio
        Speed ratios by name of the benchmark.
    """

    date: str
    commit: str | None
    dirty: bool | None
    machine: Machine
    versions: dict[str, str]
    ratios: dict[str, Ratio]

    @classmethod
    def of(cls, ratios: Mapping[str, Ratio]) -> "Record":
        """Create the record of a run that has just ended on this machine."""
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
    """Reference speed ratio of a benchmark, with the record that contains it."""

    ratio: Ratio
    record: Record


def read_history(path: Path) -> list[Record]:
    """Return all records in order of time, or none if the file does not exist.

    Raises
    ------
    BearoffError
        If a line is not a valid record; the message states its number.
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
                f"{path}, line {number}, is not a record of benchmarks ({where}: "
                f"{first['msg']}); restore the file from version control, or remove the "
                "line"
            ) from None
    return records


def append_record(record: Record, path: Path) -> list[Record]:
    """Add a record to the history; return all records.

    Raises
    ------
    BearoffError
        If the existing history cannot be read; the file is then not changed.
    """
    records = [*read_history(path), record]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text("".join(f"{one.model_dump_json()}\n" for one in records), path)
    return records


def committed(name: str, history: Sequence[Record], machine: Machine) -> Committed | None:
    """Return the reference speed ratio of a benchmark; None if it was never recorded."""
    having = [record for record in history if name in record.ratios]
    same = [record for record in having if record.machine == machine]
    for record in reversed(same or having):
        return Committed(record.ratios[name], record)
    return None
