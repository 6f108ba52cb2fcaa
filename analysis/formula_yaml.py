"""Formulas of the family written as YAML that `analysis.formulas.yaml_file` reads."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

from analysis.formulas.adjustment import Adjustment
from analysis.formulas.lead import Line
from analysis.formulas.rule import CountRule, CountWinRule


def formulas_yaml(rules: Sequence[CountRule], comment: str = "") -> str:
    """Write formulas as a YAML file; `comment` stands above them.

    Examples
    --------
    >>> from analysis.formulas import Adjustment, Count, CountRule, Line
    >>> count = Count((Adjustment(1, "gaps"),))
    >>> rule = CountRule("mine", "own", count, Line(10, -2), Line(10, -1.5), Line(10, 2))
    >>> print(formulas_yaml([rule]))
    formulas:
    - name: mine
      source: own
      add:
      - {pips: 1, feature: gaps}
      double: {divisor: 10, offset: -2}
      redouble: {divisor: 10, offset: -1.5}
      take: {divisor: 10, offset: 2}
    <BLANKLINE>
    """
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.width = 92
    out = StringIO()
    for line in comment.splitlines():
        out.write(f"# {line}\n")
    yaml.dump({"formulas": [_item(rule) for rule in rules]}, out)
    return out.getvalue()


def _item(rule: CountRule) -> dict[str, Any]:
    item: dict[str, Any] = {"name": rule.name, "source": rule.source}
    if rule.note:
        item["note"] = rule.note
    if rule.count.start != "pips":
        item["start"] = rule.count.start
    if rule.count.values:
        item["values"] = _flow([_number(value) for value in rule.count.values])
    least = rule.count.least
    if least is not None:
        item["at_least"] = _flow({"per_roll": _number(least.per_roll)})
        if least.plus:
            item["at_least"]["plus"] = _number(least.plus)
    if rule.count.adjustments:
        item["add"] = [_added(each) for each in rule.count.adjustments]
    lines = {"double": rule.double, "redouble": rule.redouble, "take": rule.last_take}
    item |= {action: _line(line) for action, line in lines.items()}
    if rule.passes_ties:
        item["passes_ties"] = True
    if isinstance(rule, CountWinRule):
        chance = rule.chance
        said: dict[str, Any] = {
            "base": _number(chance.base),
            "per_pip": _number(float(chance.per_pip)),
        }
        if chance.line.divisor is not None:
            said["divisor"] = chance.line.divisor
        item["chance"] = _flow(said)
    return item


def _added(adjustment: Adjustment) -> Any:
    said: dict[str, Any] = {
        "pips": _number(adjustment.pips),
        "feature": adjustment.feature,
    }
    if adjustment.on:
        said["on"] = list(adjustment.on)
    if adjustment.beyond:
        said["beyond"] = adjustment.beyond
    if adjustment.compared != "own":
        said["compared"] = adjustment.compared
    return _flow(said)


def _line(line: Line) -> Any:
    said: dict[str, Any] = {} if line.divisor is None else {"divisor": line.divisor}
    said["offset"] = _number(line.offset)
    defaults = {"parts": 1, "rounded": "no", "above": 0, "less": 0}
    for key, default in defaults.items():
        if getattr(line, key) != default:
            said[key] = getattr(line, key)
    return _flow(said)


def _number(value: float) -> int | float:
    return int(value) if value == int(value) else float(value)


def _flow(value: Any) -> Any:
    """Let a mapping or a list stand on one line."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    flow = CommentedMap(value) if isinstance(value, dict) else CommentedSeq(value)
    flow.fa.set_flow_style()
    return flow
