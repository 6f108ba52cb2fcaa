from .cards import (
    Card as Card,
    card_of as card_of,
    table_of as table_of,
    write_cards as write_cards,
)
from .contact import (
    ContactAnswer as ContactAnswer,
    ContactQuestion as ContactQuestion,
    answer_contact as answer_contact,
    read_contact as read_contact,
)
from .decision import (
    CONTACT as CONTACT,
    LENGTHS as LENGTHS,
    UNIT as UNIT,
    Alternative as Alternative,
    Decision as Decision,
    Method as Method,
    cube_alternatives as cube_alternatives,
    rated_alternatives as rated_alternatives,
    without_double as without_double,
)
from .drawn import (
    draw_decisions as draw_decisions,
)
from .estimates import (
    CLOSE_LOST as CLOSE_LOST,
    CUBE_ERROR as CUBE_ERROR,
    MEASURED as MEASURED,
    NET_PLAY_ERROR as NET_PLAY_ERROR,
    PLAY_ERROR as PLAY_ERROR,
    PLAY_LOST as PLAY_LOST,
    RATING as RATING,
    Accuracy as Accuracy,
    Estimates as Estimates,
    cube_decision as cube_decision,
)
from .file_says import (
    FileSays as FileSays,
    in_words as in_words,
)
from .judging import (
    RollOut as RollOut,
    decision_of as decision_of,
    formula_says as formula_says,
    judge_question as judge_question,
)
from .page import (
    review_page as review_page,
)
from .reasons import (
    proposed_reason as proposed_reason,
    reason as reason,
)
from .reviewing import (
    Review as Review,
    Reviewing as Reviewing,
    review as review,
)
from .rows import (
    COLUMNS as COLUMNS,
    as_row as as_row,
    decision_json as decision_json,
    verdict_json as verdict_json,
    write_rows as write_rows,
    write_table as write_table,
)
from .sums import (
    Total as Total,
    performance_rating as performance_rating,
    totals as totals,
)
from .svg import (
    DrawableSide as DrawableSide,
    as_picture as as_picture,
    board_svg as board_svg,
    position_svg as position_svg,
    sides_of as sides_of,
)
