"""The counts of a scale-out fabric from the inputs of its row, by the fabric room of the engine."""

from __future__ import annotations

import dataclasses
import re
from typing import NamedTuple, TypeVar

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.plugs import no_switch
from app.engine.fabric.section import evaluate_fabric
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.quantities import unknown
from app.engine.specs import Accelerator, FabricPlan, Pod, SuperNode, Switch, Transceiver
from app.engine.trace import Array
from app.validation.rows import Row, UnsupportedRowError

Record = TypeVar("Record")
GBIT_S = 1e9 / 8
PORTS = re.compile(r"(\d+)\s*x\s*(\d+)\s*G")
TIER_COLUMNS = (
    ("num_leaf_switches", "cables_node_leaf"),
    ("num_spine_switches", "cables_leaf_spine"),
    ("num_core_switches", "cables_spine_core"),
)
"""Of each tier from the lowest, its switches and the cables below it."""
MOST_PORTS = 100_000


class Computed(NamedTuple):
    """Counts by column, and what stands for what the row leaves open."""

    counts: dict[str, int]
    assumed: tuple[str, ...] = ()


def scale_out_counts(row: Row, catalog: Catalog) -> Computed:
    """Switches and cables of every tier.

    Raises
    ------
    UnsupportedRowError : an input that nothing stands for is not given, or a topology is not known
    """
    topology = _topology(row)
    nodes, each = row.needed("num_nodes"), row.needed("accelerators_per_node")
    nic, assumed = _nic_bandwidth(row, catalog)
    domain = max(row.count("scale_up_domain_size") or each, each)
    trays = domain // each
    if domain % each or nodes % trays:
        raise UnsupportedRowError(
            f"{nodes:,} nodes of {each} accelerators are no whole number of domains of {domain:,}"
        )
    supernodes = nodes // trays
    units = row.count("num_scalable_units")
    pod = Pod(
        supernodes=_one(supernodes),
        accelerators_used=_one(nodes * each),
        fabric=_nothing(
            FabricPlan,
            topology=topology,
            switch=_switch(row, nic),
            switch_transceiver=_nothing(Transceiver),
            node_transceiver=_nothing(Transceiver),
            oversubscription=_one(_oversubscription(row)),
            # of servers the ports of a leaf decide: a unit may lack a server
            scalable_unit_supernodes=_one(-(-supernodes // units)) if trays > 1 and units else unknown(),
            management_ports=_one(row.number("management_ports_on_leaf") or 0),
            planes=_one(row.count("planes") or 1),
        ),
    )
    supernode = _nothing(
        SuperNode,
        accelerator=_nothing(Accelerator),
        accelerators=_one(domain),
        scale_up_domain_accelerators=_one(domain),
        nodes=_one(trays),
        scale_out_nics=_one(domain),
        scale_out_nic_bandwidth_bytes_per_s=_one(nic),
        price_includes_nics=True,
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        fabric = evaluate_fabric(pod=pod, supernode=supernode, assumptions=_assumptions(catalog))
    counts = {column: 0 for columns in TIER_COLUMNS for column in columns}
    for columns, tier in zip(TIER_COLUMNS, fabric.tiers, strict=False):
        counts |= dict(zip(columns, (_whole(tier.switches), _whole(tier.cables)), strict=True))
    return Computed(counts | {"num_accelerators": nodes * each}, assumed)


def _topology(row: Row) -> str:
    """The name of a topology from the words of a row."""
    words = f"{row.text('topology')} {row.text('rail_optimised')}".lower()
    if "rail-only" in words or "no cross-rail" in words:
        name = "rail_only"
    elif "clos" in words or "fat tree" in words:
        rails = "rail" in words or row.text("rail_optimised").lower() == "yes"
        name = "rail_fat_tree" if rails else "fat_tree"
    else:
        name = ""
    if name not in TOPOLOGIES:
        raise UnsupportedRowError(f"no topology is known by the words {row.text('topology')!r}")
    return name


def _nic_bandwidth(row: Row, catalog: Catalog) -> tuple[float, tuple[str, ...]]:
    """Bytes a second of the NICs of one accelerator; of a row that says nothing, the usual NIC."""
    stated = row.number("nic_gbit_s_per_accelerator")
    if stated:
        return stated * GBIT_S, ()
    usual = catalog.assumption("validation", "nic_gbit_s", {}).value
    return usual * GBIT_S, (f"one NIC of {usual:g} Gbit/s for each accelerator",)


def _switch(row: Row, nic_bytes_per_s: float) -> Switch:
    """The switch of a row. "64x800G (as 128x400G)" are 64 ports, split in two; else its ports are what is printed.

    What nothing says a switch can be split into, it can be split into links of the NICs.
    """
    ports, rate = row.needed("switch_radix_ports"), row.needed("switch_port_gbit_s")
    if ports > MOST_PORTS:
        raise UnsupportedRowError(f"switch_radix_ports is {ports:,}, more than {MOST_PORTS:,}")
    most = ports * max(rate * GBIT_S // nic_bytes_per_s, 1)
    whole = PORTS.search(row.text("leaf_switch_model"))
    if whole and int(whole[1]) * int(whole[2]) == ports * rate:
        most = max(most, ports)
        ports, rate = int(whole[1]), int(whole[2])
    return dataclasses.replace(
        no_switch(),
        key="row",
        name=row.text("leaf_switch_model"),
        ports=_one(ports),
        port_bandwidth_bytes_per_s=_one(rate * GBIT_S),
        max_logical_ports=_one(most),
    )


def _oversubscription(row: Row) -> float:
    """Leaf ports down over leaf ports up, 1 where the row gives none."""
    down, up = row.count("leaf_down_ports"), row.count("leaf_up_ports")
    return down / up if down and up else 1.0


def _assumptions(catalog: Catalog) -> FabricAssumptions:
    names = [field.name for field in dataclasses.fields(FabricAssumptions)]
    return FabricAssumptions(**{name: _one(catalog.assumption("fabric", name, {}).value) for name in names})


def _whole(value: Array) -> int:
    """A count of the engine.

    Raises
    ------
    UnsupportedRowError : it is unknown
    """
    number = float(value[0])
    if not np.isfinite(number):
        raise UnsupportedRowError("its inputs give no fabric")
    return round(number)


def _one(value: float) -> Array:
    return np.full(1, float(value))


def _nothing(kind: type[Record], **known: object) -> Record:
    """A record of which only so much is known: words are empty, numbers unknown."""
    given = {
        field.name: "" if str(field.type) == "str" else unknown()
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        if field.default is dataclasses.MISSING
    }
    return kind(**(given | known))
