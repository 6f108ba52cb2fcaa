"""Games without dice over HTTP: a program plays a game, and invalid input is refused."""

from itertools import pairwise
from random import Random

import pytest

from bearoff import Position
from bearoff.app.serve.no_chance import thinking
from bearoff.app.serve.no_chance.games import Game, NoChanceRules
from bearoff.app.serve.no_chance.thinking import NoChanceThinker
from bearoff.game import Board
from bearoff.game.no_chance import NoChancePosition, solve_no_chance_race
from bearoff.storage import sealing
from tests.app.serve.asking import Player, refused


class Bot(Player):
    place, rules = "/api/v1/play/no-chance/games", {"opponent": "one"}

    def to_play(self):
        """Begin a game, and choose numbers until the player has a play to choose."""
        self.begin(first="you")
        self.do("name", number=6)
        self.decide()

    def until_over(self, rng):
        """Choose numbers and plays at random until the game ends."""
        while self.game["needs"] != "nothing":
            if self.game["needs"] == "opponent":
                self.decide()
                continue
            one = rng.choice(self.game["nameable"])
            if self.game["needs"] == "name":
                self.do("name", number=one["number"])
            else:
                self.do("play", number=one["number"], play=rng.choice(one["legal"]))
        return self.game


@pytest.mark.parametrize(
    ("numbers", "doubles", "first"), [(6, 2, "you"), (4, 1, "opponent")]
)
def test_a_game_by_the_rules(bot, numbers, doubles, first):
    bot.begin(numbers=numbers, doubles=doubles, first=first)
    over = bot.until_over(Random(2))
    turns = over["actions"]
    assert [t["kind"] for t in turns[:3]] == ["name", "name", "play"]
    assert [t["player"] for t in turns[:2]] == ([0, 1] if first == "you" else [1, 0])
    left = [doubles, doubles]
    for before, turn in pairwise(turns[1:]):
        # Players may not choose their own last number again, and the opponent's number only
        # a few times.
        assert turn["player"] == 1 - before["player"]
        assert turn["met"] == before["number"]
        assert turn["number"] in range(1, numbers + 1)
        left[turn["player"]] -= turn["double"]
        assert turn["silent"] == (not turn["text"])
    assert all(
        later["number"] != earlier["number"]
        for earlier, later in zip(turns, turns[2:], strict=False)
    )
    assert min(left) >= 0
    assert over["doubles"] == left
    assert over["winner"] == turns[-1]["player"]
    board = Board(tuple(over["board"]))
    assert board.off[over["winner"]] == 15
    assert over["points"] == board.points_won


def test_a_restart_goes_on_and_what_is_taken_back_was_not(bot, folder):
    bot.begin(first="you")
    assert {one["number"] for one in bot.game["nameable"]} == set(range(1, 7))
    bot.do("name", number=4)
    bot.decide()
    before = bot.game
    one = before["nameable"][0]
    bot.do("play", number=one["number"], play=one["legal"][0])
    bot.decide()
    again = Bot(folder, bot.game)
    assert again.seen() == bot.game
    back = again.do("undo")
    same = {"board", "named", "nameable", "doubles", "needs", "actions"}
    assert {name: back[name] for name in same} == {name: before[name] for name in same}
    assert back["undone"] == 1
    again.do("undo")
    assert again.game["needs"] == "name"
    again.refused("actions", do="undo")


def test_a_hint_rates_every_number_and_is_counted(bot):
    bot.to_play()
    found = bot.told(bot.post("hint"))["numbers"]
    assert {one["number"] for one in found} == {n["number"] for n in bot.game["nameable"]}
    values = [one["value"] for one in found]
    assert values == sorted(values, reverse=True)
    assert not any(one["exact"] for one in found)
    legal = {n["number"]: n["legal"] for n in bot.game["nameable"]}
    assert all(one["board"] in legal[one["number"]] for one in found)
    shown = bot.seen()
    assert (shown["hints"], shown["version"]) == (1, bot.game["version"])


def race(mine, theirs, *rest):
    one, other = Position.parse(mine), Position.parse(theirs)
    board = Board.of_sides((*one.counts, *[0] * 19), (*other.counts, *[0] * 19))
    return NoChancePosition(board, *rest), one, other


def test_in_the_race_hints_and_the_opponent_are_exact():
    position, one, other = race("0,0,1,0,1,1", "1,0,1,1,0,0", 2, 5, (1, 1))
    solved = solve_no_chance_race(one, other)
    thinker = NoChanceThinker("one")
    rated = thinker.rate(position)
    assert all(r.exact for r in rated)
    assert rated[0].turns == solved.turns(one, other, 2, 5, (1, 1))
    for r in rated:
        mine = [c for c in solved.choices(one, other, 2, 5, (1, 1)) if c.number == r.number]
        assert (r.points, r.turns) == (mine[0].points, mine[0].turns)
    number, after = thinker.decide(position)
    assert (number, after) == (rated[0].number, rated[0].after)


def test_a_gammon_of_a_race_is_told_and_a_long_race_is_searched():
    thinker = NoChanceThinker("one")
    best = thinker.rate(race("0,1,1,0,0,0", "15,0,0,0,0,0", 1, 3)[0])[0]
    assert (best.points, best.turns, best.exact) == (2, 1, True)
    searched = thinker.rate(race("0,3,3,3,3,3", "0,3,3,3,3,3", 1, 3)[0])
    assert all(r.depth > 0 for r in searched)


def test_a_turn_that_cannot_be_played_is_silent():
    board = Board((0, 14, *10 * [0], -3, *6 * [0], *6 * [-2], 1))
    start = NoChancePosition(board, 1, 2)
    assert start.plays(3) == [board]
    number, after = NoChanceThinker("one").decide(start)
    assert after == board
    assert number != 1
    assert Game("0" * 12, NoChanceRules(6, 2, 0, "one"), "").needs == "name"


def test_whoever_thinks_is_stopped(monkeypatch):
    thinker = NoChanceThinker("five")
    seen = []

    def search(position, **given):
        thinker.stop()
        seen.append(given["stop"].stopped)
        return real(position, **given)

    real = thinking.search_no_chance
    monkeypatch.setattr(thinking, "search_no_chance", search)
    number, after = thinker.decide(NoChancePosition.start(6, 5))
    assert seen == [True]
    assert after in NoChancePosition.start(6, 5).plays(number)


def test_what_cannot_be_done_is_refused(bot):
    bot.to_play()
    for body, named in (
        ({"do": "name"}, "number"),
        ({"do": "name", "number": 5}, ""),
        ({"do": "play", "number": 6, "play": "8/2"}, "6"),
        ({"do": "play", "number": 7, "play": "8/5"}, "7"),
        ({"do": "play", "number": 3, "play": "8/1"}, "8/1"),
        ({"do": "play", "number": 3, "play": [0] * 26}, "3"),
    ):
        bot.refused_and_unchanged(named, **body)


def test_first_numbers_differ(bot):
    bot.begin(first="opponent")
    bot.decide()
    bot.refused("actions", do="name", number=bot.game["named"][1])
    bot.refused("hint")


def test_rules_that_no_game_has(bot):
    for name, value in (("opponent", "nobody"), ("numbers", 8), ("doubles", 3)):
        refused(bot.client.post(bot.place, json={name: value}), name)
    assert bot.listed()["games"] == []


def test_a_damaged_game_is_named_and_one_is_removed(bot, folder):
    bot.to_play()
    path = folder / "no-chance" / f"{bot.game['key']}.json"
    kept = sealing.unsealed_json(path.read_bytes())
    path.write_bytes(sealing.sealed_json(kept | {"turns": [[6, None], [6, None]]}))
    Bot(folder, bot.game).is_damaged(path.name)
    left = bot.client.delete(f"{bot.place}/{bot.game['key']}").json()
    assert (left["games"], path.exists()) == ([], False)
