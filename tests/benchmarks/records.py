"""Artificial records of benchmark runs."""

from benchmarks.history.records import Machine, Ratio, Record

HERE = Machine(processor="a processor", processors=2, system="Linux x86_64")
THERE = Machine(processor="another", processors=64, system="Linux x86_64")


def ratio(value, spread=0.0):
    """Return a speed ratio with quartiles that differ from its value by `spread`."""
    return Ratio(value=value, low=value - spread, high=value + spread, rounds=7)


def record(machine=HERE, **values):
    return Record(
        date="2026-11-21T12:00:00+00:00",
        commit="0123456789abcdef0123456789abcdef01234567",
        dirty=False,
        machine=machine,
        versions={"python": "3.11.2", "numpy": "2.4.0"},
        ratios={name.replace("_", "-"): ratio(value) for name, value in values.items()},
    )
