"""The contract between `sim`, which writes outcomes, and everyone who reads them."""

import re
from pathlib import Path

import pyarrow as pa
import pytest

from bearoff.sim.storage import schema


@pytest.mark.parametrize("points", [1, 6, 12])
def test_columns_in_order_and_width(points):
    found = schema.outcome_schema(points, schema.RACES)
    assert tuple(found.names) == schema.COLUMNS[schema.RACES]
    for name in ("roller_counts", "opponent_counts"):
        assert found.field(name).type.list_size == points
    for name in ("roller_ahead", "opponent_ahead"):
        assert found.field(name).type.list_size == schema.ROLLS_AHEAD_BINS


def test_what_may_be_unknown():
    """The expected value; with the cube what only a rival gives, too."""
    found = schema.outcome_schema(6, schema.RACES)
    assert [field.name for field in found if field.nullable] == ["expected"]
    found = schema.outcome_schema(6, schema.CUBEFUL)
    unknown = ["expected", "rival_points_mean", "difference_mean", "difference_variance"]
    assert [field.name for field in found if field.nullable] == unknown
    assert found.field("cube").type.list_size == schema.CUBE_BINS


# The section of the page that has a kind's own columns; the first has those of any pair.
SECTIONS = {
    schema.RACES: "## Columns of a run",
    schema.CUBEFUL: "### Runs with the cube",
    schema.MATCHES: "### Runs at a score",
}


@pytest.mark.parametrize("kind", SECTIONS)
def test_the_page_of_columns_lists_every_column_with_its_type(kind):
    page = (Path(__file__).parents[3] / "docs" / "files.md").read_text("utf-8")
    sections = {part.partition("\n")[0]: part for part in re.split(r"\n(?=##+ )", page)}
    documented = {}
    for heading in (SECTIONS[schema.RACES], SECTIONS[kind]):
        section = sections[heading]
        rows = re.findall(r"^- (`\w+`(?:, `\w+`)*) \(([^)]+)\)", section, re.M)
        for names, type_ in rows:
            documented |= dict.fromkeys(re.findall(r"\w+", names), type_)
    names = {
        pa.int64(): "int64",
        pa.int16(): "int16",
        pa.float64(): "double",
        pa.list_(pa.field("item", pa.int8(), nullable=False), 6): "int8[points]",
        pa.list_(pa.field("item", pa.int64(), nullable=False), 8): "int64[8]",
    }
    expected = {field.name: names[field.type] for field in schema.outcome_schema(6, kind)}
    assert {name: documented.get(name) for name in schema.COLUMNS[kind]} == expected
