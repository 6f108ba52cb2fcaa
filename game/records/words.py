"""Regular expressions for words in match files: English, German, French and Japanese.

`CELLS` has a regular expression for each kind of action or result. The expressions match
only whole words. Lines with players' names are not searched.
"""

import re

_ARROW = r"(?:\s*(?:[-=~]*>|→|⇒|to|at|:|=)\s*(?P<value>\d+))?"
_POINTS = r"(?:Punkte?|points?|pts?\.?|ポイント)"
_NUMBER = rf"(?:\s*(?P<points>\d+)(?:\s*{_POINTS})?)?"

CELLS = {
    "roll": r"(?P<dice>[0-6][0-6])\s?[:：]",
    "double": r"(?:(?:re)?doubles?|beavers?|raccoons?|(?:ver|re)?doppelt|(?:re)?doppeln"
    rf"|beavert|(?:リ)?ダブル|ビーバー){_ARROW}",
    "take": r"takes?|accepts?|nimmt(?: an)?|annehmen|akzeptiert|prends?|accepte|テイク",
    "pass": r"drops?|pass(?:es|e)?|rejects?|passt|lehnt ab|ablehnen|refuse|パス|ドロップ",
    "wins": r"(?:(?:wins?|gewinnt|gagne)\b"
    + _NUMBER
    + rf"|(?P<won>\d+)\s*{_POINTS}(?:獲得|勝ち))(?:\s+and\s+the\s+match)?",
    "loses": r"(?:losses|loses|loss|verliert|perd)(?:\s+(?P<lost>\d+)"
    rf"(?:\s*{_POINTS})?)(?:\s+(?:and\s+)?the\s+match)?",
    "resigns": r"(?:resigns?|gives\s+up|(?:loses|lost)\s+(?:on\s+time|by\s+timeout)"
    r"|times\s+out|timeout|disconnect(?:s|ed)?|leaves|abandons|gibt\s+auf|abandonne|投了)"
    r"(?:\s+(?P<worth>normal|single|game|gammon|backgammon))?",
    "resigned": r"resigned(?:\s+(?:game|match|gammon|backgammon))?",
}
"""Regular expressions of the words for a player's actions and for the end of a game. The
kind ``resigned`` does not say which player resigned."""

CELL = re.compile(
    "|".join(
        rf"(?<!\S)(?P<{kind}>{words})(?=[\s/|,;.!]|$)"
        if kind != "roll"
        else rf"(?<![^\s|])(?P<{kind}>{words})"
        for kind, words in CELLS.items()
    ),
    re.I,
)

GAME = re.compile(r"\W*(?:Game|Spiel|Partie|Jeu|ゲーム)\s*[#№]?\s*(\d+)\W*$", re.I)
"""Regular expression of a line that begins a game, with the word for "game" and a
number."""

LENGTH = re.compile(
    rf"(?<![\d.])(-?\d+)\s*-?\s*{_POINTS}\s*-?\s*(?:match|マッチ)"
    rf"|\b(?:match|race)\s+(?:to|of|en|bis|auf|up\s+to|is\s+to|length)\s*[:=]?\s*(-?\d+)\b"
    rf"|\b(?:first|play(?:ed|ing)?|up)\s+to\s+(-?\d+)\s*{_POINTS}",
    re.I,
)
"""Regular expression of words that state the length of a match in points."""

MONEY = re.compile(
    r"\b(?:unlimited|money)\s*(?:match|session|games?|play)|\bmoney\s*$|マネーゲーム", re.I
)
