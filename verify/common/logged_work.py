"""Logging of a run's blocks of games, so that games played twice can be counted.

Every worker imports this module, so it imports little.
"""

import os
from pathlib import Path
from typing import Any

from verify.common.processes import limit_memory


class LoggedWork:
    """Work of a run (`sim.runs.work.Work`) that logs when blocks of games start and end."""

    def __init__(self, work: Any, log: Path | None, room: int | None) -> None:
        self._work = work
        self._log = log
        self._room = room

    def __getattr__(self, name: str) -> Any:
        return getattr(self._work, name)

    def task(self, block: Any) -> Any:
        function, arguments, options = self._work.task(block)
        games = int(block.games.sum())
        return _play, (self._log, self._room, games, function, arguments, options), {}


def _play(log, room, games, function, arguments, options):
    append_line(log, f"begun {games}")
    result = function(*arguments, **options)
    append_line(log, f"done {games}")
    if room is not None:
        limit_memory(room)
    return result


def append_line(log: Path | None, line: str) -> None:
    """Append a line to a file in one system call, which a kill cannot interrupt."""
    if log is None:
        return
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(file, f"{line}\n".encode())
    finally:
        os.close(file)
