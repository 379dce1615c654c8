"""The pod's heat meets its plants: every figure of `cooling` for one design, in order."""

from __future__ import annotations

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling import figures as c
from app.engine.facility.cooling.air_plant import AirPlant
from app.engine.facility.cooling.liquid_plant import LiquidPlant
from app.engine.facility.cooling.plant_year import (
    PlantYear,
    means_of,
    means_of_samples,
    plants_over,
    sample_count,
)
from app.engine.facility.cooling.plants import choose_plant
from app.engine.facility.cooling.year import HOURS_OF_A_YEAR, binned_year, full_year, hottest_hours
from app.engine.facility.it.load import ItLoad
from app.engine.facility.results import Cooling
from app.engine.specs import Facility, SuperNode
from app.engine.trace import Array, plain


def cool(
    *,
    it: ItLoad,
    losses_w: Array,
    house_w: Array,
    power_per_rack_w: Array,
    supernode: SuperNode,
    facility: Facility,
    assumptions: FacilityAssumptions,
) -> Cooling:
    """Cooling of a pod with this IT load: one design hour by hour, samples by the binned year."""
    a = assumptions
    plant = choose_plant(supernode=supernode, facility=facility, assumptions=a)
    hourly = not _sampled(it=it, losses_w=losses_w, supernode=supernode, facility=facility, assumptions=a)
    year, liquid, air = _plants(plant=plant, facility=facility, assumptions=a, hourly=hourly)
    beside = {"network_power_w": it.network_w, "storage_power_w": it.storage_w}
    liquid_w = c.liquid_heat_w(
        it_power_w=it.mean_w, liquid_share=supernode.liquid_share, plant=plant, **beside
    )
    liquid_design_w = c.liquid_heat_design_w(
        it_power_design_w=it.design_w, liquid_share=supernode.liquid_share, plant=plant, **beside
    )
    air_w = c.air_heat_w(
        it_power_w=it.mean_w,
        liquid_heat_w=liquid_w,
        electrical_losses_w=losses_w,
        electrical_loss_share_in_hall=a.electrical_loss_share_in_hall,
    )
    breakdown = _breakdown_w(year=year, liquid_w=liquid_w, air_w=air_w)
    power_w = c.cooling_power_mean_w(**breakdown)
    pue_by_hour = c.pue_by_hour(
        it_power_mean_w=it.mean_w,
        electrical_losses_w=losses_w,
        house_load_w=house_w,
        liquid_heat_w=liquid_w,
        liquid_pumps_w_per_w=liquid.pumps_w_per_w,
        liquid_rejection_w_per_w=liquid.rejection_w_per_w,
        liquid_chiller_w_per_w=liquid.chiller_w_per_w,
        air_heat_w=air_w,
        hall_fans_w_per_w=air.fans_w_per_w,
        air_pumps_w_per_w=air.pumps_w_per_w,
        air_rejection_w_per_w=air.rejection_w_per_w,
        air_chiller_w_per_w=air.chiller_w_per_w,
    )
    whole_year = hourly and pue_by_hour.shape == (HOURS_OF_A_YEAR,)
    pue = c.pue(
        it_power_mean_w=it.mean_w,
        electrical_losses_w=losses_w,
        cooling_power_mean_w=power_w,
        house_load_w=house_w,
    )
    water_kg_per_s = c.water_kg_per_s(liquid_heat_w=liquid_w, makeup_kg_per_j=year.makeup_kg_per_j)
    return Cooling(
        plant=plant,
        pue=pue,
        pue_hottest_hour=c.pue_hottest_hour(pue_by_hour=pue_by_hour),
        pue_by_month_and_hour=c.pue_by_month_and_hour(pue_by_hour=pue_by_hour) if whole_year else None,
        tue=c.tue(
            pue=pue,
            it_power_mean_w=it.mean_w,
            fans_w=it.breakdown_w["fans"],
            power_supplies_w=it.breakdown_w["power_supplies"],
        ),
        wue_l_per_kwh=c.wue_l_per_kwh(water_kg_per_s=water_kg_per_s, it_power_mean_w=it.mean_w),
        water_m3_per_year=c.water_m3_per_year(water_kg_per_s=water_kg_per_s),
        liquid_heat_w=liquid_w,
        liquid_heat_design_w=liquid_design_w,
        air_heat_w=air_w,
        air_heat_per_rack_w=c.air_heat_per_rack_w(
            power_per_rack_w=power_per_rack_w, liquid_share=supernode.liquid_share, plant=plant
        ),
        heat_rejected_w=c.heat_rejected_w(
            liquid_heat_w=liquid_w,
            air_heat_w=air_w,
            fans=breakdown["fans"],
            pumps=breakdown["pumps"],
            chillers=breakdown["chillers"],
        ),
        power_mean_w=power_w,
        breakdown_w=breakdown,
        coolant_flow_l_per_min=c.coolant_flow_l_per_min(
            liquid_heat_design_w=liquid_design_w, coolant_flow_m3_per_j=year.coolant_flow_m3_per_j
        ),
        cdu_count=c.cdu_count(
            liquid_heat_design_w=liquid_design_w, cdu_unit_w=a.cdu_unit_w, cdu_spare_units=a.cdu_spare_units
        ),
        full_economiser_hours=c.full_economiser_hours(
            liquid_economiser_hours=year.liquid_economiser_hours,
            air_economiser_hours=year.air_economiser_hours,
            plant=plant,
        ),
    )


def _sampled(
    *, it: ItLoad, losses_w: Array, supernode: SuperNode, facility: Facility, assumptions: FacilityAssumptions
) -> bool:
    """Whether many samples are evaluated at once, in anything that the cooling depends on."""
    if max(plain(figure).size for figure in (it.mean_w, losses_w, supernode.liquid_share)) > 1:
        return True
    return sample_count(coolant_supply_c=facility.coolant_supply_c, assumptions=assumptions) > 1


def _plants(
    *, plant: str, facility: Facility, assumptions: FacilityAssumptions, hourly: bool
) -> tuple[PlantYear, LiquidPlant, AirPlant]:
    """The year's means, and both plants in every hour that can be the hottest."""
    climate = facility.site.climate
    year = full_year(climate) if hourly else hottest_hours(climate)
    liquid, air = plants_over(
        year=year, plant=plant, coolant_supply_c=facility.coolant_supply_c, assumptions=assumptions
    )
    if hourly:
        return means_of(liquid=liquid, air=air, hours=year.hours), liquid, air
    means = means_of_samples(
        year=binned_year(climate),
        plant=plant,
        coolant_supply_c=facility.coolant_supply_c,
        assumptions=assumptions,
    )
    return means, liquid, air


def _breakdown_w(*, year: PlantYear, liquid_w: Array, air_w: Array) -> dict[str, Array]:
    heat = {"liquid_heat_w": liquid_w, "air_heat_w": air_w}
    return {
        "fans": c.cooling_fans_w(air_heat_w=air_w, hall_fans_w_per_w=year.hall_fans_w_per_w),
        "pumps": c.cooling_pumps_w(
            liquid_pumps_w_per_w=year.liquid_pumps_w_per_w, air_pumps_w_per_w=year.air_pumps_w_per_w, **heat
        ),
        "chillers": c.chillers_w(
            liquid_chiller_w_per_w=year.liquid_chiller_w_per_w,
            air_chiller_w_per_w=year.air_chiller_w_per_w,
            **heat,
        ),
        "heat_rejection": c.heat_rejection_w(
            liquid_rejection_w_per_w=year.liquid_rejection_w_per_w,
            air_rejection_w_per_w=year.air_rejection_w_per_w,
            **heat,
        ),
    }
