"""Trial: the page that `bearoff site` writes answers questions just as the server does.

    python -m verify static_site --write

The questions are random races for money with every state of the cube, the Jacoby rule,
beavers, cube limits and dice. They ask for plays, the 21 rolls, market losers, windows,
formulas and the number of rolls to bear off. The page's own modules answer in Node, from
the files of a newly written site. The server's functions answer from the tables from which
these files were copied.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bearoff import Position, Race, TwoSidedTable, build_two_sided_table, two_sided_table
from bearoff.analysis.output import markdown_table
from bearoff.analysis.scoring.explanation import explain
from bearoff.app.formulas import explanation_as_json, formulas_by_name
from bearoff.app.serve.answering import answer_one
from bearoff.app.serve.asking import question_of
from bearoff.app.serve.judges import Judges
from bearoff.app.serve.models import AskedIn
from bearoff.app.serve.routes.distribution import both_sides
from bearoff.app.serve.site.rules import formulas_as_data
from bearoff.app.serve.site.writing import write_site
from bearoff.positions import CHECKERS, POINTS
from verify import ROOT
from verify.common.tallies import Tally, complaints
from verify.common.trial import Trial, Verdict, option

DRIVER = ROOT / "verify" / "static_site.mjs"

CLOSE = 1e-9
"""Tolerance for sums of 64-bit floating-point numbers, which depend on the order of the
terms."""

UNSAID = {"gnu_id", "ogid"}
"""Fields of an answer that the static page does not support, and leaves out."""

ROLLS_IN, MARKET_IN = 40, 100
"""One in `ROLLS_IN` questions also asks for all rolls, and one in `MARKET_IN` also asks for
market losers."""

Asked = dict[str, Any]


Size = tuple[int, int]
"""Maximum number of points and of checkers of a side."""

BEYOND: tuple[Size, ...] = (POINTS, CHECKERS), (2 * POINTS, CHECKERS)
"""Sizes of races, as points and checkers, for which the page has only the fast model."""


def races(
    chance: np.random.Generator, sizes: Sequence[Size]
) -> Iterator[tuple[Position, Position]]:
    """Draw the two sides of a race that has one of the given sizes."""
    while True:
        size = sizes[int(chance.integers(len(sizes)))]
        yield _side(chance, *size), _side(chance, *size)


def _side(chance: np.random.Generator, points: int, most: int) -> Position:
    full = most == CHECKERS and chance.random() < 0.4
    checkers = most if full else chance.integers(1, most + 1)
    counts = np.bincount(chance.integers(0, points, checkers), minlength=2 * POINTS)
    return Position(tuple(counts.tolist()))


def question(chance: np.random.Generator, roller: Position, opponent: Position) -> Asked:
    """Return a random question about a race: its XGID and optional settings."""
    cube = str(chance.choice(["centred", "owned", "opponent"]))
    value = int(chance.choice([1, 1, 2])) if cube == "centred" else 2
    limit = value if chance.random() < 0.05 else None
    race = Race(
        roller,
        opponent,
        cube=cube,
        cube_value=value,
        jacoby=bool(chance.random() < 0.4),
        beavers=bool(chance.random() < 0.2),
        cube_limit=limit,
        dice=tuple(chance.integers(1, 7, 2).tolist()) if chance.random() < 0.5 else None,
    )
    asked: Asked = {"position": race.xgid, "patience": 0.0}
    if chance.integers(ROLLS_IN) == 0:
        asked["rolls"] = True
    if chance.integers(MARKET_IN) == 0:
        asked["market"] = True
    return asked


def by_page(folder: Path, asked: Sequence[tuple[str, Asked]]) -> list[Any]:
    """Get the answers to questions from the page's JavaScript modules, run in Node."""
    lines = "".join(f"{json.dumps(one)}\n" for one in asked)
    done = subprocess.run(
        ["node", DRIVER, folder], input=lines, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def by_judge(judges: Judges, asked: Asked) -> Asked:
    """Get the answer to a question from the code that the server uses."""
    read = AskedIn.model_validate(asked)
    question = question_of(read)
    looked_up = judges.look_up(question.race, read.patience)
    found: Asked = json.loads(
        answer_one(judges, looked_up, question, read).model_dump_json()
    )
    return found


def differences(page: Any, judge: Any, place: str = "") -> Iterator[str]:
    """Yield a description of each field in which two answers differ."""
    if isinstance(page, dict) and isinstance(judge, dict):
        for name in sorted(page.keys() | judge.keys() - UNSAID):
            if (name in page) != (name in judge):
                yield f"{place}.{name}: only one has it"
            else:
                yield from differences(page[name], judge[name], f"{place}.{name}")
    elif isinstance(page, list) and isinstance(judge, list) and len(page) == len(judge):
        for at, pair in enumerate(zip(page, judge, strict=True)):
            yield from differences(*pair, f"{place}[{at}]")
    elif type(page) in (int, float) and type(judge) in (int, float):
        if not abs(page - judge) <= CLOSE:
            yield f"{place}: page {page}, server {judge}"
    elif page != judge:
        yield f"{place}: page {page!r}, server {judge!r}"


class Compared(Tally):
    """Numbers of compared fields, and differences between page and server."""

    def hold(self, what: str, asked: Asked, page: Any, judge: Any) -> None:
        """Compare the page's answer to a question with the server's."""
        self.counts[what] += sum(1 for _ in _leaves(judge))
        for difference in differences(page, judge):
            self.fail(f"{what}: {asked}: {difference}")


def _leaves(found: Any) -> Iterator[Any]:
    if isinstance(found, dict | list):
        for one in found.values() if isinstance(found, dict) else found:
            yield from _leaves(one)
    else:
        yield found


def compare(
    tables: Sequence[TwoSidedTable],
    folder: Path,
    count: int,
    seed: int,
    beyond: Sequence[Size] = (),
) -> Compared:
    """Compare page and server on random races, with and without tables for them.

    The site is written to a folder in `folder`. The first of `tables` is part of the site,
    and the other tables are next to the site.
    """
    site, chance, found = folder / "site", np.random.default_rng(seed), Compared()
    beside = []
    for table in tables[1:]:
        (folder / table.folder.name).symlink_to(table.folder)
        beside.append(f"../{table.folder.name}")
    write_site(site, formulas_by_name(None), tables[0].checkers, beside)
    sizes = [*((table.points, table.checkers) for table in tables), *beyond]
    drawn = races(chance, sizes)
    asked = [("/race", question(chance, *next(drawn))) for _ in range(count)]
    names = list(formulas_as_data(formulas_by_name(None))["rules"])
    for place, (_, one) in enumerate(asked[::MARKET_IN]):
        race = {"position": one["position"]}
        formula = names[place % len(names)]
        asked += [("/formula", race | {"formula": formula}), ("/distribution", race)]
    judges = Judges(tables)
    for (path, one), page in zip(asked, by_page(site, asked), strict=True):
        if path == "/race":
            kind = next((name for name in ("market", "rolls") if name in one), "race")
            found.hold(kind, one, page, by_judge(judges, one))
            continue
        read = Race.parse(one["position"])
        if path == "/formula":
            # The field `truth` contains the right cube actions, which are not part of an
            # explanation.
            page.pop("truth", None)
            formula = formulas_by_name(None)[one["formula"]]
            judge = explanation_as_json(read, explain(formula, read))
        else:
            judge = both_sides(read).model_dump()
        found.hold(path[1:], one, page, json.loads(json.dumps(judge)))
    return found


def page(found: Compared, questions: int) -> str:
    rows = [[what, f"{fields:,}"] for what, fields in sorted(found.counts.items())]
    return (
        f"The trial asks about {questions:,} random races for money. Exact tables answer "
        "half of them: up to eight checkers a side on six points, or up to fifteen on "
        "four points, where gammons occur. The fast model answers the other half: up to "
        "fifteen checkers on six or twelve points. The races have all cube positions, "
        "the Jacoby rule, beavers, limits of the cube, and dice. Some questions also ask "
        "for the best play of each of the 21 rolls, market losers, the doubling window, "
        "formulas or the number of rolls to bear off. The JavaScript of a page that "
        "`bearoff site` wrote answers in Node. Every field is compared with the server's "
        f"answer from the same tables, and numbers may differ by at most {CLOSE:g}.\n"
        "\n"
        f"{markdown_table(['question', 'fields compared'], rows)}\n"
        "\n"
        f"{found.tried:,} fields were compared, with {found.failures:,} differences.\n"
        "\n"
        f"{complaints({'site': found})}"
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    build_two_sided_table(8)
    build_two_sided_table(15, points=4)
    tables = [two_sided_table(8), two_sided_table(15, 4)]
    found, left = Compared(), options.questions
    while left > 0:
        count = min(left, BATCH)
        with tempfile.TemporaryDirectory() as folder:
            found += compare(tables, Path(folder), count, options.seed + left, BEYOND)
        left -= count
        print(left, found.failures, file=sys.stderr)
    return Verdict(page(found, options.questions), found.failures > 0)


BATCH = 10_000
"""Number of questions that each Node process answers."""

TRIAL = Trial(
    "The page without a server",
    carry_out,
    (option("--questions", type=int, default=100_000, metavar="N"),),
)
