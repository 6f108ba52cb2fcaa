"""A match that is reviewed by the command, the page, a tool and kept in the library."""

import pytest

from bearoff.analysis.review import verdict_json
from bearoff.app import reviews
from bearoff.app.library.library import Library
from bearoff.app.mcp import tools
from bearoff.app.serve.application import create_app
from bearoff.app.serve.settings import Settings
from bearoff.game.records import parse_match
from tests.app.conftest import ROOT
from tests.app.serve.asking import HANGS, Client

NAME = "2026-10-03.mat"
MATCH = ROOT / "app" / "serve" / "library" / "games" / NAME

ORIGIN = ("game", "line", "player", "kind")


@pytest.fixture(scope="module")
def text():
    return MATCH.read_text()


def test_each_door_says_the_same_to_the_last_digit(bearoff, text, tmp_path):
    """At a score, where how long a race is solved decides what answers it."""
    library = Library(tmp_path / "library.sqlite")
    client = Client(create_app(Settings(seconds=HANGS), library=library))
    page = client.post("/api/v1/review", json={"files": [{"name": NAME, "text": text}]})
    command = bearoff("review", str(MATCH), "--model", "-q", "--no-library", "--json")
    doors = [command.json, page.json(), tools.review(text, NAME)]
    assert {door["patience"] for door in doors} == {reviews.PATIENCE}
    first, *others = ([_of(one) for one in door["decisions"]] for door in doors)
    for other in others:
        assert sorted(other, key=repr) == sorted(first, key=repr)
    kept = [one.judged for one in library.decisions_of(1)]
    known = [
        {name: getattr(one, name) for name in ORIGIN} | verdict_json(one) for one in kept
    ]
    assert [_bare(one) for one in known] == [_bare(one) for one in first if one["in_race"]]
    assert {one["method"] for one in first} == {"exact", "model", "search"}
    assert parse_match(text, NAME).length


def _of(row):
    """A decision without what one door alone says of it."""
    names = (*ORIGIN, "decided", "best", "equity", "cost", "error", "method", "formula")
    names += (
        "depth",
        "in_race",
        "counted",
        "mistake",
        "seen",
        "digits",
        "made",
        "right",
        "alternatives",
        "xgid",
    )
    return {name: row[name] for name in names}


def _bare(row):
    """As the library knows it, whose races have as few points as they need."""
    return {name: value for name, value in _of(row).items() if name != "xgid"}
