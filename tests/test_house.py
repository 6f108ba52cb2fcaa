"""The structure of the packages: their exports, docstrings and imports."""

import ast
import importlib
import inspect
import re
import types
from functools import cache
from pathlib import Path

import pytest

import bearoff

ROOT = Path(__file__).parents[1]
LAYERS = ("bearoff", "bearoff.game", "bearoff.sim", "bearoff.analysis")
CODE = sorted(
    path
    for layer in (*LAYERS, "bearoff.app")
    for path in ROOT.joinpath(*layer.split(".")).rglob("*.py")
)

LARGE = {"numba", "numpy", "pyarrow", "scipy"}
"""Large third-party packages, whose modules import each other."""


def faces():
    """Return the names of all packages, except `bearoff.app`."""
    folders = {path.parent.relative_to(ROOT) for path in CODE}
    names = (".".join(folder.parts) for folder in folders)
    return sorted(name for name in names if not name.startswith("bearoff.app"))


@cache
def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path):
    """Return the dotted names of the modules that a file imports from."""
    found = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
    ours = [name for name in found if name.split(".")[0] == "bearoff"]
    return [name for name in ours if not name.startswith("bearoff.app")]


@cache
def room_of(module):
    """Return the innermost package of a module."""
    parts = module.split(".")
    while not ROOT.joinpath(*parts).is_dir():
        parts.pop()
    return ".".join(parts)


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
    for name in ("PositionError", "RollError", "TableError"):
        assert issubclass(getattr(bearoff, name), bearoff.BearoffError)
    assert issubclass(bearoff.BearoffError, ValueError)


def test_outside_a_room_only_its_face_is_imported():
    deep = []
    for path in CODE:
        own = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for module in imported(path):
            room = room_of(module)
            # A module directly in a layer's package, such as `errors`, is in no subpackage.
            inside = own.startswith(f"{room}.")
            if module != room and not inside and room not in LAYERS:
                deep.append(f"{path.relative_to(ROOT)} imports {module}")
    assert not deep, "\n".join(deep)


def test_a_large_package_is_imported_whole_before_a_part_of_it():
    # Two threads that import a package and one of the package's modules at the same time
    # may find incomplete modules.
    early = []
    for path in CODE:
        whole: set[str] = set()
        for node in parsed(path).body:
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            else:
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                package, _, part = name.partition(".")
                if part and package in LARGE - whole:
                    early.append(f"{path.relative_to(ROOT)} imports {name}")
                whole.add(package)
    assert not early, "\n".join(early)


def test_every_room_says_what_it_may_import():
    for name in set(faces()) - set(LAYERS):
        words = " ".join((importlib.import_module(name).__doc__ or "").lower().split())
        assert re.search("may import|imports no", words), name


def exports():
    """Yield the names that packages export, each with its class or function of this
    project.
    """
    for room in faces():
        package = importlib.import_module(room)
        for name in getattr(package, "__all__", ()):
            member = getattr(package, name)
            if getattr(member, "__module__", "").startswith("bearoff."):
                yield f"{room}.{name}", member


def test_what_a_room_exports_has_a_docstring():
    bare = []
    for name, member in exports():
        if inspect.isfunction(member) or inspect.isclass(member):
            bare += [name] if not member.__doc__ else []
        fields = getattr(member, "__annotations__", {})
        for key, value in vars(member).items() if inspect.isclass(member) else ():
            method = inspect.isfunction(value) or isinstance(value, property | classmethod)
            # The section "Attributes" of a class describes its fields and some properties.
            described = re.search(rf"\b{key}\b.* : ", member.__doc__ or "")
            described = described or inspect.getdoc(getattr(member, key))
            if method and not (described or key.startswith("_") or key in fields):
                bare.append(f"{name}.{key}")
    assert not bare, "\n".join(bare)


def test_files_are_replaced_and_locked_in_one_place():
    """Only one module replaces and locks files."""
    homes = {"bearoff/storage/files.py", "bearoff/runtime/locks.py"}
    calls = re.compile(
        r"\bos\.(replace|rename|link)\b|\bfsync\b|\bfilelock\b|\bFileLock\b|shutil\.move"
        # Path.replace has one argument, str.replace has two.
        r"|\.rename\(|\.replace\([^,()\"']*\)"
    )
    found = {
        path.relative_to(ROOT).as_posix()
        for path in CODE
        if calls.search(path.read_text(encoding="utf-8"))
    }
    assert found == homes
