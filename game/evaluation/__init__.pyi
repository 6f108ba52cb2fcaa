from .effects import (
    effects_of as effects_of,
    exchanges_of as exchanges_of,
)
from .features import (
    FEATURES as FEATURES,
    features_of as features_of,
    named_inputs as named_inputs,
)
from .linear import (
    explain as explain,
    linear_terms as linear_terms,
)
from .net import (
    Net as Net,
)
from .pubeval import (
    pubeval_weights as pubeval_weights,
)
from .race import (
    race_tables as race_tables,
)
