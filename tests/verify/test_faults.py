"""Quick version of the full-scale test of failing disks, clocks and memory."""

import pytest

from verify.common.targets import targets
from verify.fault_cases.bench import Bench, FaultTally
from verify.fault_cases.cases import CASES
from verify.faults import page, try_all


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("full disk", "one-sided"),
        ("two at once", "two-sided"),
        ("full disk for", "tables export"),
        ("read-only folder", "races"),
        ("read-only cache", "epc"),
        ("clock set back", "races"),
        ("little memory", "races"),
        ("signal", "races"),
        ("folder removed", "races"),
        ("pipe closed", "races"),
    ],
)
def test_a_fault_does_no_harm(bench, name, target):
    (case,) = (case for case in CASES if case.name == name)
    if case.needs_disk and bench.no_disk:
        pytest.skip(bench.no_disk)
    found = FaultTally()
    case.attempt(bench, bench.targets.get(target, target), bench.chance("test"), found)
    assert found.tried > 0
    assert found.wrong == []


def test_what_is_said_is_judged_and_a_file_that_differs_is_named(tmp_path):
    found = FaultTally()
    found.record(0, ["whatever"], {1: "No space"})
    lines = ["bearoff: warning: no locks", "bearoff: No space left"]
    found.record(1, lines, {1: "No space"})
    assert found.wrong == []
    assert list(found.notes) == ["bearoff: No space left"]
    for code, *said in ((1, "Traceback", "No space"), (1, "oh"), (-9, "No space")):
        found.record(code, said, {1: "No space"})
    assert len(found.wrong) == 3
    assert found.counts == {"0": 1, "1": 3, "-9": 1}
    for name in ("a", "b", "c.lock"):
        (tmp_path / name).write_text("1")
    found = FaultTally()
    found.expect(tmp_path, {"a": "0", "d": "0"}, "after it,")
    assert found.wrong == ["after it, these differ: a, b, d"]


def test_without_small_disks_the_page_says_so(tmp_path, monkeypatch):
    bench = Bench(tmp_path, seed=1)
    bench.no_disk = "nothing can be mounted here"
    found = try_all(bench, [case for case in CASES if case.needs_disk], 1)
    text = page(found, 1)
    assert text.count("nothing can be mounted here") == len(found) == 15
    assert "Nothing was wrong." in text


def test_every_fault_has_targets():
    others = {"epc", "analyze", "chart", "figures", "print n-rolls", "tables export"}
    for case in CASES:
        assert set(case.targets) <= {*targets()} | others
