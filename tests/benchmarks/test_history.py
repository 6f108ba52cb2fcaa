"""The history of benchmarks is written and read back, and invalid records are refused."""

import pytest

from bearoff import BearoffError
from benchmarks.history import page as history_page
from benchmarks.history.records import HISTORY, append_record, read_history
from benchmarks.suite import SUITE
from tests.benchmarks.records import HERE, THERE, record


def test_records_are_read_again(tmp_path):
    path = tmp_path / "deeper" / "history.jsonl"
    assert read_history(path) == []
    first, second = record(HERE, rank=30.0), record(THERE, rank=20.0, unrank=3.0)
    assert append_record(first, path) == [first]
    assert append_record(second, path) == [first, second]
    assert read_history(path) == [first, second]
    assert len(path.read_text().splitlines()) == 2


LINE = record(x=1.0).model_dump_json()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "the line: Invalid JSON"),
        ("[" * 5000, "the line: Invalid JSON"),
        ("[]", "the line: Input should be an object"),
        ("\udcff", "the line: Invalid JSON"),
        (LINE.replace(":1.0", ":-1", 1), "ratios.x.value: Input should be greater than 0"),
        (f'{LINE[:-1]},"surprise":1}}', "surprise: Extra inputs are not permitted"),
    ],
)
def test_a_line_that_is_no_record_is_one_sentence(line, said, tmp_path):
    path = tmp_path / "history.jsonl"
    text = f"{LINE}\n{line}\n"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(BearoffError) as error:
        append_record(record(rank=2.0), path)
    assert f"{path}, line 2, is not a record of benchmarks ({said}" in str(error.value)
    assert "\n" not in str(error.value)
    assert path.read_text(encoding="utf-8", errors="surrogateescape") == text


def test_the_page_tells_of_each_machine_and_what_changed(tmp_path):
    records = [
        record(THERE, rank=99.0),
        record(THERE, rank=25.0),
        record(HERE, rank=30.0, unrank=8.0, gone=1.0),
        record(THERE, rank=20.0),
        record(HERE, rank=27.0),
    ]
    history_page.write_page(records, tmp_path)
    page = (tmp_path / history_page.PAGE).read_text(encoding="utf-8")
    here, there = page.index(f"## {HERE}"), page.index(f"## {THERE}")
    assert here < there < page.index(f"({history_page.CHART})")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    head = "| ours | baseline | ratio | middle half | change | commit |"
    found = [line.split(":")[0] for line in rows]
    assert found == [head, "| rank", "| unrank", head, "| rank"]
    assert rows[1].endswith("| 27 | 27 to 27 | -10 % | 0123456789 |")
    # The table shows the latest record that has this benchmark.
    assert rows[2].endswith("| 8 | 8 to 8 |  | 0123456789 |")
    assert rows[4].endswith("| 20 | 20 to 20 | -20 % | 0123456789 |")
    assert (tmp_path / history_page.CHART).read_bytes().startswith(b"\x89PNG")


def test_a_chart_has_a_line_for_each_machine_and_one_record_is_none(tmp_path):
    (tmp_path / history_page.CHART).write_bytes(b"an old one")
    history_page.write_page([record(HERE, rank=30.0)], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [history_page.PAGE]
    assert "Over time" not in (tmp_path / history_page.PAGE).read_text(encoding="utf-8")
    from matplotlib.figure import Figure

    records = [record(HERE, rank=30.0), record(THERE, rank=20.0), record(HERE, rank=27.0)]
    ax = Figure().subplots()
    history_page.plot_ratios("rank", records, ax=ax)
    drawn = [line.get_xydata().tolist() for line, *_ in ax.containers]
    assert drawn == [[[1, 30], [3, 27]], [[2, 20]]]


def test_what_is_committed_can_be_read():
    for one in read_history(HISTORY):
        assert set(one.ratios) <= set(SUITE)
