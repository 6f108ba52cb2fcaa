"""Progress of runs, shown as a bar in a terminal and otherwise as lines."""

import io
import re
from time import perf_counter

from bearoff.runtime import compile_seconds, njit
from bearoff.sim.engine import progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_no_terminal_gets_whole_lines():
    stream = io.StringIO()
    with (
        progress.progress_bar("other", 10, show=True, stream=io.StringIO()),
        progress.progress_bar("quick", 2_000_000, show=True, stream=stream) as bar,
    ):
        bar.update(1_000_000)
        bar.refresh()
        bar.update(1_000_000)
    lines = stream.getvalue().splitlines()
    assert len(lines) >= 3
    for line in lines:
        assert re.fullmatch(
            r"quick: \S+ of 2\.00M games(, [\d.kMGT]+ games/s, [\d:]+ left)?", line
        ), line
    assert lines[0] == "quick: 0.00 of 2.00M games"  # the first line states no speed yet
    assert lines[-1].startswith("quick: 2.00M of 2.00M games")
    assert not {"\r", "\x1b"} & {*stream.getvalue()}


def test_one_alone_says_nothing_of_the_rest():
    """After a single block of games, no remaining time is estimated."""
    stream = io.StringIO()
    with progress.progress_bar("review", 20, show=True, unit="ones", stream=stream) as bar:
        bar.mininterval = 0
        for _ in range(11):
            bar.update()
    lines = stream.getvalue().splitlines()
    assert lines[:2] == ["review: 0 of 20 ones", "review: 1 of 20 ones"]
    assert len(lines) > 10
    assert all(re.search(r", .* ones/s, [\d:]+ left$", line) for line in lines[2:])


def test_a_terminal_gets_one_line_with_its_rate_if_it_is_asked_for():
    stream = Terminal()
    with progress.progress_bar("quick", 1000, show=True, stream=stream) as bar:
        bar.update(1000)
    text = stream.getvalue()
    assert text.count("\n") == 1
    assert "\r" in text
    assert "100%" in text
    with progress.progress_bar("far", 20, show=True, unit="rollouts", stream=stream) as bar:
        bar._time = lambda: bar.start_t + 2  # as if two seconds had passed
        bar.update(1)
    assert re.search(r"1/20 .* 0\.50 rollouts/s", stream.getvalue())
    stream = io.StringIO()
    with progress.progress_bar("quick", 10, show=False, stream=stream) as bar:
        progress.skip(bar, 4)
        bar.update(6)
    assert stream.getvalue() == ""


def test_games_of_earlier_sessions_do_not_count_as_speed():
    stream = io.StringIO()
    with progress.progress_bar("quick", 10**9, show=True, stream=stream) as bar:
        for found in (0, 4, 4, 10**9 - 1):
            progress.skip(bar, found)
        bar.update(1)
        assert (bar.n, bar.initial) == (10**9, 10**9 - 1)
    last = stream.getvalue().splitlines()[-1]
    assert last.startswith("quick: 1.00G of 1.00G games")
    assert not re.search("[MGTP] games/s", last)  # one game was played in this session


def test_passes_are_shown_by_their_share_and_timed_without_compiling(capsys):
    show = progress.PassProgress()
    for name in ("first", "second"):
        for done in (0.0, 0.5, 1.0):
            show(name, done)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "bearoff: first: 0%"
    assert "bearoff: first: 100%" in lines
    assert lines[-1] == "bearoff: second: 100%"
    assert list(show.seconds) == ["first", "second"]
    progress.PassProgress(show=False)("third", 1.0)
    assert capsys.readouterr().err == ""
    show, before = progress.PassProgress(show=False), compile_seconds()
    show("first", 0.0)
    start = perf_counter()
    assert njit()(lambda number: number + 1)(1) == 2
    show("first", 1.0)
    compiling = compile_seconds() - before
    assert 0.001 < compiling < perf_counter() - start
    assert show.seconds["first"] < compiling
