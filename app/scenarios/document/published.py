"""A figure that others published for a scenario, to stand beside ours."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.fields import Line, Number, Paragraph, Part

# Units that figures are printed in, with the base unit of the engine and the factor to it.
PRINTED_UNITS = {
    "fraction": ("1", 1.0),
    "%": ("1", 0.01),
    "s": ("s", 1.0),
    "days": ("s", 86_400.0),
    "tokens/s": ("tokens/s", 1.0),
    "FLOP/s": ("FLOP/s", 1.0),
    "TFLOP/s": ("FLOP/s", 1e12),
    "W": ("W", 1.0),
    "kW": ("W", 1e3),
    "MW": ("W", 1e6),
    "USD": ("USD", 1.0),
    "B": ("B", 1.0),
}
PrintedUnit = Literal[
    "fraction",
    "%",
    "s",
    "days",
    "tokens/s",
    "FLOP/s",
    "TFLOP/s",
    "W",
    "kW",
    "MW",
    "USD",
    "B",
]


class Published(Part):
    """One published figure, in the unit it was printed in."""

    quantity: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$", max_length=120)] = Field(
        description="The figure of the evaluation it stands beside, such as performance.mfu."
    )
    value: Number = Field(description="The figure as it was printed.")
    unit: PrintedUnit = Field(description="The unit it was printed in.")
    source: Line = Field(description="Who published it, and where.")
    note: Paragraph = Field(default="", description="What it counts, and how it differs from ours.")

    @property
    def base_value(self) -> float:
        """The figure in the base unit of the engine."""
        return self.value * PRINTED_UNITS[self.unit][1]

    @property
    def base_unit(self) -> str:
        """The base unit of the engine."""
        return PRINTED_UNITS[self.unit][0]
