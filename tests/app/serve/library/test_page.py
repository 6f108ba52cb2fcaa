"""The library of reviews in a browser, used by keyboard."""

import io
import re

import pytest
from PIL import Image

from bearoff.analysis.review import Estimates
from bearoff.app.library.library import open_library
from bearoff.app.serve.library.example import example_library
from tests.app.library.conftest import reviewed
from tests.app.serve.asking import LOW
from tests.app.serve.browser import entered, expect, go, keys, until
from tests.app.serve.test_page_looks import PHONE, looked_at


@pytest.fixture
def address(own_address):
    return own_address


@pytest.fixture
def library(own_folder):
    return open_library()


def rows(page, name):
    return page.get_by_role("table", name=name).locator("tbody tr")


def test_an_empty_library_shows_what_one_gets(open_page):
    page = open_page("charts")
    expect(page.locator("main h1")).to_be_attached()
    keys(page, "g", "5")
    expect(page.locator(".gets li")).to_have_count(3)
    page.get_by_role("link", name="Open an example").press("Enter")
    example = example_library()
    expect(rows(page, "Matches")).to_have_count(example.matches_kept())
    costly = example.search(most=1)[0]
    page.get_by_role("link", name="Search").press("Enter")
    first = rows(page, "Decisions found").first
    expect(first.locator("td").last).to_have_text(f"{costly.judged.cost:.4f}")
    first.get_by_role("link").press("Enter")
    expect(page.locator("#decision")).to_be_focused()
    expect(page.locator("#decision")).to_contain_text(costly.judged.decided)
    page.keyboard.press("j")
    expect(page.locator(".decision")).to_contain_text("2 of ")
    page.get_by_role("link", name="Progress").press("Enter")
    progress = example.progress()
    (alone,) = progress.ratings  # only races of the example's matches are judged
    races = page.get_by_role("region", name="Races over time")
    rating = page.get_by_role("region", name="Rating")
    for section, value, course in (
        (rating, f"{alone.rating.value:.1f}", alone.course),
        (races, f"{progress.whole.errors.value:.4f}", progress.course),
    ):
        expect(section.locator(".result strong")).to_have_text(value)
        # The chart of progress needs at least two blocks of decisions.
        expect(section.locator("circle")).to_have_count(len(course) if course[1:] else 0)
    course = progress.course
    races.locator(".improving svg").hover(position={"x": 60, "y": 40})
    expect(races.locator(".values")).to_contain_text(course[0].name)
    expect(races.locator(".values")).to_contain_text(f"{course[0].errors.value:.4f}")
    apart = progress.formula_with_gammons
    assert apart.value > 10 * progress.formula.value
    compared = page.get_by_role("region", name="Comparison in races")
    expect(compared).to_contain_text(f"{apart.value:.4f} each")
    # The saved position is an example that cannot be changed, so the page shows no form.
    page.get_by_role("link", name="Saved positions").press("Enter")
    expect(page.locator(".positions li")).to_have_count(1)
    expect(page.locator("main form, main .small")).to_have_count(0)


def test_ones_own_is_searched_saved_noted_and_deleted(open_page, library):
    library.keep(*reviewed("gnubg_match.mat"))
    page = open_page("library")
    expect(page.locator("main")).to_contain_text(str(library.file.path))
    page.get_by_role("link", name="Search").press("Enter")
    # The list of matches, which is shown until then, has a field for players, too.
    expect(page.get_by_role("heading", name="Decisions")).to_be_visible()
    page.get_by_label("Player").fill("root")
    page.get_by_label("Kind").select_option("play")
    page.get_by_text("More search fields").press("Enter")
    entered(page.get_by_label("Feature"), "gaps >= 1, stack>2")
    costs = "select count(*) from decisions where player = 'root' and kind = 'play' "
    with library.file.reading() as connection:
        (count,) = connection.execute(costs + "and gaps >= 1 and stack > 2").fetchone()
    expect(page.get_by_text(re.compile(f"^{count} "))).to_be_visible()
    entered(page.get_by_label("Feature"), "gap>1")
    expect(page.get_by_role("alert")).to_contain_text("'gap'")
    page.get_by_role("button", name="Clear").press("Enter")
    rows(page, "Decisions found").first.get_by_role("link").press("Enter")
    expect(page.locator("#decision")).to_be_focused()
    page.get_by_label("Note").first.fill("look again")
    entered(page.get_by_label("Tags").first, "gap, #club")
    expect(page.locator(".noted")).to_contain_text("look again #gap #club")
    (saved,) = library.notes.saved()
    assert (saved.text, saved.tags) == ("look again", ("gap", "club"))
    page.get_by_role("link", name="Saved positions").press("Enter")
    page.get_by_role("textbox", name="Position").fill("rubbish")
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("rubbish")
    page.get_by_role("textbox", name="Position").fill(LOW)
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.locator(".positions li")).to_have_count(2)
    page.get_by_role("button", name="Delete look again").press("Enter")
    expect(page.locator(".positions li")).to_have_count(1)
    assert [one.about for one in library.notes.saved()] == [""]
    go(page, "library/1")
    with page.expect_download() as saved_file:
        page.get_by_role("link", name="CSV").click()
    assert saved_file.value.suggested_filename == "decisions.csv"
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete this match").click()
    expect(page.locator(".gets")).to_be_visible()
    assert library.matches_kept() == 0


def test_a_decision_before_the_race_is_opened_noted_and_not_trained(open_page, library):
    """The page shows the whole board; sums of races and of all decisions differ."""
    library.keep(*reviewed("gnubg_session.mat", Estimates()))
    made = library.decisions_of(1)
    before = (one for one in made if not one.judged.in_race)
    one = max(before, key=lambda one: one.judged.cost)
    page = open_page("library")
    (match,) = library.matches()
    ratings = " – ".join(f"{rating:.1f}" for rating in match.ratings)
    expect(rows(page, "Matches")).to_contain_text(ratings)
    go(page, "library/1")
    rated = rows(page, re.compile("^Performance rating"))
    for name, rating in zip(match.players, match.ratings, strict=True):
        expect(rated.filter(has_text=name)).to_contain_text(f"{rating:.1f}")
    wrong = sum(one.judged.is_mistake for one in made)
    expect(page.locator("main")).to_contain_text(f"{len(made)} decisions, {wrong} mistake")
    alone = [each.judged for each in made if each.judged.in_race]
    page.get_by_role("checkbox", name="Races only").press("Space")
    expect(page.locator("main")).to_contain_text(f"{len(alone)} decisions in races, ")
    page.get_by_role("checkbox", name="Races only").press("Space")
    page.get_by_role("link", name=one.judged.decided, exact=True).first.click()
    expect(page.locator("#decision")).to_be_focused()
    assert page.url.endswith(f"#/library/{one.reference}")
    expect(page.locator("#decision")).to_contain_text(one.judged.decided)
    expect(page.get_by_role("group", name=re.compile("^The board;"))).to_be_visible()
    expect(page.get_by_role("button", name="Save this position")).to_have_count(0)
    entered(page.get_by_label("Note").first, "look again")
    expect(page.locator(".noted")).to_contain_text("look again")
    assert [note.about for note in library.notes.of(1)] == [one.reference]


def test_every_part_of_the_library_is_accessible_on_a_phone(open_page):
    page = open_page("library", **PHONE)
    reference = example_library().search(most=1)[0].reference
    example = (f"/example{part}" for part in ("", "/search", "/progress", f"/{reference}"))
    for part in ("", *example, "/saved"):
        go(page, f"library{part}")
        expect(page.locator("main h2").first).to_be_visible()
        expect(page.locator("main [aria-busy=true]")).to_have_count(0)
        looked_at(page, part)


def test_names_are_told_once_and_everything_is_ones_own(open_page, library):
    library.keep(*reviewed("gnubg_match.mat"))
    (first, _), (other, _) = library.players()[:2]
    page = open_page("library/progress")
    asked = page.get_by_role("combobox", name="Of")
    expect(asked).to_have_value(first)
    expect(page.locator("main")).to_contain_text(f"{first}, who made the most decisions")
    asked.select_option(other)
    expect(page.locator("[aria-labelledby=time] .result strong")).to_be_visible()
    page.reload()  # the browser remembers the choice
    expect(asked).to_have_value(other)
    assert other in page.evaluate("localStorage.getItem('bearoff.trainer')")
    page.evaluate("localStorage.clear()")
    page.reload()
    page.get_by_role("link", name="settings", exact=True).press("Enter")
    page.get_by_role("button", name=re.compile(f"^{other}")).press("Enter")
    page.get_by_role("button", name="Save the names").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Saved")
    assert library.names.read() == (other,)
    go(page, "library/progress")
    expect(asked).to_have_value("")
    whole = f"{library.progress(other).whole.errors.value:.4f}"
    expect(page.locator("[aria-labelledby=time] .result strong")).to_have_text(whole)
    go(page, "library/1")
    expect(page.get_by_role("combobox", name="Player shown")).to_have_value(other)
    go(page, "trainer")
    page.get_by_role("checkbox", name="Your mistakes").press("Space")
    expect(page.get_by_role("combobox", name="Mistakes of")).to_have_value(other)


def test_a_decision_is_taken_along(open_page, library):
    library.keep(*reviewed("gnubg_match.mat"))
    one = library.search(most=1)[0]
    permissions = ["clipboard-read", "clipboard-write"]
    page = open_page(f"library/{one.reference}", permissions=permissions)
    copied = "async () => (await navigator.clipboard.readText())"
    page.get_by_role("button", name="Copy XGID").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate(copied) == one.judged.race.xgid
    page.get_by_role("button", name="Copy as text").click()
    until(page, lambda: page.evaluate(copied) != one.judged.race.xgid)
    text = page.evaluate(copied)
    for part in (one.judged.decided, one.judged.best, one.judged.race.xgid):
        assert part in text
    for choice in one.judged.alternatives:
        line = rf"^{re.escape(choice.name)} +[+−]{abs(choice.equity):.4f}"
        assert re.search(line, text, re.M)
    page.get_by_role("button", name="Copy picture").click()
    kinds = "async () => (await navigator.clipboard.read())[0].types"
    until(page, lambda: "image/png" in page.evaluate(kinds))
    picture = page.evaluate(
        """async () => {
            const [item] = await navigator.clipboard.read();
            const picture = await item.getType("image/png");
            return [...new Uint8Array(await picture.arrayBuffer())];
        }"""
    )
    image = Image.open(io.BytesIO(bytes(picture))).convert("RGB")
    assert image.size == (972, 756)
    # An image of a board has many colours; an empty image has only a few.
    assert len(image.getcolors(1 << 20)) > 5
