"""The gap between arithmetic, the node's bus and the network, for two devices; and when "40x, 9x, 4x" holds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.growth.gap import (
    PRECISIONS,
    best_factor,
    closest,
    compute_factors,
    distance_from_claim,
    factor_per_year,
    growth_factor,
)
from app.engine.trace import Array
from app.likeness import nearest_names
from app.scenarios.errors import shorten
from app.views.growth.answer import trends_of
from app.views.growth.devices import Device

CLAIM = (40.0, 9.0, 4.0)
"""Growth of compute, of the node's bus and of RDMA that an article gives."""
CLAIMED_YEARS = 8
WITHIN_YEARS = 1
"""Of devices only the year is known, so that seven to nine years count as eight."""
TOLERANCE = 0.25
"""A claim holds for a factor that is within a quarter of it."""
SHOWN = 12
BEST = "best"
NAMES = {"bf16": "BF16 or FP16", "fp8": "FP8", "fp4": "FP4", BEST: "Best of each"}
NETWORKS = {
    "port": ("port_bandwidth_bytes_per_s", "port rate"),
    "accelerator": ("scale_out_bandwidth_bytes_per_s", "per accelerator"),
}
"""Counting convention of RDMA: the rate of one port, or what each accelerator has of the network, both one
way."""
BUS = "scale_up_bandwidth_bytes_per_s"
FIRST, LAST = "nvidia_v100_sxm2_32", "nvidia_b200_sxm"
LINKS = {
    "memory": ("memory_bandwidth_bytes_per_s", "Memory bandwidth", "peak"),
    "bus": (BUS, "Node bus (scale-up)", "one way, per accelerator"),
    "port": (NETWORKS["port"][0], "RDMA port", "one way, rate of one port"),
    "network": (NETWORKS["accelerator"][0], "RDMA per accelerator", "one way, share of an accelerator"),
    "transistors": ("transistors", "Transistors", "all dies"),
}


class UnknownDeviceError(LookupError):
    """There is no such dated accelerator."""

    def __init__(self, name: str, key: str, known: list[str]) -> None:
        self.name = name
        self.hint = f"Nearest: {nearest_names(key[:80], known)}."
        self.said = f"{shorten(key)} is not a dated accelerator."
        super().__init__(f"{name}: {self.said} {self.hint}")


class DeviceOrderError(ValueError):
    """The later device is not later."""

    def __init__(self, first: Device, last: Device) -> None:
        self.name = "to"
        self.said = f"{last.name} ({last.year}) is not later than {first.name} ({first.year})."
        self.hint = "Give a device of a later year in `to`, or an earlier one in `from`."
        super().__init__(f"{self.said} {self.hint}")


class End(NamedTuple):
    """A device that the gap can start or end at."""

    key: str
    name: str
    year: int


def ends(catalog: Catalog) -> list[End]:
    """Devices by year: those that can be chosen."""
    return [End(one.key, one.name, one.year) for one in trends_of(catalog).material.devices.values()]


def gap_answer(catalog: Catalog, first_key: str = FIRST, last_key: str = LAST) -> dict[str, Any]:
    """Ratio of the later device to the earlier, by precision and link, and where the claim is closest to true.

    Raises
    ------
    UnknownDeviceError : no such dated accelerator
    DeviceOrderError : the last one is not later than the first
    """
    devices = trends_of(catalog).material.devices
    for name, key in (("from", first_key), ("to", last_key)):
        if key not in devices:
            raise UnknownDeviceError(name, key, list(devices))
    first, last = devices[first_key], devices[last_key]
    if last.year <= first.year:
        raise DeviceOrderError(first, last)
    years = last.year - first.year
    computed = compute_factors(np.array(first.flop_per_s), np.array(last.flop_per_s))
    best = best_factor(np.array(first.flop_per_s), np.array(last.flop_per_s))
    return {
        "from": _end(first),
        "to": _end(last),
        "years": years,
        "compute": [
            *(
                _factor(name, NAMES[name], value, years)
                for name, value in zip(PRECISIONS, computed, strict=True)
            ),
            _factor(BEST, NAMES[BEST], best, years),
        ],
        "links": [
            _factor(
                name,
                words,
                growth_factor(first=np.array(first.figure(figure)), last=np.array(last.figure(figure))),
                years,
            )
            | {"basis": basis}
            for name, (figure, words, basis) in LINKS.items()
        ],
        "claim": claim_of(catalog),
    }


def claim_of(catalog: Catalog) -> dict[str, Any]:
    """Device pair closest to the claim."""
    return claim_answer(list(trends_of(catalog).material.devices.values()))


def claim_answer(devices: list[Device]) -> dict[str, Any]:
    """Pairs of devices eight years apart, give or take one, that come closest to the claim."""
    sold = [one for one in devices if one.is_sold and one.has_domain]
    factors, years = _every_pair(sold)
    eight = np.abs(years - CLAIMED_YEARS) <= WITHIN_YEARS
    distances = np.where(
        eight[:, :, None, None], distance_from_claim(growth_factors=factors, claimed=np.array(CLAIM)), np.nan
    )
    known = np.isfinite(distances)
    each = (np.abs(factors / np.array(CLAIM) - 1) <= TOLERANCE) & known[..., None]
    places = closest(distances, SHOWN)
    return {
        "claimed": dict(zip(("compute", "bus", "network"), CLAIM, strict=True)),
        "claimed_years": CLAIMED_YEARS,
        "within_years": WITHIN_YEARS,
        "tolerance": TOLERANCE,
        "combinations": int(known.sum()),
        "all_hold": int(each.all(axis=-1).sum()),
        "compute_holds": int(each[..., 0].sum()),
        "bus_holds": int(each[..., 1].sum()),
        "network_holds": int(each[..., 2].sum()),
        "closest": [
            _pair(
                sold[i], sold[j], PRECISIONS[p], list(NETWORKS)[n], factors[i, j, p, n], distances[i, j, p, n]
            )
            for i, j, p, n in zip(*(axis.tolist() for axis in places), strict=True)
        ],
    }


def _every_pair(devices: list[Device]) -> tuple[Array, Array]:
    """Factors of (compute, bus, network) by first, last, precision and network; and years by first and last."""
    flops = np.array([one.flop_per_s for one in devices])
    bus = np.array([one.figure(BUS) for one in devices])
    network = np.array([[one.figure(figure) for figure, _ in NETWORKS.values()] for one in devices])
    year = np.array([float(one.year) for one in devices])
    compute = compute_factors(flops[:, None, :], flops[None, :, :])[..., None]
    buses = growth_factor(first=bus[:, None], last=bus[None, :])[..., None, None]
    networks = growth_factor(first=network[:, None, :], last=network[None, :, :])[:, :, None, :]
    return np.stack(np.broadcast_arrays(compute, buses, networks), axis=-1), year[None, :] - year[:, None]


def _pair(
    first: Device, last: Device, precision: str, network: str, factors: Array, distance: float
) -> dict[str, Any]:
    compute, bus, net = (float(value) for value in factors)
    return {
        "from": _end(first),
        "to": _end(last),
        "years": last.year - first.year,
        "precision": precision,
        "precision_name": NAMES[precision],
        "network_basis": network,
        "network_basis_name": NETWORKS[network][1],
        "compute": compute,
        "bus": bus,
        "network": net,
        "distance": float(distance),
        "holds": [
            name
            for name, value, claimed in zip(
                ("compute", "bus", "network"), (compute, bus, net), CLAIM, strict=True
            )
            if abs(value / claimed - 1) <= TOLERANCE
        ],
    }


def _end(device: Device) -> dict[str, Any]:
    return {"key": device.key, "name": device.name, "year": device.year, "source": device.source,
            "in_catalog": device.in_catalog}  # fmt: skip


def _factor(key: str, name: str, value: Array, years: int) -> dict[str, Any]:
    known = bool(np.isfinite(value))
    a_year = factor_per_year(growth_factor=value, years=np.array(float(years)))
    return {
        "key": key,
        "name": name,
        "factor": float(value) if known else None,
        "factor_per_year": float(a_year) if known else None,
    }
