"""The calculator as a site of static files, opened in a browser."""

import re
import shutil
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bearoff import Position, two_sided_table
from bearoff.app.formulas import formulas_by_name
from bearoff.app.serve.site.writing import write_site
from tests.app.serve.browser import expect, go
from tests.app.serve.test_page import LONG, cell
from tests.app.serve.test_page_looks import PHONE, looked_at, shown
from tests.two_sided_tables import built

SHORT = "-BA-A---------------a-ba--"
EXACT = f"calculator/{SHORT}:0:0:1:00:0:0:0:0:10"
CHECKERS = 4


class WholeFiles(SimpleHTTPRequestHandler):
    """Request handler of `python -m http.server` that does not log requests."""

    def log_message(self, *words):
        pass


class Parts(WholeFiles):
    """Request handler that sends parts of files, and counts the bytes sent of each file."""

    sent: dict[str, int]

    def do_GET(self):
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        if not found:
            super().do_GET()
            return
        with open(self.translate_path(self.path), "rb") as file:  # noqa: PTH123
            first, last = map(int, found.groups())
            file.seek(first)
            part = file.read(last + 1 - first)
        name = self.path.rpartition("/")[2]
        self.sent[name] = self.sent.get(name, 0) + len(part)
        self.send_response(206)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)


@contextmanager
def hosting(folder, handler=WholeFiles):
    """Serve a folder of files; yield the address of the site in it."""
    made = partial(handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), made) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/a/b/site"
        server.shutdown()
        thread.join(10)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Return the root folder of a web server, with the static site in a subfolder."""
    folder = tmp_path_factory.mktemp("root")
    (folder / "a" / "b").mkdir(parents=True)
    built(CHECKERS)
    full = built(15, points=2).folder
    (folder / "a" / full.name).symlink_to(full)
    beside = [f"../../{full.name}"]
    write_site(folder / "a" / "b" / "site", formulas_by_name(None), CHECKERS, beside)
    return folder


@pytest.fixture(scope="module")
def address(root):
    with hosting(root) as address:
        yield address


def test_it_answers_as_the_table_does_and_shows_what_it_can(open_page):
    page = open_page(EXACT, handled="net::ERR_")
    expect(page.locator(".verdict .source")).to_contain_text("Exact")
    pair = [Position.parse(text).number for text in ("2,1,0,1,0,0", "0,1,2,0,1,0")]
    table = two_sided_table(CHECKERS)
    wins = float(table.win_probability(*pair))
    waits = float(table.no_double(*pair))
    expect(cell(page, "Wins")).to_have_text(f"{wins:.2%}")
    expect(cell(page, "no double")).to_have_text(f"{waits:+.4f}".replace("-", "−"))
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_text(["Calculator"])
    expect(page.get_by_role("group", name="Play")).to_have_count(0)
    expect(page.locator("section[aria-labelledby=rolls] tbody tr")).to_have_count(21)
    # The main table contains neither this race nor the next one.
    go(page, "calculator/-JE--------------------gh-:0:0:1:00:0:0:1:0:10")
    expect(page.locator(".verdict .source")).to_contain_text("table of 15 checkers")
    table = two_sided_table(15, 2)
    pair = [Position.parse(text, points=2).number for text in ("10,5", "8,7")]
    waits = float(table.no_double(*pair, jacoby=True))
    expect(cell(page, "no double")).to_have_text(f"{waits:+.4f}".replace("-", "−"))
    go(page, LONG)
    expect(page.locator(".verdict .source")).to_contain_text("fast model")
    shown(page, "calculator")
    go(page, f"calculator/{SHORT}:0:0:1:00:0:0:0:7:10")
    expect(page.get_by_role("alert")).to_contain_text("money")


def test_a_phone_by_keyboard(open_page):
    page = open_page(EXACT, handled="net::ERR_", **PHONE, color_scheme="dark")
    expect(page.locator(".verdict .action")).to_be_visible()
    dice = page.get_by_role("group", name="Dice")
    dice.get_by_role("button", name="6-5").press("Enter")
    expect(page.get_by_role("heading", name="Playing 6-5")).to_be_visible()
    expect(page.locator(".verdict .action")).to_have_text(re.compile(r"^4/off 2/off$|/off"))
    shown(page, "calculator")
    looked_at(page, "the page of files")


def test_a_host_that_sends_parts_is_not_asked_anew_and_without_it_the_page_works(
    open_page, root
):
    Parts.sent = {}
    with hosting(root, Parts) as address:
        page = open_page(EXACT, alone=True, at=address, handled="net::ERR_")
        shown(page, "calculator")
        planes = {name: sent for name, sent in Parts.sent.items() if "plane" in name}
        page.get_by_role("button", name=re.compile("Store the tables")).click()
        expect(page.get_by_text("Works offline")).to_be_visible()
        told = page.locator(".verdicts").inner_text()
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    # The host is stopped, so the page comes from the browser's cache.
    page.reload()
    expect(page.locator(".verdict .source")).to_contain_text("Exact")
    expect(page.locator(".verdicts")).to_have_text(told, use_inner_text=True)
    folder = two_sided_table(CHECKERS).folder
    assert len(planes) == 4
    for name, sent in planes.items():
        # A request may include blocks that are already loaded, so a file may be sent almost
        # twice.
        assert sent < 2 * (folder / name).stat().st_size, name


def test_damage_is_told(open_page, root, tmp_path):
    shutil.copytree(root, tmp_path / "copy")
    (plane,) = (tmp_path / "copy" / "a" / "b" / "site").rglob("opponent.plane")
    plane.write_bytes(bytes(byte ^ 1 for byte in plane.read_bytes()))
    with hosting(tmp_path / "copy") as address:
        page = open_page(EXACT, alone=True, at=address, handled="net::ERR_")
        expect(page.get_by_role("alert").first).to_contain_text("opponent.plane")
        page.close()
