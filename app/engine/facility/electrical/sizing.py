"""Units, ratings and breakers of every kind of block, from the utility feed to the shelf of a rack.

The largest unit of a kind says how many are needed; the rating that is bought is the next preferred
number above a unit's part of the load. Arrays are over the kinds of block that the chain has.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.electrical import feeders, supply
from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.kinds import IN_A_RACK, Chain
from app.engine.facility.electrical.loads import ChainLoads
from app.engine.facility.electrical.redundancy import (
    SCHEMES,
    units_needed,
    units_sharing,
    units_taking_over,
    units_that_suffice,
)
from app.engine.quantities import quantity
from app.engine.trace import Array

OF_FIXED_SIZE = ("busway", "rack_feed", "shelf")
AT_LOW_VOLTAGE = (
    "cooling_transformer", "lv_transformer", "ups", "pump_ups", "switchboard", "busway", "rack_feed",
)  # fmt: skip
DIRECT_CURRENT = ("ups", "switchboard", "busway", "rack_feed")  # with distribution dc_800
IN_FRONT_OF_POWER_RACKS = ("cooling_transformer", "lv_transformer", "pump_ups", "switchboard", "busway")
PREFERRED = (1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    """Arrays over `kinds`. Those of a rack are of one rack, of which there are `places`."""

    kinds: tuple[str, ...]
    places: Array
    load_w: Array
    needed: Array  # units that would just carry the load
    suffice: Array  # units that carry it with one lost, where the scheme has a spare
    sharing: Array  # units at work
    idle: Array
    taking_over: Array  # units among which the load of a lost one is shared, that one included
    rating_w: Array
    capacity_w: Array  # of a unit at this site in its hottest hour
    normal_load: Array  # of a unit at work, over its capacity
    current_a: Array
    breaker_a: Array


@quantity(unit="W", source="preferred numbers R10 of IEC 60059 and ISO 3", leaf=True)
def preferred_rating_w(*, power_w: Array) -> Array:
    """Smallest preferred rating that carries a power."""
    known = np.isfinite(power_w) & (power_w > 0)
    safe = np.where(known, power_w, 1.0)
    decade = 10 ** np.floor(np.log10(safe) + 1e-12)
    series = np.array(PREFERRED)
    places = np.minimum(np.searchsorted(series, safe / decade * (1 - 1e-9)), series.size - 1)
    return np.where(known, series[places] * decade, power_w)


@quantity(unit="1", source="definition: the load of one unit over what it may carry at this site")
def normal_load(*, load_w: Array, units_sharing: Array, capacity_w: Array) -> Array:
    """Load of a unit while nothing is lost, over its capacity."""
    return load_w / (units_sharing * capacity_w)


def size_chain(
    *,
    chain: Chain,
    loads: ChainLoads,
    racks: Array,
    derating: dict[str, Array],
    facility: FacilityAssumptions,
    electrical: ElectricalAssumptions,
) -> Sizing:
    """Units and ratings that carry the loads.

    Parameters
    ----------
    racks : that have feeds and shelves
    derating : rating at the site over rating, of the kinds of block that have one
    """
    kinds = chain.kinds
    load_w = np.concatenate([loads.carried_w[kind] for kind in kinds])
    derated = np.concatenate([derating.get(kind, np.ones(1)) for kind in kinds])
    unit_w = np.concatenate([_unit_w(kind, chain, facility, electrical) for kind in kinds])
    unit_w = np.where(unit_w > 0, unit_w, np.nan)  # no size is no unit
    usual = np.array([1.0 if kind != "generator" else electrical.generator_load_share[0] for kind in kinds])
    needed = units_needed(load_w=load_w, unit_w=unit_w * derated * usual)
    suffice, sharing, idle, taking_over = (
        np.array(numbers)
        for numbers in zip(
            *(_units(kind, count, chain, electrical) for kind, count in zip(kinds, needed, strict=True)),
            strict=True,
        )
    )
    own_rating_w = np.minimum(preferred_rating_w(power_w=load_w / (suffice * derated * usual)), unit_w)
    rating_w = np.where(np.isin(kinds, OF_FIXED_SIZE), unit_w, own_rating_w)
    capacity_w = rating_w * derated
    current_a = _currents_a(kinds, rating_w, chain, electrical)
    return Sizing(
        kinds=kinds,
        places=np.concatenate([racks if kind in IN_A_RACK else np.ones(1) for kind in kinds]),
        load_w=load_w,
        needed=needed,
        suffice=suffice,
        sharing=sharing,
        idle=idle,
        taking_over=taking_over,
        rating_w=rating_w,
        capacity_w=capacity_w,
        normal_load=normal_load(load_w=load_w, units_sharing=sharing, capacity_w=capacity_w),
        current_a=current_a,
        breaker_a=feeders.breaker_a(
            current_a=current_a,
            continuous_factor=continuous_factor(chain.standard, electrical),
            standard=chain.standard,
        ),
    )


def continuous_factor(standard: str, electrical: ElectricalAssumptions) -> Array:
    """Continuous current over a breaker's rating, by the standard."""
    return electrical.continuous_factor_nec if standard == "nec" else electrical.continuous_factor_iec


def line_power_w(current_a: Array, chain: Chain, electrical: ElectricalAssumptions) -> Array:
    """Power that a line to the racks carries continuously on a breaker."""
    given = {
        "voltage_v": electrical.distribution_voltage_v,
        "current_a": current_a,
        "continuous_factor": continuous_factor(chain.standard, electrical),
    }
    if chain.distribution == "dc_800":
        direct_w: Array = feeders.dc_feeder_power_w(**given)
        return direct_w
    power_w: Array = feeders.feeder_power_w(
        feeder_apparent_power_va=feeders.feeder_apparent_power_va(**given),
        power_factor=electrical.power_factor,
    )
    return power_w


def busway_power_w(chain: Chain, electrical: ElectricalAssumptions) -> Array:
    """Power that a run of busway carries: at 480 V where power racks in the row make 800 V of it."""
    if not chain.has_power_racks:
        return line_power_w(electrical.busway_current_a, chain, electrical)
    power_w: Array = feeders.feeder_power_w(
        feeder_apparent_power_va=feeders.feeder_apparent_power_va(
            voltage_v=electrical.busway_voltage_v,
            current_a=electrical.busway_current_a,
            continuous_factor=continuous_factor(chain.standard, electrical),
        ),
        power_factor=electrical.power_factor,
    )
    return power_w


def site_derating(
    *,
    elevation_m: Array,
    hottest_dry_bulb_c: Array,
    electrical: ElectricalAssumptions,
) -> dict[str, Array]:
    """What altitude and heat leave of the ratings of generators and transformers."""
    a = electrical
    transformer = supply.transformer_derating(
        elevation_m=elevation_m,
        derating_altitude_m=a.derating_altitude_m,
        altitude_derating_per_m=a.transformer_altitude_derating_per_m,
    )
    generator = supply.generator_derating(
        elevation_m=elevation_m,
        hottest_dry_bulb_c=hottest_dry_bulb_c,
        derating_altitude_m=a.derating_altitude_m,
        altitude_derating_per_m=a.generator_altitude_derating_per_m,
        derating_dry_bulb_c=a.generator_derating_dry_bulb_c,
        temperature_derating_per_k=a.generator_temperature_derating_per_k,
    )
    of_transformers = ("mv_transformer", "lv_transformer", "cooling_transformer")
    return {"generator": generator, **dict.fromkeys(of_transformers, transformer)}


def _unit_w(
    kind: str, chain: Chain, facility: FacilityAssumptions, electrical: ElectricalAssumptions
) -> Array:
    if kind == "rack_feed":
        nec = chain.standard == "nec"
        current_a = electrical.feeder_current_nec_a if nec else electrical.feeder_current_iec_a
        return line_power_w(current_a, chain, electrical)
    if kind == "busway":
        return busway_power_w(chain, electrical)
    of_the_chain = {
        "mv_transformer": facility.mv_transformer_unit_w,
        "lv_transformer": facility.lv_transformer_unit_w,
        "cooling_transformer": facility.lv_transformer_unit_w,
        "ups": facility.ups_unit_w,
        "pump_ups": facility.ups_unit_w,
        "switchboard": facility.distribution_unit_w,
        "utility_feed": electrical.utility_feed_unit_w,
        "generator": electrical.generator_unit_w,
        "shelf": electrical.shelf_unit_w,
    }
    return of_the_chain[kind]


def _units(
    kind: str, needed: float, chain: Chain, electrical: ElectricalAssumptions
) -> tuple[float, float, float, float]:
    """Units that suffice, that share the load, that stand idle, and that take over from a lost one.

    Generators of one path share a bus, with spares of their own, and run whether one is lost or not; those of sets and
    of two sides stand with their block. The shelves of a rack share its load on both paths.
    """
    scheme = SCHEMES[chain.redundancy]
    if kind == "generator" and not scheme.set_size and scheme.sides == 1:
        spare = 0.0 if chain.redundancy == "N" else float(electrical.generator_spare_units[0])
        return needed, needed + spare, 0.0, needed + spare
    redundancy, count = chain.redundancy_of(kind), np.array([needed])
    sharing = float(units_sharing(needed=count, redundancy=redundancy)[0])
    taking_over = float(units_taking_over(needed=count, redundancy=redundancy)[0])
    return (
        float(units_that_suffice(needed=count, redundancy=redundancy)[0]),
        sharing,
        float(SCHEMES[redundancy].idle),
        sharing if kind in IN_A_RACK else taking_over,
    )


def _currents_a(
    kinds: tuple[str, ...], rating_w: Array, chain: Chain, electrical: ElectricalAssumptions
) -> Array:
    """Line currents at the ratings; unknown where the voltage is not that of the distribution."""
    voltage_v, direct = electrical.distribution_voltage_v, chain.distribution == "dc_800"
    alternating_a = feeders.line_current_a(
        power_w=rating_w, voltage_v=voltage_v, power_factor=electrical.power_factor
    )
    if not direct:
        return np.where(np.isin(kinds, AT_LOW_VOLTAGE), alternating_a, np.nan)
    if chain.has_power_racks:
        hall_a = feeders.line_current_a(
            power_w=rating_w, voltage_v=electrical.busway_voltage_v, power_factor=electrical.power_factor
        )
        behind = np.where(np.isin(kinds, ("ups", "rack_feed")), rating_w / voltage_v, np.nan)
        return np.where(np.isin(kinds, IN_FRONT_OF_POWER_RACKS), hall_a, behind)
    return np.where(np.isin(kinds, DIRECT_CURRENT), rating_w / voltage_v, np.nan)
