"""Storage format of a run: names of files and columns, and types of columns.

A run is a folder. The file `MANIFEST` describes the run and its progress. The folder
`OUTCOMES` contains the result files (parts) in Parquet format, with one row per pair of
positions. Until the run is finished, the folder `NOTES` has one file for each finished
part; later, the manifest lists all parts. ``docs/files.md`` explains the columns to users.

The bytes of a result file depend only on the configuration, the pairs of positions and this
storage format. Versions, commit, machine and time are stored in the manifest.
"""

from typing import TYPE_CHECKING

from bearoff.sim.storage import descriptions

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA_VERSION = 5
"""Version of the storage format of runs."""

ROLLS_AHEAD_BINS = 8
"""Number of bins for the winning margin in rolls: 1, 2, ..., 7, and 8 or more."""

CUBE_BINS = 8
"""Number of bins for the final cube value divided by the initial value: 1, 2, 4, ..., 64,
and 128 or more."""

MANIFEST = "run.json"
"""Name of the manifest in a run's folder."""

OUTCOMES = "outcomes"
"""Name of the folder with result files in a run's folder."""

NOTES = "parts"
"""Name of the folder, in an unfinished run's folder, with one manifest entry for each
result file."""

MOST_PARTS = 1_000_000
"""Maximum number of result files of a run, because their names have six digits."""

METADATA_KEY = b"bearoff"
"""Key in the Parquet metadata of every result file; its value is JSON text."""

RACES = "races"
"""Name of the kind of run that simulates games without a cube."""

CUBEFUL = "cubeful"
"""Name of the kind of run that simulates money games with the cube."""

MATCHES = "matches"
"""Name of the kind of run that simulates games with the cube at a match score."""

ROLLOUTS = "rollouts"
"""Name of the kind of run that contains rollouts."""

_VERSIONS = {ROLLOUTS: 10}
"""Versions of the storage format for kinds of runs whose version is not `SCHEMA_VERSION`.
"""

ROLLOUT_POINTS = 24
"""Number of points of the backgammon board in runs of rollouts."""

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
"""Columns that describe a pair of positions. Runs of every kind start with these
columns."""

GAMMON_CHANCES = ("gammon_won", "gammon_lost", "backgammon_won", "backgammon_lost")
"""Columns with gammon and backgammon probabilities without a cube, in runs of rollouts."""

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
"""Names of the columns of result files, in order, by kind of run."""

KINDS = tuple(COLUMNS)
"""Names of the kinds of runs."""

NULLABLE = frozenset(
    {
        "expected",
        "rival_points_mean",
        "rival_match_chance",
        "difference_mean",
        "difference_variance",
    }
)
"""Columns of result files that may contain null."""


PART_NAME = r"part-[0-9]{6}\.parquet"
"""Regular expression for the names of result files."""


def part_name(index: int) -> str:
    """Return the name of the result file with a given index.

    Examples
    --------
    >>> part_name(3)
    'part-000003.parquet'
    """
    return f"part-{index:06d}.parquet"


def note_name(index: int) -> str:
    """Return the name of the file with the manifest entry of a result file, by index."""
    return f"part-{index:06d}.json"


def outcome_schema(points: int, kind: str) -> "pa.Schema":
    """Return the Arrow schema of the result files for a number of points and a kind of run.

    Examples
    --------
    >>> outcome_schema(6, RACES).field("roller_counts").type
    FixedSizeListType(fixed_size_list<item: int8 not null>[6])
    """
    import pyarrow as pa

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
            pa.field(name, types.get(name, pa.float64()), nullable=name in NULLABLE)
            for name in COLUMNS[kind]
        ]
    )
    texts = descriptions.OF_ROLLOUTS if kind == ROLLOUTS else descriptions.OF_RUNS
    return descriptions.described(schema, texts)


def version_of(kind: str) -> int:
    """Return the version of the storage format for a kind of run.

    Examples
    --------
    >>> version_of(RACES) == SCHEMA_VERSION, version_of(ROLLOUTS)
    (True, 10)
    """
    return _VERSIONS.get(kind, SCHEMA_VERSION)
