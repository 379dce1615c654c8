"""Options of the uncertainty analysis."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.scenarios.document.uncertainty import MOST_SAMPLES
from app.scenarios.fields import Part, Whole


class UncertaintyOptions(Part):
    """Options of the uncertainty analysis; defaults from `uncertainty` of the scenario."""

    figures: Annotated[tuple[str, ...], Field(strict=False, max_length=40)] = Field(
        default=(),
        description="Figures of one value, such as cost.usd_per_run; the key figures when left out.",
    )
    samples: Annotated[Whole, Field(ge=2, le=MOST_SAMPLES)] | None = Field(
        default=None, description="Samples to draw."
    )
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] | None = Field(
        default=None, description="The same seed draws the same samples."
    )
    sobol: bool = Field(default=True, description="Whether Sobol indices are computed.")
