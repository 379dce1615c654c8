"""Inputs of a row, told from its quantity, unit and conditions; never from its id or its value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from app.catalog.lookup import Catalog
from app.validation.power.places import Place, plain
from app.validation.study import Row, UnsupportedRowError

# What a row states, told from its quantity, unit and conditions; never from its id or its value.

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
COUNTED = rf"(?<![\w.,-])({NUMBER}|one|single|two|four|eight)[ -]+(?:[a-z][\w-]* )?"
NODES, RACKS = re.compile(rf"{COUNTED}nodes?\b"), re.compile(rf"{COUNTED}racks?\b")
DURATION = re.compile(rf"({NUMBER})\s*(s|seconds|min|minutes|h|hours)\b")
COUNTS = {"one": 1, "single": 1, "two": 2, "four": 4, "eight": 8}
SECONDS = {"s": 1.0, "seconds": 1.0, "min": 60.0, "minutes": 60.0, "h": 3600.0, "hours": 3600.0}
DIMENSIONS = {
    "W": "power", "J": "energy", "1": "a ratio", "L/min/kW": "flow for each kilowatt",
    "L/kWh": "water for each kilowatt-hour",
}  # fmt: skip
"""What is measured, by its base unit."""
LITRES_OF_A_GALLON = 3.785411784
UNITS = {
    "w": ("W", 1.0), "kw": ("W", 1e3), "mw": ("W", 1e6),
    "kw/node": ("W", 1e3), "w/node": ("W", 1.0), "kw per node": ("W", 1e3),
    "kw/rack": ("W", 1e3), "kw/gpu": ("W", 1e3), "w/gpu": ("W", 1.0),
    "j": ("J", 1.0), "wh": ("J", 3600.0), "kwh": ("J", 3.6e6), "mwh": ("J", 3.6e9), "mj": ("J", 1e6),
    "-": ("1", 1.0), "": ("1", 1.0), "1": ("1", 1.0), "%": ("1", 0.01),
    "l/min/kw": ("L/min/kW", 1.0), "lpm/kw": ("L/min/kW", 1.0), "l/kwh": ("L/kWh", 1.0), "m3/mwh": ("L/kWh", 1.0), "gal/mw/yr": ("L/kWh", LITRES_OF_A_GALLON / 8.76e6),
}  # fmt: skip
"""Units by how they are printed, in small letters: what they measure, and how much of it."""


@dataclass(frozen=True)
class Statement:
    """One row, read. Texts are in small letters without accents."""

    row: Row
    before: Statement | None = None
    """The row before of the same submission, whose run "same run" speaks of."""

    @cached_property
    def quantity(self) -> str:
        return plain(self.row.text("quantity"))

    @cached_property
    def own_conditions(self) -> str:
        """Conditions up to the first semicolon: what follows are remarks on other measurements."""
        own = self.conditions.partition(";")[0]
        return f"{own}, {self.before.own_conditions}" if own.startswith("same") and self.before else own

    @cached_property
    def conditions(self) -> str:
        return plain(self.row.text("conditions"))

    @cached_property
    def said(self) -> str:
        """Quantity and own conditions together."""
        return f"{self.quantity}; {self.own_conditions}"

    @cached_property
    def said_as_printed(self) -> str:
        """The same with capitals, by which names are told from words."""
        return f"{self.row.text('quantity')}; {self.row.text('conditions').partition(';')[0]}"

    def says(self, pattern: str) -> bool:
        """Return whether quantity or own conditions match."""
        return re.search(pattern, self.said) is not None

    def asks(self, pattern: str) -> bool:
        """Return whether the quantity matches."""
        return re.search(pattern, self.quantity) is not None

    @property
    def unit(self) -> str:
        return plain(self.row.text("unit")).strip()

    def measured(self) -> float:
        """The value as printed.

        Raises
        ------
        UnsupportedRowError : it is not one number above zero
        """
        value = self.row.number("value")
        if value is None:
            raise UnsupportedRowError("value is empty")
        if value <= 0:
            raise UnsupportedRowError(f"value is {value:g}, not above 0: it has no relative error")
        return value

    def factor(self, dimension: str) -> float:
        """What the printed unit is in the base unit of what is measured.

        Raises
        ------
        UnsupportedRowError : it is a unit of something else
        """
        known, factor = UNITS.get(self.unit, ("", 0.0))
        if known != dimension:
            raise UnsupportedRowError(
                f"the unit {self.row.text('unit')!r} is no unit of {DIMENSIONS[dimension]}"
            )
        return factor

    @property
    def nodes(self) -> int | None:
        """Count of nodes, None where it is not stated."""
        return _counted(NODES, self.said)

    @property
    def racks(self) -> int | None:
        """Count of racks, None where it is not stated."""
        return _counted(RACKS, self.said)

    @property
    def duration_s(self) -> float | None:
        """How long a run took: the longest time that is stated, the others being intervals of sampling."""
        found = [_number(number) * SECONDS[unit] for number, unit in DURATION.findall(self.own_conditions)]
        return max(found, default=None)


def _counted(pattern: re.Pattern[str], said: str) -> int | None:
    found = pattern.search(said)
    if found is None:
        return None
    text = found[1]
    return COUNTS.get(text) or int(_number(text))


def _number(text: str) -> float:
    return float(text.replace(",", ""))


# What a node does while it is measured, as one of the load profiles that the engine knows.

LARGE_BATCH, STRONG_SCALED, SERVING = "large_batch", "strong_scaled", "serving"
FINE_TUNING_SAMPLES = 64
"""Samples in a step of fine-tuning: submissions of MLPerf Training use 8 to 128, whatever the count of nodes."""

INFERENCE = r"\b(offline|interactive|inference|serving|tokens/s|samples/s|queries/s)\b"
SERVER_SCENARIO = re.compile(r"\bServer\b")
"""The scenario of MLPerf Inference, with its capital; a server is a node."""
FINE_TUNING = r"\b(lora|fine-?tun\w*|sft)\b"
OTHER_NETWORKS = r"\b(sdxl|whisper|rgat|r-gat|dlrm\w*|gnn)\b"
"""Served networks that are not language models: no one says how they load a node."""


def profile_of(statement: Statement, accelerators: int) -> str:
    """The load profile of a row.

    Inference is serving. Training is strong-scaled where a step has fewer samples than accelerators, so
    that each sample is divided: fine-tuning on many nodes. Everything else is training with a large batch.

    Parameters
    ----------
    accelerators : of the whole job
    """
    serves = statement.says(INFERENCE) or SERVER_SCENARIO.search(statement.said_as_printed)
    if serves and not statement.says(FINE_TUNING):
        return SERVING
    if statement.says(FINE_TUNING) and accelerators > FINE_TUNING_SAMPLES:
        return STRONG_SCALED
    return LARGE_BATCH


# A row that asks for a figure, and the figure that the engine gives.


@dataclass(frozen=True)
class Asked:
    """A row with the other rows of its submission, which may name the hardware for it."""

    statement: Statement
    neighbours: tuple[Statement, ...]
    catalog: Catalog


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicted:
    """A figure of the engine in a base unit, what was assumed, and where it was computed for."""

    value: float
    low: float | None = None
    high: float | None = None
    assumed: tuple[str, ...] = ()
    place: Place | None = None
    provider: str = ""
    hardware: str = ""  # what a power is of
    watts: float = 0.0  # of the printed unit, 0 where it is none of power
