"""Data of the fast model, from which the static page computes the model's tables.

The tables of the model take megabytes, so the page computes them from smaller data. These
data are coefficients for checkers outside home, the distribution of the EPC that a roll
removes, and the probability that a side which tries to save the gammon has borne off no
checker.
"""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np

from bearoff.bear_in import DATA, SAVING_DATA, load_coefficients
from bearoff.one_sided import gammons
from bearoff.race_model import MOST_BINS, typical_falls
from bearoff.sources import ModelSource


def write_model(folder: Path) -> None:
    """Write the files from which the static page computes the tables of the fast model."""
    folder.mkdir(parents=True)
    for name in (DATA, SAVING_DATA):
        coefficients = load_coefficients(name)
        for field in fields(coefficients):
            file = f"{Path(name).stem}-{field.name}.npy"
            np.save(folder / file, getattr(coefficients, field.name))
    saving, full = gammons.saving_play(), gammons.full_positions()
    np.save(folder / "idle.npy", np.ascontiguousarray(saving.idle[full]))
    np.save(folder / "first_off.npy", saving.first_off[full])
    np.save(folder / "falls.npy", typical_falls(MOST_BINS)[0])
    text = json.dumps({"bins": MOST_BINS, **ModelSource.stated()})
    (folder / "stated.json").write_text(text, encoding="utf-8")
