"""The documentation site is complete and makes no requests to other hosts."""

import importlib
import os
import re
import sys

import pytest

import bearoff
from bearoff.runtime import locked
from tests.app.conftest import ROOT, ran

pytestmark = pytest.mark.slow

ELSEWHERE = re.compile(
    r"""<(?:script|link|img|source|iframe)[^>]*\s(?:src|href)="(?:https?:)?//[^"]*"""
    r"""|(?:url\(|@import\s)["']?(?:https?:)?//[^"')]*"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the folder of the documentation site, built once for all processes."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"
    with locked(folder.with_suffix(".lock")):
        if not folder.exists():
            build = (sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder))
            assert ran(*build, env={"NO_MKDOCS_2_WARNING": "1"}).good
    return folder


def test_every_public_name_has_its_place_and_docstring(site):
    for layer in ("bearoff", "bearoff/game", "bearoff/sim", "bearoff/analysis"):
        for init in sorted((ROOT / layer).glob("**/__init__.py")):
            room = ".".join(init.parent.relative_to(ROOT).parts)
            page = (site / f"docs/api/{room}.html").read_text(encoding="utf-8")
            for name in importlib.import_module(room).__all__:
                path = f"{room}.{name}"
                places = (f'id="{path}"', f'id="{path}.{name}"', f"<code>{path}</code></a>")
                assert any(place in page for place in places), path
    page = (site / "docs/api/bearoff.positions.html").read_text(encoding="utf-8")
    assert bearoff.Position.__doc__.splitlines()[0] in page


def test_no_reference_is_left_open_and_nothing_is_loaded_from_other_hosts(site):
    for path in [*site.rglob("*.html"), *site.rglob("*.css")]:
        text = path.read_text(encoding="utf-8")
        assert "</code>][" not in text, path.name
        assert ELSEWHERE.search(text) is None, path.name
