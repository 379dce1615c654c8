"""Cooling of the pod: heat to liquid and to air, what the plants draw, PUE and water.

The plants' figures for a watt of heat come from `plant_year`; here they meet the heat. IT power is
constant while the job runs, so annual means are exact sums and the PUE is weighted by energy.
"""

from __future__ import annotations

import numpy as np

from app.engine.facility.cooling.plants import WITHOUT_COOLANT, WITHOUT_LIQUID_PLANT
from app.engine.quantities import quantity
from app.engine.trace import Array

ISO_PUE = "ISO/IEC 30134-2: facility energy over IT energy"
DAYS_IN_MONTH = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


@quantity(unit="W", source="definition", at="cooling.liquid_heat_w")
def liquid_heat_w(
    *, it_power_w: Array, network_power_w: Array, storage_power_w: Array, liquid_share: Array, plant: str
) -> Array:
    """Heat to liquid from the SuperNodes; network and storage are cooled by air."""
    share = np.where(plant in WITHOUT_COOLANT, 0.0, liquid_share)
    heat_w: Array = (it_power_w - network_power_w - storage_power_w) * share
    return heat_w


@quantity(unit="W", source="definition", at="cooling.liquid_heat_design_w")
def liquid_heat_design_w(
    *,
    it_power_design_w: Array,
    network_power_w: Array,
    storage_power_w: Array,
    liquid_share: Array,
    plant: str,
) -> Array:
    """Design heat load of the coolant loop: all SuperNodes at rated power."""
    share = np.where(plant in WITHOUT_COOLANT, 0.0, liquid_share)
    heat_w: Array = (it_power_design_w - network_power_w - storage_power_w) * share
    return heat_w


@quantity(unit="W", source="definition")
def liquid_to_hall_w(*, liquid_heat_w: Array, to_hall_w_per_w: Array) -> Array:
    """Heat that liquid-to-air CDUs give to the hall's air; none with CDUs that give it to water."""
    return for_heat(liquid_heat_w, to_hall_w_per_w)


@quantity(unit="W", source="definition", at="cooling.air_heat_w")
def air_heat_w(
    *,
    it_power_w: Array,
    liquid_heat_w: Array,
    liquid_to_hall_w: Array,
    electrical_losses_w: Array,
    electrical_loss_share_in_hall: Array,
) -> Array:
    """Heat removed by the air plant: what liquid leaves or gives back, and electrical losses in cooled rooms."""
    hall_losses_w = electrical_losses_w * electrical_loss_share_in_hall
    return it_power_w - liquid_heat_w + liquid_to_hall_w + hall_losses_w


@quantity(unit="W", source="definition", at="cooling.air_heat_per_rack_w")
def air_heat_per_rack_w(*, power_per_rack_w: Array, liquid_share: Array, plant: str) -> Array:
    """Heat to air per rack at rated power."""
    share = np.where(plant in WITHOUT_COOLANT, 0.0, liquid_share)
    heat_w: Array = power_per_rack_w * (1 - share)
    return heat_w


def for_heat(heat_w: Array, per_heat: Array) -> Array:
    """`heat_w * per_heat`, and nothing at all where there is no heat to carry."""
    carried: Array = np.where(heat_w == 0, 0.0, heat_w * per_heat)
    return carried


@quantity(unit="W", source="definition", at="cooling.breakdown_w.fans")
def cooling_fans_w(*, air_heat_w: Array, hall_fans_w_per_w: Array) -> Array:
    """Air-handler fans."""
    return air_heat_w * hall_fans_w_per_w


@quantity(unit="W", source="definition", at="cooling.breakdown_w.pumps")
def cooling_pumps_w(
    *, liquid_heat_w: Array, liquid_pumps_w_per_w: Array, air_heat_w: Array, air_pumps_w_per_w: Array
) -> Array:
    """Pumps for coolant, facility water and chilled water."""
    return for_heat(liquid_heat_w, liquid_pumps_w_per_w) + air_heat_w * air_pumps_w_per_w


@quantity(unit="W", source="definition", at="cooling.breakdown_w.chillers")
def chillers_w(
    *, liquid_heat_w: Array, liquid_chiller_w_per_w: Array, air_heat_w: Array, air_chiller_w_per_w: Array
) -> Array:
    """Chillers."""
    return for_heat(liquid_heat_w, liquid_chiller_w_per_w) + air_heat_w * air_chiller_w_per_w


@quantity(unit="W", source="definition", at="cooling.breakdown_w.heat_rejection")
def heat_rejection_w(
    *, liquid_heat_w: Array, liquid_rejection_w_per_w: Array, air_heat_w: Array, air_rejection_w_per_w: Array
) -> Array:
    """Heat rejection, fans and pumps: dry coolers, towers and condensers."""
    return for_heat(liquid_heat_w, liquid_rejection_w_per_w) + air_heat_w * air_rejection_w_per_w


@quantity(unit="W", source="definition", at="cooling.power_mean_w")
def cooling_power_mean_w(*, fans: Array, pumps: Array, chillers: Array, heat_rejection: Array) -> Array:
    """Cooling power, annual mean."""
    return fans + pumps + chillers + heat_rejection


@quantity(unit="W", source="first law", at="cooling.heat_rejected_w")
def heat_rejected_w(
    *,
    liquid_heat_w: Array,
    liquid_to_hall_w: Array,
    air_heat_w: Array,
    fans: Array,
    pumps: Array,
    chillers: Array,
) -> Array:
    """Heat rejected by the building, annual mean: what came in and what moved it on.

    What liquid gives back to the hall is in the air's heat, and counted once.
    """
    return liquid_heat_w - liquid_to_hall_w + air_heat_w + fans + pumps + chillers


@quantity(unit="1", source=ISO_PUE, at="cooling.pue", short="PUE", key=True, better="less")
def pue(
    *, it_power_mean_w: Array, electrical_losses_w: Array, cooling_power_mean_w: Array, house_load_w: Array
) -> Array:
    """Power usage effectiveness, annual.

    Node fans and power supplies count as IT, so moving from air to liquid lowers the energy more than
    the PUE shows: see TUE. Operators range about 0.1 around this model.
    """
    return 1 + (electrical_losses_w + cooling_power_mean_w + house_load_w) / it_power_mean_w


@quantity(unit="1", source="The Green Grid, TUE = PUE x ITUE", at="cooling.tue")
def tue(*, pue: Array, it_power_mean_w: Array, fans_w: Array, power_supplies_w: Array) -> Array:
    """Total usage effectiveness: facility energy over the energy that reaches silicon and drives."""
    return pue * it_power_mean_w / (it_power_mean_w - fans_w - power_supplies_w)


@quantity(unit="1", source=ISO_PUE)
def pue_by_hour(
    *,
    it_power_mean_w: Array,
    electrical_losses_w: Array,
    house_load_w: Array,
    liquid_heat_w: Array,
    liquid_pumps_w_per_w: Array,
    liquid_rejection_w_per_w: Array,
    liquid_chiller_w_per_w: Array,
    air_heat_w: Array,
    hall_fans_w_per_w: Array,
    air_pumps_w_per_w: Array,
    air_rejection_w_per_w: Array,
    air_chiller_w_per_w: Array,
) -> Array:
    """Power usage effectiveness in each hour."""
    liquid_w = for_heat(
        liquid_heat_w, liquid_pumps_w_per_w + liquid_rejection_w_per_w + liquid_chiller_w_per_w
    )
    air_w_per_w = hall_fans_w_per_w + air_pumps_w_per_w + air_rejection_w_per_w + air_chiller_w_per_w
    overhead_w = electrical_losses_w + house_load_w + liquid_w + air_heat_w * air_w_per_w
    return 1 + overhead_w / it_power_mean_w


@quantity(unit="1", source="definition", at="cooling.pue_hottest_hour")
def pue_hottest_hour(*, pue_by_hour: Array) -> Array:
    """Power usage effectiveness in the peak cooling hour."""
    hottest: Array = np.max(pue_by_hour, axis=-1, keepdims=True)
    return hottest


@quantity(unit="1", source="definition", at="cooling.pue_by_month_and_hour")
def pue_by_month_and_hour(*, pue_by_hour: Array) -> Array:
    """Mean PUE by month (12 rows) and hour of the day in local standard time (24 columns)."""
    month_of_day = np.repeat(np.arange(12), DAYS_IN_MONTH)
    share_of_month = (month_of_day == np.arange(12)[:, None]) / DAYS_IN_MONTH[:, None]
    by_month: Array = np.matmul(share_of_month, pue_by_hour.reshape(365, 24))
    return by_month


@quantity(
    unit="L/min", source="heat balance V = Q / (rho cp dT)", at="cooling.coolant_flow_l_per_min", key=True
)
def coolant_flow_l_per_min(*, liquid_heat_design_w: Array, coolant_flow_m3_per_j: Array) -> Array:
    """Coolant flow at rated power."""
    return for_heat(liquid_heat_design_w, coolant_flow_m3_per_j) * 1e3 * 60


@quantity(unit="1", source="definition")
def cdu_spare_units_of(
    *, cdu_spare_units: Array, liquid_heat_design_w: Array, cdu_unit_w: Array, redundancy: str
) -> Array:
    """Spare CDUs of a facility: none with N, as many again with 2N.

    Parameters
    ----------
    cdu_spare_units : of a scheme with spare units
    redundancy : of the cooling, N, N+1 or 2N
    """
    if redundancy == "2N":
        return np.ceil(liquid_heat_design_w / cdu_unit_w)
    return cdu_spare_units * (redundancy != "N")


@quantity(unit="1", source="definition", at="cooling.cdu_count")
def cdu_count(*, liquid_heat_design_w: Array, cdu_unit_w: Array, cdu_spare_units: Array) -> Array:
    """Coolant distribution units, including spares."""
    needed = np.ceil(liquid_heat_design_w / cdu_unit_w)
    return np.where(liquid_heat_design_w == 0, 0.0, needed + cdu_spare_units)


@quantity(unit="W", source="definition", at="cooling.cdu_capacity_w")
def cdu_capacity_w(*, cdu_count: Array, cdu_unit_w: Array) -> Array:
    """Heat that all coolant distribution units can take, spares included."""
    return cdu_count * cdu_unit_w


@quantity(unit="kg/s", source="definition")
def water_kg_per_s(
    *, liquid_heat_w: Array, makeup_kg_per_j: Array, air_heat_w: Array, air_makeup_kg_per_j: Array
) -> Array:
    """Make-up water of both plants, mean over the year."""
    return for_heat(liquid_heat_w, makeup_kg_per_j) + air_heat_w * air_makeup_kg_per_j


@quantity(
    unit="L/kWh",
    source="ISO/IEC 30134-9: site water over IT energy",
    at="cooling.wue_l_per_kwh",
    short="WUE",
    key=True,
)
def wue_l_per_kwh(*, water_kg_per_s: Array, it_power_mean_w: Array) -> Array:
    """Water usage effectiveness, on site; the water that power stations use is not in it."""
    return water_kg_per_s * 3600 / (it_power_mean_w / 1e3)


@quantity(unit="m3/year", source="definition", at="cooling.water_m3_per_year")
def water_m3_per_year(*, water_kg_per_s: Array) -> Array:
    """Annual make-up water at full use; 1 m3 weighs 1,000 kg."""
    return water_kg_per_s / 1e3 * 3600 * 24 * 365


@quantity(unit="h", source="definition", at="cooling.full_economiser_hours")
def full_economiser_hours(
    *, liquid_economiser_hours: Array, air_economiser_hours: Array, plant: str
) -> Array:
    """Hours per year without chillers: the liquid plant's where there is one."""
    return np.where(plant in WITHOUT_LIQUID_PLANT, air_economiser_hours, liquid_economiser_hours)
