"""A counterflow heat exchanger, such as the plates of a CDU: effectiveness and NTU, at and off its design."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

EPS_NTU = "effectiveness-NTU method of counterflow exchangers, Kays and London"
NEARLY_EQUAL = 1e-6
"""Capacity rates closer than this are taken for equal: there the general formula divides nought by nought."""


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
