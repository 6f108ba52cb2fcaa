"""Measurement of the duration and memory of commands in separate processes.

Memory is the resident memory of the process itself. If the workers are threads, this is the
whole memory of a run.
"""

import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from verify.common.processes import Child, checked


@dataclass
class Measured:
    """Duration and memory use of a command.

    Attributes
    ----------
    seconds : float
        Wall time in seconds.
    processor_seconds : float
        Processor time of all threads, in seconds.
    peak : int
        Maximum memory in bytes.
    out : str
        Text on standard output.
    memory : list of (float, int)
        Samples of the memory: seconds since the start, and bytes.
    """

    seconds: float
    processor_seconds: float
    peak: int
    out: str
    memory: list[tuple[float, int]] = field(default_factory=list)

    def growth(self, start: float, end: float) -> float:
        """Return by how many bytes the memory use of the command grows during a period.

        The growth is the median memory use in the last tenth of the period minus the median
        in the second tenth. The result is 0 if the period is too short.
        """
        seconds, memory = np.array(self.memory).T
        tenth = (end - start) / 10
        second = memory[(seconds >= start + tenth) & (seconds <= start + 2 * tenth)]
        last = memory[(seconds >= end - tenth) & (seconds <= end)]
        if not len(second) or not len(last):
            return 0.0
        return float(np.median(last) - np.median(second))


def measure(*arguments: str) -> Measured:
    """Run ``python`` with given arguments, and measure it; raise an error if it fails.

    Raises
    ------
    RuntimeError
        If the exit status is not 0; the message contains the output.
    """
    started = time.monotonic()
    with Child([sys.executable, *arguments]) as child:
        memory: list[tuple[float, int]] = []
        peaks: list[int] = [0]
        looking = threading.Thread(target=_look, args=(child.pid, started, memory, peaks))
        looking.start()
        used = child.wait_with_use()
        seconds = time.monotonic() - started
        looking.join()
    processor = used.ru_utime + used.ru_stime
    return Measured(seconds, processor, max(peaks), checked(child), memory)


def bearoff(*arguments: str) -> Measured:
    """Run the command `bearoff` as a user does, and measure its duration and memory."""
    return measure("-m", "bearoff", *arguments)


def _look(
    pid: int, started: float, memory: list[tuple[float, int]], peaks: list[int]
) -> None:
    """Sample the memory use of a process until it ends, and record the maximum."""
    while True:
        try:
            text = Path(f"/proc/{pid}/status").read_text("ascii")
        except OSError:
            return
        found = {
            line.partition(":")[0]: int(line.split()[1]) * 1024
            for line in text.splitlines()
            if line.startswith(("VmRSS", "VmHWM"))
        }
        if not found:
            return  # The process has ended, but its exit status is still unread.
        memory.append((time.monotonic() - started, found["VmRSS"]))
        peaks.append(found["VmHWM"])
        # Memory is measured often at first, because some commands take only half a second.
        time.sleep(0.02 if len(memory) < 100 else 0.25)
