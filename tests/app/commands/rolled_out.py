"""A small run of rollouts, on which commands are tested."""

import json


def rolled_out(bearoff, folder):
    """Roll out four races, one with checkers outside home and one in a stored table."""
    config = folder / "batch.json"
    races = [
        {"roller": "[1,2,3,4,5]", "opponent": "[1,1,2,3,5]"},
        {"roller": "[1,1,2,2,5]", "opponent": "[1,2,2,3,4]"},
        {"roller": "[8,5,1]", "opponent": "[9,4,2]"},
        {"roller": "[1,2,3]", "opponent": "[2,3]"},
    ]
    wanted = {
        "run": "few",
        "table": {"points": 24},
        "pairs": [{"list": races}],
        "rollout": {"table": 3},
        "games": 30_000,
    }
    config.write_text(json.dumps(wanted))
    assert bearoff("simulate", str(config), "--to", str(folder), "--quiet").code == 0
    return folder / "few"
