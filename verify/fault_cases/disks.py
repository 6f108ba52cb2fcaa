"""Faults of disks: a full disk, and a read-only disk."""

import random
import re
import shutil
from pathlib import Path
from typing import Any

from verify.common.artifacts import digests
from verify.common.disks import PAGE, small_disk
from verify.common.processes import Child, bearoff
from verify.common.sessions import Session
from verify.common.targets import Target
from verify.fault_cases.bench import Bench, FaultTally, again, leftovers

MEGABYTE = 1 << 20


def full_disk(
    bench: Bench, target: Target, chance: random.Random, found: FaultTally
) -> None:
    """Fill the disk just before a random file change by the command; then run it again."""
    at = chance.randint(1, bench.baseline(target).changes)
    mounted = bench.folder()
    with small_disk(mounted, 256 * MEGABYTE) as disk:
        folder = mounted / "work"
        target.prepare(folder)
        options = ("--within", str(folder), "--at", str(at), "--do", "fill")
        with Session(
            target, folder, bench.cache, *options, "--disk", str(mounted)
        ) as session:
            code = session.wait()
        # A build that finds too little space does not start, and states the space that it
        # needs.
        full = {1: ("No space left on device", "free some")}
        found.record(code, session.sentences(), full)
        if leftovers(folder):
            found.fail(f"left behind: {leftovers(folder)}")
        if code == 0:
            found.expect(folder, bench.baseline(target).digests, "after status 0,")
        disk.empty()
        again(bench, target, folder, found)


def read_only(
    bench: Bench, target: Target, chance: random.Random, found: FaultTally
) -> None:
    """Run a command in an output folder that is read-only; then run it again."""
    mounted = bench.folder()
    with small_disk(mounted, 256 * MEGABYTE) as disk:
        folder = mounted / "work"
        target.prepare(folder)
        before = digests(folder)
        disk.set_read_only(True)
        with Session(target, folder, bench.cache) as session:
            code = session.wait()
        found.record(code, session.sentences(), {1: "Read-only file system"})
        if code == 0:
            found.fail("the command ended without an error")
        found.expect(folder, before, "on a read-only disk")
        disk.set_read_only(False)
        again(bench, target, folder, found)


COMMANDS: dict[str, tuple[str, ...]] = {
    "analyze": ("analyze", "{run}", "--to", "{folder}"),
    "chart": ("chart", "{run}", "--to", "{folder}/chart.png"),
    "print n-rolls": ("print", "n-rolls", "--to", "{folder}"),
    "tables export": (
        *("tables", "export", "{folder}/pairs.parquet", "--checkers", "4"),
        *("--rollers", "1-200"),
    ),
}
"""Commands that write results; ``{run}`` stands for a finished batch."""


def full_disk_report(
    bench: Bench, name: str, chance: random.Random, found: FaultTally
) -> None:
    """Run a command on a disk that is too small for its files; then rerun it with space."""
    reference = bench.scratch / f"baseline-{name.replace(' ', '-')}"
    if not reference.exists():
        reference.mkdir()
        code, lines = _command(bench, name, reference)
        if code != 0:
            found.fail(f"without a fault: exit status {code}: {' / '.join(lines)}")
            return
    expected = digests(reference)
    need = sum(-(-p.stat().st_size // PAGE) * PAGE for p in reference.iterdir())
    for share in (0.0, chance.random(), chance.random()):
        mounted = bench.folder()
        with small_disk(mounted, 64 * MEGABYTE) as disk:
            disk.fill(int(need * share))
            folder = mounted / "work"
            folder.mkdir()
            code, lines = _command(bench, name, folder)
            found.record(code, lines, {1: "No space left on device"})
            there = {p.name: d for p in folder.iterdir() for d in [digests(folder)[p.name]]}
            if not there.items() <= expected.items():
                found.fail(f"half-written: {sorted(there)}")
            disk.empty()
            code, lines = _command(bench, name, folder)
            if code != 0:
                found.fail(f"again: exit status {code}: {' / '.join(lines)}")
            found.expect(folder, expected, "run again,")


def _command(bench: Bench, name: str, folder: Path) -> tuple[int, list[str]]:
    bench.baseline(bench.targets["races"])
    run = bench.scratch / "baseline-races" / "second" / "batch"
    words = (part.format(run=run, folder=folder) for part in COMMANDS[name])
    done = bearoff(*words, env={"BEAROFF_CACHE": str(bench.cache)})
    lines = done.err.splitlines()
    return done.code or 0, [line for line in lines if not _ANNOUNCED.match(line)]


_ANNOUNCED = re.compile(r"bearoff: ([\d,]+ rows: about |writing: |.*; Ctrl-C stops it$)")
"""Regular expression for notices that commands may print before an error message."""


def read_only_cache(
    bench: Bench, target: Any, chance: random.Random, found: FaultTally
) -> None:
    """Ask questions with a read-only cache; the answers must not change."""
    mounted = bench.folder()
    with small_disk(mounted, 64 * MEGABYTE) as disk:
        cache = mounted / "cache"
        _epc(bench.cache, "6", "15")
        shutil.copytree(bench.cache / "one-sided-06x15", cache / "one-sided-06x15")
        disk.set_read_only(True)
        for size, warnings in ((("6", "15"), 0), (("5", "7"), 1)):
            answers = [_epc(place, *size) for place in (bench.cache, cache)]
            found.add(str(answers[1].code))
            lines = [x for x in answers[1].err.splitlines() if "warning" in x]
            same = answers[0].out == answers[1].out
            if not same or answers[1].code or len(lines) != warnings:
                found.fail(f"{size}: {answers[1].out} {answers[1].err}")
            found.notes.update(lines[:1])


def _epc(cache: Path, points: str, checkers: str) -> Child:
    question = ("epc", "11", "--points", points, "--checkers", checkers)
    return bearoff(*question, env={"BEAROFF_CACHE": str(cache)})
