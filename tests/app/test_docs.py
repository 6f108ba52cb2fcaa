"""The documentation has valid links and complete lists."""

import re

import pytest

from tests.app.conftest import ROOT, missing
from tests.app.pages import LINK, anchors, every_page, json_keys, name_of
from tests.two_sided_tables import built

PAGES = every_page()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_resolve(page):
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in anchors(target), f"{link} has no such heading"


def test_no_figure_is_still_to_be_filled_in():
    holding = [page.name for page in PAGES if re.search(r"\bXX\b", page.read_text("utf-8"))]
    assert holding == []


def test_the_readme_names_every_page():
    linked = LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert missing(linked, *map(name_of, (ROOT / "docs").glob("*.md"))) == []


SHOWN = """
epc 8887
play 8887 6-4
winprob 54188 54188 --run QUICK
analyze QUICK --to TO
chart QUICK --to TO/chart.svg
tables build --points 2 --checkers 2
tables list
configs
configs quick
configs quick --to TO/mine.yaml
race 0,2,2,0,0,0 0,2,2,0,0,0 --score 2-4 --dice 21 --market --rolls
rollout [8,6,5,1] [7,6,5,2] --error 0.1
rollout 0,1,1,0,0,0,1 0,1,2,0,0,0 --score 2 4 --games 1
formulas list
formulas explain thorp 1,1,0,0,0,0 1,0,1,0,0,0
populations build uniform --size 50 --checkers 3 --to TO
populations list --from TO
"""


def test_every_json_key_is_documented(bearoff, tmp_path, monkeypatch):
    # Only the keys are read, so charts are made but not drawn.
    monkeypatch.setattr("matplotlib.figure.Figure.savefig", lambda *_, **__: None)
    built(3)
    documented, count = json_keys(), 0
    shown = SHOWN.replace("QUICK", str(ROOT / "results/quick"))
    for line in shown.replace("TO", str(tmp_path)).strip().split("\n"):
        keys = _keys(bearoff(*line.split(), "--json").json)
        assert keys <= documented, line
        count += len(keys)
    assert count > 150


BY_PLANE = ("digests", "pass_seconds")
"""JSON keys of objects with one entry for each array ("plane") of a two-sided table."""


def _keys(value):
    if isinstance(value, dict):
        within = (item for key, item in value.items() if key not in BY_PLANE)
        # Keys such as 6-4 are not names of fields.
        names = {key for key in value if key.isidentifier()}
        return names.union(*map(_keys, within))
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    return set()


def test_every_command_is_documented(bearoff):
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    listed = bearoff("--help").out.partition("Commands:\n")[2]
    commands = re.findall(r"^  (\w+) ", listed, re.MULTILINE)
    assert len(commands) >= 9
    assert missing(page, *(f"`bearoff {command}" for command in commands)) == []
