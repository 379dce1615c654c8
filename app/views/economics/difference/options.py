"""Which figure of two designs is explained."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from app.scenarios.fields import Part
from app.views.economics.own_or_rent.document import TermKey

FigureKey = Literal[
    "usd_per_run",
    "usd_per_million_tokens",
    "tco",
    "usd_per_accelerator_hour",
    "usd_per_useful_accelerator_hour",
    "carbon",
    "rent",
]
FIGURES: tuple[FigureKey, ...] = get_args(FigureKey)
TERMS: tuple[TermKey, ...] = get_args(TermKey)


class DifferenceOptions(Part):
    """The figure; for `rent` the offers that are compared."""

    figure: FigureKey | None = Field(
        default=None,
        description="Figure whose difference is explained; without one the cost of a run, and of a million tokens where "
        "a design serves.",
    )
    first_offer: TermKey = Field(
        default="on_demand", description="Rental terms of the first design, where the figure is rent."
    )
    second_offer: TermKey = Field(
        default="on_demand", description="Rental terms of the second design, where the figure is rent."
    )
