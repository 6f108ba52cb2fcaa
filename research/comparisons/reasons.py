"""Measurement of how often the program's explanations of costly plays are true.

A reason names the feature with the largest effect on the network's equity. Here the network
evaluates both plays again after their features have been exchanged, in two ways: the better
play gets the feature of the costly play, and the costly play gets that of the better play.
A reason is true if the network prefers the better play, and prefers it less after each
exchange. Reviews give only such reasons.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bearoff.analysis.output import markdown_table
from bearoff.analysis.review import Estimates, proposed_reason
from bearoff.game import Board
from bearoff.game.evaluation import Net, exchanges_of
from bearoff.game.records import MatchRecord, match_decisions, read_match
from research.comparisons.pages import page_parser, write_page
from research.comparisons.whole_matches import play
from research.public_matches import analysed

COSTLY = 0.02
"""Minimum cost of a play, in EMG, for which a reason is proposed."""

NAMES = {
    "hits": "hits",
    "points": "points held",
    "shots": "shots left",
    "back": "checkers in the opponent's home",
    "off": "checkers borne off",
    "prime": "points in a row",
    "escape": "ways to escape",
    "stacks": "stacked checkers",
}


@dataclass(frozen=True)
class JudgedReason:
    """Costly play, the proposed reason for its cost, and the network's test of this reason.

    Attributes
    ----------
    feature : str
        Feature that the reason names; empty if no reason was proposed.
    cost : float
        Cost of the play by a search one roll ahead, in EMG.
    whole : float
        Difference in points between the better and the costly play, according to the
        network.
    taken, given : float
        Decrease of the difference `whole` if the better play gets the feature of the costly
        play, and if the costly play gets the feature of the better play.
    """

    feature: str
    cost: float
    whole: float
    taken: float
    given: float

    @property
    def is_true(self) -> bool:
        """Whether the feature is a part of why the network prefers the better play."""
        return min(self.whole, self.taken, self.given) > 0

    def leaves(self, most: float) -> bool:
        """Return whether removing the feature leaves at most `most` of the preference."""
        left = self.whole - (self.taken + self.given) / 2
        return self.whole > 0 and left <= most * self.whole


def judge_reason(best: Board, played: Board, cost: float) -> JudgedReason:
    """Propose a reason why a play is costly, and test this reason with the network."""
    net = Net.load()
    _, feature = proposed_reason(best, played, cost)
    whole = net.equity(played.turned) - net.equity(best.turned)
    taken, given = exchanges_of(net, best, played).get(feature, (0.0, 0.0))
    return JudgedReason(feature, cost, whole, taken, given)


def costly_plays(
    matches: Sequence[MatchRecord], seed: int
) -> Iterator[tuple[Board, Board, float]]:
    """Yield the best play, a costly play and its cost for each decision before the race.

    The costly play is the play that was made, if its cost is at least `COSTLY`. Otherwise,
    it is a random play whose cost is at least `COSTLY`.
    """
    random, estimates = np.random.default_rng(seed), Estimates()
    for match in matches:
        for one in match_decisions(match)[0]:
            after = one.moment.after
            if one.kind != "play" or one.in_race or after is None:
                continue
            decision, boards = estimates.plays(one.position)
            costs = [each.cost or 0.0 for each in decision.alternatives]
            made = boards.index(after)
            costly = [place for place, cost in enumerate(costs) if cost >= COSTLY]
            if not costly:
                continue
            place = made if made in costly else int(random.choice(costly))
            yield boards[0], boards[place], costs[place]


def _share(hits: Sequence[bool]) -> str:
    """Return a proportion with its standard error, in percent."""
    share = float(np.mean(hits))
    return f"{100 * share:.1f} ± {100 * (share * (1 - share) / len(hits)) ** 0.5:.1f}"


def page(found: Sequence[JudgedReason], source: str, command: str) -> str:
    """Return a Markdown page on how often proposed reasons are true."""
    told = [one for one in found if one.feature]
    groups = {"all": told}
    groups |= {
        name: some
        for feature, name in NAMES.items()
        if (some := [one for one in told if one.feature == feature])
    }
    rows = [
        [
            name,
            f"{len(some):,}",
            f"{np.mean([one.cost for one in some]):.3f}",
            _share([one.is_true for one in some]),
            _share([one.leaves(0.5) for one in some]),
            _share([one.leaves(0.0) for one in some]),
        ]
        for name, some in groups.items()
    ]
    head = ["feature named", "reasons", "mean cost, EMG", "true reasons, %"]
    head += [
        "at most half of the preference for the better play left, %",
        "no preference left, %",
    ]
    return f"""# Tests of the reasons given for costly plays

Reviews and hints explain a costly play by a feature of the position, such as a blot or a
made point. `{command}` tests these reasons. {source} For each decision before the race, the
test takes one play: the play made, if it costs at least {COSTLY:g} EMG according to a
search one roll ahead, and otherwise a random play that costs at least as much. In total,
the test takes {len(found):,} plays.

A reason is proposed for {_share([bool(one.feature) for one in found])}% of the plays. The
reason names the feature with the largest effect on the network's equity, if this effect is
at least half of the cost. The test then exchanges the feature in two ways, and the network
evaluates both plays again: first the better play gets the feature of the costly play, then
the costly play gets the feature of the better play. A reason is *true* if the network,
without a search, prefers the better play, and if this preference is smaller after each of
the two exchanges of the feature. Reviews and hints give only reasons that pass this test.
The columns about the preference left show the share of the plays in which at most half of
the preference, or no preference, remains in the mean of the two exchanges. The number
after ± is one standard error, on the assumption that decisions are independent.

{markdown_table(head, rows)}

One neural net both proposes and tests the reasons. A stronger player might explain a play
by a feature that does not matter to this net.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure how often proposed reasons are true, and print a Markdown page."""
    parser = page_parser(__doc__, Path("results/agreement/reasons.md"))
    parser.add_argument("--most", type=int, default=2000, help="Number of plays.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--games",
        type=Path,
        metavar="FOLDER",
        help="Folder for games that GNU Backgammon plays as in whole_matches. Default: the "
        "public matches alone.",
    )
    parser.add_argument("--matches", type=int, default=24, help="Matches to play.")
    parser.add_argument(
        "--length", type=int, default=5, help="Length of the matches in points."
    )
    options = parser.parse_args(arguments)
    matches, source = analysed(), "The plays are from the 13 public matches of [the tests]"
    source += "(../../tests/data/README.md)"
    command = f"python -m research.comparisons.reasons --most {options.most}"
    if options.games:
        seeds = range(1, options.matches + 1)
        matches += [read_match(play(options.games, k, options.length)) for k in seeds]
        source += (
            f" and from {options.matches} matches that GNU Backgammon played against "
            "itself with noise"
        )
        command += " --games FOLDER"
    found: list[JudgedReason] = []
    for best, played, cost in costly_plays(matches, options.seed):
        found.append(judge_reason(best, played, cost))
        if len(found) == options.most:
            break
    write_page(page(found, f"{source}.", command), options.write)


if __name__ == "__main__":
    main()
