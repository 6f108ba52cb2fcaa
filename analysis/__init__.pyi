from . import (
    formulas as formulas,
    outcomes as outcomes,
    output as output,
    plots as plots,
    reports as reports,
    scoring as scoring,
    search as search,
    sheets as sheets,
)
from .errors import (
    FitError as FitError,
    FormulaError as FormulaError,
    RunError as RunError,
)
from .outcomes import (
    Calibration as Calibration,
    Outcomes as Outcomes,
    Run as Run,
    RunAnalysis as RunAnalysis,
    WinEstimate as WinEstimate,
    analyse_run as analyse_run,
    calibrate as calibrate,
    open_run as open_run,
)
from .outcomes.fits import (
    Fits as Fits,
    fit as fit,
)
from .outcomes.intervals import (
    wilson_interval as wilson_interval,
)
from .reports import (
    Report as Report,
    write_report as write_report,
)
