"""Pods for the tests of the fabric room; figures as in the catalog."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.section import Fabric, evaluate_fabric
from app.engine.specs import FabricPlan, Pod, SuperNode, Switch, Transceiver
from tests.support import assumptions, build, dgx_h100, number


def qm9700(**changes: Any) -> Switch:
    values = {
        "key": "qm9700", "name": "QM9700", "protocol": "InfiniBand NDR", "ports": 64,
        "port_bandwidth_bytes_per_s": 50e9,
        "max_logical_ports": 128, "logical_port_bandwidth_bytes_per_s": 25e9, "latency_s": 150e-9,
        "typical_power_w": 747, "max_power_w": 1720, "price_usd": 32000,
    }  # fmt: skip
    return build(Switch, **(values | changes))


def sn5600() -> Switch:
    return qm9700(
        key="sn5600", name="SN5600", port_bandwidth_bytes_per_s=100e9, max_logical_ports=256,
        typical_power_w=940, price_usd=55000,
    )  # fmt: skip


def q3400() -> Switch:
    return qm9700(
        key="q3400_ra", name="Q3400-RA", ports=144, port_bandwidth_bytes_per_s=100e9, max_logical_ports=288,
        typical_power_w=float("nan"), price_usd=float("nan"), latency_s=float("nan"),
    )  # fmt: skip


def module(**changes: Any) -> Transceiver:
    values = {
        "key": "dr4_2x400g_100m",
        "name": "MMS4X00-NS 2xDR4",
        "ports": 2,
        "power_w": 16,
        "price_usd": 1241,
    }
    return build(Transceiver, **(values | changes))


def plan(**changes: Any) -> FabricPlan:
    values = {
        "topology": "rail_fat_tree", "switch": qm9700(), "switch_transceiver": module(), "node_transceiver": module(),
        "trunk_price_usd": 87, "nic_price_usd": 1510, "nic_power_w": 25, "oversubscription": 1,
        "scalable_unit_supernodes": 32, "management_ports": 0, "planes": 1,
    }  # fmt: skip
    return build(FabricPlan, **(values | changes))


def pod(supernodes: float, **changes: Any) -> Pod:
    return build(Pod, supernodes=supernodes, accelerators_used=supernodes * 8, fabric=plan(**changes))


def supernode(**changes: Any) -> SuperNode:
    values = {
        name: number(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
        for name, value in changes.items()
    }
    return dataclasses.replace(dgx_h100(), **values)


def nvl72() -> SuperNode:
    return supernode(
        key="gb200_nvl72", name="GB200 NVL72", accelerators=72, scale_up_domain_accelerators=72, nodes=18,
        scale_out_nics=72, racks=1,
    )  # fmt: skip


def evaluate(pod_: Pod, supernode_: SuperNode | None = None) -> Fabric:
    return evaluate_fabric(
        pod=pod_,
        supernode=supernode_ or dgx_h100(),
        assumptions=assumptions("fabric", FabricAssumptions),
    )


def counts(fabric: Fabric) -> tuple[float, ...]:
    """Leaf, spine and core switches."""
    found = [float(tier.switches[0]) for tier in fabric.tiers]
    return tuple(found + [0.0] * (3 - len(found)))
