"""Fixture that answers files of races."""

import pytest

from bearoff.sim.race_files import answer_file


@pytest.fixture
def answered(judge, tmp_path):
    """Return a function that answers a file of races, and returns the output."""

    def answer(data, source="in.csv", target=None):
        path = tmp_path / (target or source.replace("in", "out"))
        (tmp_path / source).write_bytes(data if isinstance(data, bytes) else data.encode())
        answer.summary = answer_file(str(tmp_path / source), str(path), judge, {})
        return path.read_bytes()

    return answer
