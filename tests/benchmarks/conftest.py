"""Sides that are made up leave nothing to collect."""

from types import SimpleNamespace

import pytest

from benchmarks.suite import measure


@pytest.fixture(autouse=True)
def _nothing_is_collected(monkeypatch):
    """Looking through all that a whole suite has made takes half a second each time."""
    monkeypatch.setattr(measure, "gc", SimpleNamespace(collect=lambda: 0))
