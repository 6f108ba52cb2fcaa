"""Trials that test the program at full scale, such as ``python -m verify kills``.

Each module here is one trial; the folders have code that several trials share. tests/verify
runs the trials on a small scale, and results/reliability/README.md has their results.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""Root folder of the repository."""
