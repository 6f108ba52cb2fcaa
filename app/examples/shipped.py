"""Configurations of simulations that are shipped with the program, by name."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bearoff.checks import did_you_mean
from bearoff.sim.config import ConfigError, Problem, load_config

_IN_WHEEL = Path(__file__).with_name("configs")
_IN_CLONE = Path(__file__).resolve().parents[2] / "configs"

_DATA = re.compile(r"\bpath: ([\w.-]+\.(?:csv|parquet))\b")
"""Regular expression for the path of a file of position pairs in a config."""


@dataclass(frozen=True)
class ShippedConfig:
    """YAML configuration of a simulation that comes with the program.

    Attributes
    ----------
    path : Path
        Path of the YAML file.
    text : str
        Content of the file, including comments.
    description : str
        Purpose of the simulation.
    """

    path: Path
    text: str
    description: str

    @property
    def name(self) -> str:
        """Name of the configuration, such as ``quick``."""
        return self.path.stem

    @property
    def takes(self) -> str:
        """Sentence on how many games the run plays and how long it takes.

        The sentence is the last paragraph of the comment at the top of the YAML file.
        """
        comment = self.text.partition("\nrun:")[0]
        last = re.split(r"^#\s*$", comment, flags=re.MULTILINE)[-1]
        return " ".join(line.lstrip("# ").rstrip() for line in last.split("\n")).strip()

    @property
    def data(self) -> tuple[Path, ...]:
        """Files of position pairs that the configuration reads, in the same folder."""
        return tuple(self.path.with_name(name) for name in _DATA.findall(self.text))

    @property
    def folder(self) -> Path:
        """Folder to which relative paths in the config refer, usually the file's folder.

        If a path refers to results of an earlier run, the folder is ``results`` in the
        working directory.
        """
        return Path("results") if "../results/" in self.text else self.path.parent


@cache
def examples() -> tuple[ShippedConfig, ...]:
    """Return the configurations shipped with the program, sorted by name.

    Examples
    --------
    >>> [example.name for example in examples()][:3]
    ['baselines', 'chart', 'cubeful']
    """
    folder = _IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CLONE
    return tuple(_read(path) for path in sorted(folder.glob("*.yaml")))


def example(name: str) -> ShippedConfig:
    """Return the shipped configuration with a given name.

    Examples
    --------
    >>> example("quick").takes
    'About 360 million games: some 15 seconds on two cores.'
    """
    for one in examples():
        if one.name == name:
            return one
    names = [one.name for one in examples()]
    there = did_you_mean(name, names) or f"; there are {', '.join(names)}"
    message = f"the program has no configuration of this name{there}"
    raise ConfigError([Problem(name, None, "", message)])


def find_example(source: str) -> ShippedConfig | None:
    """Return the shipped config with the name `source`; None if `source` is a file.

    Examples
    --------
    >>> find_example("quick").path.name, find_example("configs/quick.yaml")
    ('quick.yaml', None)
    """
    if Path(source).is_file() or not re.fullmatch(r"[a-z0-9][a-z0-9-]*", source):
        return None
    return example(source)


def _read(path: Path) -> ShippedConfig:
    return ShippedConfig(
        path, path.read_text(encoding="utf-8"), load_config(path).description
    )
