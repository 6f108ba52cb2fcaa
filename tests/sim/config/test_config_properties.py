"""Random configurations are accepted or refused with a `ConfigError`."""

import json
from pathlib import Path

import jsonschema
from hypothesis import assume, example, given, settings, strategies as st
from ruamel.yaml import YAML

import bearoff
from bearoff.sim.config.errors import ConfigError
from bearoff.sim.config.load import json_schema, load_config, parse_config
from tests.strategies import counts

CONFIGS = Path(__file__).parents[3] / "configs"
QUICK = (CONFIGS / "quick.yaml").read_text(encoding="utf-8")
PAPER = (CONFIGS / "paper.yaml").read_text(encoding="utf-8")

VALIDATOR = jsonschema.Draft202012Validator(json_schema())


def _keys(node):
    if isinstance(node, dict):
        return set(node.get("properties", ())).union(*map(_keys, node.values()))
    return set()


# Strategies for random YAML values, which include keys and words of real configurations.
WORDS = st.sampled_from(sorted(_keys(json_schema()))) | st.sampled_from(
    ["uniform", "visits", "epc", "fewest-rolls", "auto", "dask", "1,1", "[1]", "p.csv", "x"]
)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | WORDS
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=25,
)


def attempt(source):
    """Load a configuration; return None if it is refused with readable problems."""
    try:
        return parse_config(source) if isinstance(source, str) else load_config(source)
    except ConfigError as error:
        problems = error.problems
    assert problems
    for problem in problems:
        assert problem.message.isprintable()
        assert problem.path.isprintable()
    return None


@settings(max_examples=50)
@given(st.dictionaries(WORDS, TREES, max_size=8))
@example({"run": "x", "games": 10**4400, "pairs": [{"random": {"pairs": 1}}]})
@example({"run": "x", "games": 1, "pairs": [{"list": [{"roller": -(10**4400)}]}]})
@example({"run": "x", "games": 1, "pairs": [{"list": {"race": None}}], "table": None})
def test_any_mapping_is_a_configuration_or_refused(tree):
    attempt(tree)


@given(
    st.sampled_from([QUICK, PAPER]),
    st.data(),
    st.sampled_from(
        ["", "-", ":", "#", '"', "{", "]", "\n", " ", "0", "*", "&", "!", "\t", "x"]
    ),
)
def test_a_misprint_is_a_configuration_or_refused(text, data, misprint):
    start = data.draw(st.integers(text.index("\nrun"), len(text)))
    length = data.draw(st.integers(0, 3))
    attempt(text[:start] + misprint + text[start + length :])


@st.composite
def spans(draw, least, most):
    first, last = sorted((draw(st.integers(least, most)), draw(st.integers(least, most))))
    return {"from": first, "to": last, "step": draw(st.integers(1, 9))}


def ranges(most):
    ends = st.tuples(st.integers(1, most), st.integers(1, most)).map(sorted)
    return ends.map(lambda two: {"from": two[0], "to": two[1]})


@st.composite
def entries(draw, points, checkers):
    def side():
        return bearoff.Position(draw(counts(points, checkers, at_least=1)), checkers)

    roller, opponent = side(), side()
    if draw(st.booleans()):
        race = bearoff.Race(roller, opponent)
        return {"race": draw(st.sampled_from([race.position_id, race.xgid]))}
    forms = [
        lambda p: p.number,
        str,
        lambda p: str(p.vector),
        lambda p: str(list(p.list)),
        lambda p: str(p.number),
    ]
    write = st.sampled_from(forms)
    return {"roller": draw(write)(roller), "opponent": draw(write)(opponent)}


def cubes():
    chance = st.floats(0, 1) | st.sampled_from([0, 1])
    thresholds = st.fixed_dictionaries(
        dict.fromkeys(("double", "redouble", "take"), chance)
    )
    plain = (
        st.sampled_from(["perfect", "never", "8-9-12", "x"])
        | thresholds.map(lambda at: {"thresholds": at})
        | chance.map(lambda efficiency: {"janowski": efficiency})
    )
    states = st.fixed_dictionaries(dict.fromkeys(("centred", "owned", "take"), plain))
    return st.fixed_dictionaries(
        {"roller": plain | states, "opponent": plain | states},
        optional={
            "rival": plain | states,
            "value": st.sampled_from([1, 2.0, 1024]),
            "position": st.sampled_from(["centred", "roller", "opponent"]),
        },
    )


@st.composite
def configurations(draw):
    """Return random configurations, most of which are valid."""
    points, checkers = draw(st.integers(2, 12)), draw(st.integers(1, 15))
    most = points * checkers
    listed = st.lists(entries(points, checkers), min_size=1, max_size=4)
    how = st.sampled_from(["uniform", "visits"])
    grid = st.fixed_dictionaries(
        {"roller": spans(1, most), "lead": spans(-9, 9)},
        optional={"by": st.sampled_from(["pips", "epc"]), "draw": how},
    )
    random = st.fixed_dictionaries(
        {"pairs": st.integers(1, 9)},
        optional={"draw": how, "checkers": ranges(checkers), "pips": ranges(most)},
    )
    harvest = st.fixed_dictionaries(
        {"pairs": st.integers(1, 9)}, optional={"start": listed}
    )
    file = st.fixed_dictionaries({"path": st.sampled_from(["a.csv", "b/c.parquet"])})
    numbers = ranges(bearoff.position_count(points, checkers) - 1)
    every = st.fixed_dictionaries({}, optional={"rollers": numbers, "opponents": numbers})
    kinds = {
        "every": every,
        "list": listed,
        "grid": grid,
        "random": random,
        "harvest": harvest,
        "file": file,
    }
    source = st.one_of([st.fixed_dictionaries({kind: of}) for kind, of in kinds.items()])
    length = draw(
        st.sampled_from([{"games": 10**6}, {"games": 1e6}])
        | st.floats(1e-6, 0.5).map(lambda target: {"standard_error": {"target": target}})
    )
    return {
        "run": draw(st.from_regex(r"[a-z0-9][a-z0-9_-]{0,9}", fullmatch=True)),
        "table": {"points": points, "checkers": checkers},
        "pairs": draw(st.lists(source, min_size=1, max_size=4)),
        **length,
        **draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "description": st.text(max_size=20),
                    "seed": st.integers(0, 2**64 - 1),
                    "workers": st.just("auto") | st.integers(1, 1024),
                    "players": st.just({"opponent": "optimal"}),
                    "cube": cubes(),
                },
            )
        ),
    }


@settings(max_examples=50)
@given(configurations())
def test_the_way_there_and_back(tmp_path_factory, given):
    config = attempt(given)
    assume(config is not None)
    assert config is not None
    VALIDATOR.validate(given)
    effective = config.effective()
    VALIDATOR.validate(effective)
    path = tmp_path_factory.mktemp("config") / "copy.yaml"
    YAML(typ="safe", pure=True).dump(effective, path)
    again = load_config(json.loads(json.dumps(given)))
    for copy in (load_config(path), load_config(effective), again):
        assert copy == config
        assert copy.effective() == effective
        assert copy.identity() == config.identity()
