"""Where faults are tried, and what comes of them."""

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
    """Where faults are tried: targets, what they leave undisturbed, room, and chance.

    Parameters
    ----------
    scratch : Path
        An empty folder.
    seed : int
        Of all that is random.
    size : float
        Of the targets; see `targets`.
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
        """Return what a target leaves when nothing disturbs it."""
        return self.references.of(target)

    def folder(self) -> Path:
        """Return the name of a new folder."""
        return self.scratch / f"{next(self._folders):04d}"

    def chance(self, case: str) -> random.Random:
        """Return the random numbers of a case."""
        return random.Random(f"{self.seed} {case}")


class FaultTally(Tally):
    """What came of a fault on a target; its counts are the exit statuses."""

    def record(
        self, code: int, lines: list[str], allowed: dict[int, str | tuple[str, ...]]
    ) -> None:
        """Record how a command ended: with 0, or with one sentence that has a word.

        One of several words that are allowed with a status is enough. Warnings do not
        count.
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
        """See to it that a folder holds what it should."""
        if names := differing(digests(folder), expected):
            self.fail(f"{when} these differ: {names}")


def again(
    bench: Bench, target: Target, folder: Path, found: FaultTally, *more: str
) -> None:
    """Run a target once more, without a fault: it must end as if there had been none."""
    with Session(target, folder, bench.cache, *more) as session:
        code = session.wait()
    if code != 0:
        lines = " / ".join(session.sentences())[-600:]
        found.fail(f"again: exit status {code}: {lines}")
    found.expect(folder, bench.baseline(target).digests, "run again,")


def leftovers(folder: Path) -> list[str]:
    """Return files that were not finished, but for planes, which no manifest names."""
    return [p.name for p in folder.rglob("*") if p.suffix in (".new", ".old")]
