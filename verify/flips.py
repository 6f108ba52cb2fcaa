"""Trial: stored files of every kind are damaged at random places.

    python -m verify flips --flips 2000 --seed 1 --write

The damage is a flipped bit, a missing end, overwritten bytes or a sector of zeros. All
functions that read the file are then called again, in a process with little free memory.
Runs with several seeds add up on one page. The outcomes of damage are:

- *detected*: one sentence reports the damage, or the program rebuilds the file or replays
  the games, and every answer is the same to the last bit as without damage;
- *harmless*: every answer is the same to the last bit, and the reason is known;
- *another text*: the file is of a kind that people write, without a checksum, and its new
  content was read correctly;
- WRONG: another answer without an error, a traceback, a process that dies or hangs, or more
  memory than undamaged files need.
"""

import argparse
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from verify.common.processes import Apart, Died
from verify.common.tallies import (
    WRONG,
    Found,
    Run,
    Tally,
    add,
    body,
    failures,
    notes,
    table,
    table_of,
    together,
    warn,
)
from verify.common.trial import BadOptionError, Trial, Verdict, option
from verify.damage.assessment import DETECTED, HARMLESS, TEXT, assessor
from verify.damage.damage import Damage, draw
from verify.damage.files import Kind
from verify.damage.run_files import kinds


def plan(scratch: Path, flips: int, seed: int, chosen: list[Kind]) -> list[Damage]:
    """Create undamaged files of the chosen kinds, and draw random damage to them."""
    files = []
    for k, kind in enumerate(kinds()):
        if kind.name not in {each.name for each in chosen}:
            continue
        folder = scratch / f"good-{k}"
        folder.mkdir()
        kind.make(folder)
        files.extend([(kind.name, folder, kind.files(folder))] * kind.share)
    # 7919 and the length of the list have no common factor, so every entry of the list is
    # chosen.
    return [
        draw(number, *files[number * 7919 % len(files)], seed) for number in range(flips)
    ]


def run(flips: int, seed: int, processes: int, kind: str = "") -> Found:
    """Damage files a given number of times, and count the outcomes by kind of file."""
    chosen = [each for each in kinds() if kind in each.name]
    found = {each.name: Tally() for each in chosen}
    with tempfile.TemporaryDirectory(prefix="bearoff-flips-") as name:
        scratch = Path(name)
        planned = plan(scratch, flips, seed, chosen)

        def work(number: int) -> None:
            with Apart(assessor, scratch, scratch / f"work-{number}") as reader:
                for damage in planned[number::processes]:
                    tell(found[damage.kind], damage, *_assessed(reader, damage))

        with ThreadPoolExecutor(processes) as pool:
            list(pool.map(work, range(processes)))
    return found


def _assessed(reader: Apart, damage: Damage) -> tuple[str, str]:
    try:
        verdict, why = reader.ask(damage)
    except Died as died:
        return WRONG, str(died)
    return verdict, why


def tell(tally: Tally, damage: Damage, verdict: str, why: str) -> None:
    """Count the outcome of one case of damage; print an error if the outcome is wrong."""
    tally.add(verdict, f"{why} ({damage})")
    if verdict == HARMLESS:
        tally.notes[why] += 1
    if verdict == WRONG:
        warn(damage.kind, tally.wrong[-1])


def page(runs: list[Run]) -> str:
    found = together(runs)
    verdicts = {verdict: verdict for verdict in (DETECTED, HARMLESS, TEXT, WRONG)}
    return body(
        found,
        "files were damaged",
        ". The damage was a flipped bit (60%), a missing end (13%), up to 64 overwritten "
        "bytes (15%) or a sector of zeros (12%). *Detected* damage was reported by the "
        "program. *Harmless* damage changed no result. *Another text* is damage that "
        "turned a YAML file into a correct YAML file with another meaning. *WRONG* "
        "counts wrong results that were not reported.",
        table("file", found, verdicts, total="in all"),
        "Harmless damage and its reasons:",
        notes("file", "reason", "times", found),
        table_of(runs, "damages"),
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    if not any(options.kind in kind.name for kind in kinds()):
        raise BadOptionError(f"no kind of file has {options.kind!r} in its name")
    found = run(options.flips, options.seed, options.processes, options.kind)
    runs = add("flips", options.write, options.seed, found)
    tried = sum(tally.tried for tally in found.values())
    return Verdict(page(runs), failures(found) > 0 or tried != options.flips)


TRIAL = Trial(
    "Damage to files at random places",
    carry_out,
    (
        option("--flips", type=int, default=2000, help="how often"),
        option("--processes", type=int, default=2, help="that read"),
        option("--kind", default="", help="only kinds of files whose name contains this"),
    ),
)
