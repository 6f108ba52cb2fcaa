"""Storage format of a run: names of files and columns, shared by writers and readers.

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
"""Version, increased when the manifest or a column changes its name, type or meaning; see
`version_of`."""

ROLLS_AHEAD_BINS = 8
"""Bins of the winning margin: 1, 2, ..., 7 rolls, and 8 or more."""

CUBE_BINS = 8
"""Bins of the final cube: 1, 2, 4, ..., 64 times the initial value, and 128 times or more.
"""

MANIFEST = "run.json"
"""Name of the manifest in the run's folder."""

OUTCOMES = "outcomes"
"""Name of the folder of Parquet parts in the run's folder."""

NOTES = "parts"
"""Name of the folder with notes on the parts of an unfinished run."""

MOST_PARTS = 1_000_000
"""Maximum number of parts of a run; their names sort in numerical order."""

METADATA_KEY = b"bearoff"
"""Key of the JSON text in the metadata of every part's Parquet schema."""

RACES = "races"
"""Kind of a run that plays cubeless races."""

CUBEFUL = "cubeful"
"""Kind of a run that plays games with the cube."""

MATCHES = "matches"
"""Kind of a run that plays games with the cube at a score."""

ROLLOUTS = "rollouts"
"""Kind of a run of rollouts."""

_VERSIONS = {ROLLOUTS: 8}
"""Schema versions of kinds whose outcomes have changed their meaning."""

ROLLOUT_POINTS = 24
"""Number of points of the positions in a run of rollouts, whatever its table."""

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
"""Columns that describe a pair, the first columns of every kind."""

GAMMON_CHANCES = ("gammon_won", "gammon_lost", "backgammon_won", "backgammon_lost")
"""Columns of rollouts with the cubeless gammon and backgammon chances."""

SYSTEMATIC = ("win_probability", "no_double", "no_redouble", "double_take")
"""Columns of rollouts with a stated systematic error."""

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
"""Kinds of runs; see `sim.runs.work`."""

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
"""Pattern of the file names of parts."""


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
    """Return the Arrow schema of a run's outcomes.

    Parameters
    ----------
    points : int
        Points of the run's table; the width of the columns of counts.
    kind : str
        Kind of the run, one of `KINDS`.

    Returns
    -------
    pyarrow.Schema
        Schema whose fields have descriptions; the writer adds the metadata of the whole
        under `METADATA_KEY`. Only columns in `NULLABLE` may be null.

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
            # All other columns are float64 values of a pair.
            pa.field(name, types.get(name, pa.float64()), nullable=name in NULLABLE)
            for name in COLUMNS[kind]
        ]
    )
    texts = descriptions.OF_ROLLOUTS if kind == ROLLOUTS else descriptions.OF_RUNS
    return descriptions.described(schema, texts)


def version_of(kind: str) -> int:
    """Return the schema version of a kind of run.

    Examples
    --------
    >>> version_of(RACES) == SCHEMA_VERSION, version_of(ROLLOUTS)
    (True, 8)
    """
    return _VERSIONS.get(kind, SCHEMA_VERSION)
