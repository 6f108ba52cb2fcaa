"""Functions that return what a stopped run has stored."""

from bearoff.sim.engine import plan
from tests.sim.batches import blocks_kept, manifest_of


def parts_and_blocks(folder):
    """Return the complete parts of a run, and the stored blocks of other parts."""
    parts = manifest_of(folder).parts if (folder / "run.json").exists() else {}
    kept = [tuple(map(int, path.stem.split("-"))) for path in blocks_kept(folder)]
    return parts, [key for key in kept if f"part-{key[0]:06d}.parquet" not in parts]


def has_stored(folder, parts, blocks):
    """Return whether a run has stored this number of parts, and of blocks of the next
    part.
    """
    done, kept = parts_and_blocks(folder)
    return len(done) > parts or (len(done) == parts and len(kept) >= blocks)


def games_stored(folder, games_of_pair=2500):
    """Return the number of games that a run has stored, in parts and in blocks."""
    parts, blocks = parts_and_blocks(folder)
    games = sum(part.games for part in parts.values())
    for part, block in blocks:
        pairs = plan.part_ranges(10, plan.PART_PAIRS)[part]
        left = (pairs.stop - pairs.start) * games_of_pair - block * plan.BLOCK_GAMES
        games += min(left, plan.BLOCK_GAMES)
    return games


def notes_of(folder):
    return sorted((folder / "parts").glob("*.json"))
