"""Storage format of a run: names of files and columns, and types.

A run is a folder. `MANIFEST` describes the request and the progress. `OUTCOMES` holds the
Parquet parts, with one row per pair in the order of the run's pairs. `NOTES` lists each
stored part until the manifest of the finished run does. ``docs/files.md`` explains
the columns to users.

The bytes of a part depend only on the configuration, its pairs and this schema. Versions,
commit, machine and time are in the manifest.
"""

from typing import TYPE_CHECKING

from bearoff.sim.storage import descriptions

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION = 5
"""Version of the storage format."""

ROLLS_AHEAD_BINS = 8
"""Number of bins for the winning margin in rolls: 1, 2, ..., 7, and 8 or more."""

CUBE_BINS = 8
"""Number of bins for the final cube value, relative to the initial value: 1, 2, 4, ..., 64,
and 128 or more."""

MANIFEST = "run.json"
"""File name of the manifest in a run's folder."""

OUTCOMES = "outcomes"
"""Name of the folder of result files in a run's folder."""

NOTES = "parts"
"""Name of the folder, in an unfinished run's folder, with an entry for each result file."""

MOST_PARTS = 1_000_000
"""Maximum number of result files of a run; their names have six digits."""

METADATA_KEY = b"bearoff"
"""Key of the JSON text in the Parquet metadata of every result file."""

RACES = "races"
"""Type of a run of cubeless races."""

CUBEFUL = "cubeful"
"""Type of a run of money games with the cube."""

MATCHES = "matches"
"""Type of a run of games with the cube at a match score."""

ROLLOUTS = "rollouts"
"""Type of a run of rollouts."""

_VERSIONS = {ROLLOUTS: 10}
"""Versions of the storage format for types of runs that do not have `SCHEMA_VERSION`."""

ROLLOUT_POINTS = 24
"""Number of points for positions in runs of rollouts."""

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
"""Columns that describe a pair of positions; every type of run starts with these
columns."""

GAMMON_CHANCES = ("gammon_won", "gammon_lost", "backgammon_won", "backgammon_lost")
"""Columns with gammon and backgammon probabilities in runs of rollouts, without a cube."""

SYSTEMATIC = ("win_probability", "no_double", "no_redouble", "double_take")
"""Columns of rollouts for which a systematic error is stored."""

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
"""Names of the columns in order, by type of run."""

KINDS = tuple(COLUMNS)
"""Types of runs."""

NULLABLE = frozenset(
    {
        "expected",
        "rival_points_mean",
        "rival_match_chance",
        "difference_mean",
        "difference_variance",
    }
)
"""Columns that may contain null."""


PART_NAME = r"part-[0-9]{6}\.parquet"
"""Pattern of the names of result files."""


def part_name(index: int) -> str:
    """Return the name of the result file with a given index.

    Examples
    --------
    >>> part_name(3)
    'part-000003.parquet'
    """
    return f"part-{index:06d}.parquet"


def note_name(index: int) -> str:
    """Return the file name of a result file's separate manifest entry, given its index."""
    return f"part-{index:06d}.json"


def outcome_schema(points: int, kind: str) -> "pa.Schema":
    """Return the Arrow schema of result files, with column descriptions.

    Examples
    --------
    >>> outcome_schema(6, RACES).field("roller_counts").type
    FixedSizeListType(fixed_size_list<item: int8 not null>[6])
    """
    import pyarrow as pa  # slow to import, and not needed for the names

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
    schema = pa.schema(
        [
            # Columns that are not listed have the type float64.
            pa.field(name, types.get(name, pa.float64()), nullable=name in NULLABLE)
            for name in COLUMNS[kind]
        ]
    )
    texts = descriptions.OF_ROLLOUTS if kind == ROLLOUTS else descriptions.OF_RUNS
    return descriptions.described(schema, texts)


def version_of(kind: str) -> int:
    """Return the version of the storage format for a type of run.

    Examples
    --------
    >>> version_of(RACES) == SCHEMA_VERSION, version_of(ROLLOUTS)
    (True, 10)
    """
    return _VERSIONS.get(kind, SCHEMA_VERSION)
