"""Interface to GNU Backgammon: find its programs, and run rollouts on its command line.

It prints the results of a rollout only to a terminal, so it gets a pseudo-terminal. Each
measurement is a process of its own, because caches and settings persist between rollouts.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import bearoff
from oracles.timing import seconds_of_children

TO_INSTALL = "On Debian or Ubuntu: apt install gnubg, or --install-gnubg"

SPREAD_OF = 20
"""Minimum number of rollouts whose spread is used to estimate the standard error."""


def find(program: str) -> str | None:
    """Return the path of one of GNU Backgammon's programs, if it is installed."""
    return shutil.which(program) or shutil.which(program, path="/usr/games")


def require() -> None:
    """Exit this program unless GNU Backgammon is installed."""
    if find("gnubg") is None:
        raise SystemExit(f"GNU Backgammon is not installed. {TO_INSTALL}")


def install() -> None:
    """Install Debian's package of GNU Backgammon, which requires root privileges."""
    subprocess.run(["apt-get", "install", "--yes", "--quiet", "gnubg"], check=True)


def version() -> str:
    """Return the version of GNU Backgammon, such as ``1.07.001``."""
    done = subprocess.run(
        [str(find("gnubg")), "--version"], check=True, capture_output=True, text=True
    )
    found = re.search(r"\d+\.\d+[.\d]*", done.stdout)
    return found.group() if found else "unknown"


def save_match(path: Path, commands: str) -> None:
    """Run commands in GNU Backgammon, one per line, and save its match to a file."""
    subprocess.run(
        [str(find("gnubg")), "-t", "-q", "-r"],
        input=f'{commands}save match "{path}"\nexit\ny\n',
        text=True,
        capture_output=True,
        check=True,
    )


@dataclass(frozen=True)
class Settings:
    """Settings of GNU Backgammon's rollouts.

    Attributes
    ----------
    variance_reduction : bool
        Whether to use GNU Backgammon's variance reduction.
    cubeful : bool
        Whether to estimate cubeful equities as well.
    cube : {"centred", "opponent"}
        Whether the cube is centred or owned by the opponent.
    threads : int
        Number of threads.
    """

    variance_reduction: bool
    cubeful: bool
    cube: Literal["centred", "opponent"] = "centred"
    threads: int = 1


@dataclass(frozen=True)
class Printed:
    """Results that GNU Backgammon prints for one rollout.

    Attributes
    ----------
    games : int
        Number of games.
    win_probability, win_error, equity, equity_error : float
        The roller's win probability and cubeful equity, with their stated errors.
    gammon, backgammon : float
        Chances that the roller wins a gammon or backgammon, and that the roller wins a
        backgammon.
    """

    games: int
    win_probability: float
    win_error: float
    equity: float
    equity_error: float
    gammon: float
    backgammon: float


@dataclass(frozen=True)
class Rollouts:
    """Results of several rollouts by one GNU Backgammon process, each with its own seed.

    Attributes
    ----------
    printed : list of Printed
        Printed results of the rollouts, all with the same number of games.
    seconds, cpu_seconds : float
        Wall time without the start of the program, and CPU time including the start.
    """

    printed: list[Printed]
    seconds: float
    cpu_seconds: float

    @property
    def games(self) -> int:
        """Total number of games in all rollouts."""
        return sum(one.games for one in self.printed)

    def estimate(self, cubeful: bool) -> tuple[float, float]:
        """Return the mean of an estimate over all rollouts, and its standard error.

        Dice are rotated, so that each rollout has every roll equally often at every turn.
        The stated error ignores this and is too large without variance reduction; the
        spread of many rollouts is not. The smaller of the two is used.
        """
        if cubeful:
            values = [one.equity for one in self.printed]
            stated = [one.equity_error for one in self.printed]
        else:
            values = [one.win_probability for one in self.printed]
            stated = [one.win_error for one in self.printed]
        return combine(values, stated)


def combine(values: list[float], stated: list[float]) -> tuple[float, float]:
    """Return the mean result of several rollouts of equal length, and its standard error.

    Examples
    --------
    >>> combine([0.5, 0.7], [0.03, 0.04])
    (0.6, 0.025)
    """
    count = len(values)
    mean = sum(values) / count
    error = sum(one * one for one in stated) ** 0.5 / count
    if count >= SPREAD_OF:
        squares = sum((value - mean) ** 2 for value in values)
        error = min(error, (squares / (count - 1) / count) ** 0.5)
    return mean, error


def commands(
    race: bearoff.Race, settings: Settings, games: int, rollouts: int
) -> list[str]:
    """Return GNU Backgammon's commands for rollouts of a race, one per line."""

    def switch(on: bool) -> str:
        return "on" if on else "off"

    lines = [
        "set confirm new off",
        "set automatic roll off",
        "set automatic game off",
        "set automatic bearoff off",
        "set player 0 human",
        "set player 1 human",
        "set jacoby off",
        "set beavers 0",
        "set output digits 6",
        f"set threads {settings.threads}",
        "new session",
        "set turn 1",
        f"set board {race.position_id}",
        "set rollout limit enable off",
        "set rollout jsd stop off",
        "set rollout quasirandom on",
        # With one-sided bear-off truncation, GNU Backgammon ends a cubeless game by a table
        # look-up as soon as all checkers are home.
        "set rollout bearofftruncation onesided off",
        "set rollout cubedecision plies 0",
        f"set rollout cubeful {switch(settings.cubeful)}",
        f"set rollout varredn {switch(settings.variance_reduction)}",
        f"set rollout trials {games}",
    ]
    if settings.cube == "opponent":
        lines += ["set cube value 2", "set cube owner 0"]
    for seed in range(1, rollouts + 1):
        lines += [f"set rollout seed {seed}", "rollout"]
    return lines


_DONE = "Rollout done."
_STARTED = "Current Position:"
_RESULT = re.compile(
    rf"{re.escape(_DONE)}.*?{_STARTED}\s+(?P<values>[^\[]+)\[(?P<errors>[^\]]+)\]"
    r".*?(?P<games>\d+) games",
    re.DOTALL,
)


def parse(text: str) -> list[Printed]:
    """Parse the final results of all rollouts in GNU Backgammon's output.

    A result is six probabilities, the cubeless equity after ``CL`` and, with a cube, the
    cubeful one after ``CF``; the error of each is in brackets.
    """
    found = []
    for match in _RESULT.finditer(text):
        values, errors = (
            [float(number) for number in re.findall(r"[-+]?\d+\.\d+", match[name])]
            for name in ("values", "errors")
        )
        cubeful = len(values) > _CUBEFUL
        found.append(
            Printed(
                games=int(match["games"]),
                win_probability=values[0],
                # The error of the win probability is half that of the cubeless equity,
                # which is printed with one more digit.
                win_error=errors[_CUBELESS] / 2,
                equity=values[_CUBEFUL] if cubeful else float("nan"),
                equity_error=errors[_CUBEFUL] if cubeful else float("nan"),
                gammon=values[1],
                backgammon=values[2],
            )
        )
    return found


_CUBELESS, _CUBEFUL = 6, 7


def roll_out(
    race: bearoff.Race, settings: Settings, games: int, rollouts: int = 1
) -> Rollouts:
    """Roll a race out with GNU Backgammon.

    Raises
    ------
    RuntimeError
        If it is not installed, or did not print the expected number of results.
    """
    program = find("gnubg")
    if program is None:
        raise RuntimeError(f"GNU Backgammon is not installed. {TO_INSTALL}")
    before = seconds_of_children()
    with tempfile.TemporaryDirectory() as home:
        lines = commands(race, settings, games, rollouts)
        text, seconds = _run_in_terminal(program, lines, home)
    cpu = seconds_of_children() - before
    printed = parse(text)
    if len(printed) != rollouts or any(one.games != games for one in printed):
        raise RuntimeError(
            f"GNU Backgammon was asked for {rollouts} rollouts of {games} games and "
            f"printed {[one.games for one in printed]}; it ended with {text[-300:]!r}"
        )
    return Rollouts(printed, seconds, cpu)


def match_chance(lines: list[str]) -> tuple[float, float]:
    """Run GNU Backgammon commands for a rollout at a score, with ``set output mwc on``.

    Returns
    -------
    tuple of two float
        The roller's match-winning chance with the cube, and its stated error.

    Raises
    ------
    RuntimeError
        If the program is not installed, or prints no result.
    """
    program = find("gnubg")
    if program is None:
        raise RuntimeError(f"GNU Backgammon is not installed. {TO_INSTALL}")
    with tempfile.TemporaryDirectory() as home:
        text, _ = _run_in_terminal(program, lines, home)
    found = re.search(
        rf"{re.escape(_DONE)}.*?CF +([\d.]+)%.*?CF +([\d.]+)%", text, re.DOTALL
    )
    if found is None:
        raise RuntimeError(
            f"GNU Backgammon printed no chance; it ended with {text[-300:]!r}"
        )
    return float(found[1]) / 100, float(found[2]) / 100


def _run_in_terminal(program: str, lines: list[str], home: str) -> tuple[str, float]:
    """Run a program in a terminal; return its output, and the time between the results."""
    import pty

    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [program, "--tty", "--quiet", "--no-rc"],
            stdin=subprocess.PIPE,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "HOME": home, "LC_ALL": "C"},
            text=True,
        )
        os.close(theirs)
        with process:
            assert process.stdin is not None
            process.stdin.write("\n".join(lines) + "\n")
            process.stdin.close()
            return _read(lambda: os.read(ours, 1 << 16))
    finally:
        os.close(ours)


def _read(more: Callable[[], bytes]) -> tuple[str, float]:
    text, started, ended = "", 0.0, 0.0
    while True:
        try:
            part = more().decode(errors="replace")
        except OSError:  # Linux reports the end of a terminal in this way
            break
        if not part:
            break
        now = time.perf_counter()
        text += part
        if not started and _STARTED in text:
            started = now
        if _DONE in text[-len(part) - len(_DONE) :]:
            ended = now
    return text, ended - started
