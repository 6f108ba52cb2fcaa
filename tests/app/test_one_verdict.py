"""All interfaces give the same review of a match."""

import pytest

from bearoff.analysis.review import Estimates, answer_contact, read_contact, verdict_json
from bearoff.app import reviews
from bearoff.app.library.library import Library
from bearoff.app.mcp import tools
from bearoff.app.race_answers.fields import LEFT_OUT, contact_json
from bearoff.game.records import parse_match
from tests.app.conftest import DATA, ROOT, only_sentence
from tests.app.serve.asking import client_of

AT_A_SCORE = ROOT / "app" / "serve" / "library" / "games" / "2026-06-06.mat"
WITH_CONTACT = DATA / "extreme_gammon.txt"

ORIGIN = ("game", "line", "player", "kind")
ORIGINLESS = {"game": 0, "player": ""}

RACE = "LwAAwC0AAAAAAA"

ALONE = ("--model", "-q", "--no-library")

CLOSE = """ 3 point match

 Game 1
 ann : 0                         bob : 0
  1) 64: 24/14                   62: 24/18 13/11
"""


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "library.sqlite")


@pytest.mark.parametrize(
    ("text", "how", "methods"),
    [
        (AT_A_SCORE.read_text(), "races-only", {"exact", "model"}),
        (WITH_CONTACT.read_text(), "", {"search"}),
        (CLOSE, "deep", {"search"}),
    ],
)
def test_each_door_says_the_same_to_the_last_digit(
    bearoff, library, tmp_path, text, how, methods
):
    """At a score, the answer depends on the time for solving."""
    name, path = "match.mat", tmp_path / "match.mat"
    path.write_text(text)
    asked = {how.replace("-", "_"): True} if how else {}
    sent = {"files": [{"name": name, "text": text}]} | asked
    page = client_of(library=library).post("/api/v1/review", json=sent).json()
    command = bearoff("review", str(path), *ALONE, "--json", *([f"--{how}"] if how else []))
    doors = [command.json, page, tools.review(text, name, **asked)]
    assert {door["solving_seconds"] for door in doors} == {reviews.PATIENCE}
    first, *others = ([_of(one) for one in door["decisions"]] for door in doors)
    for other in others:
        assert sorted(other, key=repr) == sorted(first, key=repr)
    kept = [one.judged for one in library.decisions_of(1)]
    origins = ({name: getattr(one, name) for name in ORIGIN} for one in kept)
    known = [_bare(o | verdict_json(one)) for o, one in zip(origins, kept, strict=True)]
    assert known == [_bare(one) for one in first]
    assert {one["method"] for one in first} == methods
    assert (2 in {one["depth"] for one in first}) == (how == "deep")
    assert parse_match(text, name).length


START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
ON_THE_BAR = "XGID=-a-aBBC-BA-B-b---bbbb--b-A:1:1:1:64:2:4:0:7:10"


@pytest.mark.parametrize(
    ("position", "parts", "options"),
    [
        (START, {}, []),
        ("4HPwATDgc/ABMA", {"dice": [3, 1], "played": "24/20"}, ["31", "24/20"]),
        (ON_THE_BAR, {"decided": "take"}, ["", "", "take"]),
        (START, {"score": [2, 4], "cube": "owned"}, ["", "", "", "2-4", "owned"]),
    ],
)
def test_each_door_estimates_contact_alike(bearoff, position, parts, options):
    asked = {"position": position, **parts}
    direct = contact_json(answer_contact(read_contact(asked), Estimates()))
    names = ("--dice", "--played", "--decided", "--score", "--cube")
    given = [one for pair in zip(names, options, strict=False) if pair[1] for one in pair]
    page = client_of().post("/api/v1/race", json=asked).raise_for_status().json()
    assert bearoff("race", position, *given, "--json").quiet.json == direct
    assert tools.answer(asked) == direct
    assert {name: page[name] for name in direct} == direct
    rows = [direct["play"], direct["cube_decision"]]
    assert {one["method"] for one in rows if one} == {direct["kind"]} == {"search"}


def test_a_line_of_a_list_with_contact_is_estimated_as_it_is_alone(
    bearoff, library, tmp_path
):
    """The HTTP route, the command and the library give the same estimate."""
    lines = ("4HPwATDgc/ABMA:cIkFAAAAAAAE,,", f"{START},,double", f"{RACE},,")
    path = tmp_path / "list.csv"
    path.write_text("\n".join(["position,played,decided", *lines]))
    client = client_of(library=library)
    sent = {"files": [{"name": path.name, "text": path.read_text()}]}
    page = client.post("/api/v1/review", json=sent).json()
    command = bearoff("review", str(path), *ALONE, "--json").json
    doors = [sorted(map(_of, door["decisions"]), key=repr) for door in (page, command)]
    assert doors[0] == doors[1]
    by_line = {one["line"]: one for one in page["decisions"]}
    assert [by_line[line]["in_race"] for line in (2, 3, 4)] == [False, False, True]
    asked = read_contact({"position": START, "decided": "double"})
    alone = answer_contact(asked, Estimates()).cube_decision
    known = verdict_json(alone) | {"line": 3}
    assert _of(by_line[3] | ORIGINLESS) == _of(known | ORIGINLESS)
    kept = {one.judged.line: verdict_json(one.judged) for one in library.decisions_of(1)}
    assert kept[3] == verdict_json(alone)
    only = client.post("/api/v1/review", json=sent | {"races_only": True}).json()
    assert [one["line"] for one in only["decisions"]] == [4]
    assert len(only["problems"]) == 2


OPPONENTS_CUBE, CRAWFORD = ":1:-1:1:00:0:0:0:0:10", ":0:0:1:00:4:2:1:5:10"
SHORT = "XGID=-BBA-----------------aabb-"


def test_a_position_in_which_nobody_may_double_is_listed_with_its_equity(
    bearoff, library, tmp_path
):
    """One of the listed positions is a race with the cube at its maximum value."""
    contact, path = START.partition(":")[0], tmp_path / "list.txt"
    lines = [contact + OPPONENTS_CUBE, contact + CRAWFORD, SHORT + OPPONENTS_CUBE]
    lines += [SHORT + CRAWFORD, f"{SHORT}:1:1:1:00:0:0:0:0:1"]
    path.write_text("\n".join(lines))
    client = client_of(library=library)
    page = client.post("/api/v1/review", json={"positions": path.read_text()}).json()
    command = bearoff("review", str(path), *ALONE, "--json").json
    assert page["problems"] == command["problems"] == []
    for door in (page, command):
        by_line = {one["line"]: one for one in door["decisions"]}
        for line, text in enumerate(lines, start=1):
            alone = client.post("/api/v1/race", json={"position": text}).json()
            one, best = by_line[line], ("no double", "no redouble")[line == len(lines)]
            assert one["equity"] == pytest.approx(alone["equity"], abs=1e-12)
            assert (one["best"], list(one["choices"])) == (best, ["no double"])
            assert (one["cost"], one["counted"], len(one["alternatives"])) == (0, False, 1)
    kept = [verdict_json(one.judged) for one in library.decisions_of(1)]
    stored, shown = ([one["equity"] for one in made] for made in (kept, page["decisions"]))
    assert sorted(stored) == sorted(shown)
    assert bearoff("review", str(path), *ALONE).out.count("no double") == len(lines) - 1


def test_what_only_races_have_is_left_out_and_ways_of_answering_are_refused(bearoff):
    for options in (["--market"], ["--rolls"], ["--market", "--rolls"]):
        assert LEFT_OUT in bearoff("race", START, *options).good.out
    assert LEFT_OUT not in bearoff("race", START).out
    for option in (["--model"], ["--error", "0.01"], ["--match-equities", "none.xml"]):
        only_sentence(bearoff("race", START, *option), option[0])


@pytest.mark.parametrize(
    ("score", "options", "dead"), [("1-1", (), True), ("2-5", ("--cube", "owned"), False)]
)
def test_the_cube_is_dead_only_if_a_taken_double_changes_nothing(
    bearoff, score, options, dead
):
    """At 2-away 5-away, a redouble to 4 is useless to the roller alone."""
    told = bearoff("race", START, "--score", score, *options).out
    assert ("The cube is dead" in told) is dead
    # The cost of a redouble is stated unless the cube is dead.
    assert ("1.2" in told) is not dead


def _of(row):
    """Return a decision without the fields that only one interface has."""
    names = (*ORIGIN, "decided", "best", "equity", "cost", "error", "method", "formula")
    names += ("depth", "in_race", "counted", "mistake", "seen", "unit", "digits", "made")
    return {name: row[name] for name in (*names, "right", "alternatives", "xgid")}


def _bare(row):
    return {name: value for name, value in _of(row).items() if name != "xgid"}
