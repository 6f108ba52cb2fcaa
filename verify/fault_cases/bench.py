"""Where faults are tried, and what comes of them."""

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from verify.common.artifacts import digests
from verify.common.disks import may_mount
from verify.common.sessions import Baseline, References, start
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


@dataclass
class Found:
    """What came of a fault on a target."""

    case: str
    target: str
    tried: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    sentence: str = ""
    wrong: list[str] = field(default_factory=list)
    skipped: str = ""

    def summary(self) -> str:
        codes = dict(self.codes)
        return f"{self.tried} times, {codes}, {self.sentence[:200]} {self.wrong}"

    def record(
        self, code: int, lines: list[str], allowed: dict[int, str | tuple[str, ...]]
    ) -> None:
        """Record how a command ended: with 0, or with one sentence that has a word.

        One of several words that are allowed with a status is enough. Warnings do not
        count.
        """
        self.codes[code] += 1
        lines = [line for line in lines if not line.startswith("bearoff: warning: ")]
        if code == 0:
            return
        words = allowed.get(code, ())
        words = (words,) if isinstance(words, str) else words
        if not words:
            self.wrong.append(f"exit status {code}: {' / '.join(lines)[-600:]}")
        elif words != ("",) and (len(lines) != 1 or not any(w in lines[0] for w in words)):
            self.wrong.append(f"printed: {' / '.join(lines)[-600:]}")
        elif lines:
            self.sentence = lines[0]

    def expect(self, folder: Path, expected: dict[str, str], when: str) -> None:
        """See to it that a folder holds what it should."""
        there = digests(folder)
        names = {n for n in {*there, *expected} if there.get(n) != expected.get(n)}
        if names:
            self.wrong.append(f"{when} these differ: {', '.join(sorted(names))}")


def again(bench: Bench, target: Target, folder: Path, found: Found, *more: str) -> None:
    """Run a target once more, without a fault: it must end as if there had been none."""
    with start(target, folder, bench.cache, *more) as session:
        code = session.wait(300)
    if code != 0:
        lines = " / ".join(session.sentences())[-600:]
        found.wrong.append(f"again: exit status {code}: {lines}")
    found.expect(folder, bench.baseline(target).digests, "run again,")


def leftovers(folder: Path) -> list[str]:
    """Return files that were not finished, but for planes, which no manifest names."""
    return [p.name for p in folder.rglob("*") if p.suffix in (".new", ".old")]
