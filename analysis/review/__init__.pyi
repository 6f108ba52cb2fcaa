from .cards import (
    Card as Card,
    card_of as card_of,
    write_cards as write_cards,
)
from .drawn import (
    draw_decisions as draw_decisions,
)
from .file_says import (
    FileSays as FileSays,
)
from .judged import (
    LENGTHS as LENGTHS,
    UNIT as UNIT,
    Judged as Judged,
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
    guarded as guarded,
    write_rows as write_rows,
)
from .svg import (
    board_svg as board_svg,
)
