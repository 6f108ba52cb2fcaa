"""Runs record the correct version of the code, the machine and the time."""

import json
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version

import pytest
from hypothesis import given, settings, strategies as st

from bearoff.sim.storage import provenance
from bearoff.storage import sealing

GIT = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]


@pytest.fixture
def checkout(tmp_path):
    """Return a small Git repository that contains a copy of the module `provenance`."""
    for folder in ("sim", "bearoff", "analysis"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "module.py").write_text("x = 1\n", encoding="utf-8")
    shutil.copy(provenance.__file__, tmp_path / "sim" / "provenance.py")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=all")
    return tmp_path


def output_of(*command):
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def git(folder, *arguments):
    return output_of(*GIT, "-C", str(folder), *arguments)


def commit_seen_from(folder):
    """Return the commit that a copy of the module reports when run in this folder."""
    code = (
        "import runpy, json;"
        f"names = runpy.run_path({str(folder / 'provenance.py')!r});"
        "print(json.dumps(names['commit']()))"
    )
    return tuple(json.loads(output_of(sys.executable, "-c", code)))


def test_the_commit_of_a_checkout_and_whether_its_code_was_changed(checkout):
    head = git(checkout, "rev-parse", "HEAD")
    (checkout / "results.parquet").write_text("new", encoding="utf-8")
    (checkout / "analysis" / "module.py").write_text("x = 2\n", encoding="utf-8")
    assert commit_seen_from(checkout / "sim") == (head, False)
    for name in ("sim/module.py", "bearoff/new.py"):
        changed = checkout / name
        before = changed.read_bytes() if changed.exists() else None
        changed.write_text("x = 2\n", encoding="utf-8")
        assert commit_seen_from(checkout / "sim") == (head, True)
        changed.unlink() if before is None else changed.write_bytes(before)


def test_a_checkout_around_an_installed_copy_is_not_ours(checkout, tmp_path_factory):
    installed = checkout / ".venv" / "lib" / "sim"
    installed.mkdir(parents=True)
    for folder in (installed, tmp_path_factory.mktemp("no checkout")):
        shutil.copy(provenance.__file__, folder)
        assert commit_seen_from(folder) == (None, None)


def test_versions_are_those_installed_and_time_is_utc():
    found = provenance.versions()
    assert found["numpy"] == version("numpy")
    assert found["python"] == sys.version.split()[0]
    assert set(found) == {"python", "bearoff", "joblib", "numba", "numpy", "pyarrow"}
    before = datetime.now(UTC).replace(microsecond=0)
    text = provenance.now()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", text)
    assert before <= datetime.fromisoformat(text) <= datetime.now(UTC)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@settings(max_examples=40)
@given(st.dictionaries(st.text(), json_values))
def test_canonical_json_ignores_order(value):
    turned = dict(reversed(value.items()))
    text = sealing.canonical_json(value)
    assert text == sealing.canonical_json(turned)
    assert json.loads(text) == value
    assert not re.search(rb'[,:] (?=["\[{\d])', re.sub(rb'"(\\.|[^"\\])*"', b'""', text))


def test_digests_keep_parts_apart():
    assert sealing.digest(b"ab", b"c") != sealing.digest(b"a", b"bc")
    assert sealing.digest(b"ab") != sealing.digest(b"ab", b"")
    ends = sha256(b"ab").digest() + sha256(b"c").digest()
    assert sealing.digest(b"ab", b"c") == sha256(ends).hexdigest()
