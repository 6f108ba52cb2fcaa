"""The package as a program, and its version."""

import subprocess
import sys
from importlib.metadata import version

import bearoff


def test_the_package_is_the_command_and_has_a_version():
    assert bearoff.__version__ == version("bearoff")
    told = subprocess.run(
        [sys.executable, "-m", "bearoff", "--version"], capture_output=True, text=True
    )
    assert (told.returncode, told.stdout) == (0, f"bearoff {bearoff.__version__}\n")
    wrong = subprocess.run(
        [sys.executable, "-m", "bearoff", "nothing"], capture_output=True
    )
    assert wrong.returncode == 2
