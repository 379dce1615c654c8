"""Users and how far they are: network, queue and prefill against their latency SLO; edge or cloud."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

LIGHT_M_PER_S = 299_792_458.0
"""In vacuum; exact, BIPM, The International System of Units, 9th edition."""
FIBRE_SHARE = 2 / 3
"""Of it in glass, whose group index is about 1.47: ITU-T G.652 fibres; rounded as is usual."""

_LIGHT = "[1] BIPM 2019, The International System of Units; ITU-T G.652 (group index of fibre about 1.47)"


@quantity(unit="s", source=_LIGHT)
def network_floor_s(*, distance_m: Array) -> Array:
    """Round trip that light in fibre takes.

    2 d / (2/3 c): no network between the two is faster, and real ones take 1.5 to 2 times the straight way.
    """
    return 2 * distance_m / (FIBRE_SHARE * LIGHT_M_PER_S)


@quantity(unit="s", source="definition")
def network_round_trip_s(*, stated_s: Array, floor_s: Array) -> Array:
    """Round trip between user and pod.

    As stated, but never below that of light; where nothing is stated, that of light.
    """
    floor = np.where(np.isnan(floor_s), 0.0, floor_s)
    return np.where(np.isnan(stated_s), floor_s, np.maximum(stated_s, floor))


@quantity(unit="s", source="definition")
def user_ttft_s(*, round_trip_s: Array, ttft_s: Array) -> Array:
    """Time to first token at the user.

    The network there and back, and what the pod takes with its queue.
    """
    return round_trip_s + ttft_s


@quantity(unit="s", source="definition")
def budget_left_s(*, latency_budget_s: Array, user_ttft_s: Array) -> Array:
    """Remaining latency budget; less than nothing where it is missed."""
    return latency_budget_s - user_ttft_s


@quantity(unit="s", source="definition")
def ttft_allowed_s(*, latency_budget_s: Array, round_trip_s: Array) -> Array:
    """Time that the pod itself may take; nothing is left where the network alone takes the budget."""
    return np.maximum(latency_budget_s - round_trip_s, 0.0)


@quantity(unit="m", source=_LIGHT)
def farthest_m(*, latency_budget_s: Array, ttft_s: Array) -> Array:
    """Distance at which light in fibre just keeps the budget; 0 where the pod alone takes longer."""
    return np.maximum(latency_budget_s - ttft_s, 0.0) * FIBRE_SHARE * LIGHT_M_PER_S / 2


@quantity(unit="1", source="definition")
def share_within_budget(*, shares: Array, latency_budget_s: Array, user_ttft_s: Array) -> Array:
    """Share of the requests whose region is within its budget; a region without a budget is.

    Parameters
    ----------
    shares, latency_budget_s, user_ttft_s : of each region, along the last axis
    """
    missed = np.where(np.isnan(latency_budget_s), 0.0, user_ttft_s - latency_budget_s)
    within = np.where(np.isnan(missed), np.nan, np.where(missed > 0, 0.0, 1.0))
    share: Array = np.sum(shares * within, axis=-1) / np.sum(shares, axis=-1)
    return share


@quantity(unit="s", source="definition")
def edge_gain_s(*, edge_s: Array, cloud_s: Array) -> Array:
    """Time to the first token that an edge site saves; less than nothing where the cloud is faster.

    The edge is near and small: it saves network and takes longer to prefill.
    """
    return cloud_s - edge_s
