"""Take the pictures of the page that the documentation shows.

    python -m tests.app.serve.screenshots

Build the two-sided table of 15 checkers before, for exact answers.
"""

import io
from pathlib import Path
from typing import Any

from tests.app.conftest import ROOT
from tests.app.serve.browser import browsing, chromium_path, serving

FOLDER = ROOT / "docs" / "images"

HOME = "calculator/--BBCBC------------cbbcba-:0:0:1:00:0:0:0:0:10"

LONG = "calculator/---ABCD-B--BA-ca-c-dca----:0:0:1:00:0:0:0:0:10"

WIDE: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 780}, "is_mobile": True}

PICTURES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "calculator": (HOME, ".steps", WIDE),
    "calculator-dark": (LONG, "text=Rolled out", {**WIDE, "color_scheme": "dark"}),
    "phone": (HOME, ".ruler", PHONE),
    "charts": ("charts", ".chart .place", WIDE),
}
"""Name, place, what shows that all is there, and settings of the browser."""

COLOURS = 200
"""Of a picture: few enough for a small file, enough for smooth letters."""


def main() -> None:
    """Write all pictures."""
    path = chromium_path()
    assert path is not None, "there is no Chromium on this machine"
    FOLDER.mkdir(exist_ok=True)
    with serving() as address, browsing(path) as browser:
        for name, (place, last, settings) in PICTURES.items():
            page = browser.new_context(**settings).new_page()
            page.goto(f"{address}/#/{place}")
            page.locator(last).first.wait_for(timeout=120_000)
            save(page.screenshot(), FOLDER / f"{name}.png")


def save(png: bytes, path: Path) -> None:
    """Write a picture with few colours."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


if __name__ == "__main__":
    main()
