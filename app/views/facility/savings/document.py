"""What of an energy what-if may be asked for: the steps in their order, and their values."""

from __future__ import annotations

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from app.scenarios.fields import Part, Share, Whole, fault

Step = Literal[
    "warmer_chilled_water",
    "liquid_cooling",
    "warmer_coolant",
    "rack_batteries",
    "dc_800",
    "power_cap",
    "demand_aware",
    "renewables",
]
STEPS: tuple[Step, ...] = get_args(Step)
OverLoad = Annotated[float, Field(ge=0, le=5)]


class SavingsOptions(Part):
    """Steps from the baseline, in their order, and what each does."""

    steps: Annotated[tuple[Step, ...], Field(strict=False, max_length=len(STEPS))] = Field(
        default=STEPS, description="The steps in their order; those left out are not taken."
    )
    baseline_chilled_water_supply_c: Annotated[float, Field(ge=5, le=20)] | None = Field(
        default=None, description="Chilled-water supply of the baseline, degC; an assumption when left out."
    )
    cold_coolant_supply_c: Annotated[float, Field(ge=5, le=70)] | None = Field(
        default=None,
        description="Coolant supply of liquid cooling at first, degC; an assumption when left out.",
    )
    warm_coolant_supply_c: Annotated[float, Field(ge=5, le=70)] | None = Field(
        default=None, description="Warmer coolant, degC; the scenario's own when left out."
    )
    power_cap: Annotated[float, Field(ge=0.3, le=1)] | None = Field(
        default=None,
        description="Cap on the accelerators over their TDP; the scenario's own, or an assumption.",
    )
    flexible_share: Share | None = Field(
        default=None, description="Share of the work that can wait; an assumption when left out."
    )
    window_h: Annotated[Whole, Field(ge=2, le=8760)] | None = Field(
        default=None, description="Hours within which work that waits is done; an assumption when left out."
    )
    follow: Literal["pue", "clean"] = Field(
        default="pue",
        description="Trigger of deferred work: hours of low PUE, or hours of much clean energy.",
    )
    solar_over_load: OverLoad | None = Field(
        default=None, description="Solar energy of a year over the job's load; an assumption when left out."
    )
    wind_over_load: OverLoad | None = Field(
        default=None, description="Wind energy of a year over the job's load; an assumption when left out."
    )
    battery_h: Annotated[float, Field(ge=0, le=1000)] | None = Field(
        default=None,
        description="Usable energy of the battery, in hours of the mean load; an assumption when left out.",
    )
    battery_power_over_load: OverLoad | None = Field(
        default=None, description="Power of the battery over the mean load; an assumption when left out."
    )
    round_trip_efficiency: Annotated[float, Field(gt=0, le=1)] | None = Field(
        default=None, description="Energy out of the battery over energy in; an assumption when left out."
    )
    solar_capacity_factor: Annotated[float, Field(gt=0, le=1)] | None = Field(
        default=None,
        description="Mean over rated power of the solar field; that of the site's weather when left out.",
    )
    wind_capacity_factor: Annotated[float, Field(gt=0, le=1)] | None = Field(
        default=None,
        description="Mean over rated power of the wind farm; that of the site's weather when left out.",
    )
    clean_price_usd_per_kwh: Annotated[float, Field(ge=0, le=100)] | None = Field(
        default=None,
        description="Price of clean energy as generated, storage included; unknown when left out.",
    )

    @model_validator(mode="after")
    def _steps_agree(self) -> Self:
        twice = [step for place, step in enumerate(self.steps) if step in self.steps[:place]]
        if twice:
            raise fault("twice", f"names {twice[0]} twice", hint="name each step once", field="steps")
        if self.follow == "clean" and "demand_aware" in self.steps and "renewables" not in self.steps:
            raise fault(
                "needs_renewables",
                "is clean, and there is no clean energy to follow",
                hint="add the step renewables, or follow pue",
                field="follow",
            )
        return self
