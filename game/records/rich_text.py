"""Conversion of Rich Text Format to plain text, for eXtreme Gammon's comments."""

import re

_TOKEN = re.compile(
    r"\\'(?P<byte>[0-9a-fA-F]{2})|\\u(?P<letter>-?\d{1,5})\s?\??"
    r"|\\(?P<word>[a-z]+)(?P<number>-?\d+)? ?|\\(?P<sign>[^a-z])|(?P<brace>[{}])"
    r"|(?P<text>[^\\{}\r\n]+)|[\r\n]",
    re.S,
)
_SILENT = {"fonttbl", "colortbl", "stylesheet", "info", "generator", "pict", "themedata"}
_BREAKS = {"par": "\n", "line": "\n", "tab": "\t"}


def plain_text(data: bytes) -> str:
    r"""Return the plain text of a document in Rich Text Format.

    Examples
    --------
    >>> plain_text(rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 Too \b greedy\b0 .\par \'fcber}")
    'Too greedy.\nüber'
    """
    text = data.replace(b"\x01\x02", b" ").decode("cp1252", "replace")
    if not text.startswith("{\\rtf"):
        return text.strip()
    found: list[str] = []
    depth, silent = 0, 0
    for token in _TOKEN.finditer(text):
        if token["brace"]:
            depth += 1 if token["brace"] == "{" else -1
            silent = 0 if depth < silent else silent
        elif token["word"] in _SILENT or token["sign"] == "*":
            silent = silent or depth
        elif silent:
            continue
        elif token["byte"]:
            found.append(bytes([int(token["byte"], 16)]).decode("cp1252", "replace"))
        elif token["letter"]:
            found.append(_letter(int(token["letter"])))
        elif token["word"]:
            found.append(_BREAKS.get(token["word"], ""))
        elif token["sign"]:
            found.append({"~": " "}.get(token["sign"], token["sign"]))
        elif token["text"]:
            found.append(token["text"])
    return "".join(found).strip()


def _letter(number: int) -> str:
    """Return the character of a signed 16-bit code; surrogates become a placeholder."""
    number %= 1 << 16
    return "�" if 0xD800 <= number < 0xE000 else chr(number)
