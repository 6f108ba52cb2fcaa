"""A server in this process, and the system's Chromium."""

import shutil
import socket
import threading
from contextlib import contextmanager
from random import Random
from typing import Any

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
    # Chromium keeps a spare process for the next page, which this option prevents.
    "--renderer-process-limit=1",
)

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium_path():
    """Return the path of the system's Chromium."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def serving(data, judges=None):
    """Serve the page with the trainer's data in a folder; yield its address. ¶ Without
    judges, all tables of this machine are used.

    Without judges every table of this machine answers.
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
    """Start the browser."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * HANGS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def holding(page, pattern):
    """Hold requests to matching addresses; yield a function that releases the first."""
    held: list[Any] = []
    page.route(pattern, lambda route: held.append(route))

    def let_go():
        # On a busy machine, the page reports a wait before the request arrives here.
        while not held:
            page.wait_for_timeout(10)
        held[0].continue_()

    return let_go
