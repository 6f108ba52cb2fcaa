"""The short form of `hostile_files`; no file is read as code."""

import re
from pathlib import Path

import pytest

from verify.hostile.cases import Case, groups
from verify.hostile.verdicts import run_case
from verify.hostile_files import run

ROOT = Path(__file__).parents[2]

# Functions that execute file content, which are not used here.
_CODE = re.compile(
    r"\bpickle\b|\bcloudpickle\b|\bdill\b|\bshelve\b|\bmarshal\b|joblib\.(load|dump)"
    r"|allow_pickle\s*=\s*True|(?<![.\w])eval\(|(?<![.\w])exec\(|(?<![.\w])compile\("
    r"|yaml\.(load|unsafe_load|full_load)|YAML\(typ=[\"']unsafe|read_pickle|torch\.load"
)
_NUMPY_LOAD = re.compile(r"np\.load\(((?:[^()]|\([^()]*\))*)\)")


def test_no_file_is_read_as_code():
    found = []
    for package in ("bearoff", "game", "sim", "analysis", "app"):
        for path in sorted((ROOT / package).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            code = re.sub(r"allow_pickle\s*=\s*False", "", text)
            found += [f"{path.name}: {match[0]}" for match in _CODE.finditer(code)]
            found += [
                f"{path.name}: {match[0]}"
                for match in _NUMPY_LOAD.finditer(text)
                if "allow_pickle=False" not in match[1]
            ]
    # These are messages between a user's own scheduler and workers, as dask sends them, not
    # files.
    assert [each for each in found if each != "cluster.py: pickle"] == []


def test_the_search_would_find_it():
    for line in (
        "import pickle",
        "x = eval(text)",
        "joblib.load(path)",
        "np.load(path, allow_pickle=True)",
        "YAML(typ='unsafe')",
    ):
        assert _CODE.search(line), line
    assert "allow_pickle=False" not in _NUMPY_LOAD.findall("np.load(open(path))")[0]


@pytest.mark.parametrize("group", ["pairs as CSV", "scores", "manifests of runs"])
def test_hostile_files_are_refused(group):
    (tally,) = run(group, processes=1).values()
    assert tally.wrong == []
    assert tally.counts == {"refused": len(groups()[group])}


@pytest.mark.slow
@pytest.mark.parametrize(
    "which", ["parts of runs", "populations", "sided tables", "places"]
)
def test_what_is_hostile_is_refused(which):
    """Malicious files are refused: a seventh of the cases of these groups."""
    for group, tally in run(which, every=7).items():
        assert tally.wrong == [], group
        assert tally.tried == len(groups()[group][::7])


def test_what_is_accepted_is_seen(tmp_path):
    case = Case("good", lambda folder: ["epc", "5"])
    verdict, why = run_case(case, tmp_path / "a")
    assert (verdict, why[:8]) == ("WRONG", "accepted")


def test_a_missing_command_is_seen(tmp_path):
    case = Case("bad", lambda folder: ["epc", "5", "--two-sided"])
    verdict, why = run_case(case, tmp_path / "a")
    assert (verdict, why[:13]) == ("WRONG", "no such comma")


def test_what_is_not_mended_is_seen(tmp_path):
    case = Case(
        "bad",
        lambda folder: ["epc", "5"],
        may_be_taken=True,
        is_mended=lambda folder: False,
    )
    verdict, why = run_case(case, tmp_path / "a")
    assert (verdict, why[:8]) == ("WRONG", "accepted")


def test_a_traceback_is_seen(tmp_path, monkeypatch):
    def breaks(arguments):
        raise KeyError("x")

    monkeypatch.setattr("bearoff.app.run.run", breaks)
    verdict, why = run_case(Case("bad", lambda folder: []), tmp_path / "a")
    assert verdict == "WRONG"
    assert why.startswith("KeyError: 'x' (test_hostile_files.py:")


def test_what_steers_the_terminal_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr("bearoff.app.run.run", lambda arguments: print("\x1b[31mx") or 0)
    case = Case("bad", lambda folder: [], may_be_taken=True)
    verdict, why = run_case(case, tmp_path / "a")
    assert (verdict, why) == ("WRONG", "unprintable characters: '\\x1b[31mx\\n'")


def test_what_is_left_behind_is_seen(tmp_path):
    def leaves(folder):
        return ["epc", "banana"]

    assert run_case(Case("bad", leaves), tmp_path / "a")[0] == "refused"


@pytest.mark.parametrize(
    "arguments", [["tables", "export", "/dev/x"], ["analyze", "r", "--to="]]
)
def test_no_case_reaches_outside_of_its_folder(arguments, tmp_path):
    """No case writes outside of its folder, since root could replace a device."""
    with pytest.raises(AssertionError, match="reaches outside of its folder"):
        run_case(Case("bad", lambda folder: arguments), tmp_path / "a")
