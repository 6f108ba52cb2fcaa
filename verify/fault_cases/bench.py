"""Environment in which trials try faults of disks and processes."""

import random
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from verify.common.artifacts import Digests, differing, digests
from verify.common.disks import may_mount
from verify.common.sessions import Baseline, References, Session
from verify.common.tallies import Tally
from verify.common.targets import Target, targets


class Bench:
    """Commands, their normal results, folders and random numbers for trying faults.

    Parameters
    ----------
    scratch : Path
        Empty folder.
    seed : int
        Random seed.
    size : float
        Factor by which the commands' numbers of games are multiplied.
    """

    def __init__(self, scratch: Path, seed: int, size: float = 1.0) -> None:
        self.scratch = scratch
        self.seed = seed
        self.targets: Mapping[str, Target] = targets(size)
        self.cache = scratch / "cache"
        self.no_disk = may_mount(scratch / "disk")
        self.references = References(scratch, self.cache)
        self._folders = count(1)

    def baseline(self, target: Target) -> Baseline:
        """Return the results of a command without faults."""
        return self.references.of(target)

    def folder(self) -> Path:
        """Return the path of a new folder."""
        return self.scratch / f"{next(self._folders):04d}"

    def chance(self, case: str) -> random.Random:
        """Return a random number generator for a case, seeded with the trial's seed."""
        return random.Random(f"{self.seed} {case}")


class FaultTally(Tally):
    """Results of one fault on one command, counted by exit status."""

    def record(
        self, code: int, lines: list[str], allowed: dict[int, str | tuple[str, ...]]
    ) -> None:
        """Record how a command ended; it must succeed or print an expected sentence.

        The sentence must contain one of the words that are allowed for the exit status.
        Warnings are ignored.
        """
        self.add(str(code))
        lines = [line for line in lines if not line.startswith("bearoff: warning: ")]
        if code == 0:
            return
        words = allowed.get(code, ())
        words = (words,) if isinstance(words, str) else words
        if not words:
            self.fail(f"exit status {code}: {' / '.join(lines)[-600:]}")
        elif words != ("",) and (len(lines) != 1 or not any(w in lines[0] for w in words)):
            self.fail(f"printed: {' / '.join(lines)[-600:]}")
        elif lines:
            self.notes[lines[0]] += 1

    def expect(self, folder: Path, expected: Digests, when: str) -> None:
        """Check that the results in a folder are exactly the expected files."""
        if names := differing(digests(folder), expected):
            self.fail(f"{when} these differ: {names}")


def again(
    bench: Bench, target: Target, folder: Path, found: FaultTally, *more: str
) -> None:
    """Run a command again without a fault, and check that its results are correct."""
    with Session(target, folder, bench.cache, *more) as session:
        code = session.wait()
    if code != 0:
        lines = " / ".join(session.sentences())[-600:]
        found.fail(f"again: exit status {code}: {lines}")
    found.expect(folder, bench.baseline(target).digests, "run again,")


def leftovers(folder: Path) -> list[str]:
    """Return the names of unfinished files that were left in a folder."""
    return [p.name for p in folder.rglob("*") if p.suffix in (".new", ".old")]
