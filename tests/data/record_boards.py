"""Script that records what GNU Backgammon prints about races in every state of a game.

Run from the repository's root as ``python -m tests.data.record_boards``, with ``gnubg`` on
the path. It shares no code with the package.
"""

import json
import random
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def _side(chance, farthest):
    counts = [0] * 24
    for _ in range(chance.randint(1, 15)):
        counts[chance.randrange(farthest)] += 1
    return counts


def _case(chance, number):
    x = _side(chance, chance.choice([3, 6, 6, 9, 14]))
    o = _side(chance, chance.choice([3, 6, 6, 10]))
    if number == 3:
        x = [12, 0, 0, 0, 3] + 19 * [0]
    length = chance.choice([0, 0, 1, 5, 7, 11])
    won = (0, 0)
    if length > 1:
        won = chance.randint(0, length - 1), chance.randint(0, length - 2)
    crawford = length > 1 and max(won) == length - 1 and chance.random() < 0.5
    if number in (4, 5):
        length, won, crawford = 7, (6, 3), number == 4
    value = chance.choice([1, 1, 2, 4])
    if crawford or length == 1:
        value = 1
    owner = chance.choice("OX") if value > 1 else None
    roller = chance.choice("OX")
    dice = chance.choice([None, (chance.randint(1, 6), chance.randint(1, 6))])
    may = dice is None and owner in (None, roller) and length == 0
    return {
        "x": x,
        "o": o,
        "length": length,
        "won_x": won[0],
        "won_o": won[1],
        "crawford": crawford,
        "cube_value": value,
        "cube_owner": owner,
        "roller": roller,
        "dice": dice,
        "jacoby": length == 0 and chance.random() < 0.5,
        "doubled": may and chance.random() < 0.4,
    }


def _commands(case):
    pairs = zip(case["x"], case["o"][::-1], strict=True)
    squares = [str(mine or -theirs) for mine, theirs in pairs]
    commands = ["set automatic roll off", "set automatic game off"]
    commands += ["set player 0 human", "set player 1 human"]
    commands.append(f"set jacoby {'on' if case['jacoby'] else 'off'}")
    commands.append(f"new match {case['length']}" if case["length"] else "new session")
    commands.append("set turn 1")
    if case["length"] > 1:
        commands.append(f"set score {case['won_o']} {case['won_x']}")
        if max(case["won_x"], case["won_o"]) == case["length"] - 1:
            commands.append(f"set {'crawford' if case['crawford'] else 'postcrawford'} on")
    commands.append(f"set board simple 0 {' '.join(squares)} 0")
    commands.append(f"set turn {'OX'.index(case['roller'])}")
    if case["cube_owner"]:
        commands.append(f"set cube value {case['cube_value']}")
        commands.append(f"set cube owner {'OX'.index(case['cube_owner'])}")
    if case["dice"]:
        commands.append(f"set dice {case['dice'][0]} {case['dice'][1]}")
    if case["doubled"]:
        commands.append("double")
    return [*commands, "show board"]


def main():
    """Write `gnubg_boards.json`."""
    chance = random.Random(15)
    cases = [_case(chance, number) for number in range(24)]
    for case in cases:
        said = subprocess.run(
            ["gnubg", "-t", "-q"], input="\n".join(_commands(case)) + "\n",
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        case["printed"] = said[said.rindex(" GNU Backgammon  Position ID") :].rstrip()
    path = HERE / "gnubg_boards.json"
    path.write_text(json.dumps(cases, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
