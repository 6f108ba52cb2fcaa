"""Cost of people's decisions in races, computed for a collection of match files.

Each row is a decision. Players and matches are numbers instead of names. Costs are those of
`analysis.review`. They are exact if all checkers are home and the fast model is uncertain.
Other costs come from the fast model, with its stated error.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from joblib import Parallel, delayed
from numpy.typing import NDArray
from pyarrow import parquet

from bearoff import BearoffError, Position, Race, match_equities
from bearoff.analysis import formulas
from bearoff.analysis.formulas.counting import features
from bearoff.analysis.progress import stakes_of
from bearoff.analysis.review import Decision, Reviewing, formula_says
from bearoff.answers import Judge
from bearoff.game.records import MatchRecord, read_match
from bearoff.stakes import is_mistake
from bearoff.storage import atomic_path

Float64Array = NDArray[np.float64]
Int64Array = NDArray[np.int64]

RULES = ("screen", "ladder", "keith", "isight")
"""Race formulas that are compared with people; they ignore the match score."""

COUNTED = ("gaps", "tallest", "crossovers", "outside", "odd")
"""Names of the features that are counted in the position of the side that makes the
decision."""

NEAR = 0.1
"""Maximum difference in EMG between the two choices of a cube decision that counts as
close."""

_CHUNK = 20
"""Number of matches that a process judges at a time."""

_SEED = 1
"""Random seed for the order in which matches are drawn."""

_PATIENCE = 1.0
"""Time limit in seconds for solving a race at home for which the fast model is uncertain.
"""


@dataclass(frozen=True, eq=False)
class Lost:
    """People's decisions in races with their costs, as columns, and the number of matches.

    Attributes
    ----------
    columns : dict of str to ndarray
        Columns by name, such as ``match``, ``person``, ``kind``, ``pips``, and ``cost`` in
        EMG. Each of `RULES` has a column with the cost of its decision, which is NaN for
        plays.
    matches : int
    """

    columns: dict[str, NDArray[Any]]
    matches: int

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["match"])


def judge_people(
    paths: Sequence[Path],
    size: int | None,
    workers: int,
    progress: Callable[[float], object],
) -> Lost:
    """Judge all decisions in the races of a collection of matches.

    Parameters
    ----------
    paths : sequence of Path
        Match files. Unreadable files are left out.
    size : int or None
        Number of matches to draw at random; by default all matches.
    workers : int
        Number of processes.
    progress : callable
        Function called with the completed fraction, 0 to 1.
    """
    drawn = np.random.default_rng(_SEED).permutation(len(paths))[:size]
    chunks = [
        [paths[n] for n in drawn[k : k + _CHUNK]] for k in range(0, len(drawn), _CHUNK)
    ]
    parallel = Parallel(n_jobs=workers, return_as="generator")
    rows: list[dict[str, object]] = []
    people: dict[str, int] = {}
    matches = 0
    jobs = (delayed(_judged)(chunk) for chunk in chunks)
    for done, (found, count) in enumerate(parallel(jobs), start=1):
        for row in found:
            row["match"] = matches + int(str(row["match"]))
            name = str(row.pop("player")).casefold()
            row["person"] = people.setdefault(name, len(people))
            rows.append(row)
        matches += count
        progress(done / len(chunks))
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return Lost(columns, matches)


def _judged(paths: Sequence[Path]) -> tuple[list[dict[str, object]], int]:
    """Judge matches; return a row for each race decision, and the number of matches."""
    records: list[MatchRecord] = []
    for path in paths:
        try:
            records.append(read_match(path))
        except BearoffError:
            continue
    chosen = formulas.get(formulas.RECOMMENDED)
    reviewing = Reviewing(records, Judge(patience=_PATIENCE), chosen)
    for _ in reviewing.run():
        pass
    rules = {name: formulas.get(name) for name in RULES}
    rows = [
        _row(number, one, rules)
        for number, (_, review) in enumerate(reviewing.by_match())
        for one in review.judged
    ]
    return rows, len(records)


def _row(
    number: int, one: Decision, rules: Mapping[str, formulas.Formula]
) -> dict[str, object]:
    race = one.race
    mover = race.opponent if one.kind == "take" else race.roller
    waits = taken = passed = np.nan
    says = dict.fromkeys(rules, np.nan)
    if one.kind != "play":
        waits, taken, passed, *_ = (each.equity for each in one.alternatives)
        for name, rule in rules.items():
            says[name] = one.cost_of(formula_says(one.kind, race, rule))
    return {
        "match": number,
        "player": one.player,
        "kind": one.kind,
        "stakes": stakes_of(race),
        "decided": one.decided if one.kind != "play" else "",
        "best": one.best if one.kind != "play" else "",
        "method": one.method,
        "pips": race.roller.pips,
        "lead": race.opponent.pips - race.roller.pips,
        "home": max(race.roller.highest, race.opponent.highest) <= 6,
        "cost": one.cost,
        "error": one.error,
        "points": one.cost * race.cube_value,
        "chance": one.cost * _chance_of_a_point(race),
        "double": waits,
        "take": taken,
        "passed": passed,
        **says,
        **dict(zip(COUNTED, _counted(mover), strict=True)),
    }


def _chance_of_a_point(race: Race) -> float:
    """Return the match-winning chance that is equal to 1 EMG; NaN for money games."""
    table = match_equities()
    if race.score is None or max(race.score.away) > table.length:
        return np.nan
    won, lost = (table.after(race.score, sign * race.cube_value) for sign in (1, -1))
    return (won - lost) / 2


def _counted(side: Position) -> Iterator[int]:
    columns = features.columns_of(np.array([side.counts]))
    for name in COUNTED:
        yield int(features.FEATURES[name].count(columns, None, 0)[0])


def near(lost: Lost) -> NDArray[np.bool_]:
    """Return which decisions are cube decisions whose choices differ by under `NEAR`."""
    turned = np.minimum(lost["take"], lost["passed"])
    apart = np.where(
        lost["kind"] == "take", lost["take"] - lost["passed"], turned - lost["double"]
    )
    found: NDArray[np.bool_] = (lost["kind"] != "play") & (np.abs(apart) < NEAR)
    return found


def mistakes(lost: Lost) -> NDArray[np.bool_]:
    """Return which decisions have a cost larger than the error of this cost."""
    return is_mistake(lost["cost"], lost["error"])


def write_decisions(lost: Lost, path: Path) -> None:
    """Write the judged decisions and the number of matches to a Parquet file."""
    table = pa.table(dict(lost.columns))
    table = table.replace_schema_metadata({"matches": str(lost.matches)})
    with atomic_path(path) as unfinished:
        parquet.write_table(table, unfinished, compression="zstd")


def read_decisions(path: Path) -> Lost:
    """Read judged decisions from a file that `write_decisions` has written."""
    table = parquet.read_table(path)
    columns = {
        name: table[name].to_numpy(zero_copy_only=False) for name in table.column_names
    }
    columns = {k: v.astype(str) if v.dtype == object else v for k, v in columns.items()}
    return Lost(columns, int(table.schema.metadata[b"matches"]))
