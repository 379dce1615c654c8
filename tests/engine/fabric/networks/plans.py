"""The networks of the DGX H100 SuperPOD of 127 systems, as its reference architecture describes them."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.networks.counts import Sizes
from app.engine.fabric.networks.graphs import sizes_of
from app.engine.fabric.topologies import asked_of
from app.engine.specs import LeafNetwork, ManagementNetwork, Networks, Pod, SuperNode
from tests.engine.fabric.pods import module, plan, qm9700
from tests.support import assumptions, build, dgx_h100, number

NAN = float("nan")
GBIT_S = 1e9 / 8


def sn4600c() -> Any:
    return qm9700(
        key="sn4600c", name="SN4600C", protocol="Ethernet", port_bandwidth_bytes_per_s=12.5e9, max_logical_ports=64,
        typical_power_w=466, price_usd=20000,
    )  # fmt: skip


def sn2201() -> Any:
    return qm9700(
        key="sn2201", name="SN2201", protocol="Ethernet", ports=48, port_bandwidth_bytes_per_s=GBIT_S,
        max_logical_ports=NAN, typical_power_w=100, price_usd=4200,
    )  # fmt: skip


def storage(**changes: Any) -> LeafNetwork:
    values = {
        "switch": qm9700(), "switch_transceiver": module(), "host_transceiver": module(ports=1, price_usd=700),
        "trunk_price_usd": 87, "nic_price_usd": 1900, "nic_ports": 1, "host_ports": 2,
        "port_bandwidth_bytes_per_s": 50e9, "oversubscription": 4 / 3, "storage_servers": NAN,
        "storage_server_ports": 4, "service_servers": 0, "service_server_ports": 2, "border_links": 0,
    }  # fmt: skip
    return build(LeafNetwork, **(values | changes))


def in_band(**changes: Any) -> LeafNetwork:
    values = {
        "switch": sn4600c(), "oversubscription": 12.25, "port_bandwidth_bytes_per_s": 12.5e9, "storage_servers": 0,
        "service_servers": 8, "border_links": 4, "switch_transceiver": module(ports=1),
    }  # fmt: skip
    return storage(**(values | changes))


def out_of_band(**changes: Any) -> ManagementNetwork:
    values = {
        "switch": sn2201(), "uplink_transceiver": module(ports=1), "cable_price_usd": 5, "trunk_price_usd": 87,
        "host_ports": 1, "uplinks": 2, "uplink_bandwidth_bytes_per_s": 12.5e9, "switches_per_rack": 0,
    }  # fmt: skip
    return build(ManagementNetwork, **(values | changes))


def networks(**changes: Any) -> Networks:
    built: dict[str, Any] = {"storage": storage(), "in_band": in_band(), "out_of_band": out_of_band()}
    return Networks(**(built | changes))


def pod(supernodes: float, built: Networks | None = None, **changes: Any) -> Pod:
    return build(
        Pod,
        supernodes=supernodes,
        accelerators_used=supernodes * 8,
        fabric=plan(management_ports=4, **changes),
        networks=built or networks(),
    )


def superpod_system() -> SuperNode:
    """A DGX H100, four of which fill a rack."""
    return dataclasses.replace(dgx_h100(), racks=number(0.25))


def sizes(pod_: Pod, supernode: SuperNode | None = None) -> Sizes:
    return sizes_of(
        asked_of(
            pod=pod_,
            supernode=supernode or superpod_system(),
            assumptions=assumptions("fabric", FabricAssumptions),
        )
    )
