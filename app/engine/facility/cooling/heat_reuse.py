"""Heat that a network takes: what it gets, the heat pump that lifts it, and the figures of ISO/IEC 30134-6.

The data centre ends at the water that it hands over: a heat pump belongs to the network, its electricity
is in no PUE, and what counts as reused is the heat that is handed over, not what the pump makes of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.coolant import facility_return_c, facility_supply_c
from app.engine.facility.cooling.figures import for_heat
from app.engine.facility.cooling.heat_rejection import KELVIN
from app.engine.facility.cooling.plants import WITHOUT_LIQUID_PLANT
from app.engine.quantities import quantity
from app.engine.specs import Facility
from app.engine.trace import Array

ISO_ERF = "ISO/IEC 30134-6: reused energy over facility energy"


@quantity(unit="1", source="definition")
def heat_reuse_share(*, share: Array, plant: str) -> Array:
    """Share of the heat in the facility water that a network takes; a plant without such water has none."""
    return np.where(plant in WITHOUT_LIQUID_PLANT, 0.0, share)


@quantity(unit="W", source="definition", at="cooling.heat_reused_w")
def heat_reused_w(*, liquid_heat_w: Array, liquid_pumps_w_per_w: Array, heat_reuse_share: Array) -> Array:
    """Heat reused, annual mean; the pumps' heat is in the water too."""
    return for_heat(liquid_heat_w, 1 + liquid_pumps_w_per_w) * heat_reuse_share


@quantity(unit="K", source="definition")
def heat_pump_lift_k(*, network_supply_c: Array, facility_return_c: Array) -> Array:
    """Temperature lift of the heat pump; 0 where it is not."""
    return np.maximum(network_supply_c - facility_return_c, 0)


@quantity(unit="1", source="Carnot's limit times a fixed share")
def heat_pump_work_share(
    *, heat_pump_lift_k: Array, network_supply_c: Array, heat_pump_carnot_share: Array
) -> Array:
    """Electricity of the heat pump over delivered heat: 1 / COP.

    COP = share T_sink / (T_sink - T_source) in kelvin; nothing where the return is warm enough as it is.
    """
    return heat_pump_lift_k / (heat_pump_carnot_share * (network_supply_c + KELVIN))


@quantity(unit="W", source="heat delivered = heat taken + work", at="cooling.heat_pump_power_w")
def heat_pump_power_w(*, heat_reused_w: Array, heat_pump_work_share: Array) -> Array:
    """Heat-pump power, annual mean; outside the site's boundary and its PUE."""
    return for_heat(heat_reused_w, heat_pump_work_share / (1 - heat_pump_work_share))


@quantity(
    unit="1", source="The Green Grid, White Paper 29: (facility energy - reused) / IT", at="cooling.ere"
)
def ere(*, pue: Array, heat_reused_w: Array, it_power_mean_w: Array) -> Array:
    """Energy reuse effectiveness, annual; below 1 where more is handed over than the overhead."""
    return pue - heat_reused_w / it_power_mean_w


@quantity(unit="1", source=ISO_ERF, at="cooling.erf")
def erf(*, pue: Array, heat_reused_w: Array, it_power_mean_w: Array) -> Array:
    """Energy reuse factor, annual: share of the site's energy that is handed over as heat."""
    return heat_reused_w / (pue * it_power_mean_w)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """The figures of `Cooling` about heat reuse; all None where no one takes the heat."""

    heat_reused_w: Array | None = None
    heat_pump_power_w: Array | None = None
    ere: Array | None = None
    erf: Array | None = None


def share_reused(*, facility: Facility, plant: str) -> Array | None:
    """What of the liquid plant's heat a network takes; None where the scenario names none."""
    reuse = facility.heat_reuse
    return None if reuse is None else heat_reuse_share(share=reuse.share, plant=plant)


def reused(
    *,
    plant: str,
    facility: Facility,
    assumptions: FacilityAssumptions,
    liquid_heat_w: Array,
    liquid_pumps_w_per_w: Array,
    pue: Array,
    it_power_mean_w: Array,
) -> Reuse:
    """Heat that is handed over, and what it comes to in the metrics."""
    reuse = facility.heat_reuse
    if reuse is None:
        return Reuse()
    heat_w = heat_reused_w(
        liquid_heat_w=liquid_heat_w,
        liquid_pumps_w_per_w=liquid_pumps_w_per_w,
        heat_reuse_share=heat_reuse_share(share=reuse.share, plant=plant),
    )
    return_c = facility_return_c(
        facility_supply_c=facility_supply_c(
            coolant_supply_c=facility.coolant_supply_c, cdu_approach_k=assumptions.cdu_approach_k
        ),
        temperature_rise_k=assumptions.facility_water_temperature_rise_k,
    )
    work_share = heat_pump_work_share(
        heat_pump_lift_k=heat_pump_lift_k(network_supply_c=reuse.supply_c, facility_return_c=return_c),
        network_supply_c=reuse.supply_c,
        heat_pump_carnot_share=assumptions.heat_pump_carnot_share,
    )
    overall = {"pue": pue, "heat_reused_w": heat_w, "it_power_mean_w": it_power_mean_w}
    return Reuse(
        heat_reused_w=heat_w,
        heat_pump_power_w=heat_pump_power_w(heat_reused_w=heat_w, heat_pump_work_share=work_share),
        ere=ere(**overall),
        erf=erf(**overall),
    )
