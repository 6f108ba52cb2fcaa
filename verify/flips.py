"""Damage at random places of every kind of stored file, and what comes of it.

    python -m verify flips --flips 2000 --seed 1 --write

A bit is flipped, an end cut off, some bytes overwritten or a sector zeroed, and then all
that reads the file is asked everything again, in a process with little memory to spare.
Runs of several seeds add up on one page. A damage is

- *detected*: one sentence says so, or the file is made anew or the games replayed with the
  same answers, to the last bit, as without damage;
- *harmless*: every answer is the same to the last bit, and for a reason that is named;
- *another text*: people wrote the file, it has no checksum, and what it says now was read
  (and reads the same when it is written and read again);
- WRONG: another answer without an error, a traceback, a process that died, a hang, or more
  memory than good files take.
"""

import argparse
import json
import queue
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bearoff.analysis.output import markdown_table
from verify.common.record import Run, add, table_of
from verify.common.trial import BadOptionError, Trial, Verdict, option
from verify.damage.child import DETECTED, HARMLESS, TEXT, WRONG
from verify.damage.damage import Damage, draw
from verify.damage.kinds import Kind
from verify.damage.run_kinds import kinds

PATIENCE = 600
"""Seconds that reading damaged files may take before it counts as a hang."""

_STARTING = 600
"""Seconds that a child may take for reading all good files once."""


@dataclass
class Found:
    """What came of the damage.

    Attributes
    ----------
    counts : Counter
        By kind and verdict.
    reasons : Counter
        By kind and reason, of what was harmless.
    wrong : list of str
        What was wrong, with the damage that shows it.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, runs: list[Run]) -> "Found":
        """Return what runs that were kept found together."""
        found = cls()
        for run in runs:
            found.counts.update(_by_pair(run["counts"]))
            found.reasons.update(_by_pair(run["reasons"]))
            found.wrong += run["wrong"]
        return found

    def as_json(self) -> Run:
        """Return what `of` reads."""
        counts, reasons = ([*c.items()] for c in (self.counts, self.reasons))
        return {"counts": counts, "reasons": reasons, "wrong": self.wrong}

    def add(self, damage: Damage, verdict: str, why: str) -> None:
        """Count one."""
        self.counts[damage.kind, verdict] += 1
        if verdict == HARMLESS:
            self.reasons[damage.kind, why] += 1
        if verdict == WRONG:
            self.wrong.append(f"{why} ({damage})")


def _by_pair(kept: list[Any]) -> dict[tuple[str, str], int]:
    return {(name, what): count for (name, what), count in kept}


class Child:
    """A process that reads damaged files; another takes its place if it dies."""

    def __init__(self, scratch: Path, name: str) -> None:
        self._arguments = [str(scratch), str(scratch / f"work-{name}")]
        self._start()

    def assess(self, damage: Damage) -> tuple[str, str]:
        """Return verdict and reason."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(damage.as_json()) + "\n")
        self._process.stdin.flush()
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            self.close()
            self._start()
            return WRONG, f"no answer within {PATIENCE} s"
        if not line:
            code = self._process.wait()
            self.close()
            self._start()
            return WRONG, f"the process died with {code}"
        verdict, why = json.loads(line)
        return verdict, why

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._reader.join()
        with self._process, suppress(BrokenPipeError):
            pass  # Closes its pipes.

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "verify.damage.child", *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._reader = threading.Thread(target=_read, args=(self._process, self._lines))
        self._reader.start()
        if self._lines.get(timeout=_STARTING) != "ready\n":
            raise RuntimeError("good files cannot be read")


def _read(process: "subprocess.Popen[str]", lines: "queue.Queue[str]") -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def plan(scratch: Path, flips: int, seed: int, chosen: list[Kind]) -> list[Damage]:
    """Make good files of every kind, and draw damage to them in proportion."""
    files = []
    for k, kind in enumerate(kinds()):
        if kind.name not in {each.name for each in chosen}:
            continue
        folder = scratch / f"good-{k}"
        folder.mkdir()
        kind.make(folder)
        files.extend([(kind.name, folder, kind.files(folder))] * kind.share)
    # A step that has no factor in common with the shares takes all of them in turn.
    return [
        draw(number, *files[number * 7919 % len(files)], seed) for number in range(flips)
    ]


def run(flips: int, seed: int, processes: int, kind: str = "") -> Found:
    """Do so much damage and count what came of it."""
    chosen = [each for each in kinds() if kind in each.name]
    found, lock = Found(), threading.Lock()
    with tempfile.TemporaryDirectory(prefix="bearoff-flips-") as name:
        scratch = Path(name)
        waiting = plan(scratch, flips, seed, chosen)
        waiting.reverse()

        def work(number: int) -> None:
            child = Child(scratch, str(number))
            while True:
                with lock:
                    if not waiting:
                        break
                    damage = waiting.pop()
                verdict, why = child.assess(damage)
                with lock:
                    found.add(damage, verdict, why)
                    if verdict == WRONG:
                        print(f"WRONG: {found.wrong[-1]}", file=sys.stderr, flush=True)
            child.close()

        threads = [threading.Thread(target=work, args=(n,)) for n in range(processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return found


def page(runs: list[Run]) -> str:
    """Return the Markdown of the page."""
    found = Found.of(runs)
    verdicts = (DETECTED, HARMLESS, TEXT, WRONG)
    names = [kind.name for kind in kinds()]
    rows = [
        [name, *(f"{found.counts[name, verdict]:,}" for verdict in verdicts)]
        for name in names
    ]
    total = [f"{sum(found.counts[n, v] for n in names):,}" for v in verdicts]
    reasons = [
        [name, why, f"{count:,}"] for (name, why), count in sorted(found.reasons.items())
    ]
    counts = [sum(_by_pair(run["counts"]).values()) for run in runs]
    parts = [
        f"{sum(counts):,} times a file was damaged: a bit flipped (60 of 100), an end"
        " cut off (13), up to 64 bytes overwritten (15) or a sector zeroed (12).",
        markdown_table(["file", *verdicts], [*rows, ["in all", *total]]),
        "What was harmless, and why:",
        markdown_table(["file", "reason", "times"], reasons),
    ]
    if found.wrong:
        parts += ["What was wrong:", "\n".join(f"- {each}" for each in found.wrong)]
    wrong = [len(run["wrong"]) for run in runs]
    return "\n\n".join([*parts, "## Runs", table_of(runs, "damages", counts, wrong)])


def carry_out(options: argparse.Namespace) -> Verdict:
    if not any(options.kind in kind.name for kind in kinds()):
        raise BadOptionError(f"no kind of file has {options.kind!r} in its name")
    found = run(options.flips, options.seed, options.processes, options.kind)
    runs = add("flips", options.write, options.seed, found.as_json())
    return Verdict(page(runs), found.wrong or sum(found.counts.values()) != options.flips)


TRIAL = Trial(
    "Damage at random places",
    carry_out,
    (
        option("--flips", type=int, default=2000, help="how often"),
        option("--processes", type=int, default=2, help="that read"),
        option("--kind", default="", help="only files whose kind has this in it"),
    ),
)
