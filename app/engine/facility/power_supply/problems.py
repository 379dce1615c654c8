"""Own supply that does not carry the site: in its hottest hour, or in hours of the year."""

from __future__ import annotations

import math

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.power_supply.supplied import supply_of
from app.engine.facility.results import Cooling, Power
from app.engine.problems import Problem
from app.engine.specs import Facility
from app.engine.trace import median_of


def power_supply_problems(
    *, facility: Facility, power: Power, cooling: Cooling, assumptions: FacilityAssumptions
) -> list[Problem]:
    """None where nothing is stated, or all is carried, or the peak is unknown.

    A battery counts with its power at the peak, which lasts seconds to minutes in a synchronous job; whether its
    energy does is what the hours say.
    """
    year = supply_of(facility, power, cooling, assumptions)
    if year is None or facility.power_supply is None or math.isnan(year.load_kwh):
        return []
    battery = facility.power_supply.battery
    carried_w = year.firm_w + (0.0 if battery is None else median_of(battery.power_w))
    peak_w = median_of(power.utility_peak_w)
    affects = ("power.utility_peak_w",)
    found = []
    if peak_w > carried_w:
        found.append(
            Problem(
                kind="infeasible",
                field="facility.power_supply",
                constraint="power supply",
                message=f"The site peaks at {peak_w / 1e6:,.2f} MW, and grid, own plant without its spare units and battery "
                f"carry {carried_w / 1e6:,.2f} MW in the hottest hour: {(peak_w - carried_w) / 1e6:,.2f} MW are short.",
                value=peak_w,
                limit=carried_w,
                missed_by=peak_w - carried_w,
                unit="W",
                affects=affects,
            )
        )
    if year.short_hours:
        mean_w = year.unmet_kwh * 1e3 / year.short_hours
        found.append(
            Problem(
                kind="infeasible",
                field="facility.power_supply",
                constraint="energy supply",
                message=f"In {year.short_hours:,} hours of the year the supply is short, by {mean_w / 1e6:,.2f} MW on average, "
                "outages of units counted in: state more capacity, spare units or energy of the battery.",
                value=year.unmet_kwh,
                limit=0.0,
                missed_by=year.unmet_kwh,
                unit="kWh",
                affects=affects,
            )
        )
    return found
