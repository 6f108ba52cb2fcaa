from .bear_in import (
    study_bear_in as study_bear_in,
    write_bear_in_study as write_bear_in_study,
)
from .estimates import (
    study_estimates as study_estimates,
    write_estimates as write_estimates,
)
from .gammons import (
    study_gammons as study_gammons,
    write_gammon_study as write_gammon_study,
)
from .lost import (
    judge_people as judge_people,
    read_decisions as read_decisions,
    write_decisions as write_decisions,
)
from .lost_page import (
    write_lost_page as write_lost_page,
)
from .match_formula_page import (
    write_formula_study as write_formula_study,
)
from .match_formulas import (
    study_match_formulas as study_match_formulas,
)
from .match_page import (
    write_match_study as write_match_study,
)
from .match_play import (
    study_match_play as study_match_play,
)
from .other_programs import (
    judge_trials as judge_trials,
    trials_in as trials_in,
    trials_of as trials_of,
)
from .other_programs_page import (
    write_other_programs_page as write_other_programs_page,
)
from .race_model import (
    study_race_model as study_race_model,
)
from .race_model_page import (
    write_race_model_study as write_race_model_study,
)
from .reading import (
    READINGS as READINGS,
    decide as decide,
)
from .reading_page import (
    write_readings as write_readings,
)
from .rollouts_page import (
    write_agreement as write_agreement,
    write_model_errors as write_model_errors,
)
from .two_sided import (
    study_two_sided as study_two_sided,
)
from .two_sided_page import (
    write_two_sided_study as write_two_sided_study,
)
