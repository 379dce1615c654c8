"""The parts of a compute fabric with the low, typical and high of their prices in one array."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from app.engine.specs import FabricPlan, Pod

ENDS = ("low", "typical", "high")
PRICED = (
    "switch.price_usd",
    "spine_switch.price_usd",
    "core_switch.price_usd",
    "switch_transceiver.price_usd",
    "uplink_transceiver.price_usd",
    "spine_transceiver.price_usd",
    "core_transceiver.price_usd",
    "node_transceiver.price_usd",
    "trunk_price_usd",
    "nic_price_usd",
)


def priced_plan(plan: FabricPlan, spans: Mapping[str, tuple[float, float, float]]) -> FabricPlan:
    """The plan with every price an array (1, 3) of low, typical and high; what has no span keeps its value.

    `spans` are by the place of the price in the plan, one of `PRICED`.
    """

    def priced(name: str) -> Any:
        part, path = getattr(plan, name), f"{name}.price_usd"
        if part is None or path not in spans:
            return part
        return dataclasses.replace(part, price_usd=np.array([spans[path]]))

    changes: dict[str, Any] = {}
    for path in PRICED:
        name, of_part, _ = path.partition(".")
        if of_part:
            changes[name] = priced(name)
        elif path in spans:
            changes[path] = np.array([spans[path]])
    return dataclasses.replace(plan, **changes)


def joined_by(pod: Pod, topology: str) -> Pod:
    """The pod joined in another way: what was stated for the topology it had is left open."""
    plan = dataclasses.replace(
        pod.fabric,
        topology=topology,
        tiers_asked=None,
        shape=(),
        group_routers=None,
        router_endpoints=None,
        router_global_links=None,
        circuit_switches=False,
    )
    return dataclasses.replace(pod, fabric=plan)
