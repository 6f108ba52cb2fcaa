"""Files of matches in play that several requests remove at the same time."""

from bearoff.app.serve.play.games import Rules
from bearoff.app.serve.play.opponents import DEFAULT
from bearoff.app.serve.play.store import Matches

RULES = Rules(length=3, opponent=DEFAULT)


def test_what_is_removed_while_others_are_listed_is_left_out(tmp_path):
    matches = Matches(tmp_path)
    kept = matches.begin(RULES)
    # A dangling link stands for a file that is removed between listing and opening.
    (tmp_path / "0123456789ab.json").symlink_to(tmp_path / "gone")
    assert matches.keys() == [kept.key]
    assert matches.listed(9) == ([kept], [])
    matches.begin(RULES)
    assert len(matches.keys()) == 2


def test_one_that_two_remove_at_once_is_removed(tmp_path, monkeypatch):
    other, matches = Matches(tmp_path), Matches(tmp_path)
    key = other.begin(RULES).key
    found = matches.of

    def of(key):
        match = found(key)
        other.remove(key)
        matches._open.pop(key, None)
        return match

    monkeypatch.setattr(matches, "of", of)
    matches.remove(key)
    assert matches.keys() == []
