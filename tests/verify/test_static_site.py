"""Quick version of the full-scale test that compares the static page with `Judge`."""

import shutil

import pytest

from tests.two_sided_tables import built
from verify import static_site

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node")


@needs_node
def test_the_page_says_what_the_judge_says(tmp_path):
    # A table of two points and 15 checkers includes gammons.
    tables = [built(4), built(15, points=2)]
    found = static_site.compare(tables, tmp_path, 100, seed=3)
    assert not found.wrong
    assert {"race", "rolls", "market", "formula", "distribution"} == found.counts.keys()


@needs_node
def test_so_does_its_model(tmp_path):
    found = static_site.compare([built(4)], tmp_path, 200, 4, static_site.BEYOND)
    assert not found.wrong
    assert len(found.counts) == 5


def test_a_difference_is_found():
    judge = {"equity": 0.5, "plays": [{"name": "6/off", "cost": 0.0}], "ogid": "::"}
    page = {"equity": 0.5 + 1e-12, "plays": [{"name": "6/off", "cost": 0.0}]}
    assert not list(static_site.differences(page, judge))
    wrong = [page | {"equity": 0.5001}, page | {"plays": []}, page | {"more": None}]
    assert all(list(static_site.differences(one, judge)) for one in wrong)
