"""What one SuperNode of a mixed pod is in the mean, so that count times mean is the sum over kinds.

Kinds have as many accelerators a SuperNode, so a mean over SuperNodes is one over accelerators too. A job
that leaves SuperNodes idle is taken to leave the same share of every kind idle, and spares are bought in the
proportion of the pod. A fact that is unknown of one kind is unknown of the pod.
"""

from __future__ import annotations

import functools
import operator

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def first_kind_supernodes(*, supernodes: Array, further_supernodes: tuple[Array, ...]) -> Array:
    """SuperNodes of the first kind: those of the pod less those of the others."""
    return supernodes - sum(further_supernodes)


def _mean(counts: tuple[Array, ...], values: tuple[Array, ...]) -> Array:
    parts = (count * value for count, value in zip(counts, values, strict=True))
    return functools.reduce(operator.add, parts) / functools.reduce(operator.add, counts)


@quantity(unit="W", source="definition")
def mean_max_power_w(*, counts: tuple[Array, ...], max_powers_w: tuple[Array, ...]) -> Array:
    """Rated power of the mean SuperNode of a mixed pod."""
    return _mean(counts, max_powers_w)


@quantity(unit="W", source="definition")
def mean_typical_power_w(*, counts: tuple[Array, ...], typical_powers_w: tuple[Array, ...]) -> Array:
    """Typical power of the mean SuperNode of a mixed pod."""
    return _mean(counts, typical_powers_w)


@quantity(unit="W", source="definition")
def mean_tdp_w(*, counts: tuple[Array, ...], tdps_w: tuple[Array, ...]) -> Array:
    """Thermal design power of the mean accelerator of a mixed pod."""
    return _mean(counts, tdps_w)


@quantity(unit="W", source="definition")
def mean_idle_w(*, counts: tuple[Array, ...], idles_w: tuple[Array, ...]) -> Array:
    """Idle power of the mean accelerator of a mixed pod."""
    return _mean(counts, idles_w)


@quantity(unit="FLOP/s", source="definition")
def mean_peak_flop_per_s(*, counts: tuple[Array, ...], peaks_flop_per_s: tuple[Array, ...]) -> Array:
    """Peak of the mean accelerator of a mixed pod: MFU is against the sum of all peaks."""
    return _mean(counts, peaks_flop_per_s)


@quantity(unit="B/s", source="definition")
def mean_memory_bandwidth_bytes_per_s(
    *, counts: tuple[Array, ...], bandwidths_bytes_per_s: tuple[Array, ...]
) -> Array:
    """Memory bandwidth of the mean accelerator of a mixed pod."""
    return _mean(counts, bandwidths_bytes_per_s)


@quantity(unit="1", source="definition")
def mean_racks(*, counts: tuple[Array, ...], racks: tuple[Array, ...]) -> Array:
    """Racks of the mean SuperNode of a mixed pod."""
    return _mean(counts, racks)


@quantity(unit="1", source="definition")
def mean_rack_units(*, counts: tuple[Array, ...], rack_units: tuple[Array, ...]) -> Array:
    """Height of the mean SuperNode of a mixed pod."""
    return _mean(counts, rack_units)


@quantity(unit="USD", source="definition")
def mean_supernode_price_usd(*, counts: tuple[Array, ...], prices_usd: tuple[Array, ...]) -> Array:
    """Price of the mean SuperNode of a mixed pod."""
    return _mean(counts, prices_usd)


@quantity(unit="USD", source="definition")
def mean_accelerator_price_usd(*, counts: tuple[Array, ...], prices_usd: tuple[Array, ...]) -> Array:
    """Price of the mean accelerator of a mixed pod."""
    return _mean(counts, prices_usd)


@quantity(unit="1", source="definition")
def prefill_weighted_share(
    *,
    prefill_accelerators: Array,
    decode_accelerators: Array,
    prefill_each: Array,
    decode_each: Array,
) -> Array:
    """Share that accelerators which prefill have of what those of a group cost or take, each by its kind of SuperNode."""
    prefill = prefill_accelerators * prefill_each
    return prefill / (prefill + decode_accelerators * decode_each)


@quantity(unit="kg", source="definition")
def mean_accelerator_embodied_kg(*, counts: tuple[Array, ...], embodied_kg: tuple[Array, ...]) -> Array:
    """Embodied carbon of the mean accelerator of a mixed pod."""
    return _mean(counts, embodied_kg)


@quantity(unit="USD/h", source="definition")
def mean_rental_usd_per_accelerator_hour(
    *, counts: tuple[Array, ...], rentals_usd_per_hour: tuple[Array, ...]
) -> Array:
    """Rental of the mean accelerator of a mixed pod."""
    return _mean(counts, rentals_usd_per_hour)
