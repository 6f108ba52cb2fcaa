"""Arguments that are made to harm, or only look like numbers: one sentence, status 2."""

import contextlib
from pathlib import Path

import pytest

from app.output import LONGEST, note
from tests.app.conftest import ROOT, Command, only_sentence
from verify.fuzzing.cli import in_processes

pytestmark = pytest.mark.usefixtures("table")  # No word about solving it.

XGID = "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"

NUMBERS = (
    "1e999",
    "nan",
    "²",
    "−6",
    "Ⅵ",
    "6.5",
    "",
    "0x6",
    "9" * 5000,
    "-" + "9" * 40,
    "6;1",
)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "arguments",
    [
        ("epc", "8887", "--points"),
        ("winprob", "1", "1", "--checkers"),
        ("rollout", "1,1", "[2]", "--games"),
        ("rollout", "1,1", "[2]", "--seed"),
        ("cube", "1", "1", "--score", "3-5", "--cube-value"),
        ("rollout", "1", "1", "--score", "2-4", "--match"),
        ("simulate", "none.yaml", "--workers"),
        ("tables", "build", "--checkers"),
        ("tables", "export", "x.parquet", "--checkers"),
        ("tables", "verify", "--points"),
        ("populations", "build", "races", "--size"),
    ],
)
def test_numbers(bearoff: Command, arguments: tuple[str, ...], number: str) -> None:
    assert len(only_sentence(bearoff(*arguments, number))) < LONGEST + 20


@pytest.mark.parametrize(
    "number", ["nan", "inf", "-inf", "1e999", "-1", "2", "٢x", "½", ""]
)
@pytest.mark.parametrize(
    "arguments",
    [
        ("rollout", "1,1", "[2]", "--games", "1", "--quiet", "--error"),
        ("populations", "build", "near", "--low", "0.5", "--high"),
    ],
)
def test_fractions(bearoff: Command, arguments: tuple[str, ...], number: str) -> None:
    only_sentence(bearoff(*arguments, number))


@pytest.mark.parametrize("text", ["\udcff", "a\0b", "\udcff.yaml", "none/\udce9.parquet"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("epc",),
        ("simulate",),
        ("analyze",),
        ("formulas", "list", "--file"),
        ("tables", "export"),
        ("print", "cheat-sheet"),
        (),
    ],
)
def test_what_no_command_can_use(
    bearoff: Command, arguments: tuple[str, ...], text: str
) -> None:
    said = only_sentence(bearoff(*arguments, text))
    assert said.rstrip("\n").isprintable()
    assert "UTF-8" in said or "NUL" in said


@pytest.mark.parametrize("text", ["\x1b[31mred", "a\nb", "\u202eabc", "\x9b0m", "x" * 9000])
@pytest.mark.parametrize(
    "arguments",
    [
        ("epc",),
        ("play", "8887"),
        ("simulate",),
        ("analyze",),
        ("chart", "none", "--by"),
        ("formulas", "explain"),
        ("cube", "1", "1", "--score"),
        ("formulas", "score", "--population", "none", "--part"),
        ("populations", "build"),
        ("tables",),
        ("tables", "export", "x.parquet", "--checkers", "1", "--rollers"),
        (),
    ],
)
def test_nothing_quoted_steers_the_terminal(
    bearoff: Command, arguments: tuple[str, ...], text: str
) -> None:
    more = ("1", "1") if arguments[:2] == ("formulas", "explain") else ()
    said = only_sentence(bearoff(*arguments, text, *more)).rstrip("\n")
    assert said.isprintable()
    assert len(said) < LONGEST + 20


def test_long_sentences_keep_both_ends(capsys: pytest.CaptureFixture[str]) -> None:
    note("begin " + "x" * 5000 + " end")
    said = capsys.readouterr().err
    assert said.startswith("bearoff: begin xxx")
    assert said.endswith("xxx end\n")
    assert LONGEST // 2 < len(said) < LONGEST


def test_pairs_of_no_known_kind(bearoff: Command, tmp_path: Path) -> None:
    bearoff("tables", "build", "--two-sided", "--checkers", "1")
    out, pairs = str(tmp_path / "x.parquet"), str(tmp_path / "pairs.txt")
    said = only_sentence(
        bearoff("tables", "export", out, "--checkers", "1", "--pairs", pairs)
    )
    assert "ends in .csv or .parquet" in said


def test_contact_has_a_line(bearoff: Command, tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    config.write_text(
        "run: x\ngames: 5\ntable: {points: 24}\nrollout: {}\npairs:\n- list:\n"
        '  - {roller: "[1]", opponent: "[1]"}\n  - {roller: "[20]", opponent: "[5]"}\n'
    )
    said = only_sentence(bearoff("simulate", str(config), "--to", str(tmp_path)))
    assert f"{config}:8: pairs[0].list[1]: a race has no contact" in said
    assert "points 20 and 5" in said


def test_contact_has_a_row(bearoff: Command, tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    (tmp_path / "pairs.csv").write_text("roller,opponent\n[1],[1]\n[20],[4]\n[20],[5]\n")
    config.write_text(
        "run: x\ngames: 5\ntable: {points: 24}\nrollout: {}\n"
        "pairs: [file: {path: pairs.csv}]\n"
    )
    said = only_sentence(bearoff("simulate", str(config), "--to", str(tmp_path)))
    assert "pairs.csv row 3: a race has no contact" in said


def test_an_unknown_cube_strategy_has_a_line(bearoff: Command, tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    config.write_text(
        "run: x\ngames: 5\npairs: [list: [{roller: 1, opponent: 1}]]\n"
        "cube:\n  roller: never\n  opponent: {centred: never, owned: keith, take: kieth}\n"
    )
    said = only_sentence(bearoff("simulate", str(config), "--to", str(tmp_path)))
    assert f"{config}:6: cube.opponent.take: there is no cube strategy 'kieth'" in said
    assert "did you mean 'keith'?" in said


@pytest.mark.slow
def test_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    with contextlib.chdir(ROOT):
        assert in_processes(12, 1) == []
