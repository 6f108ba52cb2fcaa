"""Figures in a common style, saved reproducibly.

Figures do not use pyplot and so do not change global state. Fill colours are shades of one
hue, from light to dark, so that they are legible in black and white and with colour
blindness.
"""

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearoff.storage import atomic_path, write_atomic

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.figure import Figure

INK = "#1a1a1a"
"""Colour of text, axes and lines."""

GREY = "#5c5c5c"
"""Colour of captions."""

ACCENT = "#b3361e"
"""Colour of emphasised marks, which also differ from other marks in shape."""

SHADES = ("#f1eee6", "#bcd2dd", "#7ba3b9", "#2a5a78")
"""Fill colours of the cube actions, from "no double" (light) to "pass" (dark)."""

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "hatch.linewidth": 0.7,
    "savefig.dpi": 200,
    "svg.hashsalt": "bearoff",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "path.simplify": True,
}


@contextmanager
def style() -> Iterator[None]:
    """Apply the project's figure style within a with block."""
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        yield


def add_caption(
    figure: "Figure", text: str, *, width: int = 112, size: float = 6.5
) -> None:
    """Write a caption in small grey letters at the bottom of a figure."""
    figure.text(
        0.012,
        0.012,
        "\n".join(textwrap.wrap(text, width)),
        fontsize=size,
        color=GREY,
        va="bottom",
        ha="left",
        linespacing=1.35,
    )


def save(figure: "Figure", path: Path) -> Path:
    """Save a figure in the format of the file extension: ``.png``, ``.svg`` or ``.pdf``.

    With the same version of matplotlib, the same figure always gives the same bytes.
    """
    suffix = path.suffix.lstrip(".")
    metadata = {
        "png": {"Software": None},
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    }
    # Matplotlib's PDF writer cannot recover from a full disk, so the figure is first drawn
    # in memory.
    drawn = BytesIO()
    with style():
        figure.savefig(drawn, format=suffix, metadata=metadata[suffix])
    write_atomic(path, drawn.getvalue())
    return path


def write_text(text: str, path: Path) -> Path:
    """Write a text file atomically."""
    write_atomic(path, text.encode())
    return path


def write_table(table: "pa.Table", path: Path) -> Path:
    """Write a Parquet file atomically, with checksums."""
    from pyarrow import parquet

    with atomic_path(path) as fresh:
        parquet.write_table(table, fresh, write_page_checksum=True)
    return path
