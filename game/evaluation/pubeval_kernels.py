"""Compiled kernels of Tesauro's linear evaluation, pubeval."""

from bearoff.runtime import njit


@njit(cache=True, nogil=True)
def pubeval(weights, board):
    """Return the score of a board after a play, for the player who made the play.

    ``weights`` has five weights for each of the 24 points, from point 24 down to point 1.
    The five weights are for an opposing blot, for an own blot, for two or more own
    checkers, for exactly three, and for more than three. The last two weights are for the
    opponent's checkers on the bar and for own checkers borne off.
    """
    total = 0.0
    men = 0
    for point in range(1, 26):
        men += max(board[point], 0)
    if men == 0:
        return 1e9
    for point in range(1, 25):
        count = board[point]
        k = 5 * (24 - point)
        if count == -1:
            total += weights[k]
        elif count == 1:
            total += weights[k + 1]
        elif count >= 2:
            total += weights[k + 2]
            if count == 3:
                total += weights[k + 3]
            elif count > 3:
                total += weights[k + 4] * 0.5 * (count - 3)
    return total - 0.5 * weights[120] * board[0] + weights[121] * (15 - men) / 15.0


@njit(cache=True, nogil=True)
def _contact(board):
    """Return whether a checker of the roller still has to pass one of the opponent's."""
    top = 25
    while top > 0 and board[top] <= 0:
        top -= 1
    for point in range(top):  # noqa: SIM110 - generators are not compiled
        if board[point] < 0:
            return True
    return False


@njit(cache=True, nogil=True)
def best_by_pubeval(contact, race, board, states, begin, end):
    """Return the row of the board that pubeval scores highest among the legal plays."""
    weights = contact if _contact(board) else race
    found = begin
    best = pubeval(weights, states[begin])
    for k in range(begin + 1, end):
        value = pubeval(weights, states[k])
        if value > best:
            best, found = value, k
    return found
