"""Spaced repetition of mistakes by the FSRS algorithm.

A question is scheduled for repetition after its first wrong or hinted answer. Each later
answer sets the next due date.
"""

from datetime import datetime
from typing import Any

from fsrs import Card, Rating, Scheduler

# Random changes of the due dates are turned off, so that equal answers have equal due
# dates.
_SCHEDULER = Scheduler(enable_fuzzing=False)


def next_card(
    before: dict[str, Any] | None, right: bool, now: datetime, *, hinted: bool = False
) -> dict[str, Any] | None:
    """Return the schedule of an answered question; None if it need not be repeated."""
    if before is None:
        if right and not hinted:
            return None
        card = Card(card_id=0, due=now)
    else:
        card = Card.from_dict(before)  # type: ignore[arg-type]
    known = Rating.Hard if hinted else Rating.Good
    card, _ = _SCHEDULER.review_card(card, known if right else Rating.Again, now)
    return dict(card.to_dict()) | {"due": card.due.isoformat()}
