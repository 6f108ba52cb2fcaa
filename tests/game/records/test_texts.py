"""Texts of matches and analysed positions in English, German, French and Japanese."""

import time

import pytest

from bearoff.game.records import moments, parse_match, race_decisions

ENGLISH = """; [Event "Club night"]
; [EventDate "2024.05.01"]
; [Site "The Crown"]
; Played with a clock

3 point match

 Game 1
 Ann : 0                             Bob Lee : 0
  1)                                  31: 8/5 6/5
  2)  Doubles => 2                    Takes
  3) 64: 24/14                        66: 24/18(2) 13/7(2)
  4) 65: 14/3                         Doubles => 4
  5)  Drops
                                      Wins 2 points
"""

ENGLISH_WORDS = "3 point match|Game 1|Doubles|Takes|Drops|Wins 2 points"
WORDS = {
    "German": "3 Punkte Match|Spiel 1|Verdoppelt|Nimmt an|Lehnt ab|Gewinnt 2 Punkte",
    "French": "Match en 3 points|Partie 1|Double|Prend|Passe|Gagne 2 points",
    "Japanese": "3ポイントマッチ|ゲーム 1|ダブル|テイク|パス|2ポイント獲得",
}


def in_words(text, language):
    both = ENGLISH_WORDS.split("|"), WORDS[language].split("|")
    for english, foreign in zip(*both, strict=True):
        # Translated words are padded to the width of the English words, so that columns
        # stay aligned.
        text = text.replace(english.ljust(len(foreign)), foreign.ljust(len(english)))
        text = text.replace(english, foreign)
    return text


def test_what_is_told_of_the_match():
    match = parse_match(ENGLISH, "a.mat")
    assert (match.date, match.event) == ("2024-05-01", "Club night")
    assert (match.place, match.format) == ("The Crown", "mat")
    assert match.comment == "Played with a clock"


@pytest.mark.parametrize("language", WORDS)
def test_a_match_says_the_same_in_any_language(language):
    text = in_words(ENGLISH, language)
    assert not any(f" {word}" in text for word in ("Takes", "Drops", "Wins", "Game"))
    match = parse_match(text, "a.mat")
    assert match == parse_match(ENGLISH, "a.mat")
    assert list(moments(match, match.games[0]))[-1].then.points == 2


def test_blanks_between_columns_cost_no_more_than_letters():
    # A parser that scanned all following blanks at each blank would need a minute for this
    # text.
    text = ENGLISH.replace("6/5\n", "6/5" + 100_000 * " " + "42: 8/4 6/4\n", 1)
    began = time.process_time()
    first, second, *_ = parse_match(text, "wide").games[0].actions
    assert time.process_time() - began < 2
    assert (first.text, second.text, second.roll) == ("8/5 6/5", "8/4 6/4", (4, 2))


def test_names_are_no_words():
    """A player's name may contain the word for an action."""
    text = in_words(ENGLISH, "French").replace("Bob Lee", "Prend Double")
    assert parse_match(text, "a.mat").players == ("Ann", "Prend Double")


BOARD = """ +13-14-15-16-17-18------19-20-21-22-23-24-+
 |                  |   |                O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
"""

PLAYS = """XGID=-CBA-------------------ad-:1:1:1:52:3:4:0:7:10

X:Ann   O:Bob
{score}
{board}
{turn}

    1. XG Roller+  3/{off} 2/{off}                 {eq}:+0{comma}589
      {player}   79{comma}46% (G:17{comma}05% B:0{comma}67%)
      {opponent} 20{comma}54% (G:2{comma}22% B:0{comma}01%)

    2. {ply}       3/1 2/{off}                 {eq}:+0{comma}250 (-0{comma}339)
      {player}   70{comma}00% (G:0{comma}00% B:0{comma}00%)
      {opponent} 30{comma}00% (G:0{comma}00% B:0{comma}00%)

eXtreme Gammon Version: 2.10
"""

CUBE = """XGID=-CBA-------------------ad-:0:0:1:00:0:0:0:0:10

X:Ann   O:Bob
{board}
{analysed}
{winning} 52{comma}78% (G:0{comma}00% B:0{comma}00%)
{losing} 47{comma}22% (G:0{comma}00% B:0{comma}00%)

{cubeless}: {waiting}=+0{comma}056, {doubling}=+0{comma}111

{cubeful}:
       {waits}: +0{comma}411 (-0{comma}089)
       {takes}: +0{comma}500
       {passes}: +1{comma}000 (+0{comma}500)

{action}: {doubling} / {takes}
"""

WORDS_OF_XG = {
    "eq": ("eq", "eq", "éq", "eq"), "ply": ("3-ply", "3-Züge", "3-plis", "3-ply"),
    "comma": (".", ",", ",", "."), "off": ("Off", "aus", "Sorti", "オフ"),
    "doubling": ("Double", "Doppeln", "Double", "Double"),
    "score": ("Score is X:3 O:4 7 pt.(s) match.", "Spielstand X:3 O:4 Match bis 7 Punkte",
              "Le score est X:3 O:4 match en 7 points", "スコア X:3 O:4 7ポイントマッチ"),
    "turn": ("X to play 52", "X spielt 52", "X joue 52", "X 52をプレイ"),
    "player": ("Player:  ", "Spieler: ", "Joueur:  ", "プレイヤー:"),
    "opponent": ("Opponent:", "Gegner:  ", "Adversaire:", "対戦相手:"),
    "analysed": ("Analyzed in XG Roller++", "Analysiert in XG Roller++",
                 "Analysé avec XG Roller++", "XG Roller++で分析済み"),
    "action": ("Best Cube action", "Beste Aktion", "Meilleure action",
               "最適なキューブアクション"),
    "winning": ("Player Winning Chances:  ", "Gewinnchancen:", "Chances de gain du joueur:",
                "プレイヤーの勝率:"),
    "losing": ("Opponent Winning Chances:", "Gewinnchancen des Gegners:",
               "Chances de l'adversaire:", "対戦相手の勝率:"),
    "cubeless": ("Cubeless Equities", "Equities ohne Dopplerwürfel", "Equités sans videau ",
                 "Cubeless Equities"),
    "waiting": ("No Double", "Nicht Doppeln", "Pas de double", "No Double"),
    "cubeful": ("Cubeful Equities", "Equities mit Dopplerwürfel", "Equités avec videau ",
                "Cubeful Equities"),
    "waits": ("No double", "Nicht Doppeln", "Pas de double ", "ノーダブル"),
    "takes": ("Double/Take", "Doppeln/Annehmen", "Double/Prend", "ダブル/テイク"),
    "passes": ("Double/Pass", "Doppeln/Ablehnen", "Double/Passe", "ダブル/パス"),
}  # fmt: skip
"""Words of eXtreme Gammon in English, German, French and Japanese."""
LANGUAGES = {
    language: {key: words[k] for key, words in WORDS_OF_XG.items()}
    for k, language in enumerate(("English", *WORDS))
}


def plays(language):
    return parse_match(PLAYS.format(**LANGUAGES[language], board=BOARD), "p.txt")


def only_analysis(match):
    """Return the only analysis of the first action of a match."""
    (said,) = match.games[0].actions[0].analyses
    return said


@pytest.mark.parametrize("language", LANGUAGES)
def test_plays_of_a_position(language):
    match = plays(language)
    said = only_analysis(match)
    assert (said.about, said.program) == ("play", "eXtreme Gammon")
    assert said.level == "XG Roller+"
    assert said.equities == (("3/off 2/off", 0.589), ("3/1 2/off", 0.25))
    chances = dict(said.chances)["3/off 2/off"]
    assert chances == pytest.approx((0.7946, 0.1705, 0.0067, 0.0222, 0.0001))
    assert (match.players, match.length, match.format) == (("Ann", "Bob"), 7, "text")
    (decision,), problems = race_decisions(match)
    assert problems == []
    assert (decision.kind, decision.after, decision.race.dice) == ("play", None, (5, 2))
    assert (decision.race.cube, decision.race.cube_value) == ("owned", 2)
    assert decision.race.score.away == (4, 3)


CUBE_TEXTS = {name: CUBE.format(**words, board=BOARD) for name, words in LANGUAGES.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cube_of_a_position(language):
    match = parse_match(CUBE_TEXTS[language], "c.txt")
    said = only_analysis(match)
    assert said.level == "XG Roller++"
    equities = {"no double": 0.411, "double, take": 0.5, "double, pass": 1.0}
    assert said.equities == tuple(equities.items())
    assert said.chances == (("no double", (0.5278, 0.0, 0.0, 0.0, 0.0)),)
    (decision,), _ = race_decisions(match)
    assert (decision.kind, decision.decided) == ("double", None)


def test_several_positions_are_several_games():
    text = CUBE_TEXTS["English"] + "\n" + CUBE_TEXTS["German"]
    assert [game.number for game in parse_match(text, "c.txt").games] == [1, 2]


def test_the_side_that_is_on_roll_may_be_the_upper():
    text = CUBE_TEXTS["English"]
    (lower,), _ = race_decisions(parse_match(text, "c.txt"))
    turned = text.replace(":0:0:1:00", ":0:0:-1:00")
    (upper,), _ = race_decisions(parse_match(turned, "c.txt"))
    assert lower.race.roller == upper.race.opponent
    assert lower.race.opponent == upper.race.roller
    assert [d.moment.action.player for d in (lower, upper)] == [0, 1]


# BGBlitz copies positions in this text format. The words are the program's own.

SIDES = """ +13-14-15-16-17-18------19-20-21-22-23-24-+   O: {upper}  9
 |                  |   | O              O | +--+
 |                  |   |                O | | 2|
v|                  |BAR|                  |
 |                  |   |       X  X  X    |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: {lower}  9

 Position-ID: LwAAwC0AAAAAAA    Match-ID: cAkAAAAAAAAE
 XGID=-CBA-------------------ad-:1:1:1:{dice}:{score}

 {upper} - 4 {lower} - 3 in a 7 point match.
"""

BGBLITZ = {
    "English": "Red|Green|Evaluation|No Double|Double / Take|Double / Pass",
    "German": "Rot|Grün|Bewertung|Kein Doppel|Doppeln / Annehmen|Doppeln / Ablehnen",
    "French": "Rouge|Vert|Évaluation|Pas de double|Double / Prendre|Double / Refuser",
    "Japanese": "赤|緑| 評価|ダブルせず|ダブル / 受ける|ダブル / 降りる",
}


def drawn(language, dice, score="3:4:0:7:10"):
    lower, upper, *_ = BGBLITZ[language].split("|")
    return SIDES.format(lower=lower, upper=upper, dice=dice, score=score)


@pytest.mark.parametrize("language", BGBLITZ)
def test_plays_of_a_position_of_bgblitz(language):
    lower, upper, head, *_ = BGBLITZ[language].split("|")
    text = f"""{drawn(language, "52")}
{head}  (EMG)
 ==========
  1.   0.524 mwp /   0.589            3/off, 2/off
       0.795  0.171  0.007  -  0.205  0.022  0.001

  2.   0.511 mwp /   0.250  (-0.339)  3/1, 2/off
       0.700  0.000  0.000  -  0.300  0.000  0.000
"""
    match = parse_match(text, "p.txt")
    said = only_analysis(match)
    assert (said.about, said.program) == ("play", "BGBlitz")
    assert said.equities == (("3/off 2/off", 0.589), ("3/1 2/off", 0.25))
    assert dict(said.chances)["3/off 2/off"] == (0.795, 0.171, 0.007, 0.022, 0.001)
    assert (match.players, match.length) == ((lower, upper), 7)
    (decision,), problems = race_decisions(match)
    assert problems == []
    # The text of eXtreme Gammon for this position gives the same decision.
    (theirs,), _ = race_decisions(plays(language))
    assert (decision.kind, decision.race) == (theirs.kind, theirs.race)


def cube_of_bgblitz(language, rows, score="3:4:0:7:10"):
    lower, upper, *_ = BGBLITZ[language].split("|")
    return f"""{drawn(language, "00", score)}
              Wins  G+BG  BG
 {upper:12} 47.2  12.5  0.3
 {lower:12} 52.8  17.5  0.2
 Equity {lower} (cubeless): 0.139  Std.Dev.: 0.132

 Cube Action:          :  No Double / Take     EMG
{rows}"""


@pytest.mark.parametrize("language", BGBLITZ)
def test_the_cube_of_a_position_of_bgblitz(language):
    waits, takes, passes = BGBLITZ[language].split("|")[3:]
    rows = f""" {takes:21} :  0.220   ( 0.000)      0.664   ( 0.000)
 {waits:21} :  0.206   (-0.014)      0.411   (-0.253)
 {passes:21} :  0.261   ( 0.041)      1.000   ( 0.336)
"""
    text = cube_of_bgblitz(language, rows)
    said = only_analysis(parse_match(text, "c.txt"))
    assert (said.about, said.program) == ("cube", "BGBlitz")
    assert [value for _, value in said.equities] == [0.411, 0.664, 1.0]
    chances = dict(said.chances)["no double"]
    assert chances == pytest.approx((0.528, 0.175, 0.002, 0.125, 0.003))
    many = parse_match(f"{text}\n{drawn(language, '52')}\n{text}", "c.txt")
    about = [[a.about for a in g.actions[0].analyses] for g in many.games]
    assert about == [["cube"], [], ["cube"]]


def test_equities_of_bgblitz_in_one_column():
    """If BGBlitz lists equities in one column, they are read only for money games."""
    waits, takes, passes = BGBLITZ["English"].split("|")[3:]
    rows = f" {waits} : 0.411 ( 0.0)\n {takes} : 0.664 ( 0.2)\n {passes} : 1.000 ( 0.5)\n"
    money = parse_match(cube_of_bgblitz("English", rows, "0:0:0:0:10"), "c.txt")
    assert [value for _, value in only_analysis(money).equities] == [0.411, 0.664, 1.0]
    match = parse_match(cube_of_bgblitz("English", rows), "c.txt")
    assert not match.games[0].actions[0].analyses
