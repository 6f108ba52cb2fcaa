"""Simulated machines for trials: network namespaces joined by a bridge, or local processes.

Each machine has an address and a home folder with its own caches, and can be disconnected
from the network. The caller's network namespace is not changed.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from verify import ROOT
from verify.common.processes import Child, checked, run

PACKAGES = ("bearoff", "game", "sim", "analysis", "app")


def copy_of_the_code(to: Path) -> Path:
    """Copy the packages to a folder, so that edits during a trial do not affect them."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, to / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    return to


@dataclass
class Machine:
    """Simulated computer, on which processes can be started and killed.

    Attributes
    ----------
    name, address : str
        Name of the machine, and its IP address.
    home : Path
        Working directory of the processes, which contains their caches.
    code : Path
        Copy of the packages that the processes import.
    namespace : str or None
        Network namespace of the machine; None if it shares the caller's namespace.
    compiled : str, optional
        Folder of compiled code, by default a separate folder for each machine. If empty, it
        is the folder of the sources.
    """

    name: str
    address: str
    home: Path
    code: Path
    namespace: str | None
    compiled: str | None = None
    processes: list[Child] = field(default_factory=list)

    def start(self, *arguments: str, output: str = "log") -> Child:
        """Start Python with given arguments, and append its output to a file."""
        self.home.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, *arguments]
        if self.namespace is not None:
            command = ["ip", "netns", "exec", self.namespace, *command]
        said, env = self.home / output, self._environment()
        self.processes.append(
            Child(command, cwd=self.home, env=env, stdout=said, stderr=said)
        )
        return self.processes[-1]

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal (default SIGKILL) to this machine's processes and children."""
        for process in self.processes:
            if process.code is None:
                process.signal(number)
        if number == signal.SIGKILL:
            for process in self.processes:
                process.end()

    def _environment(self) -> dict[str, str]:
        keep = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
        return keep | {
            "HOME": str(self.home),
            "PYTHONPATH": str(self.code),
            "BEAROFF_CACHE": str(self.home / "tables"),
            "NUMBA_CACHE_DIR": (
                str(self.home / "compiled") if self.compiled is None else self.compiled
            ),
            "MPLCONFIGDIR": str(self.home / "matplotlib"),
            "DASK_TEMPORARY_DIRECTORY": str(self.home / "scratch"),
            # A machine that does not respond counts as lost after 12 seconds instead of
            # dask's default of 30.
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s",
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "15s",
        }


class Network:
    """Simulated machines that can reach only each other; `network` creates them."""

    def __init__(
        self, folder: Path, code: Path, separate: bool, compiled: str | None
    ) -> None:
        self.separate = separate
        self._compiled = compiled
        self.machines: dict[str, Machine] = {}
        self._folder = folder
        self._code = code
        self._switch = f"bo{os.getpid()}-switch"
        self._ports: dict[str, str] = {}
        if separate:
            _ip("netns", "add", self._switch)
            _ip("-n", self._switch, "link", "add", "bridge", "type", "bridge")
            _ip("-n", self._switch, "link", "set", "bridge", "up")

    def machine(self, name: str, code: Path | None = None) -> Machine:
        """Add a machine to the network, optionally with a copy of the code."""
        number = len(self.machines) + 1
        namespace = None
        address = "127.0.0.1"
        if self.separate:
            namespace = f"bo{os.getpid()}-{number}"
            address = f"10.77.0.{number}"
            self._join(namespace, address, f"port{number}")
            self._ports[name] = f"port{number}"
        home = self._folder / name
        added = Machine(name, address, home, code or self._code, namespace, self._compiled)
        self.machines[name] = added
        return added

    def cut_off(self, name: str) -> None:
        """Disconnect a running machine from the network, or freeze its processes."""
        if self.separate:
            _ip("-n", self._switch, "link", "set", self._ports[name], "down")
        else:
            self.machines[name].kill(signal.SIGSTOP)

    def traffic(self, name: str) -> tuple[int, int] | None:
        """Return the numbers of bytes that a machine has received and sent, or None."""
        namespace = self.machines[name].namespace
        if namespace is None:
            return None
        output = _ip("-n", namespace, "-json", "-statistics", "link", "show", "eth0")
        counted = json.loads(output)[0]["stats64"]
        return int(counted["rx"]["bytes"]), int(counted["tx"]["bytes"])

    def close(self) -> None:
        """End all processes on the machines, and remove all network namespaces."""
        for machine in self.machines.values():
            machine.kill()
        names = [machine.namespace for machine in self.machines.values()]
        for namespace in (*names, self._switch if self.separate else None):
            if namespace is not None:
                run(["ip", "netns", "delete", namespace])

    def _join(self, namespace: str, address: str, port: str) -> None:
        _ip("netns", "add", namespace)
        _ip(
            *("-n", namespace, "link", "add", "eth0", "type", "veth"),
            *("peer", "name", port, "netns", self._switch),
        )
        _ip("-n", self._switch, "link", "set", port, "master", "bridge", "up")
        _ip("-n", namespace, "address", "add", f"{address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            _ip("-n", namespace, "link", "set", device, "up")


@contextmanager
def network(
    folder: Path, code: Path, separate: bool, compiled: str | None = None
) -> Iterator[Network]:
    """Run a network of machines, with home folders in `folder`, during the with block.

    If `compiled` is given, all machines use this folder for compiled code.
    """
    made = Network(folder, code, separate, compiled)
    try:
        yield made
    finally:
        made.close()


def namespaces_can_be_had() -> bool:
    """Return whether this process may create network namespaces and bridges."""
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    probe = f"bo{os.getpid()}-probe"
    commands: Sequence[Sequence[str]] = (
        ("ip", "netns", "add", probe),
        ("ip", "-n", probe, "link", "add", "bridge", "type", "bridge"),
        ("ip", "netns", "delete", probe),
    )
    codes = [run(command).code for command in commands]
    return not any(codes)


def _ip(*arguments: str) -> str:
    return checked(run(["ip", *arguments]))
