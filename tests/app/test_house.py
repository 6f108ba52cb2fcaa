"""The repository as a whole: installed packages, the lock file and the Makefile."""

import ast
import re
import tomllib
from collections import Counter
from importlib.metadata import distributions, version
from itertools import chain

from packaging.specifiers import SpecifierSet

from tests.app.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


def _canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def _numbers(text):
    return tuple(int(part) for part in re.findall(r"\d+", text))


def test_the_oldest_python_can_have_what_is_installed():
    """All installed packages allow the oldest Python version that this project supports."""
    asked = {one.name: one.metadata.get("Requires-Python", "") for one in distributions()}
    refuse = [name for name, spec in asked.items() if "3.11.2" not in SpecifierSet(spec)]
    assert refuse == []


def test_the_lock_pins_every_dependency_at_or_above_its_minimum():
    pinned = re.findall(r"^([\w.-]+)==(\S+)$", LOCK, re.M)
    pins = {_canonical(name): pin for name, pin in pinned}
    extras = PROJECT["project"]["optional-dependencies"].values()
    for requirement in chain(PROJECT["project"]["dependencies"], *extras):
        name, minimum = requirement.partition(";")[0].split(">=")
        assert _numbers(pins[_canonical(name)]) >= _numbers(minimum), requirement


def test_the_lock_names_no_place_to_load_from():
    lines = [line for line in LOCK.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)


def test_the_version_is_the_projects():
    assert version("bearoff") == PROJECT["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {PROJECT['project']['version']}" in changelog


def test_ci_runs_what_the_readme_promises():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    promised = re.findall(r"^(?:    |\$ )(make \w+)", readme, re.MULTILINE)
    assert {"make demo", "make test"} <= set(promised)
    assert {"make demo", "make check", "make test-all"} <= set(ci)


def test_no_two_classes_of_the_doors_have_one_name():
    trees = (ast.parse(path.read_text()) for path in (ROOT / "app").rglob("*.py"))
    classes = (one for tree in trees for one in tree.body if isinstance(one, ast.ClassDef))
    counted = Counter(one.name for one in classes)
    assert [name for name, count in counted.items() if count > 1] == []
