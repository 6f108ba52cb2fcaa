"""A web server in this process, and a Chromium browser that opens its page."""

import shutil
import socket
import sys
import threading
import time
from contextlib import contextmanager
from random import Random
from traceback import format_stack
from weakref import WeakKeyDictionary

import pytest
import uvicorn

from bearoff.app.serve.application import create_app
from bearoff.app.serve.play.store import Matches
from bearoff.app.serve.server import configured
from bearoff.app.serve.settings import Settings
from bearoff.app.serve.training.session import Trainer
from bearoff.app.serve.training.store import Store
from tests.app.serve.asking import HANGS

try:
    from playwright.sync_api import expect, sync_playwright
except ImportError:  # without Playwright, the fixture `chromium` skips tests
    expect = sync_playwright = None

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    # Without this option, Chromium would keep a spare process for the next page.
    "--renderer-process-limit=1",
)


def chromium_path():
    """Return the path of the installed Chromium, if Playwright is installed, too."""
    # The shell without a window needs half of the processor time.
    names = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
    return next(filter(None, map(shutil.which, names if sync_playwright else ())), None)


@contextmanager
def running(app, port=0):
    """Run the web server in a thread of this process; yield its port."""
    server = uvicorn.Server(configured(app))
    with socket.create_server(("127.0.0.1", port)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(HANGS)
            if thread.is_alive():
                where = format_stack(sys._current_frames()[thread.ident])
                pytest.fail("".join(["the server hangs\n", *where]))


@contextmanager
def serving(data, judges=None, port=0):
    """Start a server that stores the trainer's data in this folder; yield the server's
    address.

    Without judges, all tables of this machine are used.
    """
    trainer = Trainer(Store(data / "training.sqlite"), Random(1))
    matches = Matches(data / "matches")
    app = create_app(Settings(seconds=HANGS), judges, trainer=trainer, matches=matches)
    with running(app, port) as port:
        yield f"http://127.0.0.1:{port}"


@contextmanager
def browsing(path):
    """Start a Chromium browser, and yield it."""
    expect.set_options(timeout=1000 * HANGS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def opened(chromium, **settings):
    """Open a new profile of the browser with given settings."""
    context = chromium.new_context(**settings)
    context.set_default_timeout(1000 * HANGS)
    return context


def until(page, is_so):
    """Wait until a function returns a true value, while the browser page goes on."""
    ends = time.monotonic() + HANGS
    while not is_so():
        assert time.monotonic() < ends, f"not so after {HANGS:g} seconds"
        page.wait_for_timeout(10)


def go(page, place):
    """Go to a place of the web page, such as `charts`."""
    page.evaluate("place => { location.hash = place; }", f"#/{place}")


_going = WeakKeyDictionary()
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


def errorless(page, host, wrong, handled):
    """List a page's errors, and its requests to other hosts; return the page.

    Chromium logs failed requests as errors, although the page handles those that are named.
    """

    def asked(request):
        if not request.url.startswith((f"{host}/", "data:", "blob:")):
            wrong.append(f"asked {request.url}")

    def said(message):
        if message.type == "error" and handled not in message.text:
            wrong.append(message.text)

    page.on("request", asked)
    page.on("console", said)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    return watched(page)


def painted(page):
    """Wait until the browser has painted the page."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")


def settled(page):
    """Wait until a watched page has received and painted all answers."""
    for _ in range(2):  # After the paint of an answer, the page may send further requests.
        painted(page)
        until(page, lambda: not _going[page])
    painted(page)


def keys(page, *pressed):
    """Press keys one after another."""
    for key in pressed:
        page.keyboard.press(key)


def entered(field, text):
    """Fill a field, and press Enter in it."""
    field.fill(text)
    field.press("Enter")


def routed(page, pattern, handle, times=None):
    """Handle the matching requests that a browser page sends from now on."""
    page.route(pattern, handle, times=times)
    # After `page.route`, Chromium may send a few requests to the server. A request that is
    # handled here is therefore repeated until this is so.
    page.route("**/routed", lambda route: route.fulfill(body=""))
    page.evaluate("async () => { while (!(await fetch('/routed')).ok); }")


def holding(page, pattern):
    """Hold back requests to matching addresses; return a function that sends the first."""
    held = []
    routed(page, pattern, lambda route: held.append(route))

    def let_go():
        # On a busy machine, the page may show a wait before its request arrives here.
        until(page, lambda: held)
        held[0].continue_()

    return let_go


def resized(page, width, height):
    """Resize the browser page, and wait until the browser has drawn it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)
    for _ in range(2):  # Changes by a ResizeObserver are drawn in the next frame.
        page.evaluate("new Promise(requestAnimationFrame)")


def at_once(page, selector, act):
    """Run a script on the first element that matches a selector, as soon as it appears."""
    script = """([selector, act]) => {
        const acting = new Function("here", act);
        new MutationObserver((_, observer) => {
            const here = document.querySelector(selector);
            if (!here) return;
            observer.disconnect();
            acting(here);
        }).observe(document, { childList: true, subtree: true, attributes: true });
    }"""
    page.evaluate(script, [selector, act])
