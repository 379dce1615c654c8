"""The parts of a compute fabric with the low, typical and high of their prices in one array."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from app.engine.specs import FabricPlan, Pod
from app.engine.trace import Array

ENDS = ("low", "typical", "high")
PRICED = (
    "switch.price_usd",
    "switch_transceiver.price_usd",
    "node_transceiver.price_usd",
    "trunk_price_usd",
    "nic_price_usd",
)


def priced_plan(plan: FabricPlan, spans: Mapping[str, tuple[float, float, float]]) -> FabricPlan:
    """The plan with every price an array (1, 3) of low, typical and high; what has no span keeps its value.

    `spans` are by the place of the price in the plan, one of `PRICED`.
    """

    def of(path: str, price: Array) -> Array:
        return np.array([spans[path]]) if path in spans else price

    return dataclasses.replace(
        plan,
        switch=plan.switch
        and dataclasses.replace(plan.switch, price_usd=of("switch.price_usd", plan.switch.price_usd)),
        switch_transceiver=dataclasses.replace(
            plan.switch_transceiver,
            price_usd=of("switch_transceiver.price_usd", plan.switch_transceiver.price_usd),
        ),
        node_transceiver=dataclasses.replace(
            plan.node_transceiver, price_usd=of("node_transceiver.price_usd", plan.node_transceiver.price_usd)
        ),
        trunk_price_usd=of("trunk_price_usd", plan.trunk_price_usd),
        nic_price_usd=of("nic_price_usd", plan.nic_price_usd),
    )


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
