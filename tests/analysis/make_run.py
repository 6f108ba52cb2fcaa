"""Small runs that are written without playing, with randomly drawn numbers of wins."""

import hashlib
import json
from itertools import product

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import bearoff
from bearoff.sim.storage import RunManifest
from bearoff.sim.storage.schema import (
    MANIFEST,
    METADATA_KEY,
    OUTCOMES,
    RACES,
    ROLLS_AHEAD_BINS,
    outcome_schema,
    part_name,
)

SEED = 7


def visited(rng, sides=2000):
    """Return the positions that occur while `sides` random positions of 15 checkers are
    borne off.
    """
    table = bearoff.one_sided_table()
    starts = np.flatnonzero((np.arange(len(table)) >= 38760) & (table.pips >= 60))
    weights = np.array(bearoff.WEIGHTS) / 36
    at = rng.choice(starts, sides)
    seen = []
    while len(at):
        seen.append(at)
        at = table.policy[at, rng.choice(21, len(at), p=weights)].astype(np.int64)
        at = at[at > 0]
    return np.concatenate(seen)


def grid_pairs():
    """Draw four pairs of positions for each pip count and lead of a grid, from positions
    that occur in bear-offs.
    """
    rng, table = np.random.default_rng(1), bearoff.one_sided_table()
    seen = np.isin(np.arange(len(table)), visited(rng))
    pairs = []
    for count, lead in product(range(20, 81, 5), range(-4, 17, 2)):
        sides = [np.flatnonzero(seen & (table.pips == n)) for n in (count, count + lead)]
        if all(map(len, sides)):
            pairs.append([rng.choice(side, 4) for side in sides])
    return np.hstack(pairs)


def write_run(
    folder,
    rollers,
    opponents,
    *,
    games=20_000,
    rows_per_part=100,
    complete=True,
    config=None,
    known=True,
):
    """Write the files of a run."""
    rollers, opponents = np.asarray(rollers), np.asarray(opponents)
    order = np.lexsort((opponents, rollers))
    rollers, opponents = rollers[order], opponents[order]
    table = bearoff.one_sided_table()
    n = len(rollers)
    games = np.full(n, games)
    p = table.fewest_rolls_win_probability(rollers, opponents)
    wins = np.random.default_rng(SEED).binomial(games, p)
    ahead = np.zeros((2, n, ROLLS_AHEAD_BINS), dtype=np.int64)
    ahead[:, :, 0] = wins, games - wins
    columns = {
        "pair": np.arange(n),
        "weight": np.ones(n),
        "roller": rollers,
        "opponent": opponents,
        "roller_counts": list(bearoff.unrank(rollers)),
        "opponent_counts": list(bearoff.unrank(opponents)),
        "roller_pips": table.pips[rollers],
        "opponent_pips": table.pips[opponents],
        "roller_epc": table.epc[rollers],
        "opponent_epc": table.epc[opponents],
        "games": games,
        "wins": wins,
        "gammons_won": np.zeros(n, dtype=np.int64),
        "gammons_lost": np.zeros(n, dtype=np.int64),
        "length_mean": table.mean_rolls[rollers],
        "length_variance": table.std_rolls[rollers] ** 2,
        "roller_ahead": list(ahead[0]),
        "opponent_ahead": list(ahead[1]),
        "expected": p if known else [None] * n,
    }
    config = {
        "run": folder.name,
        "table": {"points": 6, "checkers": 15},
        "players": {"roller": "fewest-rolls", "opponent": "fewest-rolls"},
    } | (config or {})
    metadata = {METADATA_KEY: json.dumps({"seed": SEED})}
    schema = outcome_schema(6, RACES).with_metadata(metadata)
    whole = pa.Table.from_pydict(columns, schema)
    (folder / OUTCOMES).mkdir(parents=True)
    parts = {}
    for index, start in enumerate(range(0, n, rows_per_part)):
        path = folder / OUTCOMES / part_name(index)
        part = whole.slice(start, rows_per_part)
        pq.write_table(part, path)
        parts[path.name] = {
            "pairs": part.num_rows,
            "games": int(games[start : start + rows_per_part].sum()),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "first": [int(rollers[start]), int(opponents[start])],
            "last": [part[side][-1].as_py() for side in ("roller", "opponent")],
        }
    if not complete:
        # The last part has a file, but the manifest does not list this file.
        parts.popitem()
    manifest = {
        "kind": RACES,
        "run": folder.name,
        "config": config,
        "digest": "0" * 64,
        "seed": SEED,
        "versions": {"bearoff": "0.1.0"},
        "commit": "0123456789abcdef0123456789abcdef01234567",
        "dirty": False,
        "cpu": "a cpu",
        "workers": 1,
        "backend": "sequential",
        "started": "2026-11-21T12:00:00Z",
        "finished": "2026-11-21T12:00:01Z" if complete else None,
        "seconds": 1.0,
        "games": int(games.sum()),
        "pairs": n,
        "complete": complete,
        "parts": parts,
    }
    (folder / MANIFEST).write_bytes(RunManifest.model_validate(manifest).to_bytes())
    return folder
