"""How a run is stored: names of its files and columns, shared by writer and readers.

A run is a folder. `MANIFEST` states what was asked for and what is done; `OUTCOMES` holds
the Parquet parts, one row per pair in the order of the run's pairs; `NOTES` lists each
part that is stored, until the manifest of the finished run does. ``docs/files.md``
explains the columns to users.

The bytes of a part depend on the configuration, its pairs and this schema alone. What
varies with the surroundings (versions, commit, machine, time) stands in the manifest.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION = 5
"""Raised whenever the manifest or a column changes its name, type or meaning; see
`version_of`."""

ROLLS_AHEAD_BINS = 8
"""Bins of the finishing margins: 1, 2, ..., 7 rolls, and 8 or more."""

CUBE_BINS = 8
"""Bins of the final cube: 1, 2, 4, ..., 64 times the initial, and 128 times or more."""

MANIFEST = "run.json"
"""Name of the manifest in the run's folder."""

OUTCOMES = "outcomes"
"""Name of the folder of Parquet parts in the run's folder."""

NOTES = "parts"
"""Name of the folder of notes of the parts that an unfinished run has stored."""

MOST_PARTS = 1_000_000
"""Parts of a run: so many have names that sort in their order."""

METADATA_KEY = b"bearoff"
"""Key of the JSON text in the metadata of every part's Parquet schema."""

RACES = "races"
"""Kind of a run that plays plain races."""

CUBEFUL = "cubeful"
"""Kind of a run that plays games with the cube."""

MATCHES = "matches"
"""Kind of a run that plays games with the cube at a score."""

ROLLOUTS = "rollouts"
"""Kind of a run that rolls races out."""

_VERSIONS = {ROLLOUTS: 8}
"""Schema versions of kinds whose outcomes mean something else than they did."""

ROLLOUT_POINTS = 24
"""Points of the positions that such a run stores, whatever its configuration's table."""

PAIR_COLUMNS = (
    "pair",
    "weight",
    "roller",
    "opponent",
    "roller_counts",
    "opponent_counts",
    "roller_pips",
    "opponent_pips",
    "roller_epc",
    "opponent_epc",
)
"""Columns that say what a pair is, the first of every kind."""

GAMMON_CHANCES = ("gammon_won", "gammon_lost", "backgammon_won", "backgammon_lost")
"""Columns of rollouts: what the roller wins and loses without a cube."""

SYSTEMATIC = ("win_probability", "no_double", "no_redouble", "double_take")
"""Columns of rollouts whose systematic error is stated."""

COLUMNS = {
    RACES: (
        *PAIR_COLUMNS,
        "games",
        "wins",
        "gammons_won",
        "gammons_lost",
        "length_mean",
        "length_variance",
        "roller_ahead",
        "opponent_ahead",
        "expected",
    ),
    CUBEFUL: (
        *PAIR_COLUMNS,
        "games",
        "wins",
        "gammons_won",
        "gammons_lost",
        "points_mean",
        "points_variance",
        "cube",
        "roller_doubles",
        "opponent_doubles",
        "roller_passes",
        "opponent_passes",
        "length_mean",
        "length_variance",
        "expected",
        "rival_points_mean",
        "difference_mean",
        "difference_variance",
    ),
    MATCHES: (
        *PAIR_COLUMNS,
        "games",
        "wins",
        "gammons_won",
        "gammons_lost",
        "match_chance",
        "match_chance_variance",
        "cube_won",
        "cube_lost",
        "cube_gammons_won",
        "cube_gammons_lost",
        "roller_doubles",
        "opponent_doubles",
        "roller_passes",
        "opponent_passes",
        "length_mean",
        "length_variance",
        "expected",
        "rival_match_chance",
        "difference_mean",
        "difference_variance",
    ),
    ROLLOUTS: (
        *PAIR_COLUMNS,
        "games",
        "win_probability",
        "win_probability_error",
        *(f"{name}{end}" for name in GAMMON_CHANCES for end in ("", "_error")),
        "cubeless",
        "cubeless_error",
        "no_double",
        "no_double_error",
        "no_redouble",
        "no_redouble_error",
        "double_take",
        "double_take_error",
        "double_gain",
        "double_gain_error",
        "double_action",
        "double_too_close",
        "redouble_gain",
        "redouble_gain_error",
        "redouble_action",
        "redouble_too_close",
        *(f"{name}_systematic" for name in SYSTEMATIC),
    ),
}
"""Columns of the outcomes by kind of run, in order."""

KINDS = tuple(COLUMNS)
"""What a run may do with its pairs; see `sim.runs.work`."""

NULLABLE = frozenset(
    {
        "expected",
        "rival_points_mean",
        "rival_match_chance",
        "difference_mean",
        "difference_variance",
    }
)
"""Columns that are null where there is no value."""


PART_NAME = r"part-[0-9]{6}\.parquet"
"""Pattern of the names of parts."""


def part_name(index: int) -> str:
    """Return the file name of the part with this index, in the folder `OUTCOMES`.

    Examples
    --------
    >>> part_name(3)
    'part-000003.parquet'
    """
    return f"part-{index:06d}.parquet"


def note_name(index: int) -> str:
    """Return the file name of the note of the part with this index, in `NOTES`."""
    return f"part-{index:06d}.json"


def outcome_schema(points: int, kind: str) -> "pa.Schema":
    """Return the columns and types of a run's outcomes.

    Parameters
    ----------
    points : int
        Points of the run's table; the width of the columns of counts.
    kind : str
        Of the run, one of `KINDS`.

    Returns
    -------
    pyarrow.Schema
        Without metadata; the writer adds it under `METADATA_KEY`. Only columns in
        `NULLABLE` may be null.

    Examples
    --------
    >>> outcome_schema(6, RACES).field("roller_counts").type
    FixedSizeListType(fixed_size_list<item: int8 not null>[6])
    """
    import pyarrow as pa  # Slow to load, and readers of the names do not need it.

    counts = pa.list_(pa.field("item", pa.int8(), nullable=False), points)
    whole = pa.field("item", pa.int64(), nullable=False)
    ahead = pa.list_(whole, ROLLS_AHEAD_BINS)
    types = {
        "pair": pa.int64(),
        "roller": pa.int64(),
        "opponent": pa.int64(),
        "roller_counts": counts,
        "opponent_counts": counts,
        "roller_pips": pa.int16(),
        "opponent_pips": pa.int16(),
        "games": pa.int64(),
        "wins": pa.int64(),
        "gammons_won": pa.int64(),
        "gammons_lost": pa.int64(),
        "cube": pa.list_(whole, CUBE_BINS),
        "cube_won": pa.list_(whole, CUBE_BINS),
        "cube_lost": pa.list_(whole, CUBE_BINS),
        "cube_gammons_won": pa.list_(whole, CUBE_BINS),
        "cube_gammons_lost": pa.list_(whole, CUBE_BINS),
        "roller_doubles": pa.int64(),
        "opponent_doubles": pa.int64(),
        "roller_passes": pa.int64(),
        "opponent_passes": pa.int64(),
        "roller_ahead": ahead,
        "opponent_ahead": ahead,
        "double_action": pa.string(),
        "double_too_close": pa.bool_(),
        "redouble_action": pa.string(),
        "redouble_too_close": pa.bool_(),
    }
    return pa.schema(
        [
            # What has no type of its own here is a value of a pair.
            pa.field(name, types.get(name, pa.float64()), nullable=name in NULLABLE)
            for name in COLUMNS[kind]
        ]
    )


def version_of(kind: str) -> int:
    """Return the schema version of a kind of run.

    Examples
    --------
    >>> version_of(RACES) == SCHEMA_VERSION, version_of(ROLLOUTS)
    (True, 8)
    """
    return _VERSIONS.get(kind, SCHEMA_VERSION)
