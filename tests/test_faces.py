"""All names that packages export exist and are documented."""

import importlib
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("bearoff", "bearoff/game", "bearoff/sim", "bearoff/analysis")


def faces():
    """Return the names of all packages."""
    folders = (p.parent for layer in LAYERS for p in (ROOT / layer).rglob("__init__.py"))
    return sorted(".".join(folder.relative_to(ROOT).parts) for folder in folders)


@pytest.mark.parametrize("name", faces())
def test_a_face_shows_its_names_alone(name):
    face = importlib.import_module(name)
    assert set(face.__all__) == set(dir(face))
    folder = ROOT.joinpath(*name.split("."))
    for public in face.__all__:
        module = (folder / f"{public}.py").exists() or (folder / public).is_dir()
        is_module = isinstance(getattr(face, public), types.ModuleType)
        assert module == is_module, f"{name}.{public} is named as a module is"


def test_every_error_is_a_value_error_of_ours():
    import bearoff

    for name in ("PositionError", "RollError", "TableError"):
        assert issubclass(getattr(bearoff, name), bearoff.BearoffError)
    assert issubclass(bearoff.BearoffError, ValueError)
