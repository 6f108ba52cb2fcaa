"""Reading and validation of formula files in YAML."""

import os

from bearoff.analysis.formulas.files.model import FormulaFile
from bearoff.analysis.formulas.rules import WorkedFormula, ours, published
from bearoff.sim.config import YamlSource, read_yaml_file, validate_model


def load_formulas(path: str | os.PathLike[str]) -> tuple[WorkedFormula, ...]:
    """Read the formulas in a YAML file.

    Raises
    ------
    ConfigError
        If the file is not valid; the message lists every problem with its line.
    """
    file = read_formulas(read_yaml_file(path), os.fspath(path))
    return tuple(item.rule() for item in file.formulas)


def read_formulas(source: YamlSource, file: str | None) -> FormulaFile:
    """Check that parsed YAML is a formula file, and return its formulas.

    Raises
    ------
    ConfigError
        If `load_formulas` raises this error.
    """
    taken = {formula.name for formula in (*published.PUBLISHED, *ours.OURS)}
    return validate_model(source, file, FormulaFile, "formulas: [...]", context=taken)
