"""Counts of a full-scale test's results are stored, and added up over all its runs."""

from verify.common import tallies
from verify.common.tallies import EXAMPLES, Tally, add, body, runs, table, together


def tally():
    made = Tally(sums={"seconds": 1.5}, most={"peak": 3})
    made.add("refused")
    made.add("WRONG", "a crash")
    made.notes["a blank"] += 1
    return made


def test_tallies_add_and_have_rows_in_a_table():
    both, more = tally(), tally()
    both.reach("peak", 4)
    both += more
    assert both.counts == {"refused": 2, "WRONG": 2}
    assert (both.tried, both.failures, both.wrong) == (4, 2, ["a crash", "a crash"])
    assert (both.sums, both.most) == ({"seconds": 3}, {"peak": 4})
    assert both.notes == {"a blank": 2}
    columns = {"of": lambda one: one.tried, "no": "refused", "s": "seconds", "most": "peak"}
    text = table("kind", {"a": tally(), "b": tally()}, columns, total="all")
    assert text.splitlines()[2:] == [
        "| a | 2 | 1 | 1.50 | 3 |",
        "| b | 2 | 1 | 1.50 | 3 |",
        "| all | 4 | 2 | 3.00 | 3 |",
    ]


def test_of_much_that_is_wrong_the_first_is_told_and_all_is_counted():
    made = Tally()
    for number in range(EXAMPLES + 3):
        made.fail(str(number))
    assert (made.failures, len(made.wrong), made.wrong[0]) == (EXAMPLES + 3, EXAMPLES, "0")
    text = body({"files": made, "others": tally()}, "cases", ".")
    assert text.startswith("2 cases.\n\n- files: 0\n")
    assert text.endswith("- others: a crash\n- and 3 more")


def test_runs_are_kept_beside_the_page_and_the_same_seed_replaces(tmp_path, monkeypatch):
    monkeypatch.setattr(tallies, "behind", lambda trial, commit: "")
    path = tmp_path / "kills.md"
    for seed in (5, 6, 5):
        kept = add("kills", path, seed, {"races": tally()})
    assert [run.seed for run in kept] == [6, 5]
    assert runs(path.with_suffix(".jsonl")) == kept
    assert together(kept)["races"].tried == 4
    assert "| 5 | 2 | 1 |" in tallies.table_of(kept, "kills")
    assert [run.seed for run in add("kills", None, 7, {"races": tally()})] == [7]


def test_what_runs_of_other_code_found_is_forgotten(tmp_path, monkeypatch):
    path = tmp_path / "kills.md"
    add("kills", path, 5, {})
    monkeypatch.setattr(tallies, "behind", lambda trial, commit: "it differs")
    assert [run.seed for run in add("kills", path, 6, {})] == [6]
