from .facts import (
    Facts as Facts,
)
from .gather import (
    gather_facts as gather_facts,
)
from .results import (
    Results as Results,
)
from .typeset import (
    TEXT as TEXT,
    write_paper as write_paper,
)
