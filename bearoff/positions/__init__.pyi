from . import (
    sides as sides,
)
from .notation import (
    format_gnu_id as format_gnu_id,
    format_xgid as format_xgid,
    is_two_sided as is_two_sided,
    write_ogid as write_ogid,
)
from .numbering import (
    CHECKERS as CHECKERS,
    POINTS as POINTS,
    check_size as check_size,
    position_count as position_count,
    rank_terms as rank_terms,
    unrank as unrank,
)
from .pasted import (
    as_written as as_written,
    find_setup as find_setup,
)
from .position import (
    OneSide as OneSide,
    Position as Position,
    Race as Race,
)
from .position_id import (
    encode_position_id as encode_position_id,
)
from .reading import (
    read_race as read_race,
    read_setup as read_setup,
)
from .setup import (
    SETTLED as SETTLED,
    Setup as Setup,
    check_stakes as check_stakes,
)
from .sides import (
    rank as rank,
)
from .xgid import (
    Xgid as Xgid,
)
