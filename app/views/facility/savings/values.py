"""The values of every step of one what-if: asked for, of the scenario, or assumed."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.facility.savings.assumptions import Assumed, SavingsValue
from app.views.facility.savings.document import SavingsOptions

OF_THE_SCENARIO = "as the scenario states or resolves it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """Temperatures in degC; energies and powers over the job's mean load."""

    chilled_water_supply: SavingsValue
    chilled_water_return: SavingsValue
    cold_coolant: SavingsValue
    warm_coolant: SavingsValue
    power_cap: SavingsValue
    flexible_share: SavingsValue
    window_h: SavingsValue
    solar: SavingsValue
    wind: SavingsValue
    battery_h: SavingsValue
    battery_power: SavingsValue
    round_trip: SavingsValue
    claimed: SavingsValue

    def all(self) -> tuple[SavingsValue, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)


def values_of(scenario: EvaluatedScenario, assumed: Assumed, options: SavingsOptions) -> Values:
    """The values of a what-if on a scenario."""
    facility = scenario.resolved.design.facility
    supply = assumed.used("baseline_chilled_water_supply_c", options.baseline_chilled_water_supply_c)
    rise_k = (
        assumed.row("baseline_chilled_water_return_c").value
        - assumed.row("baseline_chilled_water_supply_c").value
    )
    cap = options.power_cap if options.power_cap is not None else scenario.document.facility.power_cap
    return Values(
        chilled_water_supply=supply,
        chilled_water_return=assumed.used(
            "baseline_chilled_water_return_c",
            None if options.baseline_chilled_water_supply_c is None else supply.value + rise_k,
        ),
        cold_coolant=assumed.used("cold_coolant_supply_c", options.cold_coolant_supply_c),
        warm_coolant=SavingsValue(
            name="warm_coolant_supply_c",
            value=first_of(facility.coolant_supply_c)
            if options.warm_coolant_supply_c is None
            else options.warm_coolant_supply_c,
            unit="degC",
            kind="scenario",
            source=OF_THE_SCENARIO if options.warm_coolant_supply_c is None else "stated",
            description="Coolant supply of the warmer coolant",
        ),
        power_cap=assumed.used("power_cap", cap),
        flexible_share=assumed.used("flexible_share", options.flexible_share),
        window_h=assumed.used("window_h", options.window_h),
        solar=assumed.used("solar_over_load", options.solar_over_load),
        wind=assumed.used("wind_over_load", options.wind_over_load),
        battery_h=assumed.used("battery_h", options.battery_h),
        battery_power=assumed.used("battery_power_over_load", options.battery_power_over_load),
        round_trip=assumed.used("round_trip_efficiency", options.round_trip_efficiency),
        claimed=assumed.used("claimed_energy_saving"),
    )
