"""The wheel is complete, and its command runs next to packages of the same names."""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version

import pytest

from tests.app.conftest import ROOT

# The version is read from the metadata, because importing setuptools would replace
# distutils for all other tests.
SETUPTOOLS = int(version("setuptools").partition(".")[0])

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(SETUPTOOLS < 77, reason="setuptools is too old to build it"),
]

LAYERS = ("bearoff", "game", "sim", "analysis", "app")
NEEDED = (*LAYERS, "configs", "oracles", "research", "verify", "benchmarks")
QUIET = ("--quiet", "--disable-pip-version-check", "--no-deps")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel from a copy of the repository, in which no build folder remains."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in NEEDED:
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    _pip("wheel", *QUIET, "--no-build-isolation", "-w", str(folder), str(source))
    (built,) = folder.glob("*.whl")
    return built


def _pip(*arguments):
    subprocess.run([sys.executable, "-m", "pip", *arguments], check=True)


@pytest.fixture(scope="module")
def site(wheel, tmp_path_factory):
    """Return the folder in which the wheel is installed."""
    site = tmp_path_factory.mktemp("site")
    _pip("install", *QUIET, "--target", str(site), str(wheel))
    return site


@pytest.fixture(scope="module")
def installed(site, tmp_path_factory):
    """Return a function that calls the command next to packages of the same names."""
    desk = tmp_path_factory.mktemp("desk")
    for name in (*LAYERS, "configs"):
        (desk / name).mkdir()
        (desk / name / "__init__.py").write_text("raise ImportError('of the user')\n")

    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"}
    environment["XDG_CACHE_HOME"] = str(desk / "cache")

    def call(*arguments):
        return subprocess.run(
            [sys.executable, str(site / "bin" / "bearoff"), *arguments],
            cwd=desk,
            env={**environment, "PYTHONPATH": str(site)},
            capture_output=True,
            text=True,
            check=False,
        )

    return call


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
    assert {name.rpartition("/")[2] for name in shipped} == {
        path.name
        for path in (ROOT / "configs").iterdir()
        if path.suffix in (".yaml", ".csv")
    }


def test_it_runs(installed):
    assert "bearoff simulate quick" in installed("--help").stdout
    listed = installed("configs").stdout
    assert "\nquick\n" in listed
    shown = installed("configs", "quick")
    assert shown.stdout == (ROOT / "configs" / "quick.yaml").read_text(encoding="utf-8")
    for gone in ("study", "figures"):
        assert installed(gone).returncode == 2


def test_shipped_configurations_are_found_and_played(site, installed, tmp_path):
    mine = tmp_path / "mine.yaml"
    copied = installed("configs", "rollouts-long", "--to", str(mine))
    assert copied.stdout.splitlines()[:2] == [str(mine), str(tmp_path / "long-races.csv")]
    assert mine.read_bytes() == (ROOT / "configs" / "rollouts-long.yaml").read_bytes()
    again = installed("configs", "rollouts-long", "--to", str(mine))
    assert again.returncode == 2
    assert "a file with this name already exists" in again.stderr
    missing = installed("simulate", "decisions", "--to", str(tmp_path), "--quiet")
    assert missing.returncode == 2
    assert "results/populations/cubeful.parquet: there is no such file" in missing.stderr
    # The shipped configuration plays 200,000 games per pair, but 200 are enough for this
    # test.
    quick = tmp_path / "few.yaml"
    quick.write_text(installed("configs", "quick").stdout.replace("200_000", "200"))
    played = installed("simulate", str(quick), "--to", str(tmp_path), "--quiet")
    assert played.returncode == 0, played.stderr
    assert (tmp_path / "quick" / "run.json").exists()
    # Compiled code is not stored inside the installed package, so pip can uninstall the
    # package completely.
    assert not list(site.rglob("*.nbc"))
