"""Messages that a run has too few games for an analysis, and the number needed."""

from bearoff import sim
from bearoff.analysis import analyse_run, open_run, write_report


def batch(folder, pairs=1, **changes):
    return {
        "run": "few", "seed": 1, "output": str(folder), "backend": "sequential",
        "pairs": [{"random": {"pairs": pairs, "pips": {"from": 20, "to": 30}}}],
    } | changes  # fmt: skip


def test_pairs_that_stop_at_the_most_games_are_told(tmp_path):
    wanted = {"target": 0.002, "at_most": 12_000}
    run = sim.run(batch(tmp_path, 30, standard_error=wanted), progress=False)
    found = analyse_run(run.path)
    errors = found.outcomes.variance**0.5
    short = int((errors > 0.002).sum())
    assert 0 < short < 30
    told = [one for one in found.shortages if "at_most" in one]
    assert len(told) == 1
    for word in (f"{short} of 30", "12,000", f"{errors.max():.4f}", "0.002"):
        assert word in told[0]
    assert told[0] in write_report(run.path).page.read_text()
    # 100,000 games per pair reach the target error, so no shortage of games is reported.
    enough = {"target": 0.002, "at_most": 100_000}
    again = sim.run(batch(tmp_path, 30, standard_error=enough), progress=False)
    assert again.games_played > 0
    assert not [one for one in analyse_run(again.path).shortages if "at_most" in one]


def test_too_few_pairs_for_rules_and_charts_are_told(tmp_path):
    run = open_run(sim.run(batch(tmp_path, games=100), progress=False).path)
    found = analyse_run(run)
    assert found.run is run
    told = [("fitting" in one, "12 cells" in one) for one in found.shortages]
    assert told == [(True, False), (False, True)]
    report = write_report(run, tmp_path / "else")
    assert report.study.run is run
