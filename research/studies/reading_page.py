"""Page on the losses that misreadings of the printed text of formulas cause."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.analysis.battery import Battery, score_battery
from bearoff.analysis.formulas.rules import WorkedFormula
from bearoff.analysis.output import markdown_page, markdown_table, write_text
from bearoff.matchup import CubeDecision
from bearoff.sim.populations import Population
from research.studies.reading import READINGS, decide

RACES = 20_000
"""Number of races for which decisions by the text and by the formula are compared."""

ROWS = ("near", "beyond")
"""Test sets for which losses are shown."""


@dataclass(frozen=True)
class Read:
    """Race formula as understood by one reading of its printed text.

    Attributes
    ----------
    name, text : str
        Name of the formula, and the printed text.
    source : str
        Origin of the formula's text, as shown on the page.
    reading : str
        Misreading, one of `READINGS`; empty for the intended reading.
    """

    name: str
    text: str
    source: str = "the printed words"
    reading: str = ""

    def decide(
        self, rollers: NDArray[np.integer], opponents: NDArray[np.integer]
    ) -> CubeDecision:
        """Return cube decisions of a player who reads the formula's text in this way."""
        ours, theirs = rollers.astype(np.int64), opponents.astype(np.int64)
        return CubeDecision(*decide(self.text, ours, theirs, self.reading))


def write_readings(
    formulas: Mapping[str, WorkedFormula],
    populations: Mapping[str, Population],
    folder: str | Path,
    *,
    seed: int,
) -> Path:
    """Apply every reading of the formulas to test decisions; return the page's path.

    Parameters
    ----------
    formulas : mapping of str to WorkedFormula
        Formulas by name.
    populations : mapping of str to Population
        Populations of games with the cube: with all checkers home, and with checkers
        outside home.
    folder : str or Path
        Folder in which ``readings.md`` is written.
    seed : int
        Random seed of the races.
    """
    battery = Battery.of(populations, "test")
    sides = _drawn(battery, seed)
    parts = [
        "# Possible misreadings of the printed rules",
        f"To find rules that can be misread, a program applies the printed words of each "
        f"rule literally to {RACES:,} races from games with the cube (seed {seed}). The "
        "program follows first the intended reading of the rule, and then each "
        "misreading that we could think of. The columns `near` and `beyond` show the "
        "rule's losses on the test split, in thousandths of a point: `near` in near "
        "decisions, and `beyond` in races with checkers beyond home.",
    ]
    for name, formula in formulas.items():
        text = formula.text
        plain = Read(name, text)
        rows, same = [], []
        reads = [plain, *(Read(name, text, reading=reading) for reading in READINGS)]
        said = [np.stack(decide(text, *sides, read.reading)) for read in reads]
        found = formula.decide(*(side.astype(np.int8) for side in sides))
        program = np.stack([found.double, found.redouble, found.take])
        differ = int((program != said[0]).any(axis=0).sum())
        scores = score_battery(reads, battery)
        for read, answer, score in zip(reads, said, scores, strict=True):
            changed = int((answer != said[0]).any(axis=0).sum())
            meant, excluded = READINGS.get(read.reading, ("intended reading", ""))
            if read.reading and not changed:
                same.append(meant)
                continue
            lost = (f"{1000 * score.lost[row].value:.1f}" for row in ROWS)
            rows.append((meant, excluded, f"{changed:,}", *lost))
        parts += [
            f"## {name}",
            f"> {text}",
            f"The rule has {len(text.split())} words, including numbers. The intended "
            "reading of this rule "
            + (
                f"decides {differ} races differently from the formula `{name}`."
                if differ
                else f"decides every race in the same way as the formula `{name}`."
            ),
            markdown_table(
                ("reading of the rule", "ruled out by", "races decided differently", *ROWS),
                rows,
            ),
            "The following misreadings of the rule change none of its decisions: "
            f"{'; '.join(same)}."
            if same
            else "",
        ]
    return write_text(markdown_page(parts), Path(folder) / "readings.md")


def _drawn(battery: Battery, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw races on 24 points: half with all checkers home, half with some outside."""
    rng = np.random.default_rng(seed)
    both = []
    for decisions in battery.decisions.values():
        share = decisions.weights / decisions.weights.sum()
        size = RACES // len(battery.decisions)
        rows = rng.choice(len(decisions), size, p=share)
        both.append(
            [
                np.pad(side[rows], ((0, 0), (0, 24 - side.shape[1]))).astype(np.int64)
                for side in (decisions.rollers, decisions.opponents)
            ]
        )
    rollers, opponents = (np.concatenate(side) for side in zip(*both, strict=True))
    return rollers, opponents
