"""The wheel is complete, and its command runs next to packages of the same names."""

import shutil
import sys
import zipfile
from functools import partial
from importlib.metadata import version

import pytest

from tests.app.conftest import ROOT, only_sentence, ran

# The version is read from the metadata, because importing setuptools would replace
# distutils for all other tests.
SETUPTOOLS = int(version("setuptools").partition(".")[0])

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(SETUPTOOLS < 77, reason="setuptools is too old to build it"),
]

LAYERS = ("bearoff", "game", "sim", "analysis", "app")
NEEDED = (*LAYERS, "configs", "oracles", "research", "verify", "benchmarks")
PIP = (sys.executable, "-m", "pip")
QUIET = ("--quiet", "--disable-pip-version-check", "--no-deps")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy of the repository, in which no build folder remains."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    compiled = shutil.ignore_patterns("__pycache__")
    for name in NEEDED:
        shutil.copytree(ROOT / name, source / name, ignore=compiled)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    options = ("--no-build-isolation", "-w", str(folder))
    assert ran(*PIP, "wheel", *QUIET, *options, str(source)).good
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """Return the folder in which the wheel is installed."""
    site = tmp_path_factory.mktemp("site")
    assert ran(*PIP, "install", *QUIET, "--target", str(site), str(wheel)).good
    return site


@pytest.fixture(scope="module")
def installed(site, tmp_path_factory):
    """Return a function that calls the command next to packages of the same names."""
    desk = tmp_path_factory.mktemp("desk")
    for name in (*LAYERS, "configs"):
        (desk / name).mkdir()
        (desk / name / "__init__.py").write_text("raise ImportError('of the user')\n")

    env = {"PYTHONPATH": str(site), "XDG_CACHE_HOME": str(desk / "cache")}
    command = (sys.executable, str(site / "bin" / "bearoff"))
    return partial(ran, "env", "-u", "NUMBA_CACHE_DIR", *command, cwd=desk, env=env)


def test_it_holds_the_layers_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"bearoff"}
    for layer in ("bearoff", *(f"bearoff/{layer}" for layer in LAYERS[1:])):
        for path in (ROOT / layer).rglob("*"):
            if path.is_file() and path.parent.name != "__pycache__":
                assert path.relative_to(ROOT).as_posix() in names
    shipped = {name for name in names if name.startswith("bearoff/app/examples/configs/")}
    kept = {p.name for p in (ROOT / "configs").iterdir() if p.suffix in (".yaml", ".csv")}
    assert {name.rpartition("/")[2] for name in shipped} == kept


def test_it_runs(installed):
    assert "bearoff simulate quick" in installed("--help").out
    assert "\nquick\n" in installed("configs").out
    shown = installed("configs", "quick")
    assert shown.out == (ROOT / "configs" / "quick.yaml").read_text(encoding="utf-8")
    for gone in ("study", "figures"):
        assert installed(gone).code == 2


def test_shipped_configurations_are_found_and_played(site, installed, tmp_path):
    mine = tmp_path / "mine.yaml"
    copied = installed("configs", "rollouts-long", "--to", str(mine))
    assert copied.out.splitlines()[:2] == [str(mine), str(tmp_path / "long-races.csv")]
    assert mine.read_bytes() == (ROOT / "configs" / "rollouts-long.yaml").read_bytes()
    again = installed("configs", "rollouts-long", "--to", str(mine))
    only_sentence(again, "a file with this name already exists")
    missing = installed("simulate", "decisions", "--to", str(tmp_path), "--quiet")
    only_sentence(missing, "results/populations/cubeful.parquet: there is no such file")
    # The test plays 200 games per pair instead of 200,000.
    quick = tmp_path / "few.yaml"
    quick.write_text(installed("configs", "quick").out.replace("200_000", "200"))
    assert installed("simulate", str(quick), "--to", str(tmp_path), "--quiet").good
    assert (tmp_path / "quick" / "run.json").exists()
    # Compiled code inside the package would stay when pip uninstalls it.
    assert not list(site.rglob("*.nbc"))
