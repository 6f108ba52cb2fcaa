"""Write `readers/vectors.json`: what readers in other languages must find in our tables.

Run from the repository's root as ``python -m tests.readers.record_vectors``.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

import bearoff

VECTORS = Path(__file__).parents[2] / "readers" / "vectors.json"

ONE_SIDED = ((6, 15), (7, 15))
"""The largest table that is stored in full, and the smallest that is coded."""


def one_sided(points: int, checkers: int) -> dict[str, Any]:
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


def vectors() -> dict[str, Any]:
    return {"one_sided": [one_sided(*size) for size in ONE_SIDED]}


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n")
