from .build import (
    BuiltPopulation as BuiltPopulation,
    build_population as build_population,
)
from .decisions import (
    SPLITS as SPLITS,
    RaceDecisions as RaceDecisions,
)
from .file import (
    open_population as open_population,
    read_about as read_about,
    write_population as write_population,
)
from .people import (
    ONLINE as ONLINE,
    build_people as build_people,
)
from .population import (
    SOURCES as SOURCES,
    DecisionValues as DecisionValues,
    Population as Population,
)
from .publish import (
    Published as Published,
    publish_populations as publish_populations,
)
from .recipes import (
    FAMILIES as FAMILIES,
    KINDS as KINDS,
    PopulationRecipe as PopulationRecipe,
    kind_of as kind_of,
    population_recipe as population_recipe,
)
