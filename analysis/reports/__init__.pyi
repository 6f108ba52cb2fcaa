from . import tables as tables
from .cubeful_page import (
    action_rows as action_rows,
    cube_rows as cube_rows,
    pair_table as pair_table,
    summary_rows as summary_rows,
)
from .cubeful_report import (
    write_cubeful_report as write_cubeful_report,
)
from .race_report import (
    Report as Report,
    write_report as write_report,
)
from .rollout_report import (
    write_rollout_report as write_rollout_report,
)
