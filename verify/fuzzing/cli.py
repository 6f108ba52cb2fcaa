"""Fuzzing of command lines, which are run on small tables, files and runs.

Only fast commands are mutated. For slow ones (builds of tables, studies, pages for
printing), tests/app/test_hostile_arguments.py tries malicious values one by one.
"""

import contextlib
import io
import json
import os
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bearoff.app.run import run
from verify import ROOT
from verify.common.processes import bearoff
from verify.common.tallies import WRONG, Tally
from verify.fuzzing.case import Target, check
from verify.fuzzing.mutate import ODD, mutated, words
from verify.fuzzing.positions import make_id, make_position, make_xgid
from verify.fuzzing.yaml import scratch

Arguments = tuple[str, ...]

NUMBERS = (
    *words("6 3 1 0 -1 +6 06 6.0 6e0 1e999 nan -inf 0x6 1_0 true none 6;7 1/2 --help -h"),
    *words("٦ ６ ² Ⅵ −6"),
    *("9" * 30, "9" * 5000, "-" + "9" * 40, " 6", "6 ", "", "6\n", "\0", "\udcff"),
)
WORDS = (
    *words("pips epc count owned centred opponent keith zare all test Keith kieth İ"),
    *words("-- - = ..."),
    *("k" * 100, "", " ", "\x1b[31m", "\u202e"),
)
FILES = (
    *words("c.yaml bad.yaml formulas.yaml pairs.csv run checkers-3.parquet none . ~ - %00"),
    *words("con file://none foo://bar run/manifest.json c.yaml/x"),
    *("", "\udcff.yaml", "\0", "a\nb.yaml", "\x1b]0;x\x07", "n" * 300, "a" * 5000),
)
_HELP = {"-h", "--help", "--version"}
QUICK = ("--games", "1", "--error", "1", "--quiet")

FORMS = tuple(
    line.split()
    for line in """
epc P
epc P P --json
epc P --points N --checkers N
play P R
play P R --json
winprob P P
winprob X --json
winprob P P --run F
cube P P
cube X --cube W
cube [1,1] [1,2] --json
rollout P P --error N --seed N
rollout P P --games N --workers N
rollout 1,1 [2] --first-rolls N
simulate F --quiet
simulate c.yaml --workers N --quiet --json
simulate c.yaml --to F --quiet
analyze F --efficiency N
chart F --by W
chart run --by W --efficiency N --to none/x.png
schema W
tables list --json
tables build --points N --checkers 1
tables build --two-sided --checkers N --points W
tables verify --points N
tables clear --points 11 --checkers N
tables export out.parquet --checkers 3 --rollers N --opponents 1-2
tables export out.parquet --checkers 3 --pairs F
tables export F --checkers N
formulas list --file F --json
formulas explain W P P
formulas explain W X --points N --json
formulas explain keith P P --file F
formulas score W --population F --quiet
formulas score --population F --part W --against W --quiet
populations list --from F
populations build W --size N --to F --quiet
populations build near --size 3 --low N --high N --checkers 3
print chart --population F --by W --wastage N
print cheat-sheet W --example P --to none
print gold-standard --population none --formula W
W P
--version W
--help
""".strip().splitlines()
)
"""Templates of commands. The letters P, X, R, N, W and F stand for a position, a race, a
roll, a number, a word and a file."""


def make_arguments(chance: random.Random) -> Arguments:
    """Create a command line with some unusual words."""
    while True:
        given = [_word(chance, slot) for slot in chance.choice(FORMS)]
        for _ in range(chance.choice((0, 0, 1, 2))):
            _spoil(chance, given)
        if given[:1] == ["rollout"]:
            given += QUICK
        if not any(_leaves_home(word) for word in given):
            return tuple(given)


def _leaves_home(word: str) -> bool:
    """Return whether an argument could be a path or URI outside the fuzzer's folder."""
    inside = word in FILES and not word.startswith(("/", "~"))
    return not inside and (word.startswith("/") or ".." in word or "://" in word)


def _word(chance: random.Random, slot: str) -> str:
    if slot == "P":
        if chance.random() < 0.3:
            return chance.choice(("1,1,1,0,0,0", "[1,2]", "8", "2,0,1,0,0,0"))
        return make_position(chance)[0]
    if slot == "X":
        return (make_id if chance.random() < 0.5 else make_xgid)(chance)[0]
    if slot == "R":
        return chance.choice(("61", "6-4", "33", "3 3", "7-1", "0-0", "٦-١", "²²", "", "6"))
    choices = {"N": NUMBERS, "W": WORDS, "F": FILES}.get(slot)
    return slot if choices is None else chance.choice(choices)


def _asks_for_help(word: str) -> bool:
    # In a word such as -hx, the letters after -h are further options, so any word that
    # begins with -h asks for help.
    return word in _HELP or word.startswith("-h")


def _spoil(chance: random.Random, words: list[str]) -> None:
    spot = chance.randrange(len(words))
    kind = chance.randrange(6)
    if kind == 0:
        words[spot] = mutated(chance, words[spot])
    elif kind == 1:
        words.insert(spot, chance.choice((*WORDS, *NUMBERS, *ODD)))
    elif kind == 2 and len(words) > 1 and words[0] not in ("tables", "rollout"):
        del words[spot]
    elif kind == 3:
        words.append(words[spot])
    elif kind == 4:
        words[spot] += chance.choice(ODD)
    else:
        words.append(
            chance.choice(("--json", "--quiet", "--jsom", "-x", "--", "-h", "--points="))
        )


@cache
def home() -> Path:
    """Return the fuzzer's folder, which contains files that commands can read."""
    folder = scratch() / "home"
    folder.mkdir()
    race = '{roller: "1,1,1,0,0,0", opponent: 2}'
    config = f"run: run\ngames: 50\npairs: [list: [{race}]]\n"
    (folder / "c.yaml").write_text(config)
    (folder / "bad.yaml").write_text('run: "\\e[31m"\n"\\u202e": 1\npairs: [*x]\n')
    (folder / "formulas.yaml").write_text(
        "formulas:\n- {name: mine, double: {offset: -2}, redouble: {offset: -1}, "
        "take: {offset: 2}}\n"
    )
    (folder / "pairs.csv").write_text('roller,opponent\n1,2\n"1,1,0,0,0,0",2\n')
    with contextlib.chdir(folder), _captured():
        for line in (
            "tables build",
            "tables build --two-sided --checkers 3",
            "simulate c.yaml --to . --quiet",
            "populations build checkers-3 --size 20 --checkers 3 --to . --quiet",
            "rollout 1,1 1,1,1 --games 1 --quiet",
            "rollout [8] [9] --games 1 --quiet",
            "formulas explain keith 1,1,0,0,0,0 [1]",
            "analyze run",
        ):
            if run(line.split()):
                raise RuntimeError(f"bearoff {line} failed")
    return folder


@contextlib.contextmanager
def _captured() -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    out, err = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(raw, encoding="utf-8") for raw in (out, err)]
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        try:
            yield out, err
        finally:
            for stream in streams:
                stream.flush()
    for stream in streams:
        stream.detach()


def accepts_words(arguments: Arguments) -> bool:
    """Run a command, which must accept its arguments or reject them in one sentence."""
    with contextlib.chdir(home()), _captured() as (out, err):
        code = run(arguments)
    printed, errors = out.getvalue().decode(), err.getvalue().decode()
    check(code in (0, 2), f"exit status {code}: {errors[-300:]}")
    # Each progress message overwrites the previous one, so carriage returns separate the
    # messages.
    for line in re.split("[\n\r]", errors):
        check(code == 0 or not line or line.startswith("bearoff: "), f"printed {line!r}")
        check(line.isprintable() and len(line) < 2000, f"printed {line!r}")
    if code == 2:
        check(bool(errors), "refused without a message")
        # With --json, the error message is also printed as JSON on standard output.
        if "--json" in arguments and printed:
            check(set(json.loads(printed)) == {"error"}, f"refused, with {printed[:200]!r}")
        else:
            check(not printed, f"refused, but printed {printed[:200]!r}")
    elif printed and "--json" in arguments and not any(map(_asks_for_help, arguments)):
        json.loads(printed)
    return code == 0


def in_processes(count: int, seed: int) -> Tally:
    """Run random command lines in separate processes; return a tally of the outcomes."""
    chance, tally = random.Random(f"{seed}/processes"), Tally()
    for _ in range(count):
        arguments = make_arguments(chance)
        try:
            given = [os.fsencode(word) for word in arguments]
        except UnicodeEncodeError:
            continue  # The word has surrogates that do not represent bytes.
        if any(b"\0" in word for word in given):
            continue  # A command-line argument cannot contain a null character.
        done = bearoff(*given, cwd=home(), env={"PYTHONPATH": str(ROOT)})
        well = done.code in (0, 2) and "Traceback" not in done.err
        verdict = ("refused" if done.code else "accepted") if well else WRONG
        tally.add(verdict, f"{arguments}: {done.err[-300:]}")
    return tally


TARGETS = (Target("command", "command lines", make_arguments, accepts_words, 0.0002, 10),)
