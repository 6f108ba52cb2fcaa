"""Script that takes the screenshots of the web page for the documentation.

    python -m tests.app.serve.screenshots [NAME ...]

Build the two-sided table of 8 checkers first, for exact answers.
"""

import io
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.app.conftest import ROOT
from tests.app.serve.browser import browsing, chromium_path, serving
from tests.app.serve.play.test_page import begun

FOLDER = ROOT / "docs" / "images"

HOME = "calculator/-ABBAAA------------aaaabb-:0:0:1:00:0:0:0:0:10"
LONG = "calculator/---ABCD-B--BA-ca-c-dca----:0:0:1:00:0:0:0:0:10"

WIDE = {"viewport": {"width": 1280, "height": 860}}
PHONE = {"viewport": {"width": 360, "height": 780}, "is_mobile": True}

PICTURES = {
    "calculator": (HOME, ".ruler .here", WIDE),
    "calculator-dark": (LONG, "text=Rolled out", {**WIDE, "color_scheme": "dark"}),
    "phone": (HOME, ".ruler .here", PHONE),
    "charts": ("charts", ".chart .place", WIDE),
    "trainer": ("trainer", ".marked", WIDE),
    "upload": ("review", ".gets", WIDE),
    "review": ("review", ".decision", WIDE),
    "play": ("play", ".advice .best", {**WIDE, "reduced_motion": "reduce"}),
    "library": ("library/example/progress", ".improving", WIDE),
    "no-chance": ("play", ".numbers .line", WIDE),
}
"""Address, CSS selector that tells when the page is complete, and browser settings."""

DECISIONS = """position,dice,played,decided
XGID=--BBCBC------------cbbcba-:0:0:1:00:0:0:0:0:10,,,no double
XGID=--ABB--------------a-a--b-:0:0:1:61:0:0:0:0:10,,4/off 2/1,
XGID=-ABBABC------------cbbcba-:0:0:1:64:0:0:0:0:10,,6/2 6/off,
LwAAwC0AAAAAAA,2-1,3/1 1/off,
LwAAwC0AAAAAAA,,,take
"""


def answer(page):
    page.get_by_role("checkbox", name="Double or not").press("Space")
    page.locator(".ask .note", has_text="Double or not").wait_for()
    page.keyboard.press("1")
    page.locator(".score", has_text="1 of 10").wait_for()


def review(page):
    """Have the web page review a list of decisions, and open the second one."""
    page.get_by_label("Or positions").fill(DECISIONS)
    page.get_by_role("button", name="Review positions").click()
    page.get_by_role("button", name="Stop").wait_for()
    page.get_by_role("button", name="Stop").wait_for(state="detached", timeout=120_000)
    page.get_by_role("table", name="Decisions").get_by_role("link").nth(1).click()


def name_number(page):
    """Begin a game without dice, and ask for a hint about the number to choose."""
    form = page.get_by_role("region", name="Without dice")
    form.get_by_role("combobox").select_option("two")
    page.get_by_role("button", name="Begin without dice").click()
    page.get_by_role("button", name="Name 6").click()
    page.locator("button[aria-label='Name 3']:not([disabled])").wait_for(timeout=120_000)
    page.get_by_role("button", name="Which number?").click()
    page.locator(".best").wait_for(timeout=120_000)
    page.get_by_role("button", name="Name 3").click()


def play_match(page):
    """Begin a match with known dice; ask for a hint about the first roll."""
    begun(page, length=7, opponent="level-4", seed=f"{12:032x}")
    page.get_by_role("button", name="All plays").click()


TO_DO = {"trainer": answer, "review": review, "play": play_match, "no-chance": name_number}
"""Functions that prepare the web page for a screenshot, by the screenshot's name."""


def main():
    path = chromium_path()
    assert path is not None, "there is no Chromium on this machine"
    FOLDER.mkdir(exist_ok=True)
    with (
        TemporaryDirectory() as data,
        serving(Path(data)) as address,
        browsing(path) as browser,
    ):
        os.environ["BEAROFF_DATA"] = data  # reviews are not stored in the user's library
        for name in sys.argv[1:] or PICTURES:
            place, last, settings = PICTURES[name]
            page = browser.new_context(**settings).new_page()
            page.goto(f"{address}/#/{place}")
            TO_DO.get(name, lambda page: None)(page)
            page.locator(last).first.wait_for(timeout=120_000)
            save(page.screenshot(), FOLDER / f"{name}.png")


def save(png, path):
    """Write an image to a file with 200 colours."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    few = picture.quantize(200, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


if __name__ == "__main__":
    main()
