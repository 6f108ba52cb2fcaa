"""Fixtures that avoid garbage collection during measurements."""

from types import SimpleNamespace

import pytest

from benchmarks.suite import measure


@pytest.fixture(autouse=True)
def _nothing_is_collected(monkeypatch):
    """Skip garbage collection before measurements, which is slow in the test suite."""
    monkeypatch.setattr(measure, "gc", SimpleNamespace(collect=lambda: 0))
