"""Meaning: what the outcomes of a run say, and formulas a player can use.

Reads what `sim` stored and never starts a simulation.
"""

from analysis.calibration import Calibration, calibrate
from analysis.errors import FitError, FormulaError, RunError
from analysis.estimates import WinEstimate
from analysis.fits import Fits, fit
from analysis.intervals import wilson_interval
from analysis.outcomes import Outcomes
from analysis.report import Report, write_report
from analysis.runs import Run, open_run
from analysis.study import Study, study_run

__all__ = [
    "Calibration",
    "FitError",
    "Fits",
    "FormulaError",
    "Outcomes",
    "Report",
    "Run",
    "RunError",
    "Study",
    "WinEstimate",
    "calibrate",
    "fit",
    "open_run",
    "study_run",
    "wilson_interval",
    "write_report",
]
