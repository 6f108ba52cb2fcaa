"""Fuzzing of configurations and formula files in YAML, with other YAML readers as checks.

An accepted file must mean the same to ruamel's own loader, satisfy the published JSON
schema, and have positions that the independent reader confirms. Writing it and reading it
again must not change it.
"""

import atexit
import json
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from ruamel.yaml import YAML

import bearoff
from bearoff.analysis.formulas.files import formulas_yaml, load_formulas
from bearoff.analysis.formulas.rules import CountRule
from bearoff.analysis.scoring import mental_cost
from bearoff.analysis.scoring.explanation import explain
from bearoff.sim.config import (
    BatchConfig,
    ConfigError,
    json_schema,
    load_config,
    read_yaml_file,
)
from verify.fuzzing.case import Target, check, check_sentence
from verify.fuzzing.mutate import mutated
from verify.fuzzing.positions import expected, expected_race

WORDS = (
    *("\n", "\n  ", "- ", ": ", "? ", "\t", "#", "|\n", ">-\n", "---\n", "...\n", "<<: "),
    *(
        "&a ",
        "*a",
        "!!int ",
        "!!python/object/apply:os.system ",
        "%YAML 1.1\n",
        "%TAG ! x\n",
    ),
    *("yes", "~", ".nan", "-.inf", "1e400", "0o17", "017", "1:30", "1_000", "2026-11-21"),
    *('"\\ud800"', '"\\UFFFFFFFF"', '"\\e[31m"', '"\\0"', "[" * 30, "{a: " * 30, "= ", "@"),
    *("games: 7\n", "seed: 1\n", "table: {points: 3}\n", "run: y\n", "roller", "opponent"),
)


@cache
def scratch() -> Path:
    """Return a temporary folder, which is removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="bearoff-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _validator() -> Any:
    return jsonschema.Draft202012Validator(json_schema())


def refused(error: ConfigError, path: Path) -> bool:
    """Check the error message for a rejected file, and return False."""
    check(bool(error.problems), "a refusal without a problem")
    for line in str(error).splitlines():
        check_sentence(line)
        check(
            line.startswith((f"{path}:", "... and ")),
            f"the message does not name the file: {line!r}",
        )
    return False


def own_reading(data: bytes) -> Any:
    """Return the content of a YAML file as ruamel's own loader reads it.

    Dates remain text.
    """
    yaml = YAML(typ="safe", pure=True)
    yaml.constructor.add_constructor(
        "tag:yaml.org,2002:timestamp", lambda _, node: str(node.value)
    )
    return yaml.load(data.decode("utf-8-sig"))


def accepts_config(data: bytes) -> bool:
    """Load a configuration; if it is accepted, check it with other YAML readers."""
    path = scratch() / "config.yaml"
    path.write_bytes(data)
    try:
        config = load_config(path)
    except ConfigError as error:
        return refused(error, path)
    value = read_yaml_file(path).value
    check(value == own_reading(data), "ruamel reads a different content")
    problem = jsonschema.exceptions.best_match(_validator().iter_errors(value))
    check(
        problem is None,
        f"the schema does not allow it: {problem.message[:200] if problem else ''}",
    )
    _check_positions(config, value)
    effective = config.effective()
    for given in (effective, json.loads(json.dumps(effective))):
        again = load_config(given)
        check(again == config, "the written configuration differs")
        check(again.effective() == effective, "the effective configuration changes")
        check(again.identity() == config.identity(), "the identity changes")
    return True


def _check_positions(config: BatchConfig, value: dict[str, Any]) -> None:
    size = config.table.points, config.table.checkers
    for source, given in zip(config.pairs, value["pairs"], strict=True):
        for entry, texts in zip(
            getattr(source, "list", ()), given.get("list", ()), strict=True
        ):
            got = entry.roller.counts, entry.opponent.counts
            if "race" in texts:
                means = expected_race(texts["race"], *size)
            else:
                means = tuple(  # type: ignore[assignment]
                    expected(str(texts[side]), *size) for side in ("roller", "opponent")
                )
            check(got == means, f"{texts} is read as {got} instead of {means}")


def accepts_formulas(data: bytes) -> bool:
    """Load a formula file; if it is accepted, apply its formulas and write them again."""
    path = scratch() / "formulas.yaml"
    path.write_bytes(data)
    try:
        rules = load_formulas(path)
    except ConfigError as error:
        return refused(error, path)
    for rule in rules:
        for race in _RACES:
            found = explain(rule, race)
            check(bool(found.steps), f"{rule.name} has no worksheet steps")
        check(mental_cost(rule).total > 0, f"{rule.name} costs nothing")
        check_sentence(rule.text)
    counted = [rule for rule in rules if isinstance(rule, CountRule)]
    if counted:
        copy = scratch() / "copy.yaml"
        copy.write_text(formulas_yaml(counted), encoding="utf-8")
        check(list(load_formulas(copy)) == counted, "the written formula differs")
    return True


_RACES = (
    bearoff.Race.parse("XGID=-DCBACB------------cabbcd-:0:0:1:00:0:0:0:0:10"),
    bearoff.Race(bearoff.Position((1, 0, 0, 0, 0, 0)), bearoff.Position((0,) * 5 + (15,))),
)


def _position(chance: random.Random) -> str:
    return chance.choice(
        ('"0,0,0,5,5,5"', "8887", '"(4,3,3,2,0,2,1)"', '"[1,1,6]"', "1", '"3-3-2-0-2-1"')
    )


def _span(chance: random.Random, least: int, most: int) -> str:
    first = chance.randint(least, most)
    step = chance.choice(("", ", step: 2", ", step: 0.5"))
    return f"{{from: {first}, to: {chance.randint(first, most)}{step}}}"


def _source(chance: random.Random) -> str:
    entry = f"{{roller: {_position(chance)}, opponent: {_position(chance)}}}"
    race = "{race: LwAAwC0AAAAAAA}"
    return chance.choice(
        (
            f"list: [{entry}, {race}]",
            f"list:\n    - {race}\n    - roller: {_position(chance)}\n      opponent: 9",
            f"grid: {{roller: {_span(chance, 1, 60)}, lead: {_span(chance, -5, 9)}}}",
            f"random: {{pairs: {chance.randint(1, 99)}, draw: visits}}",
            f"random: {{pairs: 3, checkers: {{from: 1, to: {chance.randint(1, 15)}}}}}",
            f"harvest: {{pairs: 5, games: 100, start: [{entry}]}}",
            "file: {path: pairs.csv, roller: mine}",
            "every: {rollers: {from: 1, to: 20}, opponents: {from: 1, to: 9}}",
        )
    )


def make_config(chance: random.Random) -> bytes:
    """Create the text of a configuration, usually with errors."""
    lines = ["run: fuzz-1", "pairs:"]
    lines += [f"  - {_source(chance)}" for _ in range(chance.choice((1, 1, 2)))]
    lines.append(
        chance.choice(("games: 1e6", "games: 1000", "standard_error: {target: 1e-3}"))
    )
    optional = (
        "seed: 7",
        "workers: auto",
        "workers: 2",
        "backend: loky",
        "backend: dask\nscheduler: tcp://127.0.0.1:8786",
        "output: s3://bucket/races",
        'description: "half of it"',
        "description: |\n  two\n  lines",
        f"table: {{points: {chance.randint(1, 24)}, checkers: {chance.randint(1, 15)}}}",
        "players: {roller: optimal}",
        "cube: {roller: perfect, opponent: {janowski: 0.7}, value: 2}",
        "cube:\n  roller: {thresholds: {double: 0.7, redouble: 0.75, take: 0.22}}\n"
        "  opponent: {centred: never, owned: perfect, take: keith}",
        "rollout: {luck: false, first_rolls: 36}",
    )
    lines += chance.sample(optional, chance.choice((0, 0, 1, 2, 4)))
    return _spoilt(chance, "\n".join(lines) + "\n")


def make_formulas(chance: random.Random) -> bytes:
    """Create the text of a formula file, usually with errors."""

    def half() -> float:
        return chance.randint(-12, 12) / 2

    def line() -> str:
        more = ", parts: 2, rounded: down, above: 20, less: 3"
        share = chance.choice(("", ", divisor: 10", ", divisor: 7" + more))
        return f"{{offset: {half()}{share}}}"

    blocks = []
    for index in range(chance.choice((1, 1, 2))):
        lines = [f"  - name: own-{index}", "    source: me"]
        features = ("checkers", "gaps", "covered", "tallest", "rolls", "odd", "inner")
        if chance.random() < 0.7:
            lines += [
                "    add:",
                f"      - {{pips: {half()}, feature: {chance.choice(features)}}}",
                f"      - {{pips: 1, feature: gaps, on: [{chance.randint(1, 6)}, 6]}}",
                "      - {pips: 0.5, feature: gaps, compared: more}",
            ][: chance.randint(2, 4)]
        lines += chance.sample(
            (
                "    note: of mine",
                "    start: epc",
                "    values: [1, 2.5, 3, 4, 5, 6]",
                "    at_least: {per_roll: 7, plus: 1}",
                "    passes_ties: true",
                "    chance: {base: 80, per_pip: 2}",
            ),
            chance.choice((0, 1, 2)),
        )
        if chance.random() < 0.2:
            lines.append(
                "    chance: {base: 80, per_pip: 2, double: 70, redouble: 72, take: 78}"
            )
        else:
            lines += [
                f"    {action}: {line()}" for action in ("double", "redouble", "take")
            ]
        blocks += lines
    return _spoilt(chance, "\n".join(["formulas:", *blocks]) + "\n")


def _spoilt(chance: random.Random, text: str) -> bytes:
    if chance.random() < 0.65:
        text = mutated(chance, text, WORDS)
    if chance.random() < 0.02:
        return text.encode(chance.choice(("utf-16", "utf-8-sig")), "replace")
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    if data and chance.random() < 0.03:
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


TARGETS = (
    Target("config", "YAML of a batch", make_config, accepts_config, 0.002),
    Target("formulas", "YAML of formulas", make_formulas, accepts_formulas, 0.0004),
)
