"""The steps in words: their names, and what each of them does with these values."""

from __future__ import annotations

from app.views.facility.savings.document import SavingsOptions
from app.views.facility.savings.values import Values

TITLES = {
    "warmer_chilled_water": "Warmer chilled water",
    "liquid_cooling": "Liquid cooling",
    "warmer_coolant": "Warmer coolant",
    "rack_batteries": "Rack batteries",
    "dc_800": "800 V direct current",
    "power_cap": "Power cap",
    "demand_aware": "Demand-aware scheduling",
    "renewables": "Renewables and storage",
}
FOLLOWED = {"pue": "of low PUE", "clean": "of much clean energy"}
PURPOSE = "The savings of a run"
"""What a workload without a run is refused with."""
MOVED = "pauses work; it needs hours in which the pod stands idle"


def percent(share: float, digits: int = 0) -> str:
    """A share as a percentage.

    >>> percent(0.3421, 1)
    '34.2\\u202f%'
    """
    return f"{100 * share:.{digits}f}\u202f%"


def effect_of_step(step: str, values: Values, options: SavingsOptions, chilled_c: float) -> str:
    """What a step does."""
    return {
        "warmer_chilled_water": f"The hall's chilled water at {chilled_c:g} °C in place of "
        f"{values.chilled_water_supply.value:g} °C.",
        "liquid_cooling": f"Servers with cold plates and fewer fans, coolant at {values.cold_coolant.value:g} °C.",
        "warmer_coolant": f"Coolant at {values.warm_coolant.value:g} °C in place of "
        f"{values.cold_coolant.value:g} °C.",
        "rack_batteries": "Batteries in the racks in place of a central double-conversion UPS.",
        "dc_800": "Racks fed with 800 V direct current.",
        "power_cap": f"Accelerators capped at {percent(values.power_cap.value)} of their TDP: less power for longer.",
        "demand_aware": f"{percent(values.flexible_share.value)} of the work waits, at most "
        f"{values.window_h.value:g} h, for hours {FOLLOWED[options.follow]}; this {MOVED}.",
        "renewables": f"Solar for {percent(values.solar.value)} and wind for {percent(values.wind.value)} of a year's load, "
        f"and a battery for {values.battery_h.value:g} h of it. Saves no energy: takes the place of the grid's.",
    }[step]
