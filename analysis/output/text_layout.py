"""Width of text in figures, and wrapping of text to a width."""

from functools import lru_cache

from bearoff.analysis.output.drawing import STYLE

POINT = 1 / 72
"""Size of a typographic point in inches."""


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of text in inches, at a font size in points.

    Examples
    --------
    >>> 0.4 < text_width("redouble", 8) < 0.6
    True
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    letters = FontProperties(family=STYLE["font.family"], weight=weight, size=size)
    width, _, _ = TextToPath().get_text_width_height_descent(text, letters, False)
    return float(width) * POINT


def wrapped(text: str, width: float, size: float, weight: str = "normal") -> list[str]:
    """Wrap text into lines of at most `width` inches; long words are not broken.

    Examples
    --------
    >>> wrapped("double, redouble and take", 1.0, 9)
    ['double,', 'redouble and', 'take']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
