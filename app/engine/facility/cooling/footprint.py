"""Carbon and water of the pod's energy: what its grid and its power stations add to what the site takes."""

from __future__ import annotations

from typing import Any

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.quantities import quantity
from app.engine.specs import Facility
from app.engine.trace import Array

ISO_CUE = "ISO/IEC 30134-8: carbon of the facility's energy over IT energy"


@quantity(unit="kg/kWh", source=ISO_CUE, at="cooling.cue_kg_per_kwh")
def cue_kg_per_kwh(*, pue: Array, carbon_intensity_kg_per_kwh: Array) -> Array:
    """Carbon usage effectiveness, annual, location based.

    The grid's mean intensity for every kWh at the meter; CO2 equivalent, diesel and refrigerants left out.
    """
    return pue * carbon_intensity_kg_per_kwh


@quantity(unit="kg/kWh", source=ISO_CUE, at="cooling.cue_market_kg_per_kwh")
def cue_market_kg_per_kwh(*, cue_kg_per_kwh: Array, clean_energy_share: Array) -> Array:
    """Carbon usage effectiveness, annual, market based.

    What is contracted free of carbon counts as zero, balanced over the year.
    """
    return cue_kg_per_kwh * (1 - clean_energy_share)


@quantity(
    unit="L/kWh", source="The Green Grid, White Paper 35: WUE source", at="cooling.wue_with_grid_l_per_kwh"
)
def wue_with_grid_l_per_kwh(*, wue_l_per_kwh: Array, pue: Array, grid_water_l_per_kwh: Array) -> Array:
    """Water usage effectiveness, source.

    Every kWh at the meter took water where it was made; a plant without water on site has some of it too.
    """
    return wue_l_per_kwh + pue * grid_water_l_per_kwh


def footprint(
    *, pue: Array, wue_l_per_kwh: Array, facility: Facility, assumptions: FacilityAssumptions
) -> dict[str, Any]:
    """The figures of `Cooling` that depend on the grid."""
    cue = cue_kg_per_kwh(pue=pue, carbon_intensity_kg_per_kwh=facility.site.carbon_intensity_kg_per_kwh)
    clean = facility.clean_energy_share
    return {
        "cue_kg_per_kwh": cue,
        "cue_market_kg_per_kwh": None
        if clean is None
        else cue_market_kg_per_kwh(cue_kg_per_kwh=cue, clean_energy_share=clean),
        "wue_with_grid_l_per_kwh": wue_with_grid_l_per_kwh(
            wue_l_per_kwh=wue_l_per_kwh,
            pue=pue,
            grid_water_l_per_kwh=assumptions.grid_water_l_per_kwh,
        ),
    }
