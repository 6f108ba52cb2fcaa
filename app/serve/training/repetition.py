"""Mistakes asked again, at the times of the FSRS algorithm.

A question gets a card when it is first answered wrongly, or with a hint. From then on each
answer to it sets the next time.
"""

from datetime import datetime
from typing import Any

from fsrs import Card, Rating, Scheduler

# Without random shifts of the intervals: the same answers give the same times.
_SCHEDULER = Scheduler(enable_fuzzing=False)


def next_card(
    before: dict[str, Any] | None, right: bool, now: datetime, *, hinted: bool = False
) -> dict[str, Any] | None:
    """Return the card of a question after an answer.

    Parameters
    ----------
    before : dict or None
        The card before, as this function returned it.
    right : bool
        Whether the answer was.
    now : datetime
        When it was given, in UTC.
    hinted : bool
        Whether it needed a hint.

    Returns
    -------
    dict or None
        With the time that it is ``due``; None of a question that was always known.
    """
    if before is None:
        if right and not hinted:
            return None
        card = Card(card_id=0, due=now)
    else:
        card = Card.from_dict(before)  # type: ignore[arg-type]
    known = Rating.Hard if hinted else Rating.Good
    card, _ = _SCHEDULER.review_card(card, known if right else Rating.Again, now)
    return dict(card.to_dict()) | {"due": card.due.isoformat()}
