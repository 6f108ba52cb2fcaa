"""Formulas read from a YAML file, validated as a whole."""

import os

from analysis.formulas.files.model import FormulaFile
from analysis.formulas.rules import WorkedFormula, ours, published
from sim.config import read_yaml_file, validate_model


def load_formulas(path: str | os.PathLike[str]) -> tuple[WorkedFormula, ...]:
    """Read the formulas of a YAML file.

    Raises
    ------
    ConfigError
        Naming every problem of the file with its line.
    """
    taken = {formula.name for formula in (*published.PUBLISHED, *ours.OURS)}
    file = validate_model(
        read_yaml_file(path), os.fspath(path), FormulaFile, "formulas: [...]", context=taken
    )
    return tuple(item.rule() for item in file.formulas)
