"""A small run of rollouts, on which commands are tested."""

import json


def rolled_out(bearoff, folder):
    """Roll out four races, one with checkers outside home and one in a stored table."""
    config = folder / "batch.json"
    races = [
        {"roller": "1,1,1,1,1,0", "opponent": "2,1,1,0,1,0"},
        {"roller": "2,2,0,0,1,0", "opponent": "1,2,1,1,0,0"},
        {"roller": "[8,5,1]", "opponent": "[9,4,2]"},
        {"roller": "1,1,1,0,0,0", "opponent": "0,1,1,0,0,0"},
    ]
    wanted = {
        "run": "few",
        "table": {"points": 24},
        "pairs": [{"list": [_long(race) for race in races]}],
        "rollout": {"table": 3},
        "games": 30_000,
    }
    config.write_text(json.dumps(wanted))
    assert bearoff("simulate", str(config), "--to", str(folder), "--quiet").code == 0
    return folder / "few"


def _long(race):
    """Write the sides of a race as numbers of checkers on 24 points."""
    return {
        side: text if text.startswith("[") else text + ",0" * 18
        for side, text in race.items()
    }
