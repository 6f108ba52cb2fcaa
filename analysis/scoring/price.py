"""The measured loss of following a formula, as a sentence for the page."""

from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from bearoff.analysis.errors import RunError

_ROW_BYTES = 10_000
"""Memory that a row of a dozen Python objects takes, amply."""


COMPARED = ("keith", "isight")
"""Formulas that a reader knows; if they were scored, their losses stand beside."""

FIRST, GAME = "near", "game"
"""Rows of a battery that are always told; of one population, all three decisions are."""


def scores_seal(about: dict[str, Any], rows: list[dict[str, Any]]) -> str:
    """Return the SHA-256 of what scores say of themselves, and of all their rows."""
    from bearoff.storage import sealing

    return sealing.digest(sealing.canonical_json(about), repr(rows).encode())


@dataclass(frozen=True)
class Price:
    """What following a formula was measured to lose.

    Attributes
    ----------
    lost, error : float
        Points a position, by its three decisions, and the standard error.
    population : str
        Of which decisions.
    others : tuple of (str, float)
        Other formulas scored on the same, and what they lose, the best first.
    rows : tuple of (str, tuple of float), optional
        Of a battery, the near row, the game and that in which it is worst beside those
        `COMPARED`; what it and these lose.
    """

    lost: float
    error: float
    population: str
    others: tuple[tuple[str, float], ...]
    rows: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @classmethod
    def read(cls, path: str | Path, name: str) -> "Price":
        """Read it from the ``scores.parquet`` of ``bearoff formulas score``.

        Raises
        ------
        RunError
            If there is no such file, or it does not hold the formula.
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
                raise RunError(f"{path} is damaged: it is not what was written")
            kinds = {row["decision"] for row in every}
            told = FIRST if FIRST in kinds else "together"
            rows = [row for row in every if row["decision"] == told]
            found = {row["formula"]: (row["lost"], row["lost_error"]) for row in rows}
            population = str(about["population"])
            by_row = {(row["formula"], row["decision"]): row["lost"] for row in every}
            # Sealed or not, what is written on a page must be a number.
            numbers = [each for pair in found.values() for each in pair]
            if not all(map(isfinite, [*numbers, *by_row.values()])):
                raise ValueError
        except RunError:
            raise
        except (pa.ArrowException, OSError, KeyError, TypeError, ValueError,
                RecursionError):  # fmt: skip
            raise RunError(
                f"{path} holds no scores; bearoff formulas score --to writes them"
            ) from None
        if name not in found:
            raise RunError(f"{path} has no score of {name!r}; it has {', '.join(found)}")
        others = sorted(
            (lost, other) for other, (lost, _) in found.items() if other != name
        )
        lost, error = found[name]
        beside = tuple((other, lost) for lost, other in others)
        return cls(lost, error, population, beside, _told(name, by_row))

    @property
    def text(self) -> str:
        """The price in a sentence."""
        if self.rows:
            names = " and ".join(name.capitalize() for name in COMPARED)
            near, game, worst = (
                f"{row} {1000 * own:.1f} ({', '.join(f'{1000 * x:.1f}' for x in rest)})"
                for row, (own, *rest) in self.rows
            )
            return (
                f"Thousandths of a point lost, by {names} in brackets: {near}, ± "
                f"{1000 * self.error:.1f}; {game}; worst beside the better of them: "
                f"{worst}."
            )
        text = (
            f"It loses {1000 * self.lost:.2f} ± {1000 * self.error:.2f} thousandths of a "
            f"point a position, by double, redouble and take (population "
            f"{self.population})"
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
    """Return the near row, the game, and the worst beside the better of those compared."""
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
