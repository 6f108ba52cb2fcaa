"""Settings that do not affect the games of a batch: run name, workers and output folder."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, PlainValidator, WithJsonSchema

from bearoff.checks import did_you_mean
from bearoff.sim.config.errors import show
from bearoff.sim.config.values import refusal

SURROUNDINGS: tuple[str, ...] = (
    "run",
    "description",
    "workers",
    "backend",
    "scheduler",
    "output",
)
"""Keys of a configuration that do not affect the results of the simulated games."""

SCHEMES = ("s3", "gs", "gcs", "hdfs", "abfs", "abfss", "file")
"""URI schemes of remote filesystems that are supported for output."""

_BUCKETS = ("s3", "gs", "gcs")
"""URI schemes of paths that begin with the name of a bucket."""

_RUN = "a name of at most 64 lower-case letters, digits, - and _, beginning with no - or _"

RunName = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$",
        json_schema_extra={"patternErrorMessage": _RUN},
    ),
]


def _workers(value: object) -> object:
    if value == "auto" or (
        isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 1024
    ):
        return value
    raise refusal(f"expected 'auto' or a whole number from 1 to 1024, got {show(value)}")


Workers = Annotated[
    int | Literal["auto"],
    PlainValidator(_workers),
    WithJsonSchema(
        {"oneOf": [{"const": "auto"}, {"type": "integer", "minimum": 1, "maximum": 1024}]}
    ),
]


def _known_filesystem(value: str) -> str:
    scheme, mark, rest = value.partition("://")
    if mark and scheme not in SCHEMES:
        raise refusal(
            f"expected a folder or a URI beginning with {', '.join(SCHEMES)}, got "
            f"{show(value)}{did_you_mean(scheme, SCHEMES)}"
        )
    if scheme in _BUCKETS and rest[:1] in ("", "/", "?"):
        raise refusal(
            f"expected the name of a bucket, such as {scheme}://bucket/folder, got "
            f"{show(value)}"
        )
    if not value.isprintable() or value != value.strip():
        raise refusal(
            f"expected printable text without blanks at its ends, got {show(value)}"
        )
    return value


Output = Annotated[
    str, Field(min_length=1, max_length=1000), AfterValidator(_known_filesystem)
]
