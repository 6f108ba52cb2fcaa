"""Functions that damage files, by changing single bits or a column of a table."""

import pyarrow as pa


def flipped(data, at, bit=0):
    """Return bytes with one changed bit."""
    changed = bytearray(data)
    changed[at] ^= 1 << bit
    return bytes(changed)


def flip(path, at, bit=0):
    """Change one bit of a file."""
    path.write_bytes(flipped(path.read_bytes(), at, bit))


def with_column(table, name, values):
    """Return an Arrow table with other values in a column."""
    place = table.schema.get_field_index(name)
    field = table.schema.field(place)
    return table.set_column(place, field, pa.array(values, field.type))
