"""What may be asked about owning against renting, beside the scenario."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.scenarios.fields import Part

TermKey = Literal["on_demand", "reserved", "spot", "capacity_block"]


class OwnOrRentOptions(Part):
    """Options of the heat map and the mix."""

    against: TermKey | None = Field(
        default=None,
        description="Rental terms that owning is set against; on demand, else the first with a price.",
    )
