"""Short forms: a cluster that loses machines, and a run in an object store."""

import pytest

from tests.reliability import cluster, s3
from tests.reliability.machines import copy_of_the_code, namespaces_can_be_had, network
from tests.reliability.object_store import KEYS, store

SEPARATE = pytest.mark.skipif(
    not namespaces_can_be_had(), reason="network namespaces need root and ip"
)


@pytest.mark.slow
@pytest.mark.parametrize("separate", [pytest.param(True, marks=SEPARATE), False])
def test_a_cluster_that_loses_machines_gives_the_same_bytes(tmp_path, separate):
    keys, blocks = cluster.kinds(seed=1, size=0.04)["races"]
    code = copy_of_the_code(tmp_path / "code")
    with network(tmp_path / "machines", code, separate) as made:
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
        assert "127.0.0.1:9" in trouble.said
