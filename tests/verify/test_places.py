"""Quick version of the full-scale test of commands in unusual environments."""

import sys
from pathlib import Path

from verify import places

LOG = """\
12 openat(AT_FDCWD</here>, "/far/read", O_RDONLY|O_CLOEXEC) = 3</far/read>
12 openat(AT_FDCWD</here>, "runs/part", O_WRONLY|O_CREAT, 0666) = 4</here/runs/part>
13 openat(3</near/cache>, "x", O_RDWR) = 5</near/cache/x>
13 openat(AT_FDCWD</here>, "/near", O_RDWR|O_TMPFILE, 0600) = 5</near/#7 (deleted)>
13 mkdir("/far/config", 0777) = -1 EEXIST (File exists)
13 mkdir("/far/cache", 0777) = 0
13 rename("/here/a", "/here/b") = 0
"""


def test_what_is_written_is_read_from_a_log():
    made = ["/here/runs/part", "/near/cache/x", "/far/cache", "/here/a", "/here/b"]
    assert list(places._written(LOG, Path("/here"))) == made


def test_every_place_is_another_and_says_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(places, "COMMANDS", (places.COMMANDS[0], places.COMMANDS[2]))
    bearoff = Path(sys.executable).with_name("bearoff")
    every = list(places.places(["3"], ["/proc"]))
    assert len({place.name for place in every}) == 9
    assert every[-1].name == "all files on proc"
    expected: dict[str, str] = {}
    for number, place in enumerate([*every[:1], *every[5:7]]):
        printed = places.printed_in(place, bearoff, tmp_path / str(number))
        assert not [text for text in printed.values() if text.startswith("status")]
        expected = expected or printed
        assert places.different(place, printed, expected) == []
    assert "31 pips" in expected["winprob 8887 8887"]
    assert places.different(every[0], printed | {"the batch": ""}, expected)
