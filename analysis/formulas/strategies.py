"""Plug-in that makes formulas available as cube strategies in simulation settings."""

from collections.abc import Mapping, Sequence
from typing import Any

from bearoff.analysis.formulas.files import FormulaFile, read_formulas
from bearoff.analysis.formulas.rules import WorkedFormula, ours, published
from bearoff.sim.config import YamlSource


def known() -> dict[str, WorkedFormula]:
    """Return the published formulas and those found by this project, by name.

    Examples
    --------
    >>> sorted(known())[:3]
    ['8-9-12', 'benjamin', 'bower']
    """
    return {formula.name: formula for formula in (*published.PUBLISHED, *ours.OURS)}


def items(source: YamlSource, file: str | None) -> list[dict[str, Any]]:
    return [
        item.model_dump(mode="json", exclude_defaults=True)
        for item in read_formulas(source, file).formulas
    ]


def built(items: Sequence[Mapping[str, Any]]) -> dict[str, WorkedFormula]:
    file = FormulaFile.model_validate({"formulas": [dict(item) for item in items]})
    return {item.name: item.rule() for item in file.formulas}
