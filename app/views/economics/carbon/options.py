"""What can be stated beside a scenario when its carbon is asked for."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from app.engine.economics.carbon.hourly import HOURS_OF_A_DAY, MONTHS_AND_HOURS
from app.scenarios.fields import NotNegative, Part, fault

Intensity = Annotated[float, Field(ge=0, le=10)]


def _day_or_months(profile: tuple[float, ...] | None) -> tuple[float, ...] | None:
    if profile is not None and len(profile) not in (HOURS_OF_A_DAY, MONTHS_AND_HOURS):
        raise fault(
            "profile_length",
            f"has {len(profile)} values, neither {HOURS_OF_A_DAY} nor {MONTHS_AND_HOURS}",
            hint="State the 24 hours of a day, or 12 months of 24 hours one after the other.",
        )
    return profile


class CarbonOptions(Part):
    """What the catalog does not know; what is left out stays left out of the figures, and that is said."""

    intensity_by_hour: Annotated[
        Annotated[tuple[Intensity, ...], Field(strict=False, max_length=MONTHS_AND_HOURS)] | None,
        AfterValidator(_day_or_months),
    ] = Field(
        default=None,
        description="Carbon of the grid by hour, kg/kWh, local standard time: 24 hours of a day, or 12 months of 24 "
        "hours one after the other.",
    )
    network_embodied_kg: NotNegative | None = Field(
        default=None, description="Embodied carbon of the pod's switches, optics and cables, kg."
    )
    storage_embodied_kg: NotNegative | None = Field(
        default=None, description="Embodied carbon of the pod's storage, kg."
    )
    building_embodied_kg: NotNegative | None = Field(
        default=None,
        description="Embodied carbon of shell and plant, kg; shared out over the life of the facility.",
    )
    sites: bool = Field(default=True, description="Whether the run at other sites is computed as well.")
