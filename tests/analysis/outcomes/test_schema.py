"""Column format of the outcomes of games, which the simulator writes and the analysis
reads.
"""

import pyarrow as pa
import pytest

from bearoff.sim.storage import schema


def test_what_may_be_unknown():
    """Only expected values and the results of a second formula may be null."""
    rival = ["rival_points_mean", "difference_mean", "difference_variance"]
    for kind, unknown in ((schema.RACES, []), (schema.CUBEFUL, rival)):
        found = schema.outcome_schema(6, kind)
        assert [field.name for field in found if field.nullable] == ["expected", *unknown]
    assert found.field("cube").type.list_size == schema.CUBE_BINS


COUNTS = {"pair", "roller", "opponent", "games", "wins", "gammons_won", "gammons_lost"} | {
    f"{side}_{what}" for side in ("roller", "opponent") for what in ("doubles", "passes")
}
"""Names of integer columns with one value for each pair of positions."""

BINS = {"roller_ahead", "opponent_ahead", "cube"} | {
    f"cube_{what}" for what in ("won", "lost", "gammons_won", "gammons_lost")
}
"""Names of integer columns with a list of eight values for each pair of positions."""


@pytest.mark.parametrize("kind", schema.KINDS)
def test_every_column_has_a_type_and_a_description_of_its_own(kind):
    found = schema.outcome_schema(6, kind)
    other = {"roller_pips": pa.int16(), "opponent_pips": pa.int16()}
    other |= {f"{side}_counts": _lists(pa.int8(), 6) for side in ("roller", "opponent")}
    for name in ("double", "redouble"):
        other |= {f"{name}_action": pa.string(), f"{name}_too_close": pa.bool_()}
    for field in found:
        kept = pa.int64() if field.name in COUNTS else other.get(field.name, pa.float64())
        assert field.type == (_lists(pa.int64(), 8) if field.name in BINS else kept)
    texts = [field.metadata[b"description"] for field in found]
    # In a run of rollouts, two columns may have the same description as another column.
    same = 2 if kind == schema.ROLLOUTS else 0
    assert len(set(texts)) >= len(texts) - same
    assert all(texts)


def _lists(item, length):
    return pa.list_(pa.field("item", item, nullable=False), length)
