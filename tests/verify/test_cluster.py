"""Short forms: a cluster that loses machines, and a run in an object store."""

import os

import pytest

from verify import ROOT, cluster, s3
from verify.clusters.machines import namespaces_can_be_had, network
from verify.clusters.object_store import KEYS, store
from verify.clusters.runs import kinds


@pytest.mark.slow
def test_a_cluster_that_loses_machines_gives_the_same_bytes(tmp_path):
    separate = namespaces_can_be_had()  # Or only ports.
    keys, blocks = kinds(seed=1, size=0.04)["races"]
    # The machines run this code, compiled where that of all tests is.
    compiled = os.environ.get("NUMBA_CACHE_DIR", "")
    with network(tmp_path / "machines", ROOT, separate, compiled) as made:
        _, outcome = cluster.with_losses(made, "races", keys, blocks)
    assert outcome.identical
    assert outcome.lost >= 2


@pytest.mark.slow
def test_a_run_in_an_object_store_is_killed_and_resumed(tmp_path, monkeypatch):
    for key, value in KEYS.items():
        monkeypatch.setenv(key, value)
    with store(tmp_path / "server") as served:
        doing = s3.TwoPlaces(tmp_path, ROOT, served, seed=1, games=3000)
        expected = doing.expected()
        _, torn, _ = doing.killed(1, expected)
        assert torn == 0
        assert doing.stored() == expected
        assert served.uploads_under_way() == 0
        nowhere = served.uri(address="http://127.0.0.1:9")
        trouble = doing.trouble("nobody listens", lambda: doing.simulate(nowhere), status=1)
        assert trouble.right, trouble
        assert "127.0.0.1:9" in trouble.said
