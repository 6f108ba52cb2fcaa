"""Kinds of files of batches, populations and scores that trials damage."""

import json
import shutil
from collections.abc import Iterator
from contextlib import chdir, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

import bearoff
from bearoff.two_sided.manifest import table_folder
from verify import ROOT
from verify.damage.files import Kind, no_reason, same_json, table_kinds, use_tables
from verify.damage.user_files import user_kinds

_COMMIT = "0" * 40
"""Fixed commit that is written to all result files, so that they can be compared."""

_SOURCE = {"random": {"pairs": 30, "checkers": {"from": 1, "to": 6}}}


def _config(**changes: Any) -> dict[str, Any]:
    return {
        "run": "flips",
        "description": "A batch to be damaged",
        "pairs": [_SOURCE],
        "games": 2000,
        "seed": 3,
        "workers": 1,
        "backend": "sequential",
        "output": "runs",
    } | changes


def _simulate(folder: Path, **changes: Any) -> Any:
    """Run a batch with small blocks and result files; return its results."""
    from bearoff.sim.engine import plan
    from bearoff.sim.runs import runner
    from bearoff.sim.storage import provenance

    plan.BLOCK_GAMES, plan.PART_PAIRS = 10_000, 12
    provenance.commit = lambda: (_COMMIT, False)  # type: ignore[assignment]
    with chdir(folder):  # The path is relative, as users often write it.
        runner.run(_config(**changes), progress=False)
    run = folder / "runs" / "flips"
    manifest = json.loads((run / "run.json").read_text(encoding="utf-8"))
    parts = {p.name: p.read_bytes() for p in sorted((run / "outcomes").iterdir())}
    return [manifest["parts"], manifest["digest"], manifest["config"], parts]


def _interrupted(folder: Path) -> None:
    """Create an unfinished run, with one result file and some blocks of the next file."""
    from bearoff.sim.runs.folder import RunFolder

    original = RunFolder.write_part

    def write_part(self: Any, index: int, *arguments: Any) -> Any:
        if index == 1:
            raise OSError("stopped here")
        return original(self, index, *arguments)

    _simulated(folder)
    shutil.rmtree(folder / "runs")
    RunFolder.write_part = write_part  # type: ignore[method-assign, assignment]
    try:
        with suppress(bearoff.BearoffError):
            _simulate(folder)
    finally:
        RunFolder.write_part = original  # type: ignore[method-assign]


def _opened(folder: Path) -> Any:
    from bearoff.analysis.outcomes import open_run

    return open_run(folder / "runs" / "flips")


def _table(folder: Path) -> Any:
    run = _opened(folder)
    return [run.table().to_pydict(), run.pairs, run.games, run.complete, run.describe()]


def _estimates(folder: Path) -> Any:
    run = _opened(folder)
    asked = json.loads((folder / "pairs.json").read_text(encoding="utf-8"))
    return [run.estimate(*pair) for pair in [(1, 1), (5, 7), *asked]]


def _rows_that_are_there(folder: Path) -> Any:
    """Read an unfinished run, whose stored pairs must all be correct."""
    right = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
    run = _opened(folder)
    rows = run.table().to_pylist()
    if run.complete or not all(repr(row) in right for row in rows):
        raise AssertionError("a row of an unfinished run differs from what was stored")
    return "all right"


def _verify(folder: Path) -> Any:
    return _opened(folder).verify()


def _study(folder: Path) -> Any:
    from bearoff.analysis.outcomes import analyse_run

    found = analyse_run(folder / "runs" / "flips")
    return [found.calibration, found.why_no_fits, sorted(found.cells)]


_RUN_READERS = {
    "verify": _verify,
    "estimates": _estimates,
    "table": _table,
    "analysis": _study,
    "the same batch again": _simulate,
}


def _pair_file(folder: Path, ending: str) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pairs = np.random.default_rng(5).integers(1, 54264, (2, 60))
    table = pa.table({"roller": pairs[0], "opponent": pairs[1]})
    path = folder / f"pairs.{ending}"
    if ending == "parquet":
        pq.write_table(table, path, write_page_checksum=True)
    else:
        text = "\n".join(f"{x},{y}" for x, y in pairs.T.tolist())
        path.write_text(f"roller,opponent\n{text}\n", encoding="utf-8")


def _with_pairs(folder: Path, ending: str) -> Any:
    return _simulate(folder, pairs=[{"file": {"path": f"pairs.{ending}"}}])


def _same_pairs(good: Path, damaged: Path, file: str) -> str | None:
    """Return why damage is harmless: the digest shows that all pairs are unchanged."""
    return "the same pairs are read, according to the digest of the run"


def _make_population(folder: Path) -> None:
    from bearoff.sim.populations import build_population, population_recipe

    _tables(folder)
    wanted = population_recipe("uniform", size=1500, seed=2, checkers=2)
    build_population(wanted, folder / "built", workers=1)


def _tables(folder: Path) -> None:
    """Make the program use an undamaged cache of tables; build missing tables."""
    use_tables(folder.parent)
    if not table_folder(6, 2).exists():
        bearoff.build_two_sided_table(2, workers=1)
        bearoff.one_sided_table()


def _ask_population(folder: Path) -> Any:
    from bearoff.sim.populations import open_population

    found = open_population(folder / "built" / "uniform.parquet")
    groups = (found.decisions, found.values, found)
    arrays = [getattr(g, f.name) for g in groups for f in fields(g)]
    return [found.about, *(a for a in arrays if isinstance(a, np.ndarray))]


def _about(folder: Path) -> Any:
    from bearoff.sim.populations import read_about

    return read_about(folder / "built" / "uniform.parquet")


def _half_a_population(folder: Path) -> None:
    from bearoff.sim.populations import build_population, population_recipe

    def stop(name: str, done: float) -> None:
        if name == "table":
            raise KeyboardInterrupt

    _tables(folder)
    wanted = population_recipe("uniform", size=1500, seed=2, checkers=2)
    with suppress(KeyboardInterrupt):
        build_population(wanted, folder / "built", workers=1, progress=stop)


def _whole_population(folder: Path) -> Any:
    _make_population(folder)
    return _ask_population(folder)


def _everything_read(good: Path, damaged: Path, file: str) -> str | None:
    return "metadata of the Parquet file; a digest shows that the data are the same"


def _make_scores(folder: Path) -> None:
    scores = ROOT / "results" / "formulas" / "scores.parquet"
    (folder / "scores.parquet").write_bytes(scores.read_bytes())


def _prices(folder: Path) -> Any:
    from bearoff.analysis.scoring import MeasuredLoss

    return [
        MeasuredLoss.read(folder / "scores.parquet", name) for name in ("keith", "isight")
    ]


def _make_formulas(folder: Path) -> None:
    found = ROOT / "results" / "formulas" / "cube" / "found.yaml"
    (folder / "formulas.yaml").write_bytes(found.read_bytes())


def _formulas(folder: Path) -> Any:
    """Load formulas from a file; fail if writing and reading them again changes them."""
    from bearoff.analysis.formulas.files import formulas_yaml, load_formulas

    found = load_formulas(folder / "formulas.yaml")
    again = folder / "again.yaml"
    again.write_text(formulas_yaml(found), encoding="utf-8")
    if load_formulas(again) != found:
        raise AssertionError("formulas change when they are written and read again")
    return [repr(each) for each in found]


def _make_config(folder: Path) -> None:
    quick = ROOT / "configs" / "quick.yaml"
    (folder / "batch.yaml").write_bytes(quick.read_bytes())


def _effective(folder: Path) -> Any:
    """Return a batch's effective configuration; fail if loading it again changes it."""
    from bearoff.sim.config import load_config

    effective = load_config(folder / "batch.yaml").effective()
    if load_config(effective).effective() != effective:
        raise AssertionError("a batch changes when it is written and read again")
    return effective


def _run_kind(name: str, pattern: str, share: int) -> Kind:
    return Kind(name, _simulated, dict(_RUN_READERS), same_json, (pattern,), share)


def _simulated(folder: Path) -> None:
    """Run a batch, and store the correct results next to it."""
    _tables(folder)
    _simulate(folder)
    rows = _opened(folder).table().to_pylist()
    pairs = [(row["roller"], row["opponent"]) for row in rows]
    (folder / "pairs.json").write_text(json.dumps(pairs), encoding="utf-8")
    right = [repr(row) for row in rows]
    (folder / "rows.json").write_text(json.dumps(right), encoding="utf-8")


def kinds() -> Iterator[Kind]:
    """Yield all kinds of files that trials damage."""
    yield from table_kinds()
    yield from user_kinds()
    run = "runs/flips"
    yield _run_kind("Parquet part", f"{run}/outcomes/*", 16)
    yield _run_kind("manifest (run.json)", f"{run}/run.json", 16)
    for name, pattern, share in (
        ("stored block (.counts)", f"{run}/blocks/*", 8),
        ("note of a part", f"{run}/parts/*", 6),
        ("manifest of an unfinished run", f"{run}/run.json", 6),
    ):
        yield Kind(
            name,
            _interrupted,
            {"rows": _rows_that_are_there, "the same batch again": _simulate},
            same_json,
            (pattern,),
            share,
        )
    for ending in ("parquet", "csv"):

        def make(folder: Path, ending: str = ending) -> None:
            _tables(folder)
            _pair_file(folder, ending)
            _with_pairs(folder, ending)

        again = {"the same batch": lambda f, ending=ending: _with_pairs(f, ending)}
        yield Kind(f"pairs as {ending}", make, again, _same_pairs, ("pairs.*",), 8)
    readers = {"metadata": _about, "all of it": _ask_population}
    yield Kind(
        "population", _make_population, readers, _everything_read, ("built/*.parquet",), 14
    )
    yield Kind(
        "piece of a population",
        _half_a_population,
        {"the same build": _whole_population},
        no_reason,
        ("built/.uniform-*/[!.]*",),
        6,
    )
    yield Kind(
        "scores of formulas",
        _make_scores,
        {"prices": _prices},
        _everything_read,
        ("scores.parquet",),
        8,
    )
    yield Kind(
        "formulas as YAML",
        _make_formulas,
        {"formulas": _formulas},
        _same_text,
        ("*",),
        5,
        is_text=True,
    )
    yield Kind(
        "batch as YAML",
        _make_config,
        {"the batch": _effective},
        _same_text,
        ("*",),
        5,
        is_text=True,
    )


def _same_text(good: Path, damaged: Path, file: str) -> str | None:
    return "a comment, a blank, or another notation of the same value"
