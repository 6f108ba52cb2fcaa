"""Full and read-only disks, races for a folder, a wrong clock, no memory, signals, pipes.

    python -m tests.reliability.faults --seed 1

Every fault is put upon a command that works in a folder of its own. It may get to its end
all the same; otherwise it must end with the documented exit status and one sentence, and
leave nothing half-written. Then the fault is taken away, the same command is run again,
and every file must hold what the undisturbed run left. Small disks are mounted in memory,
which takes root; without it those faults are left out, and the page says so.
"""

import random
import re
import signal
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

from analysis.tables import markdown_table
from tests.reliability.disks import may_mount
from tests.reliability.fault_cases import CASES, Case, Found
from tests.reliability.report import finish, trial_parser
from tests.reliability.sessions import Peace, prepare_cache, undisturbed
from tests.reliability.targets import Target, targets

# Where a machine keeps what is temporary is its own affair.
_PLACE = re.compile(r"/\S*/faults-\w+(?=/)")


class Bench:
    """Where faults are tried: targets, what they leave in peace, room, and chance.

    Parameters
    ----------
    scratch : Path
        An empty folder.
    seed : int
        Of all that is random.
    """

    def __init__(self, scratch: Path, seed: int) -> None:
        self.scratch = scratch
        self.seed = seed
        self.targets: Mapping[str, Target] = targets()
        self.cache = scratch / "cache"
        self.no_disk = may_mount(scratch / "disk")
        self._peace: dict[str, Peace] = {}
        self._folders = count(1)
        self._lock = threading.Lock()

    def peace(self, target: Target) -> Peace:
        """Return what a target leaves when nothing disturbs it."""
        with self._lock:
            if target.name not in self._peace:
                folder = self.scratch / f"peace-{target.name}"
                found = undisturbed(target, folder, self.cache)
                if found.wrong:
                    raise RuntimeError(f"{target.name}, undisturbed: {found.wrong}")
                self._peace[target.name] = found
            return self._peace[target.name]

    def folder(self) -> Path:
        """Return the name of a new folder."""
        return self.scratch / f"{next(self._folders):04d}"

    def chance(self, case: str) -> random.Random:
        """Return the random numbers of a case."""
        return random.Random(f"{self.seed} {case}")


def try_all(bench: Bench, cases: Iterable[Case], times: int, jobs: int = 1) -> list[Found]:
    """Try every case on all its targets, so many times each; several at a time."""

    def attempts(case: Case, name: str) -> Found:
        found = Found(case.name, name)
        if case.needs_disk and bench.no_disk:
            found.skipped = bench.no_disk
            return found
        chance = bench.chance(f"{case.name} {name}")
        target = bench.targets.get(name, name)
        try:
            for _ in range(times * case.times):
                case.attempt(bench, target, chance, found)
        except Exception as error:
            found.wrong.append(f"{type(error).__name__}: {error}")
        print(f"{found.case}, {found.target}: {found.told()}", file=sys.stderr)
        return found

    tried = [(case, name) for case in cases for name in case.targets]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(attempts, *zip(*tried, strict=True)))


def page(found: list[Found], seed: int) -> str:
    """Return what was found, as Markdown."""
    wrong = [
        f"- {each.case}, {each.target}: {text}" for each in found for text in each.wrong
    ]
    rows = [
        [
            each.case,
            each.target,
            str(each.tried),
            " ".join(f"{code}×{n}" for code, n in sorted(each.codes.items())),
            _PLACE.sub("...", each.sentence).replace("|", "\\|") or each.skipped,
        ]
        for each in found
    ]
    head = ["fault", "target", "times", "exit status", "a sentence that was said"]
    return "\n\n".join(
        [
            f"{sum(each.tried for each in found)} faults, seed {seed}.",
            "\n".join(wrong) or "Nothing was wrong.",
            markdown_table(head, rows),
        ]
    )


def main() -> int:
    # Whoever ends it early wants no disks left mounted.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    parser = trial_parser(__doc__, "faults")
    parser.add_argument("--times", type=int, default=1, help="as many of every fault")
    parser.add_argument("--only", nargs="*", choices=[c.name for c in CASES])
    parser.add_argument("--jobs", type=int, default=2, help="faults at a time")
    options = parser.parse_args()
    chosen = [c for c in CASES if not options.only or c.name in options.only]
    with tempfile.TemporaryDirectory(prefix="faults-") as scratch:
        bench = Bench(Path(scratch), options.seed)
        prepare_cache(bench.cache)
        found = try_all(bench, chosen, options.times, options.jobs)
    finish("Faults", page(found, options.seed), options.write)
    return 1 if any(each.wrong for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())
