"""Commands in processes of their own, with the time and the memory they take.

Memory is what Linux counts as resident, of the process itself: with threads for workers
that is all of a run.
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
    """What a command took.

    Attributes
    ----------
    seconds : float
        From its start to its end.
    processor_seconds : float
        Of all its threads.
    peak : int
        Bytes of memory at the most.
    out : str
        What it printed.
    memory : list of (float, int)
        Seconds since the start, and bytes of memory then.
    """

    seconds: float
    processor_seconds: float
    peak: int
    out: str
    memory: list[tuple[float, int]] = field(default_factory=list)

    def growth(self, start: float, end: float) -> float:
        """Return the bytes by which memory grew from the second tenth to the last.

        At the median of each tenth between these seconds; 0 if that is too short to look.
        """
        seconds, memory = np.array(self.memory).T
        tenth = (end - start) / 10
        second = memory[(seconds >= start + tenth) & (seconds <= start + 2 * tenth)]
        last = memory[(seconds >= end - tenth) & (seconds <= end)]
        if not len(second) or not len(last):
            return 0.0
        return float(np.median(last) - np.median(second))


def measure(*arguments: str) -> Measured:
    """Run ``python`` with some arguments; a failure raises.

    Raises
    ------
    RuntimeError
        If it ends with another status than 0, with its output.
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
    """Run the command `bearoff`, as its users do."""
    return measure("-m", "bearoff", *arguments)


def _look(
    pid: int, started: float, memory: list[tuple[float, int]], peaks: list[int]
) -> None:
    """Note the memory of a process until it ends, and the most that it ever had."""
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
            return  # It has ended, and nobody has asked how yet.
        memory.append((time.monotonic() - started, found["VmRSS"]))
        peaks.append(found["VmHWM"])
        # A query is over in half a second, a batch in minutes.
        time.sleep(0.02 if len(memory) < 100 else 0.25)
