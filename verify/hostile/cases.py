"""Malicious files, names and paths in groups, for the trial `hostile_files`."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from verify.hostile import parquet as pq_files, runs, tables


@dataclass(frozen=True)
class Case:
    """Malicious input, and the command that receives it.

    Attributes
    ----------
    name : str
        Description of the malicious input.
    prepare : callable
        Function that creates the files in the working directory, and returns the arguments.
    may_be_taken, must_be_taken : bool
        Whether exit code 0 is allowed, and whether exit code 0 is required.
    answer : str or None
        Text that the output must contain if the exit code is 0.
    may_leave : bool
        Whether the command may leave files when it rejects the input.
    is_mended : callable
        Function that returns whether the files in the folder are correct after the program
        has accepted the input.
    """

    name: str
    prepare: Callable[[Path], list[str]]
    may_be_taken: bool = False
    must_be_taken: bool = False
    answer: str | None = None
    may_leave: bool = False
    is_mended: Callable[[Path], bool] = lambda folder: True


def warm(scratch: Path) -> None:
    """Load libraries that need much memory, before memory is limited."""
    folder = scratch / "warm"
    folder.mkdir()
    runs.played(folder)


def groups() -> dict[str, list[Case]]:
    """Return all malicious cases, by group."""
    return {
        "pairs as Parquet": [
            Case(name, partial(_simulate_pairs, ending="parquet", make=make))
            for name, make in pq_files.PAIRS.items()
        ],
        "pairs as CSV": [
            Case(name, partial(_simulate_pairs, ending="csv", make=make))
            for name, make in pq_files.CSV.items()
        ],
        "parts of runs": [
            Case(name, partial(runs.with_part, change=change))
            for name, change in runs.PARTS.items()
        ],
        "manifests of runs": [
            Case(name, partial(runs.with_manifest, change=change))
            for name, change in runs.MANIFESTS.items()
        ],
        "populations": [
            Case(name, partial(_score, make=make))
            for name, make in pq_files.POPULATIONS.items()
        ],
        "scores": [
            Case(name, partial(_cheat_sheet, make=make))
            for name, make in pq_files.SCORES.items()
        ],
        "one-sided tables": [
            Case(
                name,
                partial(tables.one_sided, change=change),
                may_be_taken=True,
                must_be_taken=True,
                answer="46.140",
                is_mended=tables.built_anew,
            )
            for name, change in tables.ONE_SIDED.items()
        ],
        "two-sided tables": [
            Case(name, partial(tables.two_sided, change=change))
            for name, change in tables.TWO_SIDED.items()
        ],
        "special files": _special(),
        "names of runs": [
            Case(repr(name)[:40], partial(_named, name=name)) for name in _BAD_NAMES
        ],
        "places to write to": _places(),
    }


def _simulate_pairs(folder: Path, ending: str, make: Callable[[Path], None]) -> list[str]:
    make(folder / f"pairs.{ending}")
    return _batch(folder, f"pairs: [{{file: {{path: pairs.{ending}}}}}]")


def _batch(folder: Path, pairs: str, run: str = "x", output: str = "out") -> list[str]:
    text = f"run: {run}\ngames: 10\nworkers: 1\noutput: {output}\n{pairs}\n"
    (folder / "batch.yaml").write_text(text, encoding="utf-8")
    return ["simulate", "batch.yaml", "--quiet"]


_ONE_PAIR = "pairs: [{list: [{roller: 5, opponent: 7}]}]"


def _score(folder: Path, make: Callable[[Path], None]) -> list[str]:
    make(folder / "p.parquet")
    return ["formulas", "score", "--population", "p.parquet", "--to", "out"]


def _cheat_sheet(folder: Path, make: Callable[[Path], None]) -> list[str]:
    make(folder / "s.parquet")
    return ["print", "cheat-sheet", "keith", "--scores", "s.parquet", "--to", "out"]


# Cases in which a pipe, a device or a folder is passed where a file is expected.

_READERS: dict[str, list[str]] = {
    "batch": ["simulate", "X.yaml", "--quiet"],
    "formulas": ["formulas", "list", "--file", "X.yaml"],
    "run": ["analyze", "X"],
    "population": ["formulas", "score", "--population", "X.parquet"],
    "scores": ["print", "cheat-sheet", "keith", "--scores", "X.parquet"],
}

_CALLED = {
    "batch": "the YAML file of a batch",
    "formulas": "the YAML file of formulas",
    "run": "the folder of a run",
    "population": "the file of a population",
    "scores": "the file of scores",
}


def _special() -> list[Case]:
    kinds: dict[str, Callable[[Path], None]] = {
        "a pipe": os.mkfifo,
        "a folder": Path.mkdir,
        "a symbolic link to itself": lambda path: path.symlink_to(path),
        "a symbolic link to nothing": lambda path: path.symlink_to("nothing"),
        "a symbolic link to /dev/zero": lambda path: path.symlink_to("/dev/zero"),
        "a symbolic link to /dev/null": lambda path: path.symlink_to("/dev/null"),
    }
    cases = [
        Case(
            f"{kind} in place of {called}",
            partial(_read_special, what=what, make=make),
        )
        for kind, make in kinds.items()
        for what, called in _CALLED.items()
    ]
    for kind, make in kinds.items():
        cases.append(
            Case(
                f"{kind} in place of a file of pairs",
                partial(_simulate_pairs, ending="parquet", make=make),
            )
        )
        cases.append(
            Case(
                f"{kind} in place of a run's manifest",
                partial(runs.with_special, make=make, at="run.json"),
            )
        )
        cases.append(
            Case(
                f"{kind} in place of a run's result file",
                partial(runs.with_special, make=make, at=runs.FIRST_PART),
            )
        )
    return cases


def _read_special(folder: Path, what: str, make: Callable[[Path], None]) -> list[str]:
    arguments = _READERS[what]
    make(folder / next(each for each in arguments if each.startswith("X")))
    return arguments


# Cases with invalid names of runs or invalid output paths.

_BAD_NAMES = (
    *("../x", "a/../../x", "a/b", ".", "..", "", "-x", "x\ny", "x\x1b[31m", "a" * 300),
    *("%41%2f", "ü", "a b", "~", "con ", "x\u202ey", "*", "x\\y", "file://x", "NUL\0"),
)


def _named(folder: Path, name: str) -> list[str]:
    import json

    return _batch(folder, _ONE_PAIR, run=json.dumps(name))


def _places() -> list[Case]:
    def furnish(folder: Path) -> None:
        (folder / "file").write_text("mine", encoding="utf-8")
        os.mkfifo(folder / "pipe")
        # A program that replaces its output file must not replace a device, so devices are
        # reached only through symbolic links.
        for device in ("null", "full"):
            (folder / device).symlink_to(f"/dev/{device}")

    def simulate(folder: Path, place: str) -> list[str]:
        furnish(folder)
        return [*_batch(folder, _ONE_PAIR), f"--to={place}"]

    def report(folder: Path, place: str) -> list[str]:
        furnish(folder)
        runs.played(folder)
        return ["analyze", "runs/x", f"--to={place}"]

    def export(folder: Path, place: str) -> list[str]:
        furnish(folder)
        (folder / "folder").mkdir()
        tables.small_two_sided()
        pairs = ["--rollers=1-5", "--opponents=1-5"]
        # Without the option --format, a path without an extension would be rejected before
        # the path is used.
        return ["tables", "export", place, "--format=csv", "--checkers=3", *pairs]

    # This program may run as root and could damage other files, so all paths are in the
    # folder of the case.
    bad = (
        *("file/x", "null", "null/x", "full", "pipe", "pipe/x", "folder", "."),
        *("a" * 300, "x" * 5000, "foo://x", "s3://", "\0"),
    )
    folders = {"folder", "."}
    odd = ("a b", "%41", "ü", "-x", "a/../b", "~x", "a\nb", "\x1b[31mx", "x'y", "$HOME")
    cases = []
    for name, make in (("run", simulate), ("report", report)):
        cases += [
            Case(
                f"{name} in {place[:20]!r}",
                partial(make, place=place),
                may_leave=name == "run",
            )
            for place in ("file", *bad)
            if place not in folders
        ]
        cases += [
            Case(f"{name} in {place!r}", partial(make, place=place), may_be_taken=True)
            for place in odd
        ]
    cases += [
        Case(f"export to {place[:20]!r}", partial(export, place=place))
        for place in bad
        if "://" not in place
    ]
    cases += [
        Case(f"export to {place!r}", partial(export, place=place), may_be_taken=True)
        for place in odd
        if not place.startswith("-")
    ]
    return cases
