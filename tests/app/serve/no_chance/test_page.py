"""A game without dice on the web page: numbers, plays, hints, and reloading the page."""

from bearoff.app.serve.no_chance import thinking
from tests.app.serve.browser import entered, expect, keys
from tests.app.serve.play.test_page import STILL, counts, has_bar_below, spot
from tests.app.serve.test_page_looks import PHONE, looked_at


def begun(page, **rules):
    """Begin a game without dice against the opponent of one turn, and choose number 6."""
    form = page.get_by_role("region", name="Without dice")
    form.get_by_role("combobox").select_option("one")
    for group, choice in rules.items():
        form.get_by_role("group", name=group).locator("label", has_text=choice).click()
    page.get_by_role("button", name="Begin without dice").click()
    named(page, 6)
    expect(page.get_by_role("button", name="Name 6, yours")).to_be_attached()
    expect(number(page, 3)).to_be_enabled()


def number(page, number):
    return page.locator(f".numberbar button[aria-label^='Name {number}']")


def named(page, number):
    page.get_by_role("button", name=f"Name {number}").click()


def test_a_number_is_named_and_the_pair_played_a_double_four_times(open_page):
    page = open_page("play", **STILL)
    begun(page, **{"Doubles per player": "1"})
    bar = page.get_by_role("group", name="Numbers to name")
    expect(bar.get_by_role("button", name="Name 6, yours")).to_be_disabled()
    double = bar.get_by_role("button", name="Name 5, the opponent's, a double")
    expect(double).to_be_enabled()
    expect(page.locator(".numbers td", has_text="●")).to_have_count(1)
    expect(page.locator(".numbers td", has_text="○")).to_have_count(5)
    # The player may choose another number, also by its digit, until the play is completed.
    page.keyboard.press("1")
    page.mouse.click(*spot(page, 6))
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    named(page, 3)
    for point in (8, 6):
        page.mouse.click(*spot(page, point))
    assert counts(page)[2] == 2
    page.get_by_role("button", name="Play", exact=True).click()
    log = page.locator(".log")
    expect(log).to_contain_text("5-3: 8/3 6/3")
    expect(number(page, 2)).to_be_enabled()
    before = counts(page)
    page.reload()
    expect(number(page, 2)).to_be_enabled()
    assert counts(page) == before
    page.get_by_role("button", name="Take back").click()
    expect(log).not_to_contain_text("8/3 6/3")
    expect(page.locator(".rail").last).to_contain_text("doubles left: 1")
    named(page, 5)
    entered(page.get_by_label("Type a play"), "13/3(2)")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".rail").last).to_contain_text("doubles left: 0")
    expect(number(page, 2)).to_be_enabled()
    assert page.locator(".numberbar button[aria-label*='a double']:enabled").count() == 0


def test_a_hint_rates_the_numbers_in_both_tables(open_page, monkeypatch):
    # A hint searches fewer positions here, because only its presentation is tested.
    monkeypatch.setattr(thinking, "HINT", 500)
    page = open_page("play", **STILL)
    begun(page, Numbers="7")
    page.get_by_role("button", name="Which number?").click()
    rows = page.locator(".advice tbody tr")
    expect(rows.first).to_contain_text("pips")
    assert rows.count() == 6
    expect(page.locator(".numbers td", has_text="○")).to_have_count(0)
    keys(page, "h", "h")  # a hint that is already shown is not counted again
    expect(page.get_by_text("Hints: 1;")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Hints: 1;")).to_be_visible()
    # The text of a result states who wins, whether it is a gammon, and in how many turns.
    said = page.evaluate(
        """async () => {
            const { resultOf } = await import("/naming.js");
            const of = (points, turns, exact, value = null) =>
                resultOf({ points, turns, exact, value });
            return [of(1, 3, true), of(-2, -4, true), of(2, 1, true), of(1, 5, false),
                of(null, null, false, -3.25)];
        }"""
    )
    right = "you 2 turns", "they gammon 2 turns", "you gammon 1 turn", "you 3 turns", "−3.3"
    for text, named in zip(said, right, strict=True):
        assert all(word in text for word in named.split())
        assert ("gammon" in text) == ("gammon" in named)


def test_a_phone_has_the_numbers_below_the_board(open_page):
    page = open_page("play", **PHONE, **STILL)
    begun(page)
    named(page, 3)
    looked_at(page, "a game without dice")
    has_bar_below(page, ".numberbar")
    for one in page.locator(".numberbar button").all():
        assert one.bounding_box()["width"] >= 44
