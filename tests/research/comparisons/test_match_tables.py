"""The measurement of the errors of tables at match scores, for three checkers a side."""

import re

from research.comparisons import match_tables


def test_errors_are_below_what_is_stated(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    monkeypatch.setattr(match_tables, "SCORES", match_tables.SCORES[1:5:3])
    match_tables.main(["--checkers", "3"])
    rows = re.findall(r"^\| \d.*$", capsys.readouterr().out, flags=re.MULTILINE)
    assert len(rows) == 2
    for row in rows:
        largest, rms, stated = map(float, row.split("|")[-4:-1])
        assert 0 < rms < largest < stated < 5e-6
