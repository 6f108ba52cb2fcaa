"""The measurement of systematic errors, on a few races of four checkers."""

from research.comparisons import systematic


def test_what_is_measured_and_written():
    kind = systematic.Kind(6, 4, 3, 0)
    found = systematic.measure(kind, 4, 1296 * 6)
    assert 0 < found.rms[3] <= found.worst[3] < 0.05
    page = systematic.page([found], 4)
    assert f"| 3 to 4 checkers on 6 points | none | {found.epc:.0f} | " in page


def test_a_race_into_the_table_that_holds_it_is_exact():
    kind = systematic.Kind(6, 3, 3, 3)
    exact = systematic.table_of(3)
    races = systematic.draw(kind, exact, 3)
    assert races.shape == (3, 2, 24)
    assert races.sum(axis=2).tolist() == [[3, 3]] * 3
    beyond = systematic.draw(systematic.Kind(8, 3, 3, 3), systematic.table_of(3, 8), 3)
    assert beyond[:, :, 6:].any(axis=(1, 2)).all()
