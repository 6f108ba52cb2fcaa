"""The documentation: links lead somewhere, and what it lists is what there is."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import ROOT, Command
from tests.app.pages import LINK, anchors, every_page, json_keys, name_of

PAGES = every_page()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_resolve(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), f"{link} leads nowhere"
        if anchor:
            assert anchor in anchors(target), f"{link} has no such heading"


def test_no_figure_is_still_to_be_filled_in() -> None:
    holding = [page.name for page in PAGES if re.search(r"\bXX\b", page.read_text("utf-8"))]
    assert holding == []


def test_the_index_names_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    linked = set(LINK.findall(index))
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages <= linked


def test_every_json_key_is_documented(bearoff: Command, tmp_path: Path) -> None:
    documented = json_keys()
    for arguments in (
        ["epc", "8887"],
        ["play", "8887", "6-4"],
        ["winprob", "54188", "54188", "--run", str(ROOT / "results/quick")],
        ["analyze", str(ROOT / "results/quick"), "--to", str(tmp_path)],
        ["chart", str(ROOT / "results/quick"), "--to", str(tmp_path / "chart.svg")],
        ["tables", "build", "--points", "2", "--checkers", "2"],
        ["tables", "list"],
        ["configs"],
        ["configs", "quick"],
        ["configs", "quick", "--to", str(tmp_path / "mine.yaml")],
        ["rollout", "[8,6,5,1]", "[7,6,5,2]", "--error", "0.1"],
        ["formulas", "list"],
        ["formulas", "explain", "thorp", "1,1,0,0,0,0", "1,0,1,0,0,0"],
    ):
        keys = _keys(bearoff(*arguments, "--json").json)
        assert keys <= documented


BY_PLANE = ("digests", "pass_seconds")
"""Keys of what has the planes of a two-sided table for keys of its own."""


def _keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        within = (item for key, item in value.items() if key not in BY_PLANE)
        return set(value).union(*map(_keys, within))
    if isinstance(value, list):
        return set().union(*map(_keys, value))
    return set()


def test_every_command_is_documented(bearoff: Command) -> None:
    page = (ROOT / "docs" / "tasks.md").read_text(encoding="utf-8")
    listed = bearoff("--help").out.partition("Commands:\n")[2]
    commands = re.findall(r"^  (\w+) ", listed, re.MULTILINE)
    assert len(commands) >= 9
    for command in commands:
        assert f"`bearoff {command}" in page
