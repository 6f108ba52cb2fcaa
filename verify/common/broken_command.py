"""The command `bearoff` in a process that fails at a chosen moment.

    python -m verify.common.broken_command [OPTION...] -- simulate config.yaml --to there

The process runs the program's own code. Runs are split into many small blocks and result
files, so that there are more moments for an interruption. All results state the same fixed
commit. Options make the process kill itself just before a certain change of a file or
folder, shift its clock, or run out of memory. The process writes a line to a log for each
of its actions.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any

from verify.common.disks import PAGE, SmallDisk
from verify.common.logged_work import LoggedWork, append_line
from verify.common.processes import limit_memory

_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "reliability.change"}


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--within", type=Path, help="folder in which changes of files are counted"
    )
    parser.add_argument("--log", type=Path, help="file to which the log is written")
    parser.add_argument(
        "--at", type=int, default=0, help="number of the change before which --do is done"
    )
    parser.add_argument(
        "--do",
        choices=sorted(_MUTATIONS),
        default="die",
        help="what is done before the change",
    )
    parser.add_argument(
        "--disk", type=Path, help="folder at which the small disk is mounted"
    )
    parser.add_argument("--block-games", type=int, default=1 << 20)
    parser.add_argument("--part-pairs", type=int, default=4)
    parser.add_argument(
        "--clock", type=float, default=0.0, help="seconds by which to change the clock"
    )
    parser.add_argument(
        "--room", type=int, help="bytes of memory that each worker may still use"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args(argv)
    if options.within is not None:
        mutation = partial(_MUTATIONS[options.do], options)
        _watch(f"{options.within.absolute()}", options.log, options.at, mutation)
    _cut_small(options.block_games, options.part_pairs)
    if options.clock:
        _turn_clock(options.clock)
    command = options.command[1:]
    if command == ["race-model"]:
        from bearoff.race_model import race_model

        race_model()
        return 0
    if command == ["train"]:
        _train()
        return 0
    if command[0] == "populations":
        from bearoff.sim.populations import games

        games.UNIT = 1
    if command[0] == "simulate":
        _log_games(options.log, options.room if not options.at else None)
    from bearoff.app.interruption import Signals
    from bearoff.app.main import main as bearoff

    watch = Signals.watch

    def begin(signals: Signals) -> None:
        watch(signals)
        if options.log is not None:
            append_line(options.log, "begins")

    # The log says "begins" when the program handles signals itself; earlier signals end
    # Python in its usual way.
    Signals.watch = begin  # type: ignore[method-assign,assignment]
    sys.argv[1:] = command
    bearoff()
    return 0  # This line is never reached, because the command ends the process.


def _die(options: argparse.Namespace) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fill(options: argparse.Namespace) -> None:
    """Fill the disk, as another program might do."""
    disk = SmallDisk(options.disk)
    disk.fill(options.at % 4 * PAGE)


def _remove(options: argparse.Namespace) -> None:
    """Remove the folder that the command is using, as another user might do."""
    for path in options.within.iterdir():
        if path.is_dir():
            rmtree(path)


def _starve(options: argparse.Namespace) -> None:
    limit_memory(options.room)


_MUTATIONS = {"die": _die, "fill": _fill, "remove": _remove, "starve": _starve}


def _watch(within: str, log: Path, at: int, mutation: Callable[[], None]) -> None:
    """Count file changes in a folder; call `mutation` just before change number `at`."""
    numbers = count(1)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            if not isinstance(arguments[2], int) or not arguments[2] & (
                os.O_WRONLY | os.O_RDWR
            ):
                return
        elif event not in _CHANGES:
            return
        path = _full_path(event, arguments)
        if path is None or not path.startswith(f"{within}/"):
            return
        if next(numbers) == at:
            append_line(log, f"before {event} {path}")
            mutation()
        append_line(log, "change")

    sys.addaudithook(hook)


def _full_path(event: str, arguments: tuple[Any, ...]) -> str | None:
    if not isinstance(arguments[0], str | bytes | os.PathLike):
        return None
    path = os.fsdecode(arguments[0])
    # Functions that remove a tree of folders pass file names relative to an open folder.
    if event in ("os.remove", "os.rmdir") and arguments[1] >= 0:
        folder = os.readlink(f"/proc/self/fd/{arguments[1]}")  # noqa: PTH115
        return f"{folder}/{path}"
    return path


def _cut_small(block_games: int, part_pairs: int) -> None:
    """Use small blocks and result files, and record a fixed code commit in the results."""
    from bearoff.sim.engine import plan
    from bearoff.sim.storage import provenance

    plan.BLOCK_GAMES = plan.CUBEFUL_BLOCK_GAMES = block_games
    plan.PART_PAIRS = part_pairs
    provenance.commit = lambda: ("0" * 40, False)  # type: ignore[assignment]


def _log_games(log: Path | None, room: int | None) -> None:
    """Log the start and end of each block; report pyarrow's file changes to audit hooks."""
    from pyarrow import fs

    from bearoff.sim.runs import runner
    from bearoff.sim.storage import files

    class Seen(fs.LocalFileSystem):
        def delete_file(self, path: str) -> None:
            sys.audit("reliability.change", path)
            super().delete_file(path)

        def delete_dir(self, path: str) -> None:
            sys.audit("reliability.change", path)
            super().delete_dir(path)

        def create_dir(self, path: str, *, recursive: bool = True) -> None:
            sys.audit("reliability.change", path)
            super().create_dir(path, recursive=recursive)

    open_folder = files.open_folder
    work_of = runner.work_of  # type: ignore[attr-defined]
    files.open_folder = lambda location: (Seen(), open_folder(location)[1])
    runner.work_of = lambda *arguments: (  # type: ignore[attr-defined]
        LoggedWork(work_of(*arguments), log, room)
    )


def _train() -> None:
    """Answer questions of the trainer until 200 answers are stored."""
    from bearoff.app.serve.training.store import Answered, Store, store_path

    store = Store(store_path())
    for n in range(len(store.answers()), 200):
        now, key = datetime.now(UTC), f"take {n % 20}"
        told = now, key, "take", 1.0, "take", "pass", n % 3 == 0, None, 0.1, key
        store.keep(Answered(*told), {"due": now.isoformat(), "step": n}, n // 20)


def _turn_clock(seconds: float) -> None:
    """Shift the time of day that this process sees; leave its monotonic clock unchanged."""
    from bearoff.sim.storage import provenance

    real = time.time

    class Turned(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> datetime:  # type: ignore[override]
            return datetime.fromtimestamp(real() + seconds, tz or UTC)

    time.time = lambda: real() + seconds
    provenance.datetime = Turned  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
