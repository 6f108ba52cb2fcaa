"""Script that writes the values that readers in other languages must find in tables.

Run from the repository's root as ``python -m tests.readers.record_vectors``.
"""

import json
from pathlib import Path

import numpy as np

import bearoff
from tests.two_sided_tables import FULL_PLANES, built, stored

VECTORS = Path(__file__).parents[2] / "readers" / "vectors.json"

ONE_SIDED = ((6, 15), (7, 15))
"""Number of points and of checkers of each recorded one-sided table."""

TWO_SIDED = ((6, 4), (2, 15), (6, 7))
"""Number of points and of checkers of each recorded two-sided table."""


def one_sided(points, checkers):
    table = bearoff.one_sided_table(points, checkers)
    chosen = np.random.default_rng(points).integers(0, len(table), 8)
    numbers = [0, 1, *sorted(chosen.tolist()), len(table) - 1]
    rows = table.distribution_of(numbers)
    return {
        "points": points,
        "checkers": checkers,
        "positions": [
            {
                "counts": bearoff.unrank(number, points, checkers).tolist(),
                "number": number,
                "mean_rolls": float(table.mean_rolls_of(number)),
                "chances": np.trim_zeros(row, "b").tolist(),
            }
            for number, row in zip(numbers, rows, strict=True)
        ],
    }


def two_sided(points, checkers):
    table = built(checkers, points)
    size = bearoff.position_count(points, checkers)
    chosen = np.random.default_rng(checkers).integers(1, size, (8, 2))
    pairs = [(1, size - 1), (size - 1, 1), (size - 1, size - 1), *chosen.tolist()]
    planes = [plane for plane in FULL_PLANES if plane in table.planes]
    return {
        "points": points,
        "checkers": checkers,
        "pairs": [
            {
                "counts": bearoff.unrank([x, y], points, checkers).tolist(),
                "numbers": [x, y],
                "values": {plane: float(stored(table, plane, x, y)) for plane in planes}
                | {"cubeless": float(table.win_probability(x, y))},
            }
            for x, y in pairs
        ],
    }


def _written(value, depth=0):
    """Return JSON text with one line for each position, and for each pair of positions."""
    if depth == 4 or not isinstance(value, (dict, list)):
        return json.dumps(value)
    ends = "{}" if isinstance(value, dict) else "[]"
    items = value.items() if isinstance(value, dict) else [("", one) for one in value]
    lines = [
        f"{json.dumps(key) + ': ' if key else ''}{_written(one, depth + 1)}"
        for key, one in items
    ]
    return f"{ends[0]}\n" + ",\n".join(lines) + f"\n{ends[1]}"


if __name__ == "__main__":
    vectors = {
        "one_sided": [one_sided(*size) for size in ONE_SIDED],
        "two_sided": [two_sided(*size) for size in TWO_SIDED],
    }
    VECTORS.write_text(_written(vectors) + "\n")
