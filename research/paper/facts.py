"""Numbers, phrases and tables for the paper, by name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Facts:
    """Numbers and tables for the paper by name, stored as text.

    Attributes
    ----------
    values : dict of str to str
        Texts by name. Names consist of parts separated by dots, such as ``exact.pairs``.
    tables : dict of str to dict
        Tables by name. Each table has the keys ``head``, ``align``, ``rows``, and
        ``strong``, which lists the indices of the bold rows.
    """

    values: dict[str, str] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)

    def put(self, **values: object) -> None:
        """Add values by name; ``__`` in a keyword means a dot in the name."""
        for name, value in values.items():
            key = name.replace("__", ".")
            if key in self.values:
                raise ValueError(f"there are two facts with the name {key}")
            self.values[key] = f"{value:,}" if isinstance(value, int) else str(value)

    def put_table(
        self,
        name: str,
        head: Sequence[str],
        rows: Iterable[Sequence[str]],
        strong: Iterable[int] = (),
        words: int = 1,
    ) -> None:
        """Add a table, whose first `words` columns are aligned left and the others right.

        Raises
        ------
        ValueError
            If a row has more or fewer cells than the header.
        """
        held = [list(map(str, row)) for row in rows]
        if any(len(row) != len(head) for row in held):
            raise ValueError(f"each row of the table {name} must have {len(head)} cells")
        self.tables[name] = {
            "head": list(head),
            "rows": held,
            "align": ["left" if place < words else "right" for place in range(len(head))],
            "strong": sorted(strong),
        }

    def as_json(self) -> dict[str, Any]:
        """Return all values and tables as JSON, which the text of the paper reads."""
        return {"values": self.values, "tables": self.tables}


def plus_minus(value: float, error: float | None, digits: int = 1) -> str:
    """Return a value with its standard error, such as ``14.0 ± 0.4``, or None."""
    tail = "" if error is None else f" ± {error:.{digits}f}"
    return f"{value:.{digits}f}{tail}"


def percent(share: float, digits: int) -> str:
    """Return a proportion as text, in percent."""
    return f"{100 * share:.{digits}f}%"


def short(error: float) -> str:
    """Return an error as a number times a power of ten, such as ``9.6 × 10⁻⁶``."""
    mantissa, power = f"{error:.2e}".split("e")
    raised = str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa} × 10{raised}"
