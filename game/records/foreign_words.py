"""German, French and Japanese words of records, put into English."""

import re

_ACTIONS = [
    # Whole words, as turns have them: in a column, or behind the number of the turn.
    (re.compile(rf"(?<=\s)(?:{words})(?=\s|$)", re.I), english)
    for words, english in (
        (r"(?:ver|re)?doppelt|(?:re)?doppeln|(?:re)?double|リダブル|ダブル", "Doubles"),
        (r"nimmt(?: an)?|annehmen|akzeptiert|prends?|accepte|テイク", "Takes"),
        (r"passt|lehnt ab|ablehnen|passe|refuse|パス|ドロップ", "Drops"),
        (r"beavert|ビーバー", "Beavers"),
    )
]
_HEADS = (
    (
        re.compile(r"^\s*(\d+)[ -]?(?:Punkte?[ -]?Match|ポイント ?マッチ)", re.I),
        r"\1 point match",
    ),
    (re.compile(r"^\s*Match en (\d+) points?", re.I), r"\1 point match"),
    (re.compile(r"^\s*(?:Spiel|Partie|Jeu|ゲーム) ?(\d+)\s*$", re.I), r" Game \1"),
)
_WINS = re.compile(
    r"(?:gewinnt|gagne) (\d+) (?:Punkte?|points?)|(\d+) ?ポイント(?:獲得|勝ち)", re.I
)
_FOREIGN = re.compile(
    r"Punkt|Match en|doppel|doppelt|Partie \d|Spiel \d|Jeu \d|gagne|prend|[\u3040-\u30ff]",
    re.I,
)
_FOREIGN_PARTS = ("punkt", "match en", "doppel", "partie", "spiel", "jeu", "gagne", "prend")
_NUMBERED = re.compile(r"\s*\d+\)")


def in_english(text: str) -> str:
    r"""Return a record of a match with its words in English; names stay as they are.

    Examples
    --------
    >>> print(in_english("5 Punkte Match\n Spiel 1\n 3)  Verdoppelt => 2    Nimmt an"))
    5 point match
     Game 1
     3)  Doubles => 2    Takes
    """
    # Parts are found far sooner than an expression, which a text without them never meets.
    lower = text.lower()
    if text.isascii() and not any(part in lower for part in _FOREIGN_PARTS):
        return text
    if _FOREIGN.search(text) is None:
        return text
    return "\n".join(map(_line, text.splitlines()))


def _line(line: str) -> str:
    if _NUMBERED.match(line):
        for words, english in _ACTIONS:
            line = words.sub(english, line)
    else:
        for head, english in _HEADS:
            line = head.sub(english, line)
    return _WINS.sub(lambda found: f"Wins {found[1] or found[2]} points", line)
