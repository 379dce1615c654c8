"""Coolant distribution units: how many, how loaded, and how close their exchangers come at that load.

A spare is never counted as capacity: units are chosen for the heat without it, and it only shares the load.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.assumptions import CoolingAssumptions
from app.engine.facility.cooling.figures import cdu_count, cdu_spare_units_of
from app.engine.quantities import quantity
from app.engine.trace import Array, first_of

LOAD_SHARES = np.array([0.25, 0.5, 0.75, 1.0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Cdus:
    """Units of one kind for the pod at rated power."""

    kind: str  # liquid_to_liquid | liquid_to_air
    unit_w: float
    needed: float
    installed: float
    load_all: float  # of a unit over its rating, all running
    load_one_lost: float
    flow_l_per_min: float  # of a unit, all running
    approach_design_k: float
    approach_all_k: float  # all running, at unchanged flow through each; NaN where air is the cold side


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanger:
    """The plates of a CDU: what they are built for, and their approach over the load."""

    effectiveness: float
    ntu: float
    load_shares: tuple[float, ...]
    approach_fixed_flow_k: tuple[float, ...]
    approach_variable_flow_k: tuple[float, ...]


@quantity(unit="1", source="definition")
def cdu_load(*, liquid_heat_design_w: Array, units_running: Array, cdu_unit_w: Array) -> Array:
    """Heat of a CDU over what it is rated for."""
    return liquid_heat_design_w / (units_running * cdu_unit_w)


@quantity(unit="L/min", source="definition")
def cdu_flow_l_per_min(*, coolant_flow_l_per_min: Array, units_running: Array) -> Array:
    """Coolant through one CDU."""
    return coolant_flow_l_per_min / units_running


def cdus(
    *,
    kind: str,
    liquid_heat_design_w: Array,
    coolant_flow_l_per_min: Array,
    redundancy: str,
    facility: FacilityAssumptions,
    detail: CoolingAssumptions,
) -> Cdus:
    """Units of a kind, of the size that the assumptions state.

    Parameters
    ----------
    redundancy : of the cooling, N, N+1 or 2N
    """
    to_air = kind == "liquid_to_air"
    unit_w = facility.cdu_to_air_unit_w if to_air else facility.cdu_unit_w
    spare = cdu_spare_units_of(
        cdu_spare_units=facility.cdu_spare_units,
        liquid_heat_design_w=liquid_heat_design_w,
        cdu_unit_w=unit_w,
        redundancy=redundancy,
    )
    installed = cdu_count(liquid_heat_design_w=liquid_heat_design_w, cdu_unit_w=unit_w, cdu_spare_units=spare)
    needed = installed - spare
    load = cdu_load(liquid_heat_design_w=liquid_heat_design_w, units_running=installed, cdu_unit_w=unit_w)
    lost = cdu_load(liquid_heat_design_w=liquid_heat_design_w, units_running=installed - 1, cdu_unit_w=unit_w)
    approach = facility.cdu_to_air_approach_k if to_air else facility.cdu_approach_k
    plates = _plates(facility)
    at_load = approach_off_design_k(
        load_share=load,
        flow_share=np.ones(1),
        design_ntu=plates[1],
        flow_exponent=detail.exchanger_flow_exponent,
        **_sides(facility),
    )
    return Cdus(
        kind=kind,
        unit_w=first_of(unit_w),
        needed=first_of(needed),
        installed=first_of(installed),
        load_all=first_of(load),
        load_one_lost=first_of(lost),
        flow_l_per_min=first_of(
            cdu_flow_l_per_min(coolant_flow_l_per_min=coolant_flow_l_per_min, units_running=installed)
        ),
        approach_design_k=first_of(approach),
        approach_all_k=float("nan") if to_air else first_of(at_load),
    )


def cdu_exchanger(*, facility: FacilityAssumptions, detail: CoolingAssumptions) -> Exchanger:
    """The plates of a CDU from liquid to liquid over its load."""
    effectiveness, ntu = _plates(facility)

    def approach(flow_share: Array) -> tuple[float, ...]:
        found = approach_off_design_k(
            load_share=LOAD_SHARES,
            flow_share=flow_share,
            design_ntu=ntu,
            flow_exponent=detail.exchanger_flow_exponent,
            **_sides(facility),
        )
        return tuple(found.tolist())

    return Exchanger(
        effectiveness=first_of(effectiveness),
        ntu=first_of(ntu),
        load_shares=tuple(LOAD_SHARES.tolist()),
        approach_fixed_flow_k=approach(np.ones(1)),
        approach_variable_flow_k=approach(LOAD_SHARES),
    )


def _plates(facility: FacilityAssumptions) -> tuple[Array, Array]:
    ranges = {
        "hot_range_k": facility.coolant_temperature_rise_k,
        "cold_range_k": facility.facility_water_temperature_rise_k,
    }
    effectiveness = design_effectiveness(approach_k=facility.cdu_approach_k, **ranges)
    ratio = exchanger_capacity_ratio(**ranges)
    return effectiveness, exchanger_ntu(effectiveness=effectiveness, capacity_ratio=ratio)


def _sides(facility: FacilityAssumptions) -> dict[str, Array]:
    ranges = {
        "hot_range_k": facility.coolant_temperature_rise_k,
        "cold_range_k": facility.facility_water_temperature_rise_k,
    }
    return ranges | {"capacity_ratio": exchanger_capacity_ratio(**ranges)}


EPS_NTU = "effectiveness-NTU method of counterflow exchangers, Kays and London"
NEARLY_EQUAL = 1e-6
"""Capacity rates closer than this are taken for equal: there the general formula divides zero by zero."""


@quantity(unit="1", source=EPS_NTU)
def exchanger_effectiveness(*, ntu: Array, capacity_ratio: Array) -> Array:
    """Heat that a counterflow exchanger moves over the most that any could.

    eps = (1 - e^(-NTU (1 - C))) / (1 - C e^(-NTU (1 - C))), and NTU / (1 + NTU) for C = 1.

    Parameters
    ----------
    ntu : conductance over the smaller capacity rate [1]
    capacity_ratio : smaller over larger capacity rate, C [1]
    """
    ratio = np.minimum(capacity_ratio, 1 - NEARLY_EQUAL)
    decay = np.exp(-ntu * (1 - ratio))
    unequal = (1 - decay) / (1 - ratio * decay)
    return np.where(capacity_ratio > 1 - NEARLY_EQUAL, ntu / (1 + ntu), unequal)


@quantity(unit="1", source=EPS_NTU)
def exchanger_ntu(*, effectiveness: Array, capacity_ratio: Array) -> Array:
    """NTU that an effectiveness asks for, the inverse of `exchanger_effectiveness`.

    No exchanger reaches an effectiveness of 1: there is none that warms one side beyond what the other is.
    """
    below_one = np.where(effectiveness < 1, effectiveness, np.nan)
    ratio = np.minimum(capacity_ratio, 1 - NEARLY_EQUAL)
    unequal = np.log((1 - below_one * ratio) / (1 - below_one)) / (1 - ratio)
    ntu: Array = np.where(capacity_ratio > 1 - NEARLY_EQUAL, below_one / (1 - below_one), unequal)
    return ntu


@quantity(unit="1", source=EPS_NTU)
def design_effectiveness(*, approach_k: Array, hot_range_k: Array, cold_range_k: Array) -> Array:
    """Effectiveness of an exchanger that cools by `hot_range_k` down to `approach_k` above the cold inlet."""
    largest_k = approach_k + hot_range_k
    return np.maximum(hot_range_k, cold_range_k) / largest_k


@quantity(unit="1", source="heat balance: the side that changes more has the smaller capacity rate")
def exchanger_capacity_ratio(*, hot_range_k: Array, cold_range_k: Array) -> Array:
    """Smaller over larger capacity rate of an exchanger, from by how much its sides change."""
    return np.minimum(hot_range_k, cold_range_k) / np.maximum(hot_range_k, cold_range_k)


@quantity(unit="K", source=EPS_NTU)
def approach_off_design_k(
    *,
    load_share: Array,
    flow_share: Array,
    design_ntu: Array,
    capacity_ratio: Array,
    hot_range_k: Array,
    cold_range_k: Array,
    flow_exponent: Array,
) -> Array:
    """Approach of an exchanger at another load: hot outlet above cold inlet.

    Both flows fall to `flow_share`. At unchanged flow the approach falls with the load; where the flow
    follows the load the ranges stay, and the approach falls little by what NTU gains.

    Parameters
    ----------
    load_share, flow_share : over the design's [1]
    hot_range_k, cold_range_k : at design; they change with load over flow [K]
    flow_exponent : heat transfer of both sides grows with flow^n [1]
    """
    ntu = design_ntu * flow_share ** (flow_exponent - 1)
    effectiveness = exchanger_effectiveness(ntu=ntu, capacity_ratio=capacity_ratio)
    change = load_share / flow_share
    return change * (np.maximum(hot_range_k, cold_range_k) / effectiveness - hot_range_k)
