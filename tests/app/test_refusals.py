"""Commands refuse bad input with an error message of one line and exit status 2."""

import shlex

import pytest

from bearoff.sim.populations.file import write_population
from tests.analysis.made_population import made_population
from tests.app.conftest import ROOT, SESSION, missing, only_sentence
from tests.two_sided_tables import built

# With a built table, commands print no notice about building a table.
pytestmark = pytest.mark.usefixtures("table")

ID = "LwAAwC0AAAAAAA"
MONEY = "XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10"
CONTACT = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
PAIR = "0,2,2,0,0,0 0,2,2,0,0,0"
MADE = "--population made.parquet"
TO = "--to new"
QUICK = ROOT / "results" / "quick"
BUILD = "tables build --two-sided --checkers"

# Each row has a command and the words that its error message must contain.
REFUSED = [
    ("epc ''", "position"),
    ("epc banana", "banana"),
    ("epc 1 --points 0", "points 0"),
    ("epc 1 --checkers 16", "checkers 16"),
    ("epc 1 --points 24", "points checkers"),
    ("epc 1 --points six", "--points integer"),
    ("epc", "POSITION"),
    ("epx", "'epx' 'epc'"),
    ("--jsom", "--jsom"),
    ("play 8887", "6-4"),
    (f"play {MONEY}", "6-4"),
    ("play 0 6-4", "off"),
    ("play 8887 21 --cube owned", "--cube opponent"),
    # These commands evaluate single races.
    ("race", "position"),
    ("race 8887", "opponent '8887'"),
    (f"race {ID} 8887", "both"),
    (f"race {MONEY} --error nan", "nan"),
    (f"race {PAIR} --model --error 0.1", "--model --error"),
    ("race --to out.csv", "--to --from"),
    (f"race {ID} --from in.csv", "file positions"),
    ("race --from in.csv --json", "--json"),
    ("race --from in.csv --error 0.01 --model", "--error --model"),
    ("race --from none.csv --to out.csv", "none.csv"),
    # These commands concern cube decisions and match scores.
    ("cube 0 1", "roller 0"),
    (f"cube {PAIR} --cube-value 3", "1, 2, 4 3"),
    (f"cube {PAIR} --score 3 -5", "-5"),
    (f"cube {PAIR} --score five", "score five"),
    (f"cube {PAIR} --match 7", "7 score"),
    (f"cube {PAIR} --crawford", "crawford score"),
    (f"cube {PAIR} --match-equities x.csv", "match"),
    (f"cube {PAIR} --score 3 5 --match-equities no/such.xml", "no/such.xml"),
    ("rollout [1] 0,0,0,0,0,0", "opponent off"),
    ("rollout [1] [1] --games 0", "--games 1"),
    ("rollout [1] [1] --error 2", "--error 1"),
    ("rollout [1] [1] --first-rolls 6", "--first-rolls 6"),
    # Runs.
    ("analyze ''", "folder"),
    ("analyze no/such/run", "no/such/run"),
    ("analyze made.parquet", "made.parquet"),
    ("chart s3://bucket/run", "--to"),
    (f"chart {QUICK} --efficiency nan", "nan"),
    (f"chart {QUICK} --to made.parquet/chart.png", "made.parquet"),
    (f"analyze {QUICK} --to made.parquet", "made.parquet"),
    ("simulate quick -q --to made.parquet", "made.parquet"),
    ("simulate", "CONFIG"),
    ("simulate ''", "file"),
    ("simulate no/such/config.yaml", "no/such/config.yaml"),
    ("simulate ./empty", "./empty bearoff configs"),
    (f"simulate {QUICK}", f"bearoff analyze {QUICK}"),
    ("simulate quik", "'quick'"),
    ("simulate zzzz", "baselines chart"),
    ("configs --to a.yaml", "name"),
    ("configs quick --to none/mine.yaml", "none/mine.yaml"),
    # Tables.
    ("tables biuld", "'biuld' 'build'"),
    ("tables build --points 24", "points checkers 4,294,967,296"),
    ("tables build --two-sided --points 7", "170,544"),
    ("tables build --two-sided --checkers 16", "1 15 16"),
    ("tables build --cubeless", "--cubeless --two-sided"),
    ("tables build --memory 6GB", "--memory --two-sided"),
    ("tables build --workers 0", "--workers 1"),
    (f"{BUILD} 2 --memory 1MB", "1.0 MB"),
    (f"{BUILD} 2 --memory '6 giga'", "500MB '6 giga'"),
    ("tables build --checkers 2 --score 2 4", "--score --two-sided"),
    (f"{BUILD} 2 --crawford", "--score"),
    (f"{BUILD} 2 --score 2 4 --cubeless", "--cubeless"),
    (f"{BUILD} 2 --score 1 4", "--crawford --post-crawford"),
    (f"{BUILD} 2 --score 2 4 --crawford", "crawford 2-away"),
    ("tables export x.bd --checkers 8", "15 8"),
    ("tables export x.bd --cubeless", "--cubeless --two-sided"),
    ("tables export x.bd --two-sided --checkers 2 --uncompressed", "compressed"),
    ("tables export x.bd --two-sided --checkers 13", "4,294,967,296"),
    ("tables export x.bd --two-sided --checkers 15 --points 5", "15 14"),
    ("tables export x.bd --rollers 3", "pairs"),
    ("tables export x.csv --checkers 12", "bearoff tables build --two-sided 12"),
    ("tables export x.csv --checkers 1 --rollers 1 --pairs pairs.csv", "--pairs"),
    ("tables export x.csv --checkers 1 --pairs pairs.txt", "pairs.txt .csv .parquet"),
    ("tables import x.bd", "x.bd"),
    # These commands concern formulas, populations and printed sheets.
    ("formulas explain kieth 1 1", "'kieth' 'keith'"),
    ("formulas explain keith 0 1", "roller off"),
    ("formulas explain keith 1 1 --file none.yaml", "none.yaml"),
    (f"formulas score --against none {MADE} {TO}", "'none'"),
    (f"formulas score --part second {MADE} {TO}", "second"),
    (f"formulas score --population . {TO}", "bearoff populations build cubeful"),
    ("populations build", "NAME"),
    (f"populations build races --size 0 {TO}", "1 1073741824 0"),
    (f"populations build races --seed -1 {TO}", "seed -1"),
    (f"populations build races --low 0.6 {TO}", "--low --high"),
    (f"populations build races --low 0.6 --high 0.8 {TO}", "races"),
    (f"populations build races --rollouts 5 {TO}", "races --rollouts long"),
    (f"populations build cubeful-by-kieth {TO}", "'keith'"),
    ("populations build uniform --size 9 --checkers 3 --to made.parquet", "made.parquet"),
    (f"populations cards made.parquet {TO}.csv", ".apkg"),
    (f"populations export --from none {TO}", "bearoff populations build cubeful"),
    ("print n-rolls --to made.parquet", "made.parquet"),
    ("print cheat-sheet ward", "'ward'"),
    ("print cheat-sheet keith --scores none.parquet", "none.parquet"),
    ("print cheat-sheet keith --example 8887", "'8887'"),
    ("print gold-standard --population none.parquet", "none.parquet"),
    (f"print chart {MADE} --formula kleinman", "'kleinman'"),
    (f"print chart {MADE} --wastage=inf", "0 inf"),
    # Commands on matches.
    ("review empty", "empty match"),
    ("review ''", "match.mat ''"),
    ("review a.mat --deep --races-only", "--deep --races-only"),
    ("library show 9", "9 bearoff library list"),
    ("library show one", "12 'one'"),
    ("library delete 1.2", "1.2"),
    ("library delete n7", "7 bearoff library list"),
    ("library search --sort size", "--sort size"),
    ("library progress gnubk", "'gnubk' 'gnubg'"),
    ("library progress --since 2099", "decision"),
    ("library export --to x.doc", ".csv .parquet .apkg .txt"),
    ("library export --to x.csv --player nobody", "x.csv"),
    ("library export", "--to"),
    ("library note 1 x --tag 'two words'", "tag 'two words'"),
    ("library save 1", "1 match"),
    (f"library save {CONTACT}", f"contact bearoff review {CONTACT}"),
    ("game a.txt", ".mat .sgf"),
    ("game --against me", "search contact"),
    ("game --length 3 --jacoby", "Jacoby"),
    ("game --external 4321", "HOST:PORT"),
    ("game --external localhost:99999", "HOST:PORT"),
    ("game a.mat --external localhost:1", "a.mat"),
    ("no-chance race 0,0,0,0,0,0", "checkers"),
    ("no-chance play --board 1,2,3", "position"),
]


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Return a folder with files of several kinds, and the folder of a library."""
    built(3)
    desk, own = (tmp_path_factory.mktemp(name) for name in ("desk", "own"))
    write_population(desk / "made.parquet", made_population())
    (desk / "empty").mkdir()
    return desk, own


@pytest.fixture
def desk(places, bearoff, monkeypatch):
    folder, own = places
    monkeypatch.chdir(folder)
    monkeypatch.setenv("BEAROFF_DATA", str(own / "data"))
    if not own.joinpath("data").exists():
        assert bearoff("review", str(SESSION), "--model", "-q").code == 0
    return folder


@pytest.mark.parametrize(("line", "named"), REFUSED, ids=[line[:60] for line, _ in REFUSED])
def test_refused(bearoff, desk, line, named):
    before = sorted(desk.rglob("*"))
    assert len(only_sentence(bearoff(*shlex.split(line)), *named.split())) < 500
    assert sorted(desk.rglob("*")) == before


def test_only_slips_are_suggested(bearoff):
    assert "--json" in only_sentence(bearoff("epc", "8887", "--jsom"), "--jsom")
    refused = only_sentence(bearoff("rollout", "1", "1", "--patience", "3"), "--patience")
    assert "--truncate" not in refused


def test_every_problem_of_a_config_is_a_line(bearoff, tmp_path):
    config = tmp_path / "bad.yaml"
    config.write_text("run: Bad Name\ngamse: 10\nseed: -1\ncube: {roller: keeth}\n")
    answer = bearoff("simulate", str(config))
    assert (answer.code, answer.out) == (2, "")
    lines = answer.err.splitlines()
    assert len(lines) >= 4
    assert all(line.startswith(f"bearoff: {config}") for line in lines)
    assert missing(answer.err, "'games'", "'Bad Name'", "seed", "'keeth'") == []


PAIR_OF = "run: x\ngames: 5\npairs: [list: [{roller: 1, opponent: 1}]]\n"
ROLLOUT = "run: x\ngames: 5\ntable: {points: 24}\nrollout: {}\npairs:\n"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            ROLLOUT + '- list:\n  - {roller: "[1]", opponent: "[1]"}\n'
            '  - {roller: "[20]", opponent: "[5]"}\n',
            "c.yaml:8: pairs[0].list[1]: contact 20 5",
        ),
        (ROLLOUT + "- file: {path: pairs.csv}\n", "pairs.csv row 3: contact"),
        (
            PAIR_OF + "cube:\n  roller: never\n"
            "  opponent: {centred: never, owned: keith, take: kieth}\n",
            "c.yaml:6: cube.opponent.take: 'kieth' 'keith'",
        ),
        (PAIR_OF + "cube: {roller: kieth, opponent: perfect}\n", "roller: 'kieth' 'keith'"),
    ],
)
def test_a_fault_of_a_config_has_a_place(bearoff, tmp_path, text, named):
    config = tmp_path / "c.yaml"
    config.write_text(text)
    (tmp_path / "pairs.csv").write_text("roller,opponent\n[1],[1]\n[20],[4]\n[20],[5]\n")
    answer = bearoff("simulate", str(config), "--to", str(tmp_path / "new"))
    only_sentence(answer, *named.split())
