"""How players say the lines of a rule."""

from analysis.formulas.lead import Line
from analysis.formulas.words import PARTS, mixed


def share_text(line: Line, name: str) -> str:
    """Write a line of a rule whose lines are not parallel.

    Examples
    --------
    >>> share_text(Line(100, 0, parts=8), "pip count")
    "8% of the roller's pip count"
    >>> share_text(Line(10, -2, parts=3, rounded="down", less=20), "count")
    "3/10 of what the roller's count has above 20, rounded down, less 2"
    """
    if line.divisor is None:
        return mixed(line.offset)
    part = PARTS.get(line.divisor, f"1/{line.divisor}")
    if line.divisor == 100:
        part = f"{line.parts}%"
    elif line.parts > 1:
        part = f"{line.parts}/{line.divisor}"
    of = f"the roller's {name}"
    share = f"{part} of {f'what {of} has above {line.less}' if line.less else of}"
    share += f", rounded {line.rounded}" if line.rounded != "no" else ""
    share += f" (none up to {line.above})" if line.above else ""
    if not line.offset:
        return share
    return f"{share}, {'plus' if line.offset > 0 else 'less'} {mixed(abs(line.offset))}"


def raise_text(line: Line, name: str) -> str:
    """Say how the roller's count is raised."""
    assert line.divisor is not None
    part = PARTS.get(line.divisor, f"1/{line.divisor}")
    if line.parts > 1:
        part = f"{line.parts}/{line.divisor}"
    of = f" of what it has above {line.less}" if line.less else ""
    rounded = f", rounded {line.rounded}" if line.rounded != "no" else ""
    above = f" if it is above {line.above}" if line.above else ""
    return f"Raise the roller's {name} by {part}{of}{rounded}{above}."


def at_most(limit: float) -> str:
    """Say how far a count may be above another."""
    if limit > 0:
        return f"at most {mixed(limit)} above"
    return f"at least {mixed(-limit)} below" if limit else "at most equal"


def at_least(limit: float) -> str:
    """Say how far a count must be above another."""
    if limit > 0:
        return f"at least {mixed(limit)} above"
    return f"at most {mixed(-limit)} below" if limit else "at least equal"
