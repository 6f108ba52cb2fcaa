from .board import (
    plot_board as plot_board,
    width_to_height as width_to_height,
)
from .population_chart import (
    write_exact_chart as write_exact_chart,
)
from .run_charts import (
    calibration_figure as calibration_figure,
    chance_figure as chance_figure,
    plot_score_histogram as plot_score_histogram,
)
from .run_doubling import (
    doubling_figure as doubling_figure,
    write_doubling_chart as write_doubling_chart,
)
