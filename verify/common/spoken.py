"""The code that each trial's page speaks of, and its digest, which tells old pages."""

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from verify import ROOT

STORED = "bearoff/storage", "bearoff/runtime"
RUNS = "sim/runs", "sim/storage", "sim/engine", "sim/play"
TABLES = "bearoff/one_sided", "bearoff/pair_planes", "bearoff/two_sided"
ANSWERED = "bearoff/answers", "bearoff/sources", "bearoff/stakes", "bearoff/match_solver"

KEPT = *STORED, *RUNS, *TABLES, "sim/populations", "sim/answers", "app/library/sealed.py"

SPEAKS_OF = {
    "kills": KEPT,
    "stops": (*KEPT, "app/interruption.py", "app/main.py", "app/run.py", "verify/kills.py"),
    "faults": (*STORED, *RUNS, "app/main.py", "app/run.py"),
    "flips": (*STORED, *TABLES, "sim/storage", "sim/populations", "app/library"),
    "hostile_files": (*STORED, "bearoff/pair_planes", "sim/pairs", "sim/config"),
    "server": ("app/serve",),
    "fuzz": ("bearoff/positions", "sim/config", "game/records", "game/state"),
    "consistency": (*ANSWERED, *TABLES, "app/answers", "sim/answers"),
    "dice": ("sim/engine", "sim/play", "sim/rollouts"),
    "coverage": ("analysis/outcomes",),
    "stopping": ("sim/rollouts",),
    "load": (*RUNS,),
    "cluster": (*RUNS,),
    "scale": (*RUNS,),
    "s3": ("sim/storage",),
    "dispatch": ("sim/engine", "sim/runs"),
    "places": (*STORED, "app/run.py", "app/library/sealed.py", "pyproject.toml"),
    "first_use": ("app/commands", "app/warm.py", "bearoff/plays", *TABLES),
}
"""Trials, in the order in which they run, and the code that each speaks of."""


def content(trial: str) -> str:
    """Return a digest of what a page speaks of: the code alone, without what it says."""
    whole = hashlib.sha256()
    for file in sorted(_files(trial)):
        whole.update(f"{file.relative_to(ROOT)}\0".encode())
        data = file.read_bytes()
        whole.update(_bare(data) if file.suffix == ".py" else data)
    return whole.hexdigest()[:16]


def _files(trial: str) -> Iterator[Path]:
    for path in (f"verify/{trial}.py", *SPEAKS_OF[trial]):
        place = ROOT / path
        found = place.rglob("*") if place.is_dir() else [place]
        yield from (
            one for one in found if one.is_file() and "__pycache__" not in one.parts
        )


@cache
def _bare(source: bytes) -> bytes:
    """Return a program without comments, layout and docstrings."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [one for one in node.body if not _says(one)]
    return ast.dump(tree).encode()


def _says(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
