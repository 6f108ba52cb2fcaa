from .cards import (
    Card as Card,
    card_of as card_of,
    write_cards as write_cards,
)
from .drawn import (
    DIFFICULTIES as DIFFICULTIES,
    draw_decisions as draw_decisions,
)
from .judged import (
    LENGTHS as LENGTHS,
    Judged as Judged,
    Total as Total,
    totals as totals,
)
from .judging import (
    RollOut as RollOut,
    formula_says as formula_says,
    judge_question as judge_question,
)
from .page import (
    review_page as review_page,
)
from .reviewing import (
    Review as Review,
    Reviewing as Reviewing,
    review as review,
)
from .rows import (
    as_row as as_row,
    write_rows as write_rows,
)
from .svg import (
    board_svg as board_svg,
)
