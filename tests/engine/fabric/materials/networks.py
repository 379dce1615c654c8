"""Compute networks of DGX H100 for tests of the detailed bill, every link as long as the test says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.materials.bill import MaterialBill, material_bill
from app.engine.fabric.materials.parts import BillRules, Network, NetworkParts, Shares, SwitchParts, Work
from app.engine.fabric.media.medium import MediaRules, Medium, Piece, PriceRange
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.specs import SuperNode
from tests.engine.fabric.media.media import modules
from tests.engine.fabric.pods import pod
from tests.support import assumptions, dgx_h100

SWITCH = Piece(
    key="qm9700",
    name="QM9700",
    price=PriceRange(low=22000, typical=32000, high=38000),
    power_w=747,
    rack_units=1,
)
MODULE = modules("dr4", "single_mode", 100, 1241, 16)
"""As the module and fibre of `tests/engine/fabric/pods.py`."""


def graph_of(supernodes: float, supernode: SuperNode | None = None, **changes: Any) -> FabricGraph:
    ask = asked_of(
        pod=pod(supernodes, **changes),
        supernode=supernode or dgx_h100(),
        assumptions=assumptions("fabric", FabricAssumptions),
    )
    return topology_of("rail_fat_tree").graph(ask)


def network(
    graph: FabricGraph,
    lengths_m: Any = 20.0,
    media: tuple[Medium, ...] = (MODULE,),
    rules: MediaRules | None = None,
    **changes: Any,
) -> Network:
    return Network(
        graph=graph,
        lengths_m=np.broadcast_to(np.asarray(lengths_m, float), graph.link_count),
        parts=NetworkParts(
            title="Compute",
            switches={kind: SwitchParts(switch=SWITCH) for kind in ("leaf", "spine", "core")},
            media=media,
            rules=rules or MediaRules(),
            **changes,
        ),
        device_rack=np.arange(graph.device_count) // 4,
    )


def rules(cabling: float = 0.02, patched_from_m: float = math.nan, **spares: float) -> BillRules:
    return BillRules(
        spares=Shares(cabling=cabling, **spares),
        work=Work(switch_s=2700, adapter_s=900, module_s=60, cable_s=600, panel_s=1800, rack_s=7200),
        trunk_links=2,
        panel_links=36,
        patched_from_m=patched_from_m,
    )


def bill(supernodes: float, management_ports: int = 0, **changes: Any) -> MaterialBill:
    graph = graph_of(supernodes, management_ports=management_ports)
    return material_bill({"compute": network(graph, **changes)}, rules())
