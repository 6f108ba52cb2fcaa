"""Fixture that makes runs consist of many small parts."""

import pytest

from tests.sim.batches import cut_small


@pytest.fixture
def small(monkeypatch):
    cut_small(monkeypatch)
