"""Quick version of the full-scale test of hostile files; no file is executed as code."""

import re
import sys
from pathlib import Path

import pytest

from bearoff.app.run import run
from verify import ROOT
from verify.hostile.cases import Case, groups
from verify.hostile.verdicts import run_case
from verify.hostile_files import run as run_group

# The project may not use functions that execute the content of files.
_CODE = re.compile(
    r"\bpickle\b|\bcloudpickle\b|\bdill\b|\bshelve\b|\bmarshal\b|joblib\.(load|dump)"
    r"|allow_pickle\s*=\s*True|(?<![.\w])eval\(|(?<![.\w])exec\(|(?<![.\w])compile\("
    r"|yaml\.(load|unsafe_load|full_load)|YAML\(typ=[\"']unsafe|read_pickle|torch\.load"
    r"|np\.load\((?!(?:[^()]|\([^()]*\))*allow_pickle=False)"
)


def test_no_file_is_read_as_code():
    found = [
        f"{path.name}: {match[0]}"
        for package in ("bearoff", "game", "sim", "analysis", "app")
        for path in sorted((ROOT / package).rglob("*.py"))
        for match in _CODE.finditer(path.read_text(encoding="utf-8"))
    ]
    # cluster.py uses pickle only for messages between a user's own processes.
    assert {*found} <= {"cluster.py: pickle"}


@pytest.mark.parametrize(
    "line",
    ["import pickle", "x = eval(text)", "joblib.load(path)", "YAML(typ='unsafe')",
     "np.load(path, allow_pickle=True)", "np.load(open(path))"],
)  # fmt: skip
def test_the_search_would_find_it(line):
    assert _CODE.search(line)
    assert not _CODE.search("np.load(open(path), allow_pickle=False)")


@pytest.mark.parametrize("group", ["pairs as CSV", "scores", "manifests of runs"])
def test_hostile_files_are_refused(group):
    (tally,) = run_group(group, processes=1).values()
    assert tally.wrong == []
    assert tally.counts == {"refused": len(groups()[group])}


@pytest.mark.parametrize(
    "which", ["parts of runs", "populations", "sided tables", "places"]
)
def test_a_seventh_of_the_hostile_files_is_refused(which):
    for group, tally in run_group(which, every=7).items():
        assert tally.wrong == [], group
        assert tally.tried == len(groups()[group][::7])


def breaks(arguments):
    raise KeyError("x")


def steers_the_terminal(arguments):
    print("\x1b[31mx")
    return 0


def leaves_a_file(arguments):
    Path("left").write_text("")
    print("bearoff: no", file=sys.stderr)
    return 2


@pytest.mark.parametrize(
    ("arguments", "program", "options", "verdict", "why"),
    [
        (["epc", "banana"], run, {}, "refused", ""),
        (["epc", "5"], run, {}, "WRONG", "accepted"),
        (["epc", "5"], run, {"may_be_taken": True, "is_mended": lambda folder: False},
         "WRONG", "accepted, but the table was not rebuilt"),
        (["epc", "5", "--two-sided"], run, {}, "WRONG", "no such command"),
        ([], breaks, {}, "WRONG", "KeyError: 'x' (test_hostile_files.py:"),
        ([], steers_the_terminal, {"may_be_taken": True}, "WRONG",
         "unprintable characters: '\\x1b[31mx\\n'"),
        ([], leaves_a_file, {}, "WRONG", "left behind: ['left']"),
    ],
)  # fmt: skip
def test_outcomes_are_judged(
    tmp_path, monkeypatch, arguments, program, options, verdict, why
):
    monkeypatch.setattr("bearoff.app.run.run", program)
    case = Case("a case", lambda folder: arguments, **options)
    found, said = run_case(case, tmp_path / "a")
    assert (found, said[: len(why)]) == (verdict, why)


def test_a_case_that_writes_outside_of_its_folder_is_refused(tmp_path):
    for arguments in (["tables", "export", "/dev/x"], ["analyze", "r", "--to="]):
        case = Case("bad", lambda folder, asked=arguments: asked)
        with pytest.raises(AssertionError, match="reaches outside of its folder"):
            run_case(case, tmp_path / arguments[0])
