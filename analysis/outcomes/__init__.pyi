from . import cubeful as cubeful, fits as fits, intervals as intervals, rollouts as rollouts
from .calibration import (
    Calibration as Calibration,
    calibrate as calibrate,
)
from .cells import (
    Cells as Cells,
)
from .fit_lead import (
    fit_lead_rule as fit_lead_rule,
)
from .intervals import (
    WinEstimate as WinEstimate,
    percent as percent,
)
from .outcomes import (
    Outcomes as Outcomes,
)
from .run import (
    Run as Run,
    open_run as open_run,
)
from .run_analysis import (
    RunAnalysis as RunAnalysis,
    analyse_run as analyse_run,
)
from .scores import (
    Gains as Gains,
)
