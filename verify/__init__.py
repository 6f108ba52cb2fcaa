"""Programs that try to break the laboratory, at full scale: ``python -m verify kills``.

One program a file here, with what they are made of in the folders; tests/verify runs them
in short, and results/reliability/README.md has what they found.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The repository."""
