"""Random configurations are accepted or refused with a `ConfigError`."""

from hypothesis import example, given, settings, strategies as st

from bearoff.sim.config.errors import ConfigError
from bearoff.sim.config.load import json_schema, load_config
from verify.fuzzing.case import fuzz_chunk
from verify.fuzzing.targets import TARGETS


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


@settings(max_examples=50)
@given(st.dictionaries(WORDS, TREES, max_size=8))
@example({"run": "x", "games": 10**4400, "pairs": [{"random": {"pairs": 1}}]})
@example({"run": "x", "games": 1, "pairs": [{"list": [{"roller": -(10**4400)}]}]})
@example({"run": "x", "games": 1, "pairs": [{"list": {"race": None}}], "table": None})
def test_any_mapping_is_a_configuration_or_refused(tree):
    problems = None
    try:
        load_config(tree)
    except ConfigError as error:
        problems = error.problems
    assert problems is None or problems
    for problem in problems or ():
        assert problem.message.isprintable()
        assert problem.path.isprintable()


def test_files_with_slips_are_refused_or_come_back_the_same():
    """Accepted files also satisfy the schema, and another YAML reader reads the same."""
    tally = fuzz_chunk(TARGETS["config"], 2, 0, 250, 300.0)
    assert tally.wrong == []
    assert min(tally.counts["accepted"], tally.counts["refused"]) > 40
