"""Reviewed decisions compared with values computed by hand, and the output of reviews."""

import csv
import sqlite3
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet
import pytest

import bearoff
from bearoff import Judge, Position, Question, Race
from bearoff.analysis import formulas
from bearoff.analysis.review import (
    Decision,
    card_of,
    decision_of,
    judge_question,
    review,
    review_page,
    totals,
    write_cards,
    write_rows,
)
from bearoff.game import Board
from bearoff.game.records import Action, GameRecord, MatchRecord, read_match
from tests.bearoff.answers.test_judge import Rolled
from tests.decisions import choices_of, costing
from tests.two_sided_tables import built

DATA = Path(__file__).parents[2] / "data"
KEITH = formulas.get("keith")

# Probability that checkers on the 5 and 2 points are borne off in one roll.
WINS = 19 / 36


@pytest.fixture(scope="module")
def judge():
    return Judge([built(4)])


def judged(judge, *actions, length=0):
    """Review a short game that starts in a race."""
    found = review(by_hand(*actions, length=length), judge, KEITH)
    assert not found.problems
    return found.judged


def by_hand(*actions, length=0):
    start = Board.of_sides((0, 1, 0, 0, 1) + (0,) * 20, (1,) + (0,) * 24)
    points = 2 ** sum(action.kind == "take" for action in actions)
    game = GameRecord(1, 1, (0, 0), False, actions, winner=0, points=points, board=start)
    return MatchRecord(("Ann", "Bob"), length, False, (game,), "hand.mat")


def test_a_double_not_made_and_a_play_that_loses(judge):
    """If all plays lose, the play that was made is also the best play."""
    waits, plays = judged(judge, Action(0, "play", 2, (2, 1), "5/3 2/1"))
    assert (waits.decided, waits.best) == ("no double", "double, take")
    assert waits.method == "exact"
    # On the last roll, the equity after a double and a take is twice that without a double.
    assert waits.cost == pytest.approx(2 * WINS - 1, abs=2e-5)
    assert {each.name: each.equity for each in waits.alternatives} == {
        "no double": pytest.approx(2 * WINS - 1, abs=1e-5),
        "double, take": pytest.approx(4 * WINS - 2, abs=2e-5),
        "double, pass": 1.0,
    }
    assert waits.is_mistake
    assert plays.kind == "play"
    # The opponent bears off the last checker with every roll, so all plays are equal.
    assert (plays.cost, plays.is_mistake) == (pytest.approx(0, abs=2e-5), False)
    race = replace(one().race, dice=(6, 1))
    assert decision_of(judge.answer(race), "no double").race.dice is None
    assert decision_of(judge.answer(race)).race.dice == (6, 1)
    _, play = judged(judge, Action(0, "play", 2, (6, 1), "5/off 2/1"))
    assert play.decided == play.best == "5/off 2/1"
    assert len(play.alternatives) <= 6


def test_a_double_taken_and_passed(judge):
    for decided, cost in (("take", 0.0), ("pass", 3 - 4 * WINS)):
        reply = Action(1, decided, 2)
        double, answer = judged(judge, Action(0, "double", 2, value=2), reply)
        assert (double.player, double.cost) == ("Ann", 0)
        assert (answer.player, answer.best) == ("Bob", "take")
        assert answer.cost == pytest.approx(cost, abs=2e-5)
        assert answer.formula in ("take", "pass")


def one(kind="double", cost=None, equities=(0.5, 0.6), **changes):
    """Return a judged decision, by default a missed redouble."""
    race = Race(Position((2, 0, 1)), Position((0, 1, 0)), cube="owned", cube_value=4)
    decided = {"double": "no double", "take": "pass", "play": "a"}[kind]
    found = choices_of(kind, equities, 0.001, "owned")
    whole = Decision(
        kind, race, found, decided, formula="no double" if kind == "double" else "",
        source="a.mat", game=1, line=7, player="Ann <b>",
    )  # fmt: skip
    whole = replace(whole, **changes)
    return whole if cost is None else costing(whole, cost, 0.001)


@pytest.mark.parametrize(
    ("kind", "decided", "equities", "cost", "best"),
    [
        ("double", "no double", (0.5, 0.6, 1.0), 0.1, "double, take"),
        ("double", "no double", (0.5, 1.6, 1.0), 0.5, "double, pass"),
        ("double", "double", (0.5, 0.4, 1.0), 0.1, "no double"),
        ("double", "double", (1.2, 1.4, 1.0), 0.2, "too good to double"),
        ("double", "", (1.2, 1.4, 1.0), 0.0, "too good to double"),
        # If two choices have equal equities, the player's choice counts as correct.
        ("double", "no double", (1.0, 1.0, 1.0), 0.0, "no double"),
        ("double", "double", (1.0, 1.3, 1.0), 0.0, "double, pass"),
        ("double", "no double", (1.1, 1.3, 1.0), 0.0, "too good to double"),
        ("double", "no double", (0.5, 0.50003, 1.0), 0.00003, "no double"),
        ("double", "double", (0.50003, 0.5, 1.0), 0.00003, "double, take"),
        ("take", "pass", (0.5, 0.6, 1.0), 0.4, "take"),
        ("take", "take", (0.5, 1.6, 1.0), 0.6, "pass"),
        ("take", "pass", (0.5, 1.0, 1.0), 0.0, "pass"),
        # If the player's choice is not recorded, a double or a take is preferred among
        # choices of equal equity.
        ("double", "", (1.0, 1.3, 1.0), 0.0, "double, pass"),
        ("take", "", (0.5, 1.0, 1.0), 0.0, "take"),
        ("play", "c", (0.3, 0.3, 0.3), 0.0, "c"),
        ("play", "c", (0.3, 0.2, 0.1), 0.2, "a"),
        ("play", "", (0.3, 0.3, 0.1), 0.0, "a"),
    ],
)
def test_what_is_right(kind, decided, equities, cost, best):
    known = one(kind, equities=equities, decided=decided)
    assert known.cost == pytest.approx(cost, abs=1e-12)
    assert known.best == best.replace("double", "redouble")


def test_totals_count_mistakes_beyond_their_error():
    assert one().is_mistake
    assert not one(cost=0.001).is_mistake
    worth = {kind: one(kind=kind).equity for kind in ("double", "take", "play")}
    assert worth == {"double": 0.6, "take": 0.6, "play": 0.6}
    each = [one(), one(cost=0.0), one(player="Bob", formula="double"), one("play")]
    rows = totals(each, lambda each: (each.player,))
    assert [row.name for row in rows] == [("Ann <b>",), ("Bob",)]
    ann, bob = rows
    assert (ann.decisions, ann.mistakes, ann.formula_differs) == (3, 2, 1)
    assert ann.lost == pytest.approx(0.2)
    assert (bob.decisions, bob.formula_differs) == (1, 0)


class Elements(HTMLParser):
    """HTML parser that counts elements, and checks that every element is closed."""

    VOID = ("meta", "path", "circle", "rect", "br", "hr", "img")

    def __init__(self, text):
        super().__init__()
        self.count: dict[str, int] = {}
        self.open: list[str] = []
        self.feed(text)
        assert self.open == ["html"], self.open

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_draws_every_mistake():
    decisions = [one(), one(player="Bob", cost=0.3), one(cost=0.0)]
    page = review_page(decisions, ["b.mat, line 2: <odd>"], "Races of <me>")
    found = Elements(page)
    assert (found.count["svg"], found.count["article"], found.count["table"]) == (2, 2, 5)
    assert "Ann &lt;b&gt;" in page
    assert "b.mat, line 2: &lt;odd&gt;" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    # The page lists the costliest decision first.
    assert page.index("Bob: no redouble") < page.index("Ann &lt;b&gt;: no redouble")
    assert "<svg" not in review_page([one(cost=0)], [], "x")


def test_the_page_sums_in_order():
    """The sums on the page of a review are sorted by player, then by length of the race.

    Formulas do not judge Bob's double, because his opponent may win a gammon.
    """
    long = Race(Position((0, 0, 0, 0, 0, 15)), Position((0, 0, 0, 1, 0, 0)), cube="owned")
    play = one(player="Bob", kind="play", formula="")
    page = review_page([one(player="Bob", position=long), play, one()], [], "x")
    rows = [row.split("</td>") for row in page.split("<tr>") if row.startswith("<td>")]
    names = [row[0].removeprefix("<td>") for row in rows]
    ann, bob = "Ann &lt;b&gt;", "Bob"
    assert names[:2] == [ann, bob]
    assert names[2:5] == [f"{ann}, double", f"{bob}, double", f"{bob}, play"]
    assert names[5:7] == [f"{ann}, up to 40 pips", f"{bob}, up to 40 pips"]
    assert names[7] == f"{bob}, over 70 pips"
    assert [row[5] for row in rows[2:5]] == ["<td>1", "<td>", "<td>"]


def cards_of(path):
    with zipfile.ZipFile(path) as package:
        package.extract("collection.anki2", path.parent)
    with sqlite3.connect(path.parent / "collection.anki2") as base:
        return base.execute("select guid, flds from notes order by id").fetchall()


def test_equal_decisions_have_equal_card_numbers(tmp_path):
    other = one("play", position=replace(one().race, dice=(6, 1)))
    first, second = tmp_path / "a.apkg", tmp_path / "b" / "b.apkg"
    second.parent.mkdir()
    assert write_cards(first, map(card_of, [one(), other]), "Mistakes") == 2
    assert write_cards(second, [card_of(one(source="c.mat"))], "Others") == 1
    notes, again = cards_of(first), cards_of(second)
    assert len(notes) == 2
    assert again[0][0] == notes[0][0] != notes[1][0]
    assert "6-1" in notes[1][1]
    assert "<svg" in notes[0][1]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_rows_come_back(suffix, tmp_path):
    path = tmp_path / f"review{suffix}"
    write_rows(path, [one(cost=0.1), one("take", 0.1)])
    if suffix == ".csv":
        with path.open() as file:
            rows = list(csv.DictReader(file))
    else:
        rows = pyarrow.parquet.read_table(path).to_pylist()
    assert [row["decided"] for row in rows] == ["no redouble", "pass"]
    assert [float(row["cost"]) for row in rows] == [0.1, 0.1]
    assert [row["unit"] for row in rows] == ["EMG", "EMG"]
    assert Race.parse(rows[0]["xgid"]).cube_value == 4


def test_a_double_at_2_away_2_away_is_for_the_match(judge):
    played = Action(0, "play", 2, (2, 1), "5/3 2/1")
    waits, _ = judged(judge, played, length=2)
    score, table = bearoff.Score((2, 2)), bearoff.match_equities()
    won, lost = table.after(score, 1), table.after(score, -1)
    # At 2-away 2-away, a roller who waits and misses must pass the opponent's double.
    taken = 2 * (WINS - lost) / (won - lost) - 1
    assert waits.method == "exact"
    assert {each.name: each.equity for each in waits.alternatives} == pytest.approx(
        {"no double": 2 * WINS - 1, "double, take": taken, "double, pass": 1.0}, abs=1e-9
    )
    assert waits.cost == pytest.approx(taken - (2 * WINS - 1), abs=1e-9)


def test_decisions_of_long_races_at_scores_are_judged_by_the_model():
    match = read_match(DATA / "gnubg_match.sgf")
    found = review(replace(match, games=match.games[:1]), Judge([]), KEITH)
    told = {(each.method, each.kind) for each in found.judged}
    assert told == {("model", "play"), ("model", "double")}
    assert list(found.problems) == []


def test_clear_decisions_for_money_need_no_rollout():
    """In money games, only possible mistakes are rolled out.

    If few rolls are left, the model's own play is rolled out, too, because the model is
    less reliable in such races.
    """
    rolled: list[Race] = []

    def roll_out(race, played, decided):
        rolled.append(race)
        return judge.source(race)

    judge = Judge([], patience=0)
    session = read_match(DATA / "gnubg_session.mat")
    found = review(session, judge, KEITH, roll_out)
    assert (len(found.judged), len(rolled), found.left) == (20, 1, 0)
    assert (str(rolled[0].roller)[:3], rolled[0].dice) == ("5,2", (1, 1))
    rolled.clear()
    review(by_hand(Action(0, "play", 2, (2, 1), "5/3 2/1")), judge, KEITH, roll_out)
    assert [race.dice for race in rolled] == [None]


def test_what_was_played_in_a_list_is_rolled_out():
    side = Position((0, 0, 0, 3, 3, 3))
    race = Race(side, side, dice=(2, 1))
    judge = Judge([], roll_out=lambda race: Rolled(), patience=0)
    last = judge.answer(race).plays[-1]
    assert last.kind == "model"  # this play was not rolled out
    found = judge_question(Question(race, last.name), judge, KEITH, "list.txt", 3)
    right = judge.answer(race, played=last.play.after).played(last.play)
    assert found.cost == pytest.approx(right.cost)
    assert found.cost != pytest.approx(last.cost)
