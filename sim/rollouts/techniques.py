"""The techniques that make games of a rollout say more."""

from dataclasses import dataclass

from bearoff import checks


@dataclass(frozen=True)
class Techniques:
    """Ways to make fewer games say more; each changes the error, none the mean.

    Attributes
    ----------
    luck : bool
        Take the luck of the rolls out of the results.
    first_rolls : {1, 36, 1296}
        How many games share out the first throws evenly among them: 36 the roller's, 1296
        both sides'; 1 leaves them to chance.
    truncate : bool
        Stop a game where exact values begin.
    """

    luck: bool = True
    first_rolls: int = 1296
    truncate: bool = True

    def __post_init__(self) -> None:
        checks.choice(self.luck, "luck", (False, True))
        checks.choice(self.first_rolls, "first_rolls", (1, 36, 1296))
        checks.choice(self.truncate, "truncate", (False, True))
