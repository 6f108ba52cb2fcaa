"""`bearoff tables` for two-sided tables: built, listed, verified, cleared."""

from pathlib import Path

import pytest

import bearoff as core
from bearoff.two_sided.cached import cached_two_sided_tables, smallest_table_with
from tests.app.conftest import Command, interrupted, only_sentence

BUILD = ("tables", "build", "--two-sided", "--checkers")
PLANES = ["cubeless", "opponent", "owned", "centred"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def damage(plane: Path) -> None:
    data = bytearray(plane.read_bytes())
    data[len(data) // 2] ^= 0xFF
    plane.write_bytes(data)


def test_build_says_what_it_takes_and_what_came_of_it(bearoff: Command) -> None:
    answer = bearoff(*BUILD, "2", "--workers", "2")
    assert answer.code == 0
    first, *progress = answer.err.splitlines()
    assert first.startswith("bearoff: 784 pairs of 2 checkers a side: about ")
    assert " kB of disk, 250.3 MB of memory and 1 s with " in first
    assert progress[-1] == "bearoff: centred: 100%"
    (kept,) = cached_two_sided_tables()
    lines = answer.out.splitlines()
    assert lines[0].startswith("two-sided table of 2 checkers: ")
    passes = [line.strip().partition(":")[0] for line in lines[1:4]]
    assert passes == ["cubeless", "opponent and owned", "centred"]
    shown = dict(line.split() for line in lines[6:])
    assert list(shown) == PLANES
    assert shown == kept.digests


def test_a_cubeless_build_is_completed_by_the_next(bearoff: Command) -> None:
    answer = bearoff(*BUILD, "2", "--cubeless", "--workers", "1", "--json")
    assert answer.json["planes"] == ["cubeless"]
    assert "with 1 thread\n" in answer.err
    assert smallest_table_with(2, cube=True) is None
    first = answer.json["digests"]["cubeless"]
    both = bearoff(*BUILD, "2", "--json")
    assert both.json["planes"] == PLANES
    assert both.json["digests"]["cubeless"] == first
    assert "cubeless" not in both.err
    assert both.json["seconds"] >= 0
    assert set(both.json["pass_seconds"]) == {"opponent and owned", "centred"}


def test_a_cubeless_build_is_said_to_take_less(bearoff: Command) -> None:
    whole, part = (
        core.two_sided.estimate_build(15, 2, cube=cube, memory=10**11)
        for cube in (True, False)
    )
    assert part.disk_bytes * 4 < whole.disk_bytes
    assert part.memory_bytes < whole.memory_bytes
    assert part.seconds * 3.5 < whole.seconds


def test_list_and_clear_include_them(bearoff: Command, cache: Path) -> None:
    for checkers in ("1", "2"):
        bearoff(*BUILD, checkers)
    bearoff("tables", "build", "--points", "2", "--checkers", "2")
    out = bearoff("tables", "list").out
    assert out.startswith(f"3 in {cache}\n")
    assert "cubeless opponent owned centred" in out
    assert max(map(len, out.replace(str(cache), "").splitlines())) <= 80
    kinds = [(t["kind"], t["checkers"]) for t in bearoff("tables", "list", "--json").json]
    assert kinds == [("one-sided", 2), ("two-sided", 1), ("two-sided", 2)]
    bearoff("tables", "clear", "--points", "2")
    assert [kept.checkers for kept in cached_two_sided_tables()] == [1, 2]
    bearoff("tables", "clear", "--checkers", "1")
    assert [kept.checkers for kept in cached_two_sided_tables()] == [2]
    assert bearoff("tables", "clear").out.startswith("1 deleted, ")
    assert cached_two_sided_tables() == []


def test_verify_reads_everything(bearoff: Command, cache: Path) -> None:
    for checkers in ("1", "2"):
        bearoff(*BUILD, checkers)
    answer = bearoff("tables", "verify")
    good = "two-sided table of {} checkers: cubeless, opponent, owned, centred good\n"
    assert answer.out == good.format(1) + good.format(2)
    damage(cache / "two-sided-06-02" / "owned.plane")
    assert bearoff("tables", "verify", "--checkers", "1").out == good.format(1)
    sentence = only_sentence(bearoff("tables", "verify", "--checkers", "2"))
    assert "owned.plane is damaged in block" in sentence
    sentence = only_sentence(bearoff("tables", "verify", "--checkers", "3"))
    assert "there is no such table to verify" in sentence


def test_a_build_that_finished_nothing_is_told(bearoff: Command, cache: Path) -> None:
    """Or is under way: neither is called good."""

    def stop(name: str, done: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        core.build_two_sided_table(2, progress=stop)
    told = "two-sided table of 2 checkers: none of it is finished\n"
    assert bearoff("tables", "verify").out == told
    assert "none: being built" in bearoff("tables", "list").out


@pytest.mark.parametrize("text", ["", "x", "null", "{}", '{"table": {'])
def test_a_damaged_table_is_reported_whichever_command_asks(
    bearoff: Command, cache: Path, text: str
) -> None:
    bearoff(*BUILD, "1")
    bearoff(*BUILD, "2")
    bearoff("tables", "build")
    path = cache / "two-sided-06-02" / "table.json"
    path.write_text(text)
    assert "damaged: build it again" in bearoff("tables", "list").out
    for command in ("winprob", "cube", "rollout"):
        sentence = only_sentence(bearoff(command, "1,1,0,0,0,0", "1,1,0,0,0,0"))
        assert f"{path} is damaged" in sentence
        assert "bearoff tables build --two-sided --checkers 2" in sentence
    assert bearoff(*BUILD, "2").code == 0
    assert bearoff("winprob", "1,1,0,0,0,0", "1,1,0,0,0,0").code == 0


def test_the_smallest_table_that_will_do_is_taken(bearoff: Command) -> None:
    bearoff(*BUILD, "2", "--cubeless")
    bearoff(*BUILD, "3")
    found = [smallest_table_with(n, cube=False) for n in (1, 2, 3, 4)]
    assert [t and t.checkers for t in found] == [2, 2, 3, None]
    found = [smallest_table_with(n, cube=True) for n in (1, 3, 4)]
    assert [t and t.checkers for t in found] == [3, 3, None]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("build", "--two-sided", "--points", "7"), "170,544 positions, and a two-sided"),
        (("build", "--two-sided", "--checkers", "16"), "from 1 to 15, got 16"),
        (("build", "--cubeless"), "--cubeless needs --two-sided"),
        (("build", "--memory", "6GB"), "--memory needs --two-sided"),
        (
            (*BUILD[1:], "2", "--memory", "6 giga"),
            "such as 6GB, 500MB or 4e9, got '6 giga'",
        ),
        (
            (*BUILD[1:], "2", "--memory", "1MB"),
            "or more, got 1.0 MB; allow it more",
        ),
        (("build", "--workers", "0"), "--workers"),
    ],
)
def test_refusals(bearoff: Command, arguments: tuple[str, ...], sentence: str) -> None:
    answer = bearoff("tables", *arguments)
    assert answer.code == 2
    assert sentence in answer.err
    assert answer.out == ""


def test_ctrl_c_says_that_the_same_command_goes_on(tmp_path: Path) -> None:
    # Half a minute, of which some hundredths of a second are waited for.
    env = {"BEAROFF_CACHE": str(tmp_path)}
    answer = interrupted(*BUILD, "10", "--workers", "1", env=env, at="cubeless: ")
    assert answer.code == 130
    assert answer.err.splitlines()[-1].startswith("bearoff: interrupted; finished planes")
    assert "Traceback" not in answer.err


def test_tables_at_a_score_are_built_listed_verified_and_cleared(
    bearoff: Command, cache: Path
) -> None:
    at = (*BUILD, "2", "--score", "4", "2")
    answer = bearoff(*at, "--workers", "1")
    assert answer.code == 0
    first, *progress = answer.err.splitlines()
    assert first.startswith("bearoff: 784 pairs of 2 checkers a side at 4-away 2-away: ")
    assert progress[-1] == "bearoff: a1-centred and b1-centred: 100%"
    lines = answer.out.splitlines()
    assert lines[0].startswith("two-sided table of 2 checkers at 4-away 2-away: ")
    (kept,) = cached_two_sided_tables()
    assert dict(line.split() for line in lines[7:]) == kept.digests
    again = bearoff(*at, "--json").json
    assert again["digests"] == kept.digests
    assert again["score"] == kept.score
    crawford = bearoff(*BUILD, "1", "--score", "1", "3", "--crawford", "--json")
    assert crawford.json["planes"] == ["wins", "a1-dead", "b1-dead"]
    bearoff(*BUILD, "1")
    out = bearoff("tables", "list").out
    assert out.startswith(f"3 in {cache}\n")
    assert "cubeless opponent" in out
    for score in ("2-4-", "1-3-crawford-"):
        assert f"   {score}" in out
    verified = bearoff("tables", "verify")
    assert (verified.code, verified.out.count("good")) == (0, 3)
    assert "2 checkers at 2-4-" in verified.out
    damage(kept.folder / "a1-centred.plane")
    verified = bearoff("tables", "verify", "--checkers", "2")
    assert "a1-centred.plane" in only_sentence(verified)
    assert bearoff("tables", "clear").out.startswith("3 deleted, ")
    assert cached_two_sided_tables() == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--score", "2", "4"), "--score needs --two-sided"),
        (("--two-sided", "--crawford"), "add --score"),
        (("--two-sided", "--score", "2", "4", "--cubeless"), "leave --cubeless out"),
        (("--two-sided", "--score", "1", "4"), "by --crawford or --post-crawford"),
        (("--two-sided", "--score", "2", "4", "--crawford"), "a side that is 1 point"),
        (("--two-sided", "--score", "2", "99"), "points the opponent needs"),
        (("--two-sided", "--score", "2", "x"), "valid integer"),
    ],
)
def test_scores_that_no_table_has(
    bearoff: Command, cache: Path, arguments: tuple[str, ...], says: str
) -> None:
    answer = bearoff("tables", "build", "--checkers", "2", *arguments)
    assert answer.code == 2
    assert says in " ".join(answer.err.split())
    assert not list(cache.glob("two-sided-*"))
