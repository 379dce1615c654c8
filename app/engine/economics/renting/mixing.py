"""Owning the base and renting the peak; reserving the base and renting the peak on demand."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_SCREENING = "[1] Stoft, Power System Economics (2002), chapter 2-2: load-duration and screening curves"


@quantity(unit="USD", source=_SCREENING)
def mix_usd(
    *,
    owned_share: Array,
    served_share: Array,
    utilisation: Array,
    own_fixed_usd: Array,
    own_at_full_use_usd: Array,
    rent_fixed_usd: Array,
    rent_at_full_use_usd: Array,
) -> Array:
    """Cost when a share of the pod is owned and the rest of the demand is rented.

    What is fixed in owning goes with the share; what is fixed in renting is paid whenever anything is rented.
    """
    rented = np.maximum(utilisation - served_share, 0)
    own = own_fixed_usd * owned_share + own_at_full_use_usd * served_share
    return own + rent_at_full_use_usd * rented + np.where(rented > 0, rent_fixed_usd, 0.0)


@quantity(unit="USD", source=_SCREENING)
def reserved_base_usd(
    *,
    reserved_share: Array,
    served_share: Array,
    utilisation: Array,
    rent_fixed_usd: Array,
    reserved_at_full_use_usd: Array,
    on_demand_at_full_use_usd: Array,
) -> Array:
    """Cost when a share of the pod is reserved and the rest of the demand is rented on demand."""
    rented = np.maximum(utilisation - served_share, 0)
    return reserved_at_full_use_usd * reserved_share + on_demand_at_full_use_usd * rented + rent_fixed_usd


@quantity(unit="1", source="definition", leaf=True)
def cheapest_share(*, share: Array, cost_usd: Array) -> Array:
    """The share that costs least; the smallest of several, unknown where a cost is."""
    known = np.where(np.isnan(cost_usd), np.inf, cost_usd)
    return np.where(np.isnan(cost_usd).any(axis=-1), np.nan, share[np.argmin(known, axis=-1)])


@quantity(unit="1", source=_SCREENING)
def reserve_above_use(*, reserved_usd: Array, on_demand_usd: Array) -> Array:
    """Utilisation above which a reserved accelerator is cheaper than one on demand.

    p_res / p_od: a commitment is paid whether it is used or not.
    """
    return reserved_usd / on_demand_usd
