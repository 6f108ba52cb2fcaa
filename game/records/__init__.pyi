from .decisions import (
    RecordedDecision as RecordedDecision,
    decisions_at as decisions_at,
    match_decisions as match_decisions,
    race_decisions as race_decisions,
)
from .reading import (
    SUFFIXES_READ as SUFFIXES_READ,
    parse_match as parse_match,
    read_match as read_match,
)
from .record import (
    Action as Action,
    FileAnalysis as FileAnalysis,
    GameRecord as GameRecord,
    MatchRecord as MatchRecord,
    RecordError as RecordError,
)
from .replay import (
    Moment as Moment,
    moments as moments,
)
from .writing import (
    SUFFIXES as SUFFIXES,
    format_jellyfish as format_jellyfish,
    format_sgf as format_sgf,
    refuse_target as refuse_target,
    write_match as write_match,
)
