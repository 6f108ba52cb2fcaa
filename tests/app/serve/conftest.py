"""Shared fixtures of the tests that open the web page in a browser."""

from contextlib import suppress

import pytest

from bearoff.app.serve.judges import Judges
from tests.app.serve.asking import client_of
from tests.app.serve.browser import browsing, chromium_path, errorless, opened, serving
from tests.two_sided_tables import built

MOST_PROFILES = 4
"""Maximum number of browser profiles that stay open."""


@pytest.fixture(scope="session", autouse=True)
def _solved_races_go_soon():
    """Discard solved races after each test, because they take much memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bearoff.app.serve.judges.IDLE", 3.0)
        yield


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """Return the address of a server that uses an exact table of four checkers."""
    # Exact answers of this server do not depend on tables of other tests.
    with serving(tmp_path_factory.mktemp("data"), Judges([built(4)])) as where:
        yield where


@pytest.fixture(scope="module")
def _own_server(tmp_path_factory):
    """Return the data folder and the address of a server that a module's tests share."""
    folder = tmp_path_factory.mktemp("own")
    built(4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEAROFF_DATA", str(folder))
        with serving(folder) as where:
            yield folder, where


@pytest.fixture
def own_folder(_own_server):
    """Empty the data folder of the module's server, and return the folder."""
    folder, _ = _own_server
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    return folder


@pytest.fixture
def own_address(_own_server, own_folder):
    _, where = _own_server
    return where


@pytest.fixture(scope="package")
def chromium():
    """Start a browser that all tests of this process share."""
    if (path := chromium_path()) is None:
        pytest.skip("there is no Chromium on this machine to try the page in")
    with browsing(path) as browser:
        yield browser


@pytest.fixture(scope="package")
def profiles(chromium):
    """Return a function that opens a browser profile with given settings, or reuses one."""
    known = {}

    def profile(**settings):
        name = repr(sorted(settings.items()))
        if (context := known.pop(name, None)) is None:
            context = opened(chromium, **settings)
            # An empty page keeps the browser process alive, because starting a process is
            # slower than loading a page.
            context.new_page()
        known[name] = context  # the most recently used profile is the last one
        if len(known) > MOST_PROFILES:
            known.pop(next(iter(known))).close()
        return context

    return profile


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Add the content of the open browser pages to the report of a failed test."""
    report = yield
    browser = getattr(item, "funcargs", {}).get("chromium")
    if report.failed and call.when == "call" and browser is not None:
        for page in [page for context in browser.contexts for page in context.pages]:
            with suppress(Exception):  # an error here must not replace the test's error
                shown = page.locator("body").aria_snapshot(timeout=5000)[:3000]
                report.sections.append((f"what {page.url} showed", shown))
    return report


@pytest.fixture
def open_page(chromium, profiles, address):
    """Return a function that opens the web page. A test fails if the page has an error."""
    contexts, own, wrong = [], [], []

    def open_at(place="", alone=False, at=address, handled="status of 4", **settings):
        settings = {"viewport": {"width": 1280, "height": 900}, **settings}
        if alone:  # a changed clock affects all pages of a profile
            own.append(opened(chromium, **settings))
        context = own[-1] if alone else profiles(**settings)
        assert context not in contexts, "one test, one page of a profile"
        contexts.append(context)
        host = "/".join(at.split("/")[:3])
        page = errorless(context.new_page(), host, wrong, handled)
        # Cookies and local storage of earlier tests are removed, but cached files of the
        # page remain.
        everything = {"origin": host, "storageTypes": "cookies,local_storage"}
        context.new_cdp_session(page).send("Storage.clearDataForOrigin", everything)
        page.goto(f"{at}/#/{place}" if place else f"{at}/")
        return page

    yield open_at
    for context in contexts:
        for page in context.pages[1:]:
            page.close()
    for context in own:
        context.close()
    assert not wrong


@pytest.fixture(scope="session")
def judges():
    """Return judges of positions that use a two-sided table of five checkers."""
    return Judges([built(5)])


@pytest.fixture(scope="session")
def client(judges):
    """Return a client of a server in this process."""
    return client_of(judges, names=("races.example",))


@pytest.fixture
def folder(tmp_path):
    """Return the folder in which the server keeps matches."""
    return tmp_path / "matches"


@pytest.fixture
def bot(request, folder):
    """Return a player of the test module's class `Bot`, over HTTP."""
    return request.module.Bot(folder)
