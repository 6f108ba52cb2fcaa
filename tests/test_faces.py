"""What each room shows is what is documented, whole and both ways.

``python -m tests.test_faces > docs/api/public-names.md`` writes the list anew.
"""

import importlib
import inspect
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("bearoff", "game", "sim", "analysis")
MOST_NAMES = 20
"""Names of a face; the fronts of the layers, which gather their rooms', may have more."""


def faces() -> list[str]:
    """Return every package of the layers."""
    folders = (p.parent for layer in LAYERS for p in (ROOT / layer).rglob("__init__.py"))
    return sorted(".".join(folder.relative_to(ROOT).parts) for folder in folders)


def documented() -> dict[str, set[str]]:
    """Read the checked-in list: a heading for each face, and its names."""
    found: dict[str, set[str]] = {}
    for line in (ROOT / "docs" / "api" / "public-names.md").read_text().splitlines():
        if line.startswith("## "):
            names = found.setdefault(line.split("`")[1], set())
        elif line.startswith("- "):
            names.add(line.split("`")[1])
    return found


def test_the_list_names_every_face() -> None:
    assert sorted(documented()) == faces()


@pytest.mark.parametrize("name", faces())
def test_a_face_shows_what_is_documented(name: str) -> None:
    face = importlib.import_module(name)
    assert set(face.__all__) == set(dir(face)) == documented()[name]


@pytest.mark.parametrize("name", faces())
def test_every_public_name_resolves_and_is_documented(name: str) -> None:
    face = importlib.import_module(name)
    folder = ROOT.joinpath(*name.split("."))
    for public in face.__all__:
        thing = getattr(face, public)
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__doc__, f"{name}.{public} has no docstring"
        module = (folder / f"{public}.py").exists() or (folder / public).is_dir()
        is_module = isinstance(thing, types.ModuleType)
        assert module == is_module, f"{name}.{public} is named as a module is"


@pytest.mark.parametrize("name", [face for face in faces() if "." in face])
def test_a_face_has_few_names(name: str) -> None:
    assert len(importlib.import_module(name).__all__) <= MOST_NAMES


def test_every_error_is_a_value_error_of_ours() -> None:
    import bearoff

    for name in ("PositionError", "RollError", "TableError"):
        assert issubclass(getattr(bearoff, name), bearoff.BearoffError)
    assert issubclass(bearoff.BearoffError, ValueError)


def page() -> str:
    """Write the list of public names, each with the first line of its docstring."""
    lines = ["# Public names", "", "What each package shows; the rest is its own affair."]
    for name in faces():
        face = importlib.import_module(name)
        lines += ["", f"## `{name}`", "", (face.__doc__ or "").splitlines()[0], ""]
        for public in sorted(face.__all__):
            thing = getattr(face, public)
            described = inspect.isroutine(thing) or inspect.isclass(thing)
            if described or isinstance(thing, types.ModuleType):
                summary = (thing.__doc__ or "").strip().splitlines()[0]
                lines.append(f"- `{public}`: {summary}")
            else:
                lines.append(f"- `{public}`")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
