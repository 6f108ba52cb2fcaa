"""The tools as the protocol describes them, and the server that offers them."""

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError

from bearoff import BearoffError
from bearoff.analysis.formulas import RECOMMENDED
from bearoff.app.library.wanted import Wanted, wanted_by
from bearoff.app.mcp import tools
from bearoff.app.race_answers.sharing import shares
from bearoff.app.race_answers.wrong import what_is_wrong

Position = Annotated[
    str,
    Field(
        description="Both sides in one text: an XGID, a GNU Backgammon position ID, an "
        "OGID or a drawn board; or the side on roll alone, as checkers on ace, deuce, ... "
        "(3,3,2,0,2,1) or a list of points ([1,1,6]).",
        max_length=2000,
    ),
]
# A text that may be left out is empty then: others are first read as JSON, as lists.
Opponent = Annotated[str, Field(description="The other side, if position is one side.")]
Dice = Annotated[str, Field(description="The roll, such as 6-4.")]
Cube = Annotated[str, Field(description="Where the cube is: centred, owned or opponent.")]
CubeValue = Annotated[int | None, Field(description="What the cube shows.")]
Score = Annotated[
    str,
    Field(
        description="Points that the roller and the opponent need, as 3-5, or with match "
        "have won; else money."
    ),
]
Match = Annotated[int | None, Field(description="Length of the match in points.")]
Money = Annotated[bool, Field(description="For money, whatever score a position carries.")]
Crawford = Annotated[
    bool | None, Field(description="Where a side is a point away: the Crawford game.")
]
Jacoby = Annotated[bool | None, Field(description="Jacoby's rule, for money.")]

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)

INSTRUCTIONS = """Answers about races of backgammon, where contact is over. Equities are \
the roller's, in points at a cube of 1 or, at a score, normalised (EMG); kind says how an \
answer was found: exact, rollout or model, with its error beside. Nothing is changed."""


def make_server() -> MCPServer:
    """Return the server with its tools."""
    return MCPServer(
        "bearoff",
        title="The race laboratory of backgammon",
        instructions=INSTRUCTIONS,
        version=version("bearoff"),
        log_level="CRITICAL",
        tools=[
            _closed(_Tool.from_function(_refusing(tool), annotations=_READS))
            for tool in (race, plays, cube, formula, review, library_search)
        ],
    )


class _Tool(Tool):
    """A tool that says in a sentence what is wrong with its arguments."""

    async def run(
        self, arguments: dict[str, Any], context: Any, convert_result: bool = False
    ) -> Any:
        """Run it."""
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            problems = error.__cause__.errors(include_url=False)
            model = self.fn_metadata.arg_model
            raise ToolError(what_is_wrong(problems, model)) from None


def _closed(tool: Tool) -> Tool:
    """Let a tool refuse arguments that it lacks: without them the question is another."""
    tool.parameters["additionalProperties"] = False
    model = tool.fn_metadata.arg_model
    model.model_config["extra"] = "forbid"
    model.model_rebuild(force=True)
    return tool


def _refusing(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Let a tool say what is wrong with what it is asked."""

    @wraps(tool)
    def called(**given: Any) -> dict[str, Any]:
        try:
            return tool(**given)
        except BearoffError as error:
            raise ToolError(str(error)) from None

    return called


def asked(
    position: Position,
    opponent: Opponent = "",
    cube: Cube = "",
    cube_value: CubeValue = None,
    score: Score = "",
    match: Match = None,
    money: Money = False,
    crawford: Crawford = None,
    jacoby: Jacoby = None,
) -> dict[str, Any]:
    """Return the parts of a question as `read_question` names them."""
    return {
        "roller": position,
        "opponent": opponent,
        "cube": cube,
        "cube_value": cube_value,
        "score": score,
        "match": match,
        "money": money,
        "crawford": crawford,
        "jacoby": jacoby,
    }


@shares(asked)
def race(parts: dict[str, Any], dice: Dice = "") -> dict[str, Any]:
    """Say all that is known of a race: chances, pip counts, the cube, plays of the dice."""
    return tools.answer(parts | {"dice": dice})


@shares(asked)
def plays(
    parts: dict[str, Any],
    dice: Annotated[str, Field(description="The roll, such as 6-4.")],
    played: Annotated[str, Field(description="A play to judge, such as 6/off 4/3.")] = "",
) -> dict[str, Any]:
    """Rate the plays of a roll, the best first, and what a play that was made costs."""
    found = tools.answer(parts | {"dice": dice, "played": played})
    names = ("xgid", "dice", "plays", "played_cost", "played_error", "kind")
    return {name: found[name] for name in names if name in found}


@shares(asked)
def cube(
    parts: dict[str, Any],
    decided: Annotated[
        str, Field(description="A decision to judge: double, no double, take or pass.")
    ] = "",
) -> dict[str, Any]:
    """Say whether to double and to take, what else costs, and what comes next."""
    found = tools.answer(parts | {"decided": decided}, market=True)
    del found["plays"], found["rolls"]
    return found


def formula(
    position: Position,
    opponent: Opponent = "",
    name: Annotated[
        str, Field(description="Of the formula; by default the recommended one.")
    ] = RECOMMENDED,
) -> dict[str, Any]:
    """Work a doubling formula for the head out for a race, step by step; for money."""
    return tools.formula({"roller": position, "opponent": opponent}, name)


def review(
    match: Annotated[
        str,
        Field(
            description="The text of a match: Jellyfish's .mat, eXtreme Gammon's text "
            "export, or GNU Backgammon's .sgf.",
            max_length=4_000_000,
        ),
    ],
    name: Annotated[str, Field(description="What to call it.")] = "match",
    races_only: Annotated[
        bool, Field(description="Leave out what comes before the races, an estimate.")
    ] = False,
) -> dict[str, Any]:
    """Judge every double, take and play of a match by what each choice cost.

    Races by tables and a model; what comes before is an estimate by a search.
    """
    return tools.review(match, name, races_only=races_only)


@shares(wanted_by(lambda name, metavar, words: Field(description=words)))
def library_search(
    wanted: Wanted,
    sort: Annotated[str, Field(description="Order: cost, date or pips.")] = "cost",
    most: Annotated[int, Field(description="Most rows shown.")] = 20,
) -> dict[str, Any]:
    """Find decisions among this player's own reviewed games."""
    return tools.library_search(wanted, sort, most)
