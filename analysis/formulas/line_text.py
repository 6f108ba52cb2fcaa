"""How players say the lines of a rule."""

from analysis.formulas.lead import Line
from analysis.formulas.words import PARTS, mixed


def share_text(line: Line, name: str) -> str:
    """Write a line of a rule whose lines are not parallel."""
    if line.divisor is None:
        return mixed(line.offset)
    if line.divisor == 100:
        share = f"{line.parts}% of the roller's {name}"
    else:
        parts = f"{line.parts} x " if line.parts > 1 else ""
        part = PARTS.get(line.divisor, f"1/{line.divisor}")
        share = f"{parts}{part} of the roller's {name}"
    share += f" less {line.less}" if line.less else ""
    share += f" rounded {line.rounded}" if line.rounded != "no" else ""
    if not line.offset:
        return share
    return f"{share} {'plus' if line.offset > 0 else 'less'} {mixed(abs(line.offset))}"


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
