"""Tool descriptions of the Model Context Protocol, and the server."""

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
        description="Position of both sides as one text: an XGID, a GNU Backgammon "
        "position ID, an OGID or a drawn board; or the position of the side on roll "
        "alone, as checkers on the ace, deuce, ... point (3,3,2,0,2,1) or as a list of "
        "points ([1,1,6]).",
        max_length=2000,
    ),
]
# The default is "" instead of None, because the mcp library would parse the value of an
# optional string as JSON.
Opponent = Annotated[
    str,
    Field(
        description="Position of the opponent, if `position` has only the "
        "roller's checkers."
    ),
]
Dice = Annotated[str, Field(description="Dice to play, such as 6-4.")]
Cube = Annotated[
    str,
    Field(
        description="Owner of the cube: centred (nobody), owned (the roller) or opponent."
    ),
]
CubeValue = Annotated[int | None, Field(description="Value of the cube.")]
Score = Annotated[
    str,
    Field(
        description="Match score: points that the roller and the opponent need, such as "
        "3-5, or points won if `match` is given; by default money play."
    ),
]
Match = Annotated[int | None, Field(description="Length of the match in points.")]
Money = Annotated[
    bool,
    Field(
        description="Whether the race is for money even if the "
        "position includes a match score."
    ),
]
Crawford = Annotated[
    bool | None,
    Field(description="Whether this is the Crawford game, if a player needs 1 point."),
]
Jacoby = Annotated[
    bool | None, Field(description="Whether the Jacoby rule applies, in money play.")
]

_OF_PLAYS = ("plays", "play", "rolls")
"""Fields of an answer that describe plays, and not cube decisions."""

_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)

INSTRUCTIONS = (
    "Tools that answer questions about backgammon. Races, in which contact is "
    "over, are answered exactly or by a model; positions with contact are "
    "estimated. Equities are from the roller's viewpoint, in points at a cube "
    "of 1 or, at a match score, normalised (EMG). The field kind is the "
    "method: exact, rollout or model for a race, search for a position with "
    "contact; the error of the answer is stated too. All tools are read-only."
)


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
    """MCP tool that reports invalid arguments in one sentence."""

    async def run(
        self, arguments: dict[str, Any], context: Any, convert_result: bool = False
    ) -> Any:
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            problems = error.__cause__.errors(include_url=False)
            model = self.fn_metadata.arg_model
            raise ToolError(what_is_wrong(problems, model)) from None


def _closed(tool: Tool) -> Tool:
    """Make a tool reject unknown arguments."""
    tool.parameters["additionalProperties"] = False
    model = tool.fn_metadata.arg_model
    model.model_config["extra"] = "forbid"
    model.model_rebuild(force=True)
    return tool


def _refusing(tool: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Decorate a tool so that an error in the question becomes the tool's result."""

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
    """Return the parameters of a question, with the names that `read_question` uses."""
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
    """Evaluate a position: its plays, its cube decision and, for a race, win probabilities.

    A position with contact is estimated by a search.
    """
    return tools.answer(parts | {"dice": dice})


@shares(asked)
def plays(
    parts: dict[str, Any],
    dice: Annotated[str, Field(description="Dice to play, such as 6-4.")],
    played: Annotated[str, Field(description="Play to be judged, such as 6/off 4/3.")] = "",
) -> dict[str, Any]:
    """Rate the plays of a roll, best first, and return the cost of a given play."""
    found = tools.answer(parts | {"dice": dice, "played": played})
    names = ("xgid", "dice", "plays", "play", "played_cost", "played_error", "kind")
    return {name: found[name] for name in names if name in found}


@shares(asked)
def cube(
    parts: dict[str, Any],
    decided: Annotated[
        str,
        Field(description="Cube decision to be judged: double, no double, take or pass."),
    ] = "",
) -> dict[str, Any]:
    """Return the correct cube actions, the costs of mistakes, and the market losers."""
    found = tools.answer(parts | {"decided": decided}, market=True)
    return {name: one for name, one in found.items() if name not in _OF_PLAYS}


def formula(
    position: Position,
    opponent: Opponent = "",
    name: Annotated[
        str, Field(description="Name of the formula. Default: the recommended one.")
    ] = RECOMMENDED,
) -> dict[str, Any]:
    """Apply a doubling formula step by step to a race in money play."""
    return tools.formula({"roller": position, "opponent": opponent}, name)


def review(
    match: Annotated[
        str,
        Field(
            description="Text of a match: Jellyfish's .mat, eXtreme Gammon's text export, "
            "or GNU Backgammon's .sgf.",
            max_length=4_000_000,
        ),
    ],
    name: Annotated[str, Field(description="Name of the match.")] = "match",
    races_only: Annotated[
        bool,
        Field(
            description="Whether to exclude decisions before the races, which are only "
            "estimated."
        ),
    ] = False,
    deep: Annotated[
        bool,
        Field(description="Look two rolls ahead before the races if choices are close."),
    ] = False,
) -> dict[str, Any]:
    """Judge every double, take and play of a match by its cost.

    Races are judged by tables and a model; decisions before them by a search.
    """
    return tools.review(match, name, races_only=races_only, deep=deep)


@shares(wanted_by(lambda name, metavar, words: Field(description=words)))
def library_search(
    wanted: Wanted,
    sort: Annotated[str, Field(description="Sort order: cost, date or pips.")] = "cost",
    most: Annotated[int, Field(description="Maximum number of decisions to return.")] = 20,
) -> dict[str, Any]:
    """Find decisions in the user's library of reviewed matches."""
    return tools.library_search(wanted, sort, most)
