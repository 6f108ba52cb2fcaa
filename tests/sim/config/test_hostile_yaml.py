"""Malicious YAML is refused quickly and with little memory."""

from pathlib import Path

import pytest

from bearoff.analysis.formulas.files import load_formulas
from bearoff.sim.config.errors import MOST_SHOWN, ConfigError
from bearoff.sim.config.load import load_config
from bearoff.sim.config.yaml_source import LARGEST_FILE, MOST_PROBLEMS, read_yaml
from tests.refusals import names
from verify.common.processes import memory_limit
from verify.fuzzing.case import time_limit

LIMIT = 300.0
"""Time limit in seconds for each file."""

MEMORY = 256 << 20
"""Maximum number of additional bytes of memory."""

GOOD = 'run: x\ngames: 10\npairs: [list: [{roller: "1", opponent: "1"}]]\n'


def filled(piece, start="", end=""):
    """Return a YAML text of the largest allowed size, which mostly repeats one piece."""
    return start + piece * ((LARGEST_FILE - len(start) - len(end)) // len(piece)) + end


PAIRS = "run: x\ngames: 1\npairs:\n"

HOSTILE = {
    "bomb": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n",
    "digits": "games: " + "9" * 100_000,
    "fraction": "games: 1." + "9" * 100_000,
    **{text: text * 100_000 for text in ("[", "{", "{a: ", "- ", "? ")},
    "merge": GOOD + "<<: {seed: 1}\n",
    "long key": GOOD + "k" * 100_000 + ": 1\n",
    "steering key": GOOD + '"\\e[31m\\u202e": 1\n',
    "half a character": GOOD + '"\\ud800": 1\n',
    "half in a value": GOOD + 'description: "\\udfff"\n',
    "character too large": GOOD + 'description: "\\UFFFFFFFF"\n',
    "version": "%YAML 1." + "9" * 10_000 + "\n---\n" + GOOD,
    "directive later": GOOD + "...\n%YAML 1." + "9" * 10_000 + "\n---\n",
    "empty": "",
}  # fmt: skip
LARGE = {
    **{text: filled(text) for text in (" ", "\n", "a: 1\n", "%A b\n")},
    "one word": filled("x", "run: "),
    "many words": filled("x y ", "run: "),
    "many lines": filled(" x\n", "run: |\n"),
    "escapes": filled("\\n", 'run: "', '"'),
    "other keys": "".join(f"k{n}: 1\n" for n in range(45_000)),
    "items": filled("- 1\n", "run: x\npairs:\n"),
    "no keys": filled(":,", "run: {", "}"),
    **{text: filled(text, "run: [", "]") for text in
       ("1,", "[],", "&a x,", "*a,", "!a x,")},
    "races": filled("  - {roller: 1, opponent: 2}\n", f"{PAIRS}- list:\n"),
    "no races": filled("  - {roller: x, opponent: y}\n", f"{PAIRS}- list:\n"),
    "junk": filled("- {a: x}\n", PAIRS),
}  # fmt: skip
BYTES = {
    "UTF-16": GOOD.encode("utf-16"),
    "UTF-16 without a mark": GOOD.encode("utf-16-be"),
    "Latin-1": (GOOD + "description: café\n").encode("latin-1"),
    "half in UTF-8": GOOD.replace("x", "\ud800").encode("utf-8", "surrogatepass"),
    "100 MB": b"# x\n" * 25_000_000,
}


def refusal(load, path):
    """Load YAML that must be refused quickly and with little memory; return the error
    message.
    """
    with memory_limit(MEMORY), time_limit(LIMIT), pytest.raises(ConfigError) as caught:
        load(path)
    lines = str(caught.value).split("\n")
    assert len(lines) <= MOST_SHOWN + 1
    for line in lines:
        assert line.isprintable()
        assert len(line) < 1000
        assert line.startswith((f"{path}:", "... and "))
    return lines


@pytest.mark.parametrize(
    ("load", "name"),
    [
        *((load_config, name) for name in (*HOSTILE, *BYTES)),
        *((load_formulas, name) for name in ("bomb", "digits", "[", "empty", "100 MB")),
    ],
)
def test_hostile(load, name, tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(BYTES[name] if name in BYTES else HOSTILE[name].encode())
    lines = refusal(load, path)
    has_lines = name not in ("empty", "100 MB")
    assert any(line[len(f"{path}:")].isdigit() for line in lines) == has_lines or (
        load is load_formulas  # the error about a missing formula names the first line
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_hostile_and_large(name, tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(LARGE[name])
    refusal(load_config, path)


@pytest.mark.parametrize("load", [load_config, load_formulas])
def test_names_of_files(load, tmp_path):
    within = ("", "a\nb.yaml", "\x1b[31m.yaml", "n" * 300)
    for path in (*(tmp_path / name for name in within), Path("\0"), Path("\ud800")):
        with pytest.raises(ConfigError) as caught:
            load(path)
        assert str(caught.value).isprintable()


def test_reading_stops_after_many_values_or_problems(monkeypatch):
    with pytest.raises(ConfigError) as caught:
        read_yaml("a: 1\n" * (MOST_PROBLEMS + 9))
    assert len(caught.value.problems) == MOST_PROBLEMS + 1
    assert names(caught.value.problems[-1].message, f"{MOST_PROBLEMS:,}")
    monkeypatch.setattr("bearoff.sim.config.yaml_source.MOST_VALUES", 1000)
    assert len(read_yaml("- 1\n" * 999).value) == 999
    with pytest.raises(ConfigError) as caught:
        read_yaml("- 1\n" * 1000, "")
    assert caught.value.problems[0].line == 1000
    assert names(caught.value.problems[0].message, "1,000")
