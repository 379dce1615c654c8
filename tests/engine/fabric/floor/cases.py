"""Small fabrics and sizes for the tests of the floor; figures as in the catalog."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from app.engine.fabric.floor.floor import DeviceSize, Floor, SuperNodeSize
from app.engine.fabric.floor.plan import floor_plan
from app.engine.fabric.graph.graph import FabricGraph, devices_of, joined_links, links_between, ports_in_order
from app.engine.specs import FloorRules

UNKNOWN = float("nan")

DGX_H100 = SuperNodeSize(
    name="DGX H100", count=1, nodes=1, own_racks=0, units=8, power_w=10_200, weight_kg=130.5, liquid_share=0
)
NVL72 = SuperNodeSize(
    name="GB200 NVL72", count=1, nodes=18, own_racks=1, units=48, power_w=132e3, weight_kg=1360,
    liquid_share=0.87,
)  # fmt: skip
QM9700 = DeviceSize(name="QM9700", units=1, power_w=1720, weight_kg=UNKNOWN, liquid_share=0, rack="network")
SERVER = DeviceSize(name="Server", units=2, power_w=1000, weight_kg=UNKNOWN, liquid_share=0, rack="service")
SIZES = {"leaf": QM9700, "spine": QM9700, "management": SERVER}


def of(size: SuperNodeSize, count: int) -> SuperNodeSize:
    """So many."""
    return dataclasses.replace(size, count=count)


def two_tiers(
    unit_hosts: Sequence[int], *, leaves: int = 1, spines: int = 1, managers: int = 0
) -> FabricGraph:
    """Units of so many hosts; every host of a unit on each of its leaves, every leaf on each spine."""
    units, hosts = len(unit_hosts), sum(unit_hosts)
    unit = np.repeat(np.arange(units), unit_hosts)
    counts = {"host": hosts, "management": managers, "leaf": units * leaves, "spine": spines}
    devices, first = devices_of(
        counts, plane={}, group={"host": unit, "leaf": np.repeat(np.arange(units), leaves)}, rail={}
    )
    host, rail = (axis.ravel() for axis in np.meshgrid(np.arange(hosts), np.arange(leaves), indexing="ij"))
    leaf, spine = (
        axis.ravel() for axis in np.meshgrid(np.arange(units * leaves), np.arange(spines), indexing="ij")
    )
    upper = first["leaf"] + unit[host] * leaves + rail
    last = np.full(managers, first["leaf"] + units * leaves - 1)
    parts = [
        links_between(
            tier=0, lower=host, upper=upper, lower_port=rail, upper_port=ports_in_order(upper)
        ),
        links_between(
            tier=0, lower=first["management"] + np.arange(managers), upper=last,
            lower_port=np.zeros(managers, int), upper_port=40 + np.arange(managers),
        ),
        links_between(
            tier=1, lower=first["leaf"] + leaf, upper=first["spine"] + spine,
            lower_port=32 + spine, upper_port=leaf,
        ),
    ]  # fmt: skip
    return FabricGraph(
        kinds=tuple(counts),
        tiers=("leaf", "spine"),
        devices=devices,
        links=joined_links(parts),
        link_bandwidth_bytes_per_s=np.full(2, 50e9),
    )


def laid_out(graph: FabricGraph, rules: FloorRules, *supernodes: SuperNodeSize) -> Floor:
    """The floor of one network."""
    return floor_plan({"compute": graph}, supernodes=supernodes, devices={"compute": SIZES}, rules=rules)
