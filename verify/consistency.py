"""Trial: all interfaces of the program agree with each other and an independent solver.

    python -m verify consistency --write

The questions are about races of few checkers, for money and at match scores, with every
state of the cube, dice, plays and cube decisions, in all notations. The command, files, the
server, the tools for assistants and Python must give equal numbers. Their differences from
the true values must be within the stated errors. The true values come from the tests'
solvers in integer arithmetic, which share no code with `bearoff`.
"""

import argparse
import csv
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bearoff import Position, Race, Score, build_two_sided_table, legal_plays
from bearoff.analysis.output import markdown_table
from bearoff.answers import NUMBERS, Judge, read_question
from bearoff.app.mcp.tools import answer as answer_tool
from bearoff.app.race_answers.fields import as_json
from bearoff.scores import Game
from benchmarks.served import Connection, post, running
from verify.common.processes import bearoff, checked
from verify.common.tallies import Tally, complaints
from verify.common.trial import Trial, Verdict, option
from verify.plain_answers import Truth, truth_of

Asked = dict[str, Any]

TABLE = 5
"""Checkers per side of the two-sided table for money, which gives exact answers."""

MATCHES: tuple[tuple[int, tuple[int, int], Game], ...] = (
    (7, (2, 4), "normal"),
    (7, (0, 0), "normal"),
    (5, (3, 0), "normal"),
    (5, (1, 3), "normal"),
    (7, (6, 3), "crawford"),
    (7, (4, 6), "post-crawford"),
    (9, (8, 6), "post-crawford"),
    (5, (4, 4), "normal"),
)
"""Match lengths, points won by each player, and types of game in questions about
matches."""

DECISIONS = ("double", "no double", "take", "pass")

BATCH = 1000
"""Number of questions in a request or a file that contains several questions."""

ROUNDED = 5e-7
"""Rounding error of numbers in output files, which have six digits."""

EXTRA = 1e-9
"""Tolerance for sums of 64-bit floating-point numbers, which depend on the order of the
terms."""

PATIENCE = 1000
"""Time limit in seconds for solving a race, which is enough for every race of this trial.
"""

ONE_IN = 100
"""One in `ONE_IN` questions is also answered by a separate command."""


def sides(chance: np.random.Generator) -> tuple[Position, Position, bool]:
    """Draw a random race at home, and whether a gammon is possible in it."""
    if chance.random() < 0.02:
        gammons, drawn = True, [chance.integers(0, 3, 2), chance.integers(0, 6, 15)]
    else:
        counts = chance.integers(1, 4, 2) + (chance.random(2) < 0.1)
        gammons, drawn = False, [chance.integers(0, 6, n) for n in counts]
    one, other = (Position(tuple(np.bincount(s, minlength=6).tolist())) for s in drawn)
    return one, other, gammons


def question(chance: np.random.Generator) -> Asked:
    """Draw a random question about a race."""
    roller, opponent, gammons = sides(chance)
    parts: dict[str, Any] = {"cube": str(chance.choice(["centred", "owned", "opponent"]))}
    parts["cube_value"] = 1 if parts["cube"] == "centred" else int(chance.choice([2, 4]))
    if gammons or chance.random() < 0.6:
        length, won, game = MATCHES[chance.integers(len(MATCHES))]
        if chance.random() < 0.5:
            won = won[::-1]
        parts["score"] = Score.of_match(length, won, game)
        if not parts["score"].has_cube:
            parts |= {"cube": "centred", "cube_value": 1}
    else:
        parts["jacoby"] = bool(chance.random() < 0.3)
    if chance.random() < 0.5:
        parts["dice"] = tuple(int(die) for die in chance.integers(1, 7, 2))
    race = Race(roller, opponent, **parts)
    asked = _written(race, chance)
    if race.dice and chance.random() < 0.7:
        plays = legal_plays(roller, race.dice)
        asked["played"] = str(plays[int(chance.integers(len(plays)))])
    may_double = race.cube != "opponent" and not (race.score and not race.score.has_cube)
    if may_double and chance.random() < 0.7:
        asked["decided"] = str(chance.choice(DECISIONS))
    return asked


def _written(race: Race, chance: np.random.Generator) -> Asked:
    """Return a race in one of the notations that the program accepts, chosen at random."""
    way = str(chance.choice(["xgid", "ogid", "gnu_id", "sides", "position_id"]))
    if way == "ogid" and race.jacoby:
        way = "xgid"  # An OGID does not say whether the Jacoby rule applies.
    if way in ("xgid", "ogid", "gnu_id"):
        return {"position": getattr(race, way)}
    asked: Asked = {"cube": race.cube, "cube_value": race.cube_value}
    if way == "position_id":
        asked["position"] = race.position_id
    else:
        asked |= {"roller": str(race.roller), "opponent": str(race.opponent)}
    if race.score is not None:
        asked["score"] = "{}-{}".format(*race.score.away)
        if race.score.game != "normal":
            asked["crawford"] = race.score.game == "crawford"
    elif race.jacoby:
        asked["jacoby"] = True
    if race.dice:
        asked["dice"] = "{}-{}".format(*race.dice)
    return asked


def by_python(judge: Judge, asked: Sequence[Asked]) -> Iterator[Asked]:
    """Get the answers to questions from the Python interface."""
    for one in asked:
        found = read_question(one)
        after = found.after()
        answer = judge.answer(found.race, played=after)
        decided = None if found.decided is None else answer.decided(found.decided)
        yield as_json(answer, decided, None if after is None else answer.played(after))


def by_file(asked: Sequence[Asked], kind: str) -> Iterator[Asked]:
    """Get the answers to questions in a file from ``bearoff race --from``."""
    names = sorted({name for one in asked for name in one})
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / f"in.{kind}", Path(folder) / f"out.{kind}"
        with source.open("w", newline="") as file:
            if kind == "csv":
                writer = csv.DictWriter(file, names)
                writer.writeheader()
                writer.writerows(asked)
            else:
                file.writelines(f"{json.dumps(one)}\n" for one in asked)
        files = ("--from", str(source), "--to", str(target), "--quiet")
        _command("race", *files, "--patience", str(PATIENCE))
        with target.open(newline="") as file:
            yield from csv.DictReader(file) if kind == "csv" else map(json.loads, file)


def by_command(asked: Iterable[Asked]) -> Iterator[Asked]:
    """Get the answers to questions from ``bearoff race``, with one command for each."""
    flags = {"crawford": ("--crawford", "--post-crawford")}
    for one in asked:
        words = []
        for name, value in one.items():
            if name in ("position", "roller", "opponent"):
                words.append(value)
            elif isinstance(value, bool):
                words.append(flags.get(name, (f"--{name}", f"--no-{name}"))[not value])
            elif name == "score":
                words += ["--score", *value.split("-")]
            else:
                words += [f"--{name.replace('_', '-')}", str(value)]
        yield json.loads(_command("race", *words, "--json", "--patience", str(PATIENCE)))


def by_requests(port: int, asked: Iterable[Asked]) -> Iterator[Asked]:
    """Get the answers to questions from the server, with one request for each question."""
    connection = Connection(port)
    for one in asked:
        body = one | {"patience": 20}
        yield json.loads(connection.ask(post("/api/v1/race", body)))
    connection.close()


def by_request(port: int, asked: Sequence[Asked]) -> Iterator[Asked]:
    """Get the answers to questions from the server, with one request for all of them."""
    connection = Connection(port)
    body = {"races": list(asked), "patience": 20}
    yield from json.loads(connection.ask(post("/api/v1/races", body)))["answers"]
    connection.close()


def _command(*words: str) -> str:
    return checked(bearoff(*words))


class Compared(Tally):
    """Number of compared values for each interface, and the differences found.

    The name ``truth`` stands for the independent solver. In ``most``, the entry "share of
    the error" is the largest actual error divided by the stated error.
    """

    def hold(self, door: str, asked: Asked, found: Asked, right: Asked) -> None:
        """Compare an interface's answer to a question with the answer from Python."""
        rounded = 1e-12 if door.startswith("server") else ROUNDED
        for name in (*NUMBERS, "action", "best_play", "kind", "too_close"):
            given, wanted = found.get(name), right[name]
            if name in NUMBERS:
                given = None if given in (None, "") else float(given)
                alike = (
                    given is wanted
                    if given is None or wanted is None
                    else abs(given - wanted) <= rounded * max(1.0, abs(wanted))
                )
            else:
                given, wanted = (
                    "" if text is None else str(text).lower() for text in (given, wanted)
                )
                alike = given == wanted
            self.add(door)
            if not alike:
                self.fail(f"{door}: {asked}: {name} {given}, Python {wanted}")

    def hold_true(self, asked: Asked, right: Asked, truth: Truth) -> None:
        """Compare the answer from Python with the true values of the independent solver."""
        if right["kind"] != "exact":
            self.fail(f"truth: {asked}: {right['kind']}, not exact")
        for name, true in truth.numbers.items():
            said = right[name]
            error = sum(right[part] for part in truth.errors[name]) + EXTRA
            self.add("truth")
            if said is None or abs(said - true) > error:
                self.fail(f"truth: {asked}: {name} {said} ± {error}, true {true}")
            else:
                self.reach("share of the error", abs(said - true) / max(error, 1e-7))


def compare(count: int, seed: int, told: Callable[[int], None]) -> Compared:
    """Ask random questions through all interfaces, and compare the answers."""
    chance, found = np.random.default_rng(seed), Compared()
    build_two_sided_table(TABLE)
    judge = Judge(patience=PATIENCE)
    with running() as server:
        for done in range(0, count, BATCH):
            asked = [question(chance) for _ in range(min(BATCH, count - done))]
            right = list(by_python(judge, asked))
            some = slice(None, None, ONE_IN)
            doors: dict[str, tuple[Iterable[Asked], list[Asked], list[Asked]]] = {
                "CSV": (by_file(asked, "csv"), asked, right),
                "JSON lines": (by_file(asked, "jsonl"), asked, right),
                "server, one by one": (by_requests(server.port, asked), asked, right),
                "server, at once": (by_request(server.port, asked), asked, right),
                "assistants": (map(answer_tool, asked), asked, right),
                "command": (by_command(asked[some]), asked[some], right[some]),
            }
            for door, (answers, these, wanted) in doors.items():
                for one, said, true in zip(these, answers, wanted, strict=True):
                    found.hold(door, one, said, true)
            for one, said in zip(asked, right, strict=True):
                found.hold_true(one, said, truth_of(read_question(one)))
            told(done + len(asked))
    return found


def page(found: Compared, questions: int) -> str:
    rows = [[door, f"{numbers:,}"] for door, numbers in sorted(found.counts.items())]
    used = found.most.get("share of the error", 0)
    return (
        f"The trial asks {questions:,} random questions about races with up to four "
        "checkers a side at home, and with a few checkers against fifteen. The questions "
        "are for money, with the Jacoby rule and at match scores, with every cube "
        "position, with dice, plays and decisions, in five notations. The printed numbers "
        "of every interface must agree with the answer in Python to the last digit. The "
        "row *truth* compares the answer in Python with a simple solver in integers. The "
        "difference between a value and the solver's value must be at most the stated "
        f"error, and was at most {used:.0%} of the stated error.\n\n"
        f"{markdown_table(['interface', 'numbers compared'], rows)}\n\n"
        f"{found.tried:,} comparisons of numbers found {found.failures:,} differences.\n\n"
        + complaints({"interface": found})
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"BEAROFF_CACHE": cache, "BEAROFF_DATA": f"{cache}/data"}
        found = compare(
            options.questions, options.seed, lambda n: print(n, file=sys.stderr)
        )
    body = page(found, options.questions)
    return Verdict(body, found.failures > 0)


TRIAL = Trial(
    "The same questions through every interface",
    carry_out,
    (option("--questions", type=int, default=10_000, metavar="N"),),
)
