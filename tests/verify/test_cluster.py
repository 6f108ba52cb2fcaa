"""Quick versions of the full-scale tests of lost cluster machines and of object stores."""

import os
from dataclasses import replace

from verify import ROOT, cluster, s3
from verify.clusters.machines import namespaces_can_be_had, network
from verify.clusters.object_store import KEYS, store
from verify.clusters.refused import Refused, table_of_refusals
from verify.clusters.runs import kinds
from verify.common.processes import LATEST


def test_a_cluster_that_loses_machines_gives_the_same_bytes(tmp_path):
    keys, blocks = kinds(seed=1, size=0.04)["races"]
    # The simulated machines use the same compiled code as all tests.
    compiled = os.environ.get("NUMBA_CACHE_DIR", "")
    # Without namespaces, the machines differ only by their ports.
    with network(tmp_path / "machines", ROOT, namespaces_can_be_had(), compiled) as made:
        _, outcome = cluster.with_losses(made, "races", keys, blocks)
    assert outcome.identical
    assert outcome.lost >= 2


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


def test_a_refusal_is_one_sentence_in_time_with_the_status_that_is_due():
    good = Refused("the scheduler is killed", 1, 1, 12.0, "bearoff: cannot reach it\n")
    assert good.right
    wrong = {"status": 2}, {"seconds": LATEST}, {"said": ""}, {"said": "a\nbearoff: no"}
    assert not any(replace(good, **change).right for change in wrong)
    row = "| the scheduler is killed | 1 | 12.0 | bearoff: cannot reach it |"
    assert row in table_of_refusals([good])
