"""Trial: the installed program gives the same output in unusual environments.

Run as ``python -m verify places [--folders FOLDER ...] [--write]``, with folders on other
file systems, such as a network's. A wheel of the present code is installed for every Python
from 3.11 on that is found (its packages are fetched). In each place, with empty caches, the
same commands must print the same bytes, also with one processor, and so must the batch. If
``strace`` is available, every file that a command opens for writing, makes, renames or
removes must be in its own folders.
"""

import argparse
import hashlib
import os
import re
import resource
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bearoff.analysis.output import markdown_table
from verify import ROOT
from verify.common.processes import checked, run
from verify.common.trial import Trial, Verdict, option

BATCH = "run: places\ngames: 2000\nseed: 1\npairs: [random: {pairs: 200}]\n"

COMMANDS = (
    ("winprob", "8887", "8887"),
    ("epc", "0,2,3,1,1,4,2,0,2"),
    ("race", "1,1,1,1,1,1", "2,1,1,1,1,0", "--json"),
    ("race", "1,2,2,1,1,1", "2,2,1,1,1,1", "--score", "2", "4", "--json"),
    ("race", "0,0,2,3,3,4,2,1", "0,1,2,2,3,4,1,1,1", "--model", "--json"),
    ("formulas", "explain", "keith", "0,2,3,3,4,3", "1,1,3,4,3,3"),
    ("review", str(ROOT / "tests" / "data" / "gnubg_session.mat"), "--model", "--json"),
    ("simulate", "places.yaml", "--quiet", "--to", "runs"),
)
"""Commands of `bearoff` whose output is compared; each is run in its own folder."""

TEXT = """\
The trial installs a wheel of the present code for every Python from 3.11 that the machine
has. In each place, with empty caches, the same commands must print the same bytes and play
the same batch. In addition, every file that a command writes, creates, renames or removes
must be in the user's own folders; `strace` lists these files."""
"""Introduction of the page of results."""

LONGEST = 900.0
"""Seconds after which a command counts as hanging."""

FOUR_GB = 4 << 30

_WRITES = "openat,open,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir"
_CALL = re.compile(r"^\d+ +(\w+)\((.*)\) = (?!-1)")
_PATH = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"')


@dataclass(frozen=True)
class Place:
    """Environment in which commands are run, such as another Python or little memory.

    Attributes
    ----------
    name : str
        Name of the environment on the page of results.
    python : str
        Version of the Python in which the wheel is installed and runs.
    environment : mapping of str to str
        Variables that replace those of this process; ``{}`` stands for the environment's
        folder.
    prepare : callable
        Function that is called in the new process before the command, for example to limit
        memory.
    cache : str
        Folder of tables, relative to the environment's folder.
    boards : bool
        Whether the output with drawings of boards is compared as well.
    within : str
        Parent of the folder in which caches, the library and runs are stored.
    """

    name: str
    python: str
    environment: Mapping[str, str] = field(default_factory=dict)
    prepare: Callable[[], None] = lambda: None
    cache: str = "cache"
    boards: bool = True
    within: str = ""


def places(versions: list[str], folders: list[str]) -> Iterator[Place]:
    """Yield the environments in which commands are run, beginning with the usual one."""
    here, *others = versions
    yield Place("as it is", here)
    for version in others:
        yield Place(f"Python {version}", version)
    yield Place(
        "environment without HOME, with no variable but PATH", here, {"PATH": "{}/bin"}
    )
    yield Place("home folder that cannot be written", here, {"HOME": "/proc/none"})
    yield Place("one processor", here, prepare=_one_processor)
    yield Place(
        "address space of the process limited to 4 GB", here, prepare=_little_memory
    )
    yield Place(
        "ASCII, the locale C", here, {"LC_ALL": "C", "PYTHONUTF8": "0"}, boards=False
    )
    yield Place("cache folder with unusual letters in its name", here, cache="a b'c ä%s $X")
    yield Place("standard input closed", here, prepare=lambda: os.close(0))
    for folder in folders:
        yield Place(f"all files on {file_system(folder)}", here, within=folder)


def file_system(folder: str) -> str:
    """Return the type of a folder's file system, such as ``ext4``."""
    mounts = [line.split()[1:3] for line in Path("/proc/mounts").read_text().splitlines()]
    lies = [one for one in mounts if Path(folder).resolve().is_relative_to(one[0])]
    return max(lies, key=lambda one: len(one[0]))[1]


def _one_processor() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (FOUR_GB, FOUR_GB))


def pythons() -> dict[str, str]:
    """Return the paths of all suitable Python interpreters on this machine, by version."""
    found = {_version(sys.executable): sys.executable}
    for minor in range(11, 20):
        names = [shutil.which(f"python3.{minor}")]
        installed = Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3.{minor}")
        for path in filter(None, [*names, *map(str, installed)]):
            version = _version(path)
            if version and not any(_minor(version) == _minor(one) for one in found):
                found[version] = path
    return found


def _version(python: str) -> str:
    script = "import platform; print(platform.python_version())"
    return run([python, "-c", script]).out.strip()


def _minor(version: str) -> str:
    return version.rpartition(".")[0]


def install(wheel: Path, python: str, folder: Path) -> Path:
    """Install the wheel and its dependencies for a Python; return the path of `bearoff`."""
    checked(run([python, "-m", "venv", str(folder)]))
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    checked(run([*pip, "--disable-pip-version-check", str(wheel)]))
    return folder / "bin" / "bearoff"


def make_wheel(folder: Path) -> Path:
    """Build a wheel of the present code."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    checked(run([*pip, "--wheel-dir", str(folder), str(ROOT)]))
    (wheel,) = folder.glob("*.whl")
    return wheel


def printed_in(place: Place, bearoff: Path, folder: Path) -> dict[str, str]:
    """Run every command in an environment; return its output, or how it failed."""
    (folder / "bin").mkdir(parents=True)  # a folder without git
    work = folder / "work"
    work.mkdir()
    (work / "places.yaml").write_text(BATCH)
    ours = {
        "BEAROFF_CACHE": str(folder / place.cache),
        "BEAROFF_DATA": str(folder / "data"),
        "NUMBA_CACHE_DIR": str(folder / place.cache / "compiled"),
    }
    own = {k: v.replace("{}", str(folder)) for k, v in place.environment.items()}
    environment = {**({} if "PATH" in own else os.environ), **own, **ours}
    printed = {}
    for command in COMMANDS:
        how = {"cwd": work, "env": environment, "prepare": place.prepare}
        try:
            done = run([str(bearoff), *command], LONGEST, **how)
        except TimeoutError:
            printed[" ".join(command)] = "hangs"
            continue
        text = done.out
        if done.code or "Traceback" in done.err:
            text = f"status {done.code}: {done.err[-300:]}"
        printed[" ".join(command)] = text
    printed["the batch"] = played(work / "runs")
    return printed


def different(
    place: Place, printed: Mapping[str, str], expected: Mapping[str, str]
) -> list[str]:
    """Return the commands whose output differs from the expected output."""
    return [
        one
        for one, text in printed.items()
        if text != expected[one]
        and not one.startswith("simulate")  # Its output contains a duration.
        and (place.boards or "--json" in one or one == "the batch")
    ]


def played(runs: Path) -> str:
    """Return a digest of the result files of a batch."""
    digest = hashlib.sha256()
    for part in sorted(runs.rglob("*.parquet")):
        digest.update(part.read_bytes())
    return digest.hexdigest()


def strays(bearoff: Path, folder: Path) -> tuple[int, list[str]]:
    """Run commands under strace; return the count of written files, and misplaced files."""
    work, log = folder / "work", folder / "strace"
    work.mkdir(parents=True)
    (work / "places.yaml").write_text(BATCH)
    home = folder / "home"
    home.mkdir()
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(folder)}
    for name in ("BEAROFF_CACHE", "BEAROFF_DATA", "NUMBA_CACHE_DIR", "MPLCONFIGDIR"):
        environment.pop(name, None)
    written: set[str] = set()
    trace = ["strace", "-f", "-y", "-e", f"trace={_WRITES}", "-o", str(log)]
    for command in COMMANDS:
        checked(run([*trace, str(bearoff), *command], cwd=work, env=environment))
        written |= set(_written(log.read_text(errors="replace"), work))
    own = (str(folder), str(bearoff.parent.parent), "/dev/", "/proc/self/")
    return len(written), sorted(path for path in written if not path.startswith(own))


def _written(log: str, folder: Path) -> Iterator[str]:
    """Return the files that commands wrote, renamed or removed, from a log of strace."""
    for line in log.splitlines():
        if (found := _CALL.match(line)) is None:
            continue
        call, rest = found.groups()
        if call in ("open", "openat"):
            # A file opened with O_TMPFILE has no name, so it does not count as written.
            writes = re.search("O_(WRONLY|RDWR|CREAT|TRUNC)", rest)
            if writes is None or "O_TMPFILE" in rest:
                continue
        for directory, name in _PATH.findall(rest):
            yield os.path.normpath(Path(directory or folder) / name)


def carry_out(options: argparse.Namespace) -> Verdict:
    # Packages on PYTHONPATH would count as installed, so the variable is removed.
    os.environ.pop("PYTHONPATH", None)
    found = pythons()
    rows, wrong = [], []
    with tempfile.TemporaryDirectory(prefix="places-") as name:
        scratch = Path(name)
        wheel = make_wheel(scratch)
        commands: dict[str, Path] = {}
        expected: dict[str, str] = {}
        for number, place in enumerate(places(list(found), options.folders)):
            if number and options.only and options.only not in place.name:
                continue
            if place.python not in commands:
                target = scratch / f"python-{place.python}"
                commands[place.python] = install(wheel, found[place.python], target)
            with tempfile.TemporaryDirectory(dir=place.within or scratch) as folder:
                printed = printed_in(place, commands[place.python], Path(folder) / "place")
            expected = expected or printed
            differ = different(place, printed, expected)
            failed = [one for one in printed if re.match("status|hangs", printed[one])]
            wrong += [
                f"{place.name}: {one}: {printed[one][-300:]}" for one in differ or failed
            ]
            rows.append([place.name, str(len(printed)), str(len(differ)), str(len(failed))])
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
        body = (
            f"{TEXT}\n\n{markdown_table(['place', 'answers', 'different', 'failed'], rows)}"
        )
        if shutil.which("strace"):
            here = next(iter(commands.values()))
            many, outside = strays(here, scratch / "traced")
            body += (
                f"\n\nOf {many:,} written files and folders, {len(outside)} were outside"
            )
            body += " the user's folders for tables, data and temporary files."
            wrong += [f"written outside: {path}" for path in outside]
    if wrong:
        body += "\n\n## Wrong\n\n" + "\n".join(f"- `{one}`" for one in wrong)
    return Verdict(body, bool(wrong))


TRIAL = Trial(
    "Places",
    carry_out,
    (
        option(
            "--only",
            help="try only environments whose names contain this text, and the plain one",
        ),
        option(
            "--folders",
            nargs="+",
            default=[],
            help="folders on other file systems; each is tried as an environment",
        ),
    ),
)
