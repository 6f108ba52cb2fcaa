"""A run is not continued with a cube strategy that has the same name but decides
differently.
"""

import copy
import dataclasses
import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

import bearoff
from bearoff import sim
from bearoff.analysis.formulas import get
from bearoff.analysis.formulas.rules import published
from bearoff.matchup import CubeDecision, NeverDoubles, PerfectCube, ThresholdCube
from bearoff.sim.runs import strategies
from bearoff.sim.runs.strategies import content_of
from tests.sim import batches
from tests.sim.batches import manifest_of, parts_of

CHECKERS = 4
FORMULAS = """\
formulas:
- name: tenth
  double: {divisor: 10, offset: -2}
  redouble: {divisor: 10, offset: -1.5}
  take: {divisor: 10, offset: 2}
"""


@dataclass(frozen=True)
class Lead:
    """Strategy that doubles and redoubles from a given lead in pips."""

    lead: float
    name: str = "lead"

    def decide(self, rollers, opponents):
        pips = np.arange(1, rollers.shape[1] + 1)
        lead = (opponents - rollers) @ pips
        return CubeDecision(lead >= self.lead, lead >= self.lead, lead <= 2 * self.lead)


class Versioned:
    """Strategy with a version, which decides like another strategy."""

    name = "versioned"

    def __init__(self, version, inner):
        self.version, self._inner = version, inner

    def decide(self, rollers, opponents):
        return self._inner.decide(rollers, opponents)


class Nameless:
    name = "nameless"

    def decide(self, rollers, opponents):
        return Lead(2).decide(rollers, opponents)


pytestmark = pytest.mark.usefixtures("small")


def cubeful(output, roller="mine", **changes):
    cube = {"roller": roller, "opponent": "never"}
    return batches.cubeful(output, pairs=6, games=2000, cube=cube, **changes)


def run(config, **given):
    return batches.run(config, strategies=given)


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        (Lead(2), Lead(3), "mine.fields.lead was 2, and is now 3"),
        (Lead(2), ThresholdCube(0.7, 0.7, 0.8), "Lead"),
        (Versioned(1, Lead(2)), Versioned(2, Lead(2)), "mine.version was 1, and is now 2"),
        # The rule of the strategy has changed, but its version has not.
        (Versioned(1, Lead(2)), Versioned(1, Lead(3)), "mine.decides"),
    ],
)
def test_another_rule_is_another_run(tmp_path, before, after, place):
    summary = run(cubeful(tmp_path), mine=before)
    parts = parts_of(summary.path)
    with pytest.raises(sim.RunError, match="another configuration") as refused:
        run(cubeful(tmp_path), mine=after)
    assert place in str(refused.value)
    assert parts_of(summary.path) == parts
    assert run(cubeful(tmp_path), mine=copy.copy(before)).games_played == 0


def test_an_interrupted_run_goes_on_by_its_own_rule_only(tmp_path):
    whole = parts_of(run(cubeful(tmp_path / "whole"), mine=Lead(2)).path)
    batches.stopped_at_write(cubeful(tmp_path), 3, strategies={"mine": Lead(2)})
    with pytest.raises(sim.RunError, match="mine"):
        run(cubeful(tmp_path), mine=Lead(3))
    assert parts_of(run(cubeful(tmp_path), mine=Lead(2)).path) == whole


def test_a_formula_that_plays_otherwise_is_another_run(tmp_path, monkeypatch):
    config = cubeful(tmp_path, roller="keith")
    summary = run(config)
    assert manifest_of(summary.path).strategies["keith"]["fields"]["name"] == "keith"
    keith = get("keith")
    other = dataclasses.replace(keith, double=dataclasses.replace(keith.double, offset=9.0))
    others = tuple(other if one is keith else one for one in published.PUBLISHED)
    monkeypatch.setattr(published, "PUBLISHED", others)
    with pytest.raises(sim.RunError, match=r"keith\.fields\.double\.fields\.offset"):
        run(config)
    summary = run(config | {"run": "given"}, keith=Lead(2))
    assert manifest_of(summary.path).strategies["keith"]["class"] == "Lead"


@pytest.mark.parametrize(
    ("strategy", "names"),
    [(Nameless(), ("'mine'", "Nameless", "version")),
     (Versioned(None, Lead(2)), ("Versioned", "version")),
     (dataclasses.make_dataclass("Empty", [("name", str, "x")])(), ("Empty", "version")),
     (Lead(lambda: 2), ("mine", "lead", "function"))],
)  # fmt: skip
def test_what_cannot_be_told_from_another_is_refused(tmp_path, strategy, names):
    with pytest.raises(sim.ConfigError) as refused:
        run(cubeful(tmp_path), mine=strategy)
    for name in names:
        assert name in str(refused.value)
    assert refused.value.problems[0].path == "cube.roller"
    assert not (tmp_path / "small").exists()


def test_content_is_written_down_field_by_field():
    @dataclass(frozen=True)
    class Inner:
        share: Fraction = Fraction(1, 7)

    @dataclass
    class Outer:
        inner: Inner = Inner()
        table: Any = field(default_factory=lambda: np.arange(3))
        names: frozenset[str] = frozenset({"b", "a"})
        limits: ClassVar[tuple[int, ...]] = (1,)
        odd: float = float("nan")

    content = content_of(Outer())["fields"]
    assert content["inner"]["fields"] == {"share": "1/7"}
    assert content["names"] == ["a", "b"]
    assert content["odd"] == "nan"
    assert content != content_of(Outer(table=np.arange(4)))["fields"]
    assert content != content_of(Outer(table=np.arange(3, dtype=np.int32)))["fields"]
    assert "limits" not in content
    json.dumps(content, allow_nan=False)
    assert content_of(NeverDoubles()) == {"class": "NeverDoubles", "fields": {}}
    assert content_of(PerfectCube(6))["fields"] == {"checkers": 6, "jacoby": False}


@pytest.mark.parametrize("size", [(6, 15), (12, 1)])
def test_probes_are_races_with_a_cube_to_turn(size):
    table = bearoff.one_sided_table(*size)
    rollers, opponents = strategies.probes(table)
    assert rollers.shape == opponents.shape == (strategies.PROBES, size[0])
    on_board = np.concatenate([rollers, opponents]).sum(axis=1)
    assert 1 <= on_board.min() <= on_board.max() <= size[1]
    if size == (6, 15):
        pips = np.arange(1, 7)
        assert len(np.unique(rollers, axis=0)) > 800
        assert 0.02 < np.median((opponents - rollers) @ pips / (rollers @ pips)) < 0.2


class Fails:
    """Strategy that raises an error in one race, or returns a wrong type."""

    name, version = "fails", 1

    def __init__(self, how):
        self._how = how

    def decide(self, rollers, opponents):
        answer = Lead(2).decide(rollers, opponents)
        if self._how == "none":
            return None
        if self._how == "short":
            return CubeDecision(answer.double[:-1], answer.redouble, answer.take)
        if self._how == "floats":
            return CubeDecision(answer.double, answer.redouble * 1.0, answer.take)
        if self._how == "later" and (rollers.sum(axis=1) == 2).any():
            raise ZeroDivisionError("two checkers")
        if self._how == "raises" and (rollers[:, 0] == CHECKERS).any():
            raise ZeroDivisionError("no pips at all")
        return answer


@pytest.mark.parametrize(
    ("how", "said"),
    [("none", "NoneType without double"), ("short", "array double of type bool and shape"),
     ("floats", "array redouble of type float64"),
     ("raises", "ZeroDivisionError: no pips at all")],
)  # fmt: skip
def test_an_error_names_the_strategy_the_race_and_the_answer_it_must_give(
    tmp_path, how, said
):
    with pytest.raises(sim.StrategyError) as failed:
        run(cubeful(tmp_path), mine=Fails(how))
    sentence = str(failed.value)
    assert "'mine'" in sentence
    assert said in sentence
    assert "double, redouble and take" in sentence
    if how == "raises":
        assert f"such as {CHECKERS},0,0,0,0,0 against" in sentence
        assert isinstance(failed.value.__cause__, ZeroDivisionError)
    assert not (tmp_path / "small").exists()


@pytest.mark.parametrize("backend", ["sequential", "loky"])
def test_an_error_in_the_middle_of_a_run_is_told_as_well(tmp_path, monkeypatch, backend):
    monkeypatch.setattr(strategies, "PROBES", 1)
    with pytest.raises(sim.StrategyError, match="ZeroDivisionError"):
        run(cubeful(tmp_path, backend=backend, workers=2), mine=Fails("later"))


def with_formulas(folder, formulas, **changes):
    """Write a configuration with a file of formulas; return its path, and its content
    without the formulas.
    """
    (folder / "mine.yaml").write_text(formulas)
    given = cubeful(folder, roller="tenth", **changes)
    (folder / "batch.yaml").write_text(json.dumps(given | {"formulas": "mine.yaml"}))
    return folder / "batch.yaml", given


def test_formulas_of_a_file_and_in_the_batch_are_one_run(tmp_path):
    config, given = with_formulas(tmp_path, FORMULAS)
    items = manifest_of(run(config).path).config["formulas"]
    assert [item["name"] for item in items] == ["tenth"]
    # The run stores its formulas, so the file is not needed. An additional formula that
    # neither side follows does not start a new run.
    unused = items[0] | {"name": "unused"}
    assert run(given | {"formulas": [*items, unused]}).games_played == 0
    (tmp_path / "mine.yaml").write_text(FORMULAS.replace("offset: 2", "offset: 3"))
    with pytest.raises(sim.RunError, match=r"tenth\.fields\.last_take"):
        run(config)


def test_what_is_wrong_with_formulas_has_its_file_and_line(tmp_path):
    wrong = FORMULAS.replace("divisor: 10, offset: 2", "offset: x")
    config, _ = with_formulas(tmp_path, wrong, gmaes=3)
    with pytest.raises(sim.ConfigError) as refused:
        run(config)
    first, second = refused.value.problems
    assert (second.file, second.line) == ("mine.yaml", 5)
    assert (first.path, second.path) == ("gmaes", "formulas[0].take.offset")


@pytest.mark.parametrize(
    ("given", "place"),
    [(3, "formulas"), ([], "formulas"), ([{"name": "keith"}], "formulas[0].name"),
     ("none.yaml", "formulas"), ([{"name": "a"}], "formulas[0]")],
)  # fmt: skip
def test_formulas_that_are_none_are_refused(tmp_path, given, place):
    with pytest.raises(sim.ConfigError) as refused:
        run(cubeful(tmp_path, formulas=given), mine=Lead(2))
    assert refused.value.problems[0].path == place
