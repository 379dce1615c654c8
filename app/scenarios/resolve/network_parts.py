"""Switches and modules of any network of a pod, as the engine takes them."""

from __future__ import annotations

from typing import Any

from app.catalog.lookup import Part
from app.engine.specs import Switch, Transceiver
from app.engine.trace import Array, Origin
from app.scenarios.resolve.hardware_words import cooling_kind
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error

GBIT_S = 1e9 / 8  # bytes per second in one Gbit/s


def switch_at(inputs: Inputs, path: str, key: str, *, or_max_power: bool = False) -> Switch:
    """A switch of the catalog; `or_max_power` takes its rated power where no one states a typical one.

    Raises
    ------
    ScenarioError : there is no such switch
    """
    part = part_or_error(inputs.catalog, "switches", key, path)
    numbers: dict[str, Any] = {
        name: inputs.fact(f"{path}.{name}", part, name)
        for name in (
            "ports", "port_bandwidth_bytes_per_s", "max_logical_ports",
            "logical_port_bandwidth_bytes_per_s", "latency_s", "typical_power_w", "max_power_w",
            "rack_units",
        )
    }  # fmt: skip
    if or_max_power and "typical_power_w" not in part.facts:
        numbers["typical_power_w"] = inputs.fact(f"{path}.typical_power_w", part, "max_power_w")
    return Switch(
        key=key,
        name=part.name,
        protocol=part.attributes.get("protocol", ""),
        price_usd=inputs.price(f"{path}.price_usd", part),
        cooling=cooling_kind(part.attributes.get("cooling", "")),
        **numbers,
    )


def transceiver_at(inputs: Inputs, path: str, key: str, ports: Array) -> Transceiver:
    """An optical module of the catalog, in a cage that serves so many ports."""
    part = inputs.catalog.part("optics", key)
    power = "typical_power_w" if "typical_power_w" in part.facts else "max_power_w"
    return Transceiver(
        key=key,
        name=part.name,
        ports=ports,
        power_w=inputs.fact(f"{path}.power_w", part, power),
        price_usd=_module_price(inputs, f"{path}.price_usd", part),
    )


def _module_price(inputs: Inputs, path: str, part: Part) -> Array:
    if inputs.catalog.price(part.key) is not None:
        return inputs.price(path, part)
    row = inputs.catalog.assumption("scenario", "module_price_usd_per_gbit_s", inputs.context)
    gbit_s = part.facts["module_bandwidth_bytes_per_s"].value / GBIT_S
    origin = Origin(
        kind="assumption",
        label=f"{part.name}, price",
        source=f"{gbit_s:g} Gbit/s x {row.value:g} USD: {row.source}",
        date=row.as_of,
        own=row.own,
        catalog="assumptions/scenario.module_price_usd_per_gbit_s",
    )
    return inputs.taken(path, gbit_s * row.value, origin)
