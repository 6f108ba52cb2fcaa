"""`bearoff mcp`, queried by the protocol's own client over standard input and output."""

import os
import re
import sys

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.app.conftest import ROOT, SESSION, only_sentence

RACE = "LwAAwC0AAAAAAA"


def test_every_tool_answers_as_the_command_does_and_what_is_wrong_is_a_line(
    bearoff, monkeypatch, tmp_path
):
    own = tmp_path / "data"
    monkeypatch.setenv("BEAROFF_DATA", str(own))

    async def work(client):
        listed = (await client.list_tools()).tools
        names = ["race", "plays", "cube", "formula", "review", "library_search"]
        assert [tool.name for tool in listed] == names
        assert all(tool.annotations.read_only_hint for tool in listed)
        for name, given, named in (
            ("race", {"position": "nonsense"}, "'nonsense'"),
            ("plays", {"position": RACE, "dice": "7-1"}, "7"),
            ("cube", {"position": RACE, "decided": "maybe"}, "'maybe'"),
            ("formula", {"position": RACE, "name": "keit"}, "'keith'"),
            ("review", {"match": "a letter"}, "match"),
            ("race", {"position": RACE, "played": "3/1 1/off"}, "played"),
            ("library_search", {"kind": "plays"}, "'play'"),
            ("library_search", {"most": 100_000}, "200"),
            ("cube", {"position": RACE, "cube_value": "x"}, "cube_value"),
            ("race", {}, "position"),
        ):
            answer = await client.call_tool(name, given)
            assert answer.is_error
            (content,) = answer.content
            assert named in content.text
            assert not re.search("\n|http|Traceback", content.text)
        nothing = await client.call_tool("library_search", {})
        assert nothing.structured_content == {"found": 0, "decisions": []}
        assert not own.exists()

        async def call(tool, **given):
            answer = await client.call_tool(tool, given)
            assert not answer.is_error, answer.content
            return answer.structured_content

        race = bearoff("race", RACE, "--model", "--json").json
        plays = bearoff("race", RACE, "--dice", "2-1", "--model", "--json").json["plays"]
        formula = bearoff("formulas", "explain", "keith", RACE, "--json").json
        reviewed = bearoff("review", str(SESSION), "--model", "-q", "--json").json
        found = bearoff("library", "search", "--player", "root", "--json").json
        before = (own / "library.sqlite").read_bytes()
        said = await call("race", position=RACE)
        assert (said["roller"], said["action"]) == (race["roller"], race["action"])
        rated = await call("plays", position=RACE, dice="2-1", played="3/1 1/off")
        assert [one["name"] for one in rated["plays"]] == [one["name"] for one in plays]
        made = next(one for one in rated["plays"] if one["name"] == "3/off")
        assert rated["played_cost"] == made["cost"] > 1
        cube = await call("cube", position=RACE, score="3-5", decided="take")
        assert cube["score"].startswith("3-away 5-away")
        assert None not in (cube["decided_cost"], cube["market"])
        won = await call("cube", position=RACE, score="4-2", match=7)
        assert won["score"].startswith("3-away 5-away")
        money = await call("cube", position=won["xgid"], money=True)
        assert money["score"] is None
        ends = await call("race", position="[1,1,6]", opponent="[1,6]", dice="6-1")
        assert ends["dice"] == [6, 1]
        worked = await call("formula", position=RACE, name="keith")
        assert worked["steps"] == formula["steps"]
        judged = await call("review", match=SESSION.read_text())
        assert len(judged["decisions"]) == len(reviewed["decisions"])
        kept = await call("library_search", player="root")
        assert kept["found"] == found["found"] > 0
        for one, other in zip(kept["decisions"], found["decisions"], strict=True):
            assert one["reference"] == other["reference"]
        assert (own / "library.sqlite").read_bytes() == before

    async def session():
        args, env = ["-m", "bearoff", "mcp"], dict(os.environ)
        server = StdioServerParameters(
            command=sys.executable, args=args, env=env, cwd=str(ROOT)
        )
        async with Client(stdio_client(server)) as client:
            await work(client)

    anyio.run(session)


def test_without_the_extra(bearoff, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "bearoff.app.mcp.server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    only_sentence(bearoff("mcp"), 'pip install "mcp>=')
