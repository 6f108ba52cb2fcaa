"""Matches over HTTP: a program plays and undoes actions, and invalid input is refused."""

import json
import random
import threading
from dataclasses import replace
from unittest.mock import Mock

import pytest

from bearoff import Judge, Score, match_equities
from bearoff.analysis.review import Decision
from bearoff.analysis.review.estimates import WIDTH
from bearoff.app.library.library import open_library
from bearoff.app.library.questions import own_questions
from bearoff.app.serve import server
from bearoff.app.serve.judges import Judges
from bearoff.app.serve.play import files
from bearoff.app.serve.play.analysing import add_decisions
from bearoff.app.serve.play.dice import hash_of, thrown
from bearoff.app.serve.play.mistakes import _card
from bearoff.app.serve.play.models import SumOut
from bearoff.app.serve.play.opponents import OPPONENTS
from bearoff.app.serve.play.thinking import Thinker
from bearoff.game import Board, format_play, legal_plays
from bearoff.game.evaluation import Net
from bearoff.game.records import (
    Action,
    GameRecord,
    MatchRecord,
    Moment,
    moments,
    parse_match,
)
from bearoff.game.search import Searcher, SearchSettings, cube_of
from bearoff.game.state import GameState
from bearoff.storage import sealing
from tests.app.conftest import ROOT
from tests.app.serve.asking import Player, cards_of, refused
from tests.decisions import choices_of
from tests.two_sided_tables import built

SEED = "0123456789abcdef" * 2


class Bot(Player):
    place, rules = "/api/v1/play/matches", {"opponent": "contact", "seed": SEED}

    def get(self, what):
        return self.told(self.client.get(self.path(what)))

    def until(self, *needs, rng=None):
        """Play on until the game requires one of these actions."""
        rng = rng or random.Random(1)
        while self.game["needs"] not in needs:
            match self.game["needs"]:
                case "opponent":
                    self.decide()
                case "play":
                    self.do("play", play=rng.choice(self.game["legal"]))
                case "answer":
                    self.do("take")
                case other:
                    self.do(other)  # `roll` or `next`; the server refuses any other action
        return self.game


def test_hints_and_costs_are_of_the_score():
    state = GameState(length=5, won=(4, 4), turn=0, dice=(6, 4))
    found, boards = Thinker("net", Judge()).rate(state)
    searcher = Searcher(Net.load(), SearchSettings(depth=1, width=WIDTH))
    known = searcher.rate(state.board, (6, 4), cube_of(state))
    assert (found.method, boards) == ("search", [play.board for play in known])
    assert [one.equity for one in found.alternatives] == [play.equity for play in known]


def test_a_match_is_played_to_its_end_by_the_rules(bot, folder):
    begun, rng = bot.begin(length=2), random.Random(1)
    assert begun["seed"] is None
    while (match := bot.until("play", "nothing", rng=rng))["needs"] == "play":
        board = Board(tuple(match["board"]))
        assert match["legal"] == legal_plays(board, tuple(match["dice"])).tolist()
        assert match["pips"] == list(board.pips)
        bot.do("play", play=rng.choice(match["legal"]))
    over = bot.game
    assert over["seed"] == SEED
    assert hash_of(SEED) == begun["seed_hash"] == over["seed_hash"]
    number = over["games"][-1]["number"]
    plays = [one for one in over["actions"] if one["kind"] == "play"]
    # The dice do not depend on the actions between rolls.
    for throw, one in enumerate(plays):
        dice = thrown(SEED, number, throw, opening=not throw)
        assert sorted(one["dice"]) == sorted(dice)
    assert max(over["score_after"]) >= 2
    assert over["match_winner"] == int(over["score_after"][1] >= 2)
    written = (folder / f"{over['key']}.mat").read_text()
    record = parse_match(written, "match.mat")
    assert record.players == ("you", over["opponent_title"])
    assert record.length == 2
    assert record.games[-1].winner == over["winner"]
    assert (folder / f"{over['key']}.sgf").exists()
    assert bot.client.get(bot.path("match.mat")).text == written
    bot.refused("actions", do="undo")  # the game is over
    for key in ("0" * 12, "..%2f.."):
        assert bot.client.get(f"{bot.place}/{key}").status_code == 404


def test_an_end_that_is_taken_back_is_in_no_file(bot, folder):
    bot.begin(length=5)
    bot.until("play")
    over = bot.do("resign", lost=2)
    path = folder / f"{over['key']}.mat"

    def game():
        return parse_match(path.read_text(), "match.mat").games[-1]

    assert (game().winner, game().points) == (1, 2)
    bot.do("undo")
    assert game().winner is None
    bot.do("resign", lost=3)
    assert (game().winner, game().points) == (1, 3)
    assert bot.do("next")["won"] == [0, 3]


def test_a_restart_goes_on_and_taking_back_brings_the_same_dice_again(bot, folder):
    bot.begin(length=5)
    first, again = bot.until("play"), bot
    bot.do("play", play=first["legal"][0])
    for needs in ("opponent", "roll", "play"):
        again = Bot(folder, bot.until(needs))
        assert again.seen() == bot.game
    back = again.do("undo")
    assert (back["dice"], back["board"]) == (first["dice"], first["board"])
    again.do("play", play=first["legal"][0])
    assert again.until("play")["actions"] == bot.game["actions"]
    assert again.game["undone"] == 1


def test_dice_by_hand(bot):
    bot.begin(by_hand=True, seed=None)
    bot.refused("actions", "hand", do="roll")
    bot.refused("actions", do="roll", dice=[3, 3])
    match = bot.do("roll", dice=[1, 4])
    assert (match["turn"], match["needs"]) == (1, "opponent")
    bot.decide()
    bot.do("roll", dice=[6, 5])
    bot.do("play", play="24/18 18/13")
    bot.decide()
    assert bot.game["needs"] == "dice"
    match = bot.do("roll", dice=[2, 2])
    assert (match["dice"], match["needs"]) == ([2, 2], "opponent")
    bot.refused("actions", "7", do="roll", dice=[7, 1])


BEHIND = Board.of_sides([5, 5, 3, *[0] * 21, 2], [2, 2, 2, 2, 2, 2, 0, 3, *[0] * 17])


def test_a_double_that_is_a_gift_is_beavered_by_who_knows_beavers():
    plain = GameState(board=BEHIND, turn=0).double()
    state = replace(plain, beavers=1)
    judge = Judges().judge(0.0)
    for name in ("net", "linear", "level-5"):
        thinker = Thinker(name, judge)
        assert thinker.decide(state).kind == "double", name
        assert thinker.decide(plain).kind == "take"
        found = thinker.cube(state.beaver())
        assert set(found.choices) == {"take", "pass"}
        assert min(one.cost for one in found.alternatives) == 0
        # A pass of a beaver loses 2 points, the value of the doubled cube.
        assert found.alternatives[found.place_of("pass")].equity == -2
    assert Thinker("contact", judge).decide(state).kind == "take"


def test_an_opponent_who_is_stopped_plays_by_what_it_has_seen():
    thinker = Thinker("deep", Judges().judge(0.0))
    threading.Timer(0.05, thinker.stop).start()
    for _ in range(2):  # the second decision is not stopped
        assert thinker.decide(GameState(turn=0, dice=(2, 1))).kind == "play"


def test_costs_of_cube_decisions_of_a_race_in_a_table_are_exact():
    judge = Judges([built(4)]).judge(0.0)
    thinker = Thinker("net", judge)
    state = GameState(board=RACE, turn=0)
    answer = judge.answer(state.race)
    found = thinker.cube(state)
    assert (found.method, found.best) == ("exact", answer.action)
    for name in ("no double", "double"):
        assert found.cost_of(name) == pytest.approx(answer.decided(name).cost)
    taken = thinker.cube(state.double())
    for name in ("take", "pass"):
        assert taken.cost_of(name) == pytest.approx(answer.decided(name).cost)
        assert taken.choosing(name).error == pytest.approx(answer.decided(name).error)
    back = thinker.cube(GameState(board=RACE, turn=0, beavers=1).double())
    beaver, take = (back.alternatives[back.place_of(one)] for one in ("beaver", "take"))
    assert beaver.equity == pytest.approx(2 * take.equity)


RACE = Board.of_sides([1, 1, 1, 1, *[0] * 21], [1, 1, 0, 1, *[0] * 21])
MET = Board.of_sides([3, 3, 3, 3, 2, *[0] * 19, 1], [3, 3, 3, 3, 3, *[0] * 20])
"""Board with contact, on which the player on roll has one checker on the bar."""


@pytest.mark.parametrize("board", [RACE, MET])
@pytest.mark.parametrize(("owner", "name"), [(None, "double"), (0, "redouble")])
def test_a_decision_has_one_name(board, owner, name):
    """The choice not to turn an owned cube is always called `no redouble`."""
    judge = Judges([built(4)]).judge(0.0)
    thinker = Thinker("net", judge)
    state = GameState(board=board, turn=0, cube_owner=owner, cube_value=2)
    after = Board(tuple(legal_plays(board, (6, 5))[0].tolist()))
    waits = Action(0, "play", 1, roll=(6, 5), text=format_play(board, after, (6, 5)))
    for decided, action in ((f"no {name}", waits), (name, Action(0, "double", 1, value=4))):
        record = GameRecord(1, 1, (0, 0), False, (action,), board=board)
        record = replace(record, cube_value=2, cube_owner=owner)
        (moment,) = moments(MatchRecord(("a", "b"), 0, False, (record,)), record)
        # This match is played without beavers, but match records are read as if beavers
        # were allowed.
        moment = replace(moment, before=replace(moment.before, beavers=0))
        first = thinker.judged(moment)[0]
        assert first.done == decided
        assert first.best.startswith((name, f"no {name}"))
        again = thinker.cube(state).choosing(decided)
        assert (again.done, again.cost) == (decided, first.cost)


def test_hints_are_counted_and_agree_and_a_moment_has_the_cube_as_it_stood(bot):
    bot.begin(opponent="net", jacoby=True)
    match = bot.until("play")
    every = bot.told(bot.post("ask", depth=3))
    best, worst = every["plays"][0], every["plays"][-1]
    assert (best["cost"], best["reason"]) == (0, "")
    assert worst["cost"] > 0
    which = bot.told(bot.post("ask", depth=2))["checkers"]
    board = match["board"]
    assert all(board[point] > best["board"][point] for point in which)
    for play, better in ((best, False), (worst, True)):
        found = bot.told(bot.post("ask", depth=1, play=play["board"]))
        assert found["better"] is better
        found = bot.told(bot.post("ask", depth=0, play=play["text"]))
        assert found["cost"] == pytest.approx(play["cost"])
    assert bot.seen()["hints"] == [2, 1, 1]
    bot.do("play", play=bot.game["legal"][0])
    match = bot.until("roll")
    assert match["may_double"]
    found = bot.told(bot.post("ask", depth=0))
    cube = found["cube"]
    assert set(cube["choices"]) == {"no double", "double"}
    costs = [cube["alternatives"][place]["cost"] for place in cube["choices"].values()]
    assert min(costs) == cube["alternatives"][cube["right"]]["cost"] == 0
    page = (ROOT / "results" / "game" / "cube.md").read_text()
    row = next(line for line in page.splitlines() if "one roll ahead |" in line)
    lost, error = found["close_lost"]
    assert row.endswith(f"| {lost} ± {error} |")
    assert match["hints"] == [2, 1, 1]
    match = bot.do("double")
    assert (match["offers"], match["needs"]) == (1, "opponent")
    bot.refused("ask", depth=0)  # it is the opponent's turn
    bot.refused("actions", do="take")
    assert bot.decide()["offers"] == 0
    doubled, answered = bot.get("analysis")["moments"][-2:]
    assert (doubled["cube_value"], doubled["cube_owner"]) == (1, None)
    assert (answered["cube_value"], answered["cube_owner"]) == (2, 1)
    assert doubled["turn_number"] == answered["turn_number"]


def test_a_dead_cube_is_marked():
    turned = {"length": 5, "won": (3, 2), "cube_value": 2, "turn": 1}
    for state, dead in (
        ({}, False),
        (turned | {"cube_owner": 0}, True),
        (turned | {"cube_owner": 1}, False),
        ({"length": 5, "won": (4, 2), "crawford": True}, True),
        ({"length": 5, "won": (4, 2)}, False),
        ({"length": 1}, True),
    ):
        assert GameState(**state).cube_dead is dead, state


@pytest.fixture(scope="module")
def over(tmp_path_factory):
    """Play a match of one game at random; return its analysis, and the library."""
    folder = tmp_path_factory.mktemp("over")
    library = open_library(folder / "library.sqlite")
    bot = Bot(folder / "matches", library=library)
    bot.begin(length=1)
    bot.until("nothing")
    return bot, bot.get("analysis"), library


def test_the_sums_of_an_analysis_are_those_of_its_rows(over):
    bot, found, _ = over
    match = bot.game
    assert [m["text"] for m in found["moments"]] == [a["text"] for a in match["actions"]]
    for player, total in enumerate(found["totals"]):
        own = [m for m in found["moments"] if m["player"] == player]
        judged = [m["decision"] for m in own if m["decision"]]
        assert total["lost"] == pytest.approx(sum(one["cost"] for one in judged))
        assert total["luck"] == pytest.approx(sum(m["luck"] or 0 for m in own))
        # Costs that would be displayed as zero are not shown.
        seen = [one for one in judged if one["cost"] >= 0.5 * 10 ** -one["digits"]]
        assert [one["seen"] for one in judged] == [one in seen for one in judged]
        beyond = sum(one["cost"] > one["error"] for one in seen)
        assert (total["mistakes"], total["open"]) == (beyond, len(seen) - beyond)
    assert all(total["mistakes"] and total["open"] for total in found["totals"])
    last = found["moments"][-1]
    won = match["winner"] == 0
    assert (last["chance"] > 0.5) is won  # before the last action, the winner is ahead
    rolls_seen, counted, lost = 0, [0, 0], [0.0, 0.0]
    for moment in found["moments"]:
        assert moment["turn_number"] == rolls_seen + 1
        assert moment["pips"] == list(Board(tuple(moment["board"])).pips)
        rolls_seen += moment["kind"] == "play"
        one = moment["decision"]
        if one and one["counted"]:
            counted[moment["player"]] += 1
            lost[moment["player"]] += one["cost"]
    for player, total in enumerate(found["totals"]):
        # If a turn has two decisions, the chart marks the costlier one.
        assert counted[player] <= total["counted"] <= total["decisions"]
        assert lost[player] - 1e-9 <= total["lost_counted"] <= total["lost"] + 1e-9


def test_errors_with_the_cube_count_for_the_rating_of_a_game():
    cube = choices_of("take", (0.5, 1.25))
    total = SumOut(**dict.fromkeys(SumOut.model_fields, 0))
    add_decisions(total, (Decision("take", GameState(turn=0), cube, "take", "search"),))
    found = (total.counted, total.lost_counted, total.lost, total.rating)
    assert found == (1, 0.25, 0.25, 125)


def test_a_card_of_a_take_has_the_checkers_of_the_user_below():
    board = Board.of_sides([1] + [0] * 24, [4] + [0] * 24)
    before = GameState(board=board, turn=1).double()
    moment = Mock(before=before, action=Action(0, "take", 0))
    made = Decision("take", before, choices_of("take", (0.5, 1.25)), "take", "search")
    card = _card(Mock(rules=Mock(length=0)), moment, made)
    assert [card.board.count(f"class='{side}'") for side in "ro"] == [4, 1]


def decisions_of(match):
    """Return how many decisions each player makes in the first game of a match.

    Not doubling and the play of a turn both count; nobody may double before the opening
    roll.
    """
    decisions = [0, 0]
    for number, moment in enumerate(moments(match, match.games[0])):
        before = moment.before
        made = moment.action.kind in ("double", "take", "pass")
        if moment.action.kind == "play":
            made += number > 0 and replace(before, dice=None).may_double
            made += len(legal_plays(before.board, before.dice)) > 1
        decisions[moment.action.player] += made
    return decisions


def test_a_game_given_up_costs_what_was_still_to_be_got():
    """Each side has a checker on the ace, so the player on roll wins a single game."""
    race = Board.of_sides([1] + [0] * 24, [1] + [0] * 24)
    thinker = Thinker("net", Judge([]))

    def cost(player, lost, **terms):
        before = GameState(turn=0, board=race, **terms)
        match = MatchRecord((), ("you", "net"), 0, False, "")
        game = GameRecord(1, 1, (0, 0), False, ())
        action = Action(player, "resign", 0, value=lost)
        moment = Moment(match, game, action, before, before.resign(player, lost))
        return sum(one.cost for one in thinker.judged(moment))

    assert cost(0, 1) == cost(0, 1, dice=(3, 1)) == pytest.approx(2)
    assert cost(1, 1) == 0  # the game is lost anyway, so resigning costs nothing
    assert cost(1, 2) == pytest.approx(1)
    assert cost(1, 2, cube_value=4, cube_owner=1) == pytest.approx(1)
    assert cost(1, 2, jacoby=True) == 0  # under the Jacoby rule, a gammon is a single game
    # A pass is the best response here, so resigning a single game costs nothing.
    assert cost(1, 1, offers=1) == 0
    assert cost(1, 3, offers=1) == pytest.approx(2)
    assert cost(0, 1, offers=1) == 0
    # At 4-away 2-away, the loss of a gammon loses the match.
    chance = match_equities().chance
    won, lost = chance(Score((3, 2))), chance(Score((4, 1), "crawford"))
    assert cost(0, 2, length=7, won=(3, 5)) == pytest.approx(2 * won / (won - lost))


def mistakes_of(found):
    moments = [m for m in found["moments"] if m["player"] == 0 and m["decision"]]
    return [m | m["decision"] for m in moments if m["decision"]["seen"]]


def has_cards(bot, wrong, one, query=""):
    """Check the flashcards of all mistakes and of one; return the texts of this one."""
    sure = [m for m in wrong if m["cost"] > m["error"]]
    every = cards_of(bot.client.get(bot.path(f"mistakes.apkg?{query}")))
    assert len(every) == len(sure) > 1
    place = f"mistakes.apkg?{query}&place={one['place']}"
    (card,) = cards_of(bot.client.get(bot.path(place)))
    assert one["decided"] in card[3]
    return card


def test_mistakes_in_races_go_to_the_trainer_and_all_to_flashcards(over):
    bot, found, library = over
    wrong = mistakes_of(found)
    race = max((m for m in wrong if m["method"] != "search"), key=lambda m: m["cost"])
    names = {bot.told(bot.post("trainer", place=race["place"]))["question"] for _ in "12"}
    (saved,) = library.notes.saved()
    assert names == {f"n{saved.id}"}
    assert own_questions(library)[0].key == f"n{saved.id}"
    assert (saved.xgid, race["best"] in saved.text) == (race["xgid"], True)
    contact = next(m for m in wrong if m["method"] == "search")
    bot.refused("trainer", "flashcard", place=contact["place"])
    right = next(m for m in found["moments"] if m["player"] == 1)
    bot.refused("trainer", place=right["place"])
    _, board, answer, _ = has_cards(bot, wrong, contact)
    assert contact["best"] in answer
    low = [point for point in contact["board"][1:] if point > 0]
    assert board.count("class='r'") == sum(min(count, 5) for count in low)


@pytest.mark.slow
def test_completed_games_are_analysed_by_number_and_summed_over_the_match(tmp_path):
    folder, library = tmp_path / "matches", open_library(tmp_path / "library.sqlite")
    bot = Bot(folder, library=library)
    bot.begin(length=5)
    bot.until("next")
    first = bot.get("analysis")
    assert (first["number"], first["match"]["games"]) == (1, [1])
    assert first["match"]["totals"] == first["totals"]
    match = parse_match(bot.client.get(bot.path("match.mat")).text, "mat")
    assert [total["decisions"] for total in first["totals"]] == decisions_of(match)
    # A game that is taken back is gone through anew.
    for _ in range(10):
        bot.do("undo")
    bot.until("next", rng=random.Random(7))
    bot.do("next")
    bot.until("play")
    assert bot.get("analysis")["match"]["games"] == [2]
    taken, first = first, bot.get("analysis?game=1")
    assert first["moments"] != taken["moments"]
    assert first["match"]["games"] == [1, 2]
    bot.until("next", "nothing", rng=random.Random(2))
    assert [game["number"] for game in bot.game["games"]] == [1, 2]
    game, won = bot.game["games"][0], [0, 0]
    won[game["winner"]] = game["points"]
    assert bot.game["games"][1]["won"] == won
    again = Bot(folder, bot.game, library)
    last = again.get("analysis")
    assert (last["number"], last["match"]["games"]) == (2, [2])
    found = again.get("analysis?game=1")
    assert found["moments"] == first["moments"]
    assert found["match"]["games"] == [1, 2]
    for player, total in enumerate(found["match"]["totals"]):
        rating = total.pop("rating")  # the rating is a mean over decisions, not a sum
        assert rating == pytest.approx(500 * total["lost_counted"] / total["counted"])
        for name, value in total.items():
            parts = [one["totals"][player][name] for one in (first, last)]
            assert value == pytest.approx(sum(parts))
    refused(again.client.get(again.path("analysis?game=3")), "3")
    wrong = mistakes_of(first)
    race = next(m for m in wrong if m["method"] != "search" and m["kind"] == "play")
    again.told(again.post("trainer", game=1, place=race["place"]))
    assert [note.xgid for note in library.notes.saved()] == [race["xgid"]]
    has_cards(again, wrong, race, "game=1")


def test_what_cannot_be_done_is_refused(bot):
    bot.begin()
    bot.until("play")
    for body, named in (
        ({"do": "fly"}, "do"),
        ({"do": "play"}, "play"),
        ({"do": "play", "play": "8/5 6/4"}, "8/5 6/4"),
        ({"do": "play", "play": [15] * 26}, "board"),
        ({"do": "resign", "lost": 4}, "lost"),
        ({"do": "roll"}, "roll"),
        ({"do": "take"}, "play"),
        ({"do": "roll", "surprise": 1}, "surprise"),
    ):
        bot.refused_and_unchanged(named, **body)


def test_it_says_when_players_are_compiled(bot):
    state, seen = bot.client._app.state, []

    def ready():
        return bot.client.get("/api/v1/play/ready").json()

    class Between:
        cold = True

        def warm(self):
            seen.append(ready())

    state.play.cold = state.no_chance.cold = True
    assert ready() == {"with_dice": False, "without_dice": False}
    server._warm([state.play, Between(), state.no_chance])
    assert seen == [{"with_dice": True, "without_dice": False}]
    assert ready() == {"with_dice": True, "without_dice": True}


def test_rules_that_no_match_has(bot):
    for rules, named in (
        ({"opponent": "nobody"}, "opponent"),
        ({"length": 5, "jacoby": True}, "money"),
        ({"length": -1}, "length"),
        ({"opponent": "contact", "beavers": 1}, "beavers"),
        ({"seed": "7"}, "seed"),
    ):
        refused(bot.client.post(bot.place, json=rules), named)
        assert bot.listed()["matches"] == [], rules


def test_a_damaged_file_is_left_as_it_is_and_named(bot, folder):
    bot.begin()
    bot.until("play")
    path = folder / f"{bot.game['key']}.json"
    kept = sealing.unsealed_json(path.read_bytes())
    changes = [
        {"games": [[[1, "play", [3, 1], "8/2", 0]]]},
        {"rules": {"length": 1e9}},
        {"dice": ["a", "b"]},
        {"seed": "g" * 32},
        {"key": "0" * 12},
    ]
    unsealed = json.dumps(kept | {"seed": "f" * 32})
    sealed = (sealing.sealed_json(kept | change).decode() for change in changes)
    for text in ("{", "[]", unsealed, *sealed):
        path.write_text(text)
        Bot(folder, bot.game).is_damaged(path.name)
        assert path.read_text() == text


def test_too_many_matches(bot, monkeypatch, folder):
    monkeypatch.setattr(files, "MOST", 2)
    first = bot.begin()["key"]
    bot.begin()
    assert bot.client.post(bot.place, json={}).status_code == 409
    left = bot.client.delete(f"{bot.place}/{first}").json()["matches"]
    assert [match["key"] for match in left] == [bot.game["key"]]
    assert not (folder / f"{first}.json").exists()
    bot.begin()


def test_the_losses_of_opponents_are_those_of_the_results_page(bot):
    page = (ROOT / "results" / "game" / "opponents.md").read_text()
    shown = bot.listed()
    assert {one["name"] for one in shown["opponents"]} == set(OPPONENTS)
    for one in shown["opponents"]:
        assert f"| {one['title']} | {one['lost']} ± {one['lost_error']} |" in page
    assert f"by {shown['hints_error']} thousandths" in page
