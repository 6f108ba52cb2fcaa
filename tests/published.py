"""Published values with their sources; tolerances are half the last printed digit.

"Rolls" is the mean number of rolls if plays minimise this mean, and the EPC is this mean
times 49/6. Counts are the numbers of checkers on the ace, deuce and higher points, up to
the 6 point.
"""

from fractions import Fraction

EXACT = 1e-13
"""Tolerance for the float64 rounding errors of values that are known as fractions."""

# The following values are from Benjamin and Ross, "Enumerating Backgammon Positions: The
# Perfect Hash".
POSITIONS = 54_264
DENSE_ARRAY_IS_LARGER_BY = 4_947  # 16^7 divided by the number of positions, rounded
PAPER_TABLE_1 = {  # key: checkers off, then on points 1 to 6; value: number
    (15, 0, 0, 0, 0, 0, 0): 0,
    (14, 1, 0, 0, 0, 0, 0): 1,
    (14, 0, 0, 0, 0, 0, 1): 6,
    (13, 2, 0, 0, 0, 0, 0): 7,
    (13, 1, 1, 0, 0, 0, 0): 8,
    (13, 1, 0, 0, 0, 0, 1): 12,
    # A text that quotes the paper gives (12, 3, 0, 0, 0, 0, 0) the number 13, but the
    # paper's definition gives 28.
    (13, 0, 2, 0, 0, 0, 0): 13,
    (12, 3, 0, 0, 0, 0, 0): 28,
    (4, 3, 3, 2, 0, 2, 1): 8887,
    (0, 0, 0, 0, 0, 0, 15): 54_263,
}
# Numbers of checkers, position number, pip count.
PAPER_EXAMPLE = ((3, 3, 2, 0, 2, 1), 8887, 31)
# Pairs (n, k) of the terms n multichoose k.
PAPER_EXAMPLE_TERMS = ((7, 10), (6, 7), (5, 4), (4, 2), (3, 2), (2, 0))

# Number of triples of a position, a roll and a distinct successor, over all positions and
# the 21 rolls.
TRIPLES = 9_208_681
LONGEST_BEAR_OFF = 30
PIP_VALUES = 91

# Number of the 36 rolls that bear off one checker from each point, or two checkers from
# each pair of points.
ONE_CHECKER_OFF = (36, 36, 36, 34, 31, 27)
TWO_CHECKERS_OFF = (
    (36,),
    (36, 26),
    (34, 25, 17),
    (29, 23, 17, 11),
    (23, 19, 14, 10, 6),
    (15, 13, 10, 8, 6, 4),
)

# Mean rolls by the number of checkers on the ace point, calculated by hand.
_OF_PAIRS = (
    Fraction(1), Fraction(11, 6), Fraction(97, 36), Fraction(767, 216),
    Fraction(5713, 1296), Fraction(40943, 7776), Fraction(285649, 46656),
    Fraction(1953839, 279936),
)  # fmt: skip
ACE_STACK_ROLLS = {checkers: _OF_PAIRS[(checkers - 1) // 2] for checkers in range(1, 16)}

# Counts, mean rolls and EPC of an example printed in GNU Backgammon's manual.
GNUBG_MANUAL = ((5, 4, 0, 0, 0, 0), 4.41, 36.02)
EPC = {  # Values that this project computed and checked, with three digits.
    (0, 0, 0, 0, 0, 15): 100.174,
    (2, 2, 2, 2, 2, 2): 51.943,
    (5, 4, 0, 0, 0, 0): 36.016,
}

# Win probability of the roller by the number of rolls that each side needs, with all
# checkers on the ace point.
ACES_AGAINST_ACES = {2: Fraction(31, 36), 3: 0.787809, 4: 0.745263}

# Probability that a race of fifteen aces against fifteen ends with a double, from IBM's
# Ponder This.
LAST_ROLL_IS_DOUBLE = 0.341730

# Win probability of checkers on the 5 and 2 points against one on the ace point, in the
# last roll.
FIVE_TWO_AGAINST_ACE = Fraction(19, 36)
FIVE_TWO_OWNED_AND_REDOUBLED = 0.111111
FIVE_TWO_OPPONENT_OWNS = 0.055556

# Equities of four rolls against four if the roller owns the cube, without a redouble and
# after a take.
FOUR_ROLLS_NO_DOUBLE = 0.792953
FOUR_ROLLS_DOUBLE_TAKE = 0.916752

# Example in which moving a checker back saves rolls: position before, position after, and
# rolls saved.
BACK_IS_BETTER = ((8, 0, 6, 0, 0, 0), (7, 1, 6, 0, 0, 0), 0.304)
BACK_IS_BETTER_CASES = (46_969, 193_800)
ONE_MORE_CHECKER_CASES = 232_560

# These values are from GNU Backgammon 1.07.001 20230103; data/README.md explains how they
# were recorded.
GNUBG_UNIT = 65_535  # GNU Backgammon's chances are multiples of 1/65,535
