"""What a better facility saves of the same work: shares, ceilings, and what one run takes."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_PUE = "[1] ISO/IEC 30134-2:2016 (power usage effectiveness)"
_SCOPE_2 = "[1] GHG Protocol Scope 2 Guidance (2015)"


@quantity(unit="1", source=_PUE)
def facility_energy_saved(*, pue_before: Array, pue_after: Array) -> Array:
    """Share of the energy of a facility that a lower PUE saves.

    1 - after / before, the same energy of the IT.
    """
    return 1 - pue_after / pue_before


@quantity(unit="1", source=_PUE)
def facility_energy_ceiling(*, pue: Array) -> Array:
    """Share of the energy at the meter that is not the IT's.

    1 - 1 / PUE: more than this no plant and no power train can save. With the TUE in place of the PUE,
    the fans and power supplies inside the servers count as overhead too.
    """
    return 1 - 1 / pue


@quantity(unit="1", source="definition")
def share_saved(*, before: Array, after: Array) -> Array:
    """Share of an energy that is saved: 1 - after / before."""
    return 1 - after / before


@quantity(unit="W", source="definition")
def rated_power_per_accelerator_w(*, max_power_w: Array, accelerators: Array) -> Array:
    """Rated power of a host for each of its accelerators."""
    return max_power_w / accelerators


@quantity(unit="W", source="definition")
def rated_power_with_other_fans_w(*, max_power_w: Array, fan_share: Array, other_fan_share: Array) -> Array:
    """Rated power of the same server cooled another way: all but its fans draws the same."""
    return max_power_w * (1 - fan_share) / (1 - other_fan_share)


@quantity(unit="m3", source="definition")
def run_water_m3(
    *, water_m3_per_year: Array, run_energy_kwh: Array, energy_utility_kwh_per_year: Array
) -> Array:
    """Water of one run: the year's, by the run's share of the year's energy at the meter."""
    return water_m3_per_year * run_energy_kwh / energy_utility_kwh_per_year


@quantity(unit="J/token", source="definition")
def run_energy_j_per_token(*, run_energy_kwh: Array, tokens: Array) -> Array:
    """Energy at the meter for each useful token: all of the elapsed time, restarts included."""
    return run_energy_kwh * 3.6e6 / tokens


@quantity(unit="kWh", source="definition")
def grid_energy_kwh(*, run_energy_kwh: Array, matched_share: Array) -> Array:
    """Energy of one run that the grid gives: what clean energy does not cover hour by hour."""
    return run_energy_kwh * (1 - matched_share)


@quantity(unit="kg", source=_SCOPE_2)
def grid_carbon_kg(*, grid_energy_kwh: Array, carbon_intensity_kg_per_kwh: Array) -> Array:
    """Carbon of the energy from the grid, at its mean intensity.

    Clean energy counts as free of carbon where it is used in the hour, or stored from an earlier one.
    """
    return grid_energy_kwh * carbon_intensity_kg_per_kwh


@quantity(unit="USD", source="definition")
def run_utilities_usd(
    *,
    grid_energy_kwh: Array,
    electricity_price_usd_per_kwh: Array,
    run_water_m3: Array,
    water_price_usd_per_m3: Array,
) -> Array:
    """Electricity from the grid and water of one run."""
    return grid_energy_kwh * electricity_price_usd_per_kwh + run_water_m3 * water_price_usd_per_m3


@quantity(unit="USD", source="definition")
def clean_energy_usd(
    *, run_energy_kwh: Array, generated_share: Array, clean_price_usd_per_kwh: Array
) -> Array:
    """What clean energy costs: every kWh that is generated, whether it finds a use or not."""
    return run_energy_kwh * generated_share * clean_price_usd_per_kwh
