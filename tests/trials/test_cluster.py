"""Short forms: a cluster that loses machines, and a run in an object store."""

import pytest

from trials import cluster, s3
from trials.clusters.machines import copy_of_the_code, namespaces_can_be_had, network
from trials.clusters.object_store import KEYS, store
from trials.clusters.runs import kinds


@pytest.fixture(scope="module")
def code(tmp_path_factory):
    """One copy of the packages, so that one machine compiles for all."""
    return copy_of_the_code(tmp_path_factory.mktemp("cluster") / "code")


@pytest.mark.slow
def test_a_cluster_that_loses_machines_gives_the_same_bytes(tmp_path, code):
    separate = namespaces_can_be_had()  # Or only ports.
    keys, blocks = kinds(seed=1, size=0.04)["races"]
    compiled = code.with_name("compiled")
    with network(tmp_path / "machines", code, separate, compiled) as made:
        _, outcome = cluster.with_losses(made, "races", keys, blocks)
    assert outcome.identical
    assert outcome.lost >= 2


@pytest.mark.slow
def test_a_run_in_an_object_store_is_killed_and_resumed(tmp_path, monkeypatch):
    for key, value in KEYS.items():
        monkeypatch.setenv(key, value)
    copy_of_the_code(tmp_path / "code")
    with store(tmp_path / "server") as served:
        doing = s3.Trial(tmp_path, served, seed=1, games=3000)
        expected = doing.expected()
        _, torn, _ = doing.killed(1, expected)
        assert torn == 0
        assert doing.stored() == expected
        assert served.uploads_under_way() == 0
        nowhere = served.uri(address="http://127.0.0.1:9")
        trouble = doing.trouble("nobody listens", lambda: doing.simulate(nowhere))
        assert trouble.right, trouble
        assert "127.0.0.1:9" in trouble.output
