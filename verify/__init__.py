"""Programs that test the laboratory at full scale: ``python -m verify kills``.

Each file has one trial, and the folders have what trials share. tests/verify runs them on a
small scale, and results/reliability/README.md has the results.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""Root folder of the repository."""
