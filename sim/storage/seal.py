"""Seals: SHA-256 digests that show whether data are what was written."""

import json
from hashlib import sha256
from typing import Any

from bearoff.storage import sealing
from sim.storage.errors import ManifestError

_KEY = "seal"

_SIZE = sha256().digest_size


def digest(*parts: bytes | memoryview) -> str:
    """Return the SHA-256 of the parts' own digests, in hexadecimal."""
    joined = sha256()
    for part in parts:
        joined.update(sha256(part).digest())
    return joined.hexdigest()


def sealed(content: dict[str, Any]) -> dict[str, Any]:
    """Return a JSON object with its seal, the digest of all else in it."""
    return content | {_KEY: sealing.seal(content)}


def unsealed(content: Any) -> dict[str, Any]:
    """Return what `sealed` was given.

    Raises
    ------
    ManifestError
        If it is no object, has no seal, or was changed.
    """
    if not isinstance(content, dict):
        raise ManifestError(f"it is no JSON object but {type(content).__name__}")
    rest = {key: value for key, value in content.items() if key != _KEY}
    try:
        genuine = content.get(_KEY) == sealing.seal(rest)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{type(error).__name__}: {error}") from error
    if not genuine:
        raise ManifestError(f"it is not what was written: its {_KEY} does not match")
    return rest


def sealed_json(content: dict[str, Any]) -> bytes:
    """Return the JSON text of an object with its seal.

    Examples
    --------
    >>> unsealed_json(sealed_json({"run": "quick"}))
    {'run': 'quick'}
    >>> unsealed_json(sealed_json({"run": "quick"}).replace(b"q", b"Q"))
    Traceback (most recent call last):
    sim.storage.errors.ManifestError: it is not what was written: its seal does not match
    """
    text = json.dumps(sealed(content), indent=2, ensure_ascii=False)
    return (text + "\n").encode()


def unsealed_json(data: bytes) -> dict[str, Any]:
    """Read what `sealed_json` returned.

    Raises
    ------
    ManifestError
        If it is something else, or was changed.
    """
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ManifestError(f"{type(error).__name__}: {error}") from error
    return unsealed(content)


def sealed_bytes(data: bytes, about: bytes = b"") -> bytes:
    """Return data behind the SHA-256 of what they are about and of themselves.

    Examples
    --------
    >>> unsealed_bytes(sealed_bytes(b"counts", b"block 3"), b"block 3")
    b'counts'
    >>> unsealed_bytes(sealed_bytes(b"counts", b"block 3"), b"block 4") is None
    True
    """
    return sha256(about + data).digest() + data


def unsealed_bytes(stored: bytes, about: bytes = b"") -> bytes | None:
    """Return what `sealed_bytes` was given; None if it was changed or is about another."""
    data = stored[_SIZE:]
    return data if stored[:_SIZE] == sha256(about + data).digest() else None
