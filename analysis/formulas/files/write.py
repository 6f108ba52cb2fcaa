"""Writing of formulas as YAML files."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

from pydantic import ValidationError

from bearoff.analysis.errors import FormulaError
from bearoff.analysis.formulas.files.model import FormulaItem
from bearoff.analysis.formulas.rules import CountRule


def formulas_yaml(rules: Sequence[CountRule], comment: str = "") -> str:
    """Return formulas as YAML text, with an optional comment at the top.

    Raises
    ------
    FormulaError
        If a formula has parts that cannot be written to a file.

    Examples
    --------
    >>> from bearoff.analysis.formulas import Adjustment, Count, CountRule, Line
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
    try:
        item = FormulaItem.of(rule)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise FormulaError(
            f"the formula {rule.name!r} cannot be written to a file: {place}: "
            f"{first['msg']}"
        ) from None
    if item.rule() != rule:
        raise FormulaError(
            f"the formula {rule.name!r} cannot be written to a file: its win percentage "
            "may only have a base, a number per pip and a fraction of the count"
        )
    fields = item.model_dump(exclude_defaults=True)
    shown = {"name": rule.name, "source": rule.source}
    return shown | {name: _shown(value) for name, value in fields.items()}


def _shown(value: Any) -> Any:
    """Prepare a value for YAML: whole floats become int, inner mappings take one line."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    flow: CommentedMap | CommentedSeq
    if isinstance(value, float):
        return int(value) if value == int(value) else value
    if isinstance(value, dict):
        flow = CommentedMap({k: _shown(v) for k, v in value.items()})
    elif isinstance(value, tuple):
        shown = [_shown(each) for each in value]
        if any(isinstance(each, CommentedMap) for each in shown):
            return shown
        flow = CommentedSeq(shown)
    else:
        return value
    flow.fa.set_flow_style()
    return flow
