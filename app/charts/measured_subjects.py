"""What is measured, in the words of the chart of predictions against measurements."""

from __future__ import annotations

from typing import NamedTuple


class Subject(NamedTuple):
    """A kind of measurement."""

    eyebrow: str
    unit: str  # of the axis where there is room
    short_unit: str
    noun: str  # several measurements
    first: str  # header of the column with their names
    series: str  # header of the column with their series
    above: str  # what a prediction above the measurement says
    below: str
    hint: str = "A marker opens its measurement."


TRAINING = Subject(
    eyebrow="Training speed, predicted against measured", unit="tokens per second per accelerator",
    short_unit="tokens/s per accelerator", noun="runs", first="Run", series="Hardware", above="too fast",
    below="too slow", hint="A marker opens its run.",
)  # fmt: skip
COLLECTIVES = Subject(
    eyebrow="Time of a collective, predicted against measured", unit="microseconds", short_unit="µs",
    noun="measurements", first="Measurement", series="Hardware", above="too slow", below="too fast",
)  # fmt: skip
TPOT = Subject(
    eyebrow="Time per output token, predicted against measured",
    unit="milliseconds",
    short_unit="ms",
    noun="measurements",
    first="Measurement",
    series="Hardware",
    above="too slow",
    below="too fast",
)
TTFT = TPOT._replace(eyebrow="Time to the first token, predicted against measured")
NODE_POWER = Subject(
    eyebrow="Power of a node, predicted against measured", unit="kilowatts", short_unit="kW", noun="figures",
    first="Figure", series="Hardware", above="too high", below="too low",
    hint="A marker leads to its line below.",
)  # fmt: skip
