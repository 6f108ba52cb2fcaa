"""SHA-256 checksums that are stored with JSON values and bytes to reveal changes."""

import json
from hashlib import sha256
from typing import Any

_KEY = "seal"

_SIZE = sha256().digest_size


def canonical_json(value: Any) -> bytes:
    """Return a JSON value in canonical form: sorted keys, no spaces.

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


def digest(*parts: bytes | memoryview) -> str:
    """Return one SHA-256, in hexadecimal, that protects several byte strings."""
    joined = sha256()
    for part in parts:
        joined.update(sha256(part).digest())
    return joined.hexdigest()


def sealed(content: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON object with the SHA-256 of its entries as an additional entry."""
    return content | {_KEY: seal(content)}


def unsealed(content: Any) -> dict[str, Any]:
    """Return a JSON object without its SHA-256 entry, after verifying the object.

    Raises `ValueError` if the content is not an object, has no SHA-256, or has been
    changed.
    """
    if not isinstance(content, dict):
        raise ValueError(f"the content must be a JSON object, got {type(content).__name__}")
    rest = {key: value for key, value in content.items() if key != _KEY}
    try:
        genuine = content.get(_KEY) == seal(rest)
    except RecursionError as error:
        raise ValueError(f"RecursionError: {error}") from error
    if not genuine:
        raise ValueError(f"the content does not match its checksum {_KEY!r}")
    return rest


def sealed_json(content: dict[str, Any]) -> bytes:
    """Return the JSON text of an object with its SHA-256.

    Examples
    --------
    >>> unsealed_json(sealed_json({"run": "quick"}))
    {'run': 'quick'}
    >>> unsealed_json(sealed_json({"run": "quick"}).replace(b"q", b"Q"))
    Traceback (most recent call last):
    ValueError: the content does not match its checksum 'seal'
    """
    text = json.dumps(sealed(content), indent=2, ensure_ascii=False)
    return (text + "\n").encode()


def unsealed_json(data: bytes) -> dict[str, Any]:
    """Parse the output of `sealed_json`; raise `ValueError` for other or changed data."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
    return unsealed(content)


def sealed_bytes(data: bytes, about: bytes = b"") -> bytes:
    """Return data preceded by a SHA-256 of the data and of `about`, their context.

    Examples
    --------
    >>> unsealed_bytes(sealed_bytes(b"counts", b"block 3"), b"block 3")
    b'counts'
    >>> unsealed_bytes(sealed_bytes(b"counts", b"block 3"), b"block 4") is None
    True
    """
    return sha256(about + data).digest() + data


def unsealed_bytes(stored: bytes, about: bytes = b"") -> bytes | None:
    """Return the data from `sealed_bytes`; None if data or context have changed."""
    data = stored[_SIZE:]
    return data if stored[:_SIZE] == sha256(about + data).digest() else None
