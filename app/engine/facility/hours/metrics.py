"""Usage effectiveness of a design: over the year, in the hottest hour, and where operators stand.

The annual figures are those of the evaluation. Operators who publish scatter about the model, because their
buildings are older, leaner or let; a band says how far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.figures import wue_l_per_kwh
from app.engine.facility.cooling.footprint import (
    cue_kg_per_kwh,
    cue_market_kg_per_kwh,
    wue_with_grid_l_per_kwh,
)
from app.engine.facility.hours.hours import Hours
from app.engine.facility.results import Cooling, Power
from app.engine.quantities import quantity
from app.engine.specs import Facility
from app.engine.trace import Array, first_of

UNKNOWN = float("nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One measure. `low` and `high` are the band of `annual`; NaN: unknown, or no band is published.

    `path` is the figure of the evaluation that `annual` is.
    """

    name: str
    path: str
    annual: float
    hottest_hour: float
    low: float = UNKNOWN
    high: float = UNKNOWN


@quantity(unit="1", source="P10 of published region means less the model; see its assumption")
def pue_band_low(*, pue: Array, pue_operators_below: Array) -> Array:
    """PUE that one operator in ten stays below; facility energy is never less than that of the IT."""
    return np.maximum(pue - pue_operators_below, 1)


@quantity(unit="1", source="P90 of published region means less the model; see its assumption")
def pue_band_high(*, pue: Array, pue_operators_above: Array) -> Array:
    """PUE that one operator in ten passes."""
    return pue + pue_operators_above


def metrics(
    *,
    hours: Hours,
    power: Power,
    cooling: Cooling,
    facility: Facility,
    assumptions: FacilityAssumptions,
) -> tuple[Metric, ...]:
    """PUE, TUE, WUE and CUE, and, where heat is reused, ERE and ERF.

    The hottest hour is the one of the highest PUE in `hours`, in which a network takes no heat: ERE is the PUE
    then, and ERF zero.
    """
    hottest = slice(None) if np.isnan(hours.pue).any() else slice(index := int(hours.pue.argmax()), index + 1)
    pue = hours.pue[hottest]
    wue = wue_l_per_kwh(
        water_kg_per_s=hours.water_l_per_h[hottest] / 3600, it_power_mean_w=power.it_power_mean_w
    )
    cue = cue_kg_per_kwh(pue=pue, carbon_intensity_kg_per_kwh=facility.site.carbon_intensity_kg_per_kwh)
    low = pue_band_low(pue=cooling.pue, pue_operators_below=assumptions.pue_operators_below)
    high = pue_band_high(pue=cooling.pue, pue_operators_above=assumptions.pue_operators_above)
    below, above = first_of(low / cooling.pue), first_of(high / cooling.pue)

    def by_pue(name: str, annual: Array, hour: Array) -> Metric:
        """A measure that is a multiple of the PUE, and has the PUE's band."""
        value = first_of(annual)
        return Metric(
            name=name,
            path=f"cooling.{name}",
            annual=value,
            hottest_hour=first_of(hour),
            low=value * below,
            high=value * above,
        )

    found = [
        by_pue("pue", cooling.pue, pue),
        by_pue("tue", cooling.tue, pue * cooling.tue / cooling.pue),
        Metric(
            name="wue_l_per_kwh",
            path="cooling.wue_l_per_kwh",
            annual=first_of(cooling.wue_l_per_kwh),
            hottest_hour=first_of(wue),
        ),
        Metric(
            name="wue_with_grid_l_per_kwh",
            path="cooling.wue_with_grid_l_per_kwh",
            annual=first_of(cooling.wue_with_grid_l_per_kwh),
            hottest_hour=first_of(
                wue_with_grid_l_per_kwh(
                    wue_l_per_kwh=wue, pue=pue, grid_water_l_per_kwh=assumptions.grid_water_l_per_kwh
                )
            ),
        ),
        by_pue("cue_kg_per_kwh", cooling.cue_kg_per_kwh, cue),
    ]
    if cooling.cue_market_kg_per_kwh is not None and facility.clean_energy_share is not None:
        market = cue_market_kg_per_kwh(cue_kg_per_kwh=cue, clean_energy_share=facility.clean_energy_share)
        found.append(by_pue("cue_market_kg_per_kwh", cooling.cue_market_kg_per_kwh, market))
    if cooling.ere is not None and cooling.erf is not None:
        found += [
            Metric(name="ere", path="cooling.ere", annual=first_of(cooling.ere), hottest_hour=first_of(pue)),
            Metric(name="erf", path="cooling.erf", annual=first_of(cooling.erf), hottest_hour=0.0),
        ]
    return tuple(found)
