"""A web server in this process, and a Chromium browser that opens its page."""

import shutil
import socket
import threading
import time
from contextlib import contextmanager
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from bearoff.app.serve.application import create_app
from bearoff.app.serve.play.store import Matches
from bearoff.app.serve.server import configured
from bearoff.app.serve.settings import Settings
from bearoff.app.serve.training.session import Trainer
from bearoff.app.serve.training.store import Store
from tests.app.serve.asking import HANGS

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Without this option, Chromium would keep a spare process for the next page.
    "--renderer-process-limit=1",
)

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium_path():
    """Return the path of the Chromium that is installed on this machine."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def serving(data, judges=None):
    """Start a server that stores the trainer's data in this folder; yield the server's
    address.

    Without judges, all tables of this machine are used.
    """
    import uvicorn

    trainer = Trainer(Store(data / "training.sqlite"), Random(1))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        matches = Matches(data / "matches")
        served = create_app(
            Settings(port=port, seconds=HANGS), judges, trainer=trainer, matches=matches
        )
        server = uvicorn.Server(configured(served))
        thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join(10)


@contextmanager
def browsing(path):
    """Start a Chromium browser, and yield it."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * HANGS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def until(page, is_so):
    """Wait until a function returns a true value, and return this value."""
    ends = time.monotonic() + HANGS
    while not (found := is_so()):
        assert time.monotonic() < ends, f"not so after {HANGS:g} seconds"
        page.wait_for_timeout(10)
    return found


_going: WeakKeyDictionary[Any, set[Any]] = WeakKeyDictionary()
"""Requests that have no response yet, by browser page."""


def watched(page):
    """Record the requests that a browser page sends from now on; return the page."""
    going = _going[page] = set()

    def asked(request):
        if request.is_navigation_request():
            going.clear()  # Requests of the previous document may never end.
        going.add(request)

    page.on("request", asked)
    for ended in ("requestfinished", "requestfailed"):
        page.on(ended, lambda request: going.discard(request))
    return page


def painted(page):
    """Wait until the browser has painted the page."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def settled(page):
    """Wait until a watched page has received and painted all answers."""
    for _ in range(2):  # After the paint of an answer, the page may send further requests.
        painted(page)
        until(page, lambda: not _going[page])
    painted(page)


def holding(page, pattern):
    """Hold back requests to matching addresses; yield a function that sends the first of
    them.
    """
    held: list[Any] = []
    page.route(pattern, lambda route: held.append(route))

    def let_go():
        # On a busy machine, the page may show a wait before its request arrives here.
        until(page, lambda: held)
        held[0].continue_()

    return let_go


def resized(page, width, height):
    """Resize the browser page, and wait until the browser has drawn it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)
    # Changes made by a ResizeObserver are drawn in the next frame, so the test waits for
    # two frames.
    for _ in range(2):
        page.evaluate("new Promise(requestAnimationFrame)")


MOST_SHOWN = 3000
"""Maximum number of characters of a page's content in the report of a failed test."""


def what_is_shown(browser):
    """Yield the address and the contents of each open page."""
    for page in [page for context in browser.contexts for page in context.pages]:
        if page.url == "about:blank":
            continue
        try:
            part = "main" if page.locator("main").count() else "body"
            shown = page.locator(part).aria_snapshot(timeout=5000)
        except Exception as lost:  # The failure of the test stays the one that is reported.
            shown = str(lost)
        yield f"{page.url}\n{shown[:MOST_SHOWN]}"
