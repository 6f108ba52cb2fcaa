"""Fixtures that avoid garbage collection during measurements."""

from types import SimpleNamespace

import pytest

from benchmarks.suite import measure


@pytest.fixture(autouse=True)
def _nothing_is_collected(monkeypatch):
    """Collection over all objects of the test suite takes half a second each time."""
    monkeypatch.setattr(measure, "gc", SimpleNamespace(collect=lambda: 0))
