"""Seal JSON values with a SHA-256, so that damage and changes are found."""

import json
from hashlib import sha256
from typing import Any


def canonical_json(value: Any) -> bytes:
    """Write a JSON value in the one form that seals are made of: sorted, no spaces.

    Examples
    --------
    >>> canonical_json({"b": [1, 2.5], "a": "é"}).decode()
    '{"a":"é","b":[1,2.5]}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def seal(value: Any) -> str:
    """Return the SHA-256 of a JSON value, in hexadecimal."""
    return sha256(canonical_json(value)).hexdigest()
