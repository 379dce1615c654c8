"""What can be stated beside a scenario when its run is counted by every method."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.scenarios.fields import Part, Whole

TokensPerSecond = Annotated[float, Field(gt=0, le=1e12)]


class RunMethodsOptions(Part):
    """Age of the hardware and serving rate: that of a scenario that serves is computed, others give it."""

    hardware_age_years: Annotated[float, Field(ge=0, le=20)] = Field(
        default=0.0,
        description="Years since the hardware could be had when the run begins, for the amortised method; new when "
        "left out.",
    )
    tokens_per_s: TokensPerSecond | None = Field(
        default=None,
        description="Tokens that `accelerators` serve together in a second; when left out that of a scenario that "
        "serves, else no price of tokens.",
    )
    accelerators: Annotated[Whole, Field(ge=1, le=10_000_000)] | None = Field(
        default=None, description="Accelerators that serve at that rate; one SuperNode when left out."
    )
