from .rows import (
    BUILT as BUILT,
    GAME as GAME,
    HOME as HOME,
    LENGTHS as LENGTHS,
    LONG as LONG,
    NEAR as NEAR,
    PEOPLE as PEOPLE,
    POPULATIONS as POPULATIONS,
    Battery as Battery,
    BatteryLosses as BatteryLosses,
    DecisionSet as DecisionSet,
    battery_difference as battery_difference,
    score_battery as score_battery,
)
from .table import (
    REFERENCE as REFERENCE,
    BatteryTable as BatteryTable,
    BatteryTableRow as BatteryTableRow,
    battery_json as battery_json,
    battery_markdown as battery_markdown,
    battery_rows as battery_rows,
    write_battery as write_battery,
)
