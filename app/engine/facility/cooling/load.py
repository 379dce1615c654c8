"""The pod's heat meets its plants: every figure of `cooling` for one design, in order."""

from __future__ import annotations

import dataclasses
import functools

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.availability import cooling_scheme
from app.engine.facility.cooling import figures as c
from app.engine.facility.cooling.air_plant import AirPlant
from app.engine.facility.cooling.footprint import footprint
from app.engine.facility.cooling.heat_reuse import reused, share_reused
from app.engine.facility.cooling.liquid_plant import LiquidPlant
from app.engine.facility.cooling.plant_year import PlantYear, air_over, liquid_over, means_of, plants_over
from app.engine.facility.cooling.plants import LIQUID_TO_AIR, PLANTS
from app.engine.facility.cooling.sinks import heat_sinks
from app.engine.facility.cooling.year import HOURS_OF_A_YEAR, full_year, hottest_hours, year_for
from app.engine.facility.it.load import ItLoad
from app.engine.facility.results import Cooling
from app.engine.specs import Climate, Facility, SuperNode
from app.engine.trace import Array, plain

Plants = tuple[LiquidPlant, AirPlant]


def cool(
    *,
    plant: str,
    it: ItLoad,
    losses_w: Array,
    house_w: Array,
    power_per_rack_w: Array,
    supernode: SuperNode,
    facility: Facility,
    assumptions: FacilityAssumptions,
) -> Cooling:
    """Cooling of a pod with this IT load by a `plant`: one design hour by hour, samples by the binned year."""
    a = assumptions
    hourly = not _sampled(it=it, losses_w=losses_w, supernode=supernode, facility=facility, assumptions=a)
    year, usual, hardest = _plants(plant=plant, facility=facility, assumptions=a, hourly=hourly)
    beside = {"network_power_w": it.network_w, "storage_power_w": it.storage_w}
    liquid_w = c.liquid_heat_w(
        it_power_w=it.mean_w, liquid_share=supernode.liquid_share, plant=plant, **beside
    )
    liquid_design_w = c.liquid_heat_design_w(
        it_power_design_w=it.design_w, liquid_share=supernode.liquid_share, plant=plant, **beside
    )
    to_hall_w = c.liquid_to_hall_w(liquid_heat_w=liquid_w, to_hall_w_per_w=year.to_hall_w_per_w)
    air_w = c.air_heat_w(
        it_power_w=it.mean_w,
        liquid_heat_w=liquid_w,
        liquid_to_hall_w=to_hall_w,
        electrical_losses_w=losses_w,
        electrical_loss_share_in_hall=a.electrical_loss_share_in_hall,
    )
    breakdown = _breakdown_w(year=year, liquid_w=liquid_w, air_w=air_w)
    power_w = c.cooling_power_mean_w(**breakdown)
    loads = {
        "it_power_mean_w": it.mean_w,
        "electrical_losses_w": losses_w,
        "house_load_w": house_w,
        "liquid_heat_w": liquid_w,
        "air_heat_w": air_w,
    }
    hardest_pue = _pue_by_hour(hardest, loads)
    pue_by_hour = hardest_pue if usual is hardest else _pue_by_hour(usual, loads)
    whole_year = hourly and pue_by_hour.shape == (HOURS_OF_A_YEAR,)
    pue = c.pue(
        it_power_mean_w=it.mean_w,
        electrical_losses_w=losses_w,
        cooling_power_mean_w=power_w,
        house_load_w=house_w,
    )
    water_kg_per_s = c.water_kg_per_s(
        liquid_heat_w=liquid_w,
        makeup_kg_per_j=year.makeup_kg_per_j,
        air_heat_w=air_w,
        air_makeup_kg_per_j=year.air_makeup_kg_per_j,
    )
    wue = c.wue_l_per_kwh(water_kg_per_s=water_kg_per_s, it_power_mean_w=it.mean_w)
    reuse = reused(
        plant=plant,
        facility=facility,
        assumptions=a,
        liquid_heat_w=liquid_w,
        liquid_pumps_w_per_w=year.liquid_pumps_w_per_w,
        pue=pue,
        it_power_mean_w=it.mean_w,
    )
    of_cdus = {
        "liquid_heat_design_w": liquid_design_w,
        "cdu_unit_w": a.cdu_to_air_unit_w if plant == LIQUID_TO_AIR else a.cdu_unit_w,
    }
    cdu_count = c.cdu_count(
        **of_cdus,
        cdu_spare_units=c.cdu_spare_units_of(
            **of_cdus,
            cdu_spare_units=a.cdu_spare_units,
            redundancy=cooling_scheme(facility.redundancy, facility.cooling_redundancy),
        ),
    )
    return Cooling(
        plant=plant,
        pue=pue,
        pue_hottest_hour=c.pue_hottest_hour(pue_by_hour=hardest_pue),
        pue_by_month_and_hour=c.pue_by_month_and_hour(pue_by_hour=pue_by_hour) if whole_year else None,
        tue=c.tue(
            pue=pue,
            it_power_mean_w=it.mean_w,
            fans_w=it.breakdown_w["fans"],
            power_supplies_w=it.breakdown_w["power_supplies"],
        ),
        wue_l_per_kwh=wue,
        **footprint(pue=pue, wue_l_per_kwh=wue, facility=facility, assumptions=a),
        water_m3_per_year=c.water_m3_per_year(water_kg_per_s=water_kg_per_s),
        liquid_heat_w=liquid_w,
        liquid_heat_design_w=liquid_design_w,
        air_heat_w=air_w,
        air_heat_per_rack_w=c.air_heat_per_rack_w(
            power_per_rack_w=power_per_rack_w, liquid_share=supernode.liquid_share, plant=plant
        ),
        heat_rejected_w=c.heat_rejected_w(
            liquid_heat_w=liquid_w,
            liquid_to_hall_w=to_hall_w,
            air_heat_w=air_w,
            fans=breakdown["fans"],
            pumps=breakdown["pumps"],
            chillers=breakdown["chillers"],
        ),
        heat_sinks=heat_sinks(
            plant=plant,
            year=year,
            heat_reuse_share=share_reused(facility=facility, plant=plant),
            liquid_w=liquid_w,
            air_w=air_w,
            losses_w=losses_w,
            house_w=house_w,
            assumptions=a,
        ),
        power_mean_w=power_w,
        breakdown_w=breakdown,
        coolant_flow_l_per_min=None
        if np.all(plain(liquid_design_w) == 0)
        else c.coolant_flow_l_per_min(
            liquid_heat_design_w=liquid_design_w, coolant_flow_m3_per_j=year.coolant_flow_m3_per_j
        ),
        cdu_count=cdu_count,
        cdu_capacity_w=c.cdu_capacity_w(cdu_count=cdu_count, cdu_unit_w=of_cdus["cdu_unit_w"]),
        full_economiser_hours=c.full_economiser_hours(
            liquid_economiser_hours=year.liquid_economiser_hours,
            air_economiser_hours=year.air_economiser_hours,
            plant=plant,
        ),
        heat_reused_w=reuse.heat_reused_w,
        heat_pump_power_w=reuse.heat_pump_power_w,
        ere=reuse.ere,
        erf=reuse.erf,
    )


def _sampled(
    *, it: ItLoad, losses_w: Array, supernode: SuperNode, facility: Facility, assumptions: FacilityAssumptions
) -> bool:
    """Return whether many samples are evaluated at once, in anything that the cooling depends on."""
    if max(plain(figure).size for figure in (it.mean_w, losses_w, supernode.liquid_share)) > 1:
        return True
    inputs = sample_count(
        coolant_supply_c=facility.coolant_supply_c,
        assumptions=assumptions,
        heat_reuse_share=None if facility.heat_reuse is None else facility.heat_reuse.share,
    )
    return inputs > 1


def _plants(
    *, plant: str, facility: Facility, assumptions: FacilityAssumptions, hourly: bool
) -> tuple[PlantYear, Plants, Plants]:
    """The year's means; both plants in every hour; and in those that can be the hottest, left to themselves.

    A network may take no heat in the hottest hour: what is sized for that hour does not count on it.
    """
    climate = facility.site.climate
    year = full_year(climate) if hourly else hottest_hours(climate)
    over = functools.partial(
        plants_over, plant=plant, coolant_supply_c=facility.coolant_supply_c, assumptions=assumptions
    )
    usual = hardest = over(year=year)
    share = share_reused(facility=facility, plant=plant)
    if hourly:
        if share is not None:
            usual = over(year=year, heat_reuse_share=share)
        return means_of(liquid=usual[0], air=usual[1], hours=year.hours), usual, hardest
    means = means_of_samples(
        climate=climate,
        plant=plant,
        coolant_supply_c=facility.coolant_supply_c,
        assumptions=assumptions,
        heat_reuse_share=share,
    )
    return means, usual, hardest


def _pue_by_hour(plants: Plants, loads: dict[str, Array]) -> Array:
    liquid, air = plants
    return c.pue_by_hour(
        liquid_pumps_w_per_w=liquid.pumps_w_per_w,
        liquid_rejection_w_per_w=liquid.rejection_w_per_w,
        liquid_chiller_w_per_w=liquid.chiller_w_per_w,
        hall_fans_w_per_w=air.fans_w_per_w,
        air_pumps_w_per_w=air.pumps_w_per_w,
        air_rejection_w_per_w=air.rejection_w_per_w,
        air_chiller_w_per_w=air.chiller_w_per_w,
        **loads,
    )


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


BLOCK = 65_536
"""Samples times hours that are held at once: a few arrays of half a megabyte stay in cache."""


def means_of_samples(
    *,
    climate: Climate,
    plant: str,
    coolant_supply_c: Array,
    assumptions: FacilityAssumptions,
    heat_reuse_share: Array | None = None,
) -> PlantYear:
    """The year's means for inputs of shape (s, 1), in blocks of samples that bound the memory."""
    inputs = _inputs(
        coolant_supply_c=coolant_supply_c, assumptions=assumptions, heat_reuse_share=heat_reuse_share
    )
    samples = max(int(value.size) for value in inputs.values())
    built = PLANTS[plant]
    year, air_year = year_for(built.liquid, climate), year_for(built.air, climate)
    rows = max(1, BLOCK // max(year.hours.size, air_year.hours.size))
    blocks = []
    for start in range(0, samples, rows):
        part = {
            name: value[start : start + rows] if value.size > 1 else value for name, value in inputs.items()
        }
        supply_c, reuse = part.pop("coolant_supply_c"), part.pop("heat_reuse_share", None)
        rules = FacilityAssumptions(**part)
        liquid = liquid_over(
            year=year,
            plant=plant,
            coolant_supply_c=supply_c,
            heat_reuse_share=reuse,
            assumptions=rules,
        )
        air = air_over(year=air_year, plant=plant, assumptions=rules)
        blocks.append(means_of(liquid=liquid, air=air, hours=year.hours, air_hours=air_year.hours))
    if len(blocks) == 1:
        return blocks[0]
    return PlantYear(
        **{
            field.name: _joined([getattr(block, field.name) for block in blocks])
            for field in dataclasses.fields(PlantYear)
        }
    )


def sample_count(
    *, coolant_supply_c: Array, assumptions: FacilityAssumptions, heat_reuse_share: Array | None = None
) -> int:
    """Number of samples in the inputs of the plants."""
    inputs = _inputs(
        coolant_supply_c=coolant_supply_c, assumptions=assumptions, heat_reuse_share=heat_reuse_share
    )
    return max(int(value.size) for value in inputs.values())


def _inputs(
    *, coolant_supply_c: Array, assumptions: FacilityAssumptions, heat_reuse_share: Array | None
) -> dict[str, Array]:
    inputs = {
        field.name: getattr(assumptions, field.name) for field in dataclasses.fields(FacilityAssumptions)
    }
    reuse = {} if heat_reuse_share is None else {"heat_reuse_share": heat_reuse_share}
    return inputs | reuse | {"coolant_supply_c": coolant_supply_c}


def _joined(parts: list[Array]) -> Array:
    """Blocks of samples in a row; what does not vary between samples stays of shape (1,)."""
    return parts[0] if parts[0].ndim == 1 else np.concatenate(parts)
