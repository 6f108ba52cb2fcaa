"""Measured loss of a formula, as stated in a sentence on cheat sheets."""

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from bearoff.analysis.errors import RunError

_ROW_BYTES = 10_000
"""Upper bound of the memory per row of a file of losses, in bytes."""


COMPARED = ("keith", "isight")
"""Well-known formulas to which other formulas are compared."""

FIRST, GAME = "near", "game"
"""Names of the two test sets whose losses every sentence on a cheat sheet states."""


def scores_seal(about: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """Return a SHA-256 digest of the metadata and the rows of a file of losses."""
    from bearoff.storage import sealing

    return sealing.digest(sealing.canonical_json(about), repr(rows).encode())


@dataclass(frozen=True)
class MeasuredLoss:
    """Measured loss of a formula, with losses of other formulas for comparison.

    Attributes
    ----------
    lost, error : float
        Points lost per position by the formula's three decisions, and the standard error.
    population : str
        Name of the population in which the loss was measured.
    others : tuple of (str, float)
        Losses of other formulas on the same decisions, in ascending order.
    rows : tuple of (str, tuple of float), optional
        Losses of the formula and of `COMPARED`: in close decisions, per game and, if
        measured, on the test set on which the formula loses most.
    """

    lost: float
    error: float
    population: str
    others: tuple[tuple[str, float], ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @classmethod
    def read(cls, path: str | Path, name: str) -> "MeasuredLoss":
        """Read the measured loss of a formula from ``scores.parquet``.

        Raises
        ------
        RunError
            If the file does not exist, or does not contain the formula.
        """
        import json

        import pyarrow as pa

        from bearoff.sim.storage import parquet_input

        try:
            with parquet_input.open_parquet(*parquet_input.local(path), _ROW_BYTES) as file:
                table = file.read()
            about = json.loads(table.schema.metadata[b"bearoff"])
            every = table.to_pylist()
            if about.pop("seal") != scores_seal(about, every):
                raise RunError(f"{path} is damaged: its checksum does not match")
            kinds = {row["decision"] for row in every}
            told = FIRST if FIRST in kinds else "together"
            rows = [row for row in every if row["decision"] == told]
            found = {row["formula"]: (row["lost"], row["lost_error"]) for row in rows}
            population = str(about["population"])
            by_row = {(row["formula"], row["decision"]): row["lost"] for row in every}
            # Infinite numbers and NaN are possible even if the file's checksum is correct.
            numbers = [each for pair in found.values() for each in pair]
            if not all(map(isfinite, [*numbers, *by_row.values()])):
                raise ValueError
        except RunError:
            raise
        except (pa.ArrowException, OSError, KeyError, TypeError, ValueError,
                RecursionError):  # fmt: skip
            raise RunError(
                f"{path} contains no losses; create them with bearoff formulas score --to"
            ) from None
        if name not in found:
            raise RunError(
                f"{path} has no losses of {name!r}; it has losses of {', '.join(found)}"
            )
        others = sorted(
            (lost, other) for other, (lost, _) in found.items() if other != name
        )
        lost, error = found[name]
        beside = tuple((other, lost) for lost, other in others)
        return cls(lost, error, population, beside, _told(name, by_row))

    @property
    def text(self) -> str:
        """Sentence on the measured loss of the formula."""
        if self.rows:
            names = " and ".join(name.capitalize() for name in COMPARED)
            near, game, worst = (
                f"{row} {1000 * own:.1f} ({', '.join(f'{1000 * x:.1f}' for x in rest)})"
                for row, (own, *rest) in self.rows
            )
            return (
                "Losses of this formula in thousandths of a point, with the losses of "
                f"{names} in brackets: {near}, ± {1000 * self.error:.1f}; {game}; smallest "
                f"advantage over the better of these two: {worst}."
            )
        text = (
            "The double, redouble and take of a position together lose "
            f"{1000 * self.lost:.2f} ± {1000 * self.error:.2f} thousandths of a point "
            f"(population {self.population})"
        )
        if self.others:
            known = [other for other in self.others if other[0] in COMPARED]
            beside = ", ".join(
                f"{name} {1000 * lost:.2f}" for name, lost in known or self.others[:3]
            )
            text += f"; {beside}"
        return f"{text}."


def _told(
    name: str, lost: dict[tuple[str, str], float]
) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """Return a formula's losses in close decisions, per game, and on its worst test set."""
    names = name, *COMPARED
    kinds = dict.fromkeys(row for _, row in lost)
    rows = {
        row: tuple(lost[each, row] for each in names)
        for row in kinds
        if all((each, row) in lost for each in names)
    }
    if FIRST not in rows or GAME not in rows:
        return ()
    worst = max(rows, key=lambda row: rows[row][0] - min(rows[row][1:]))
    return tuple((row, rows[row]) for row in (FIRST, GAME, worst))
