"""The counts of a fabric from the inputs of its row, by the functions that size every design."""

from __future__ import annotations

import dataclasses
import re
from typing import NamedTuple, TypeVar

import numpy as np

from app.catalog.lookup import Catalog, Part
from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.plugs import no_switch
from app.engine.fabric.scale_up.section import STRUCTURES
from app.engine.fabric.scale_up.shape import Shape
from app.engine.fabric.section import evaluate_fabric
from app.engine.fabric.topologies import TOPOLOGIES
from app.engine.quantities import unknown
from app.engine.specs import Accelerator, FabricPlan, Pod, ScaleUpPlan, SuperNode, Switch, Transceiver
from app.engine.trace import Array
from app.validation.study import Row, UnsupportedRowError

# The counts of a scale-out fabric from the inputs of its row, by the fabric room of the engine.

Record = TypeVar("Record")
GBIT_S = 1e9 / 8
PORTS = re.compile(r"(\d+)\s*x\s*(\d+)\s*G")
TIER_COLUMNS = (
    ("num_leaf_switches", "cables_node_leaf"),
    ("num_spine_switches", "cables_leaf_spine"),
    ("num_core_switches", "cables_spine_core"),
)
"""Of each tier from the lowest, its switches and the cables below it: published tables count one a switch port."""
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
        counts |= dict(zip(columns, (_whole(tier.switches), _whole(tier.cabled_ports)), strict=True))
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
    """Bytes per second of the NICs of one accelerator; of a row that says nothing, the usual NIC."""
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


# The counts of a scale-up domain from the inputs of its row, by the structures of the engine.

SIDES = re.compile(r"\b(\d+(?:x\d+)+)\b")
CUBES = re.compile(r"cubes of (\d+(?:x\d+)+)")
SWITCHES = ("num_leaf_switches", "num_spine_switches", "num_core_switches")
LINK = re.compile(r"\(([^)]+)\)")


def scale_up_counts(row: Row, catalog: Catalog) -> Computed:
    """Switch chips or circuit switches, and cables, of one domain.

    Raises
    ------
    UnsupportedRowError : an input is not given, or a structure is not known
    """
    words = row.text("topology").lower()
    with np.errstate(invalid="ignore", divide="ignore"):
        if "torus" in words and ("ocs" in words or "circuit" in words):
            return _patched_torus(row)
        if "torus" in words:
            return _torus(row)
        if "plane" in words or "clos" in words:
            return _switch_planes(row, catalog)
    raise UnsupportedRowError(f"no scale-up structure is known by the words {row.text('topology')!r}")


def _patched_torus(row: Row) -> Computed:
    """A torus of cubes and circuit switches; units are cubes where the row names no size of cube.

    Circuit switches stand in the column of the highest tier, optical ends in that of cables between tiers.
    """
    cubes = row.needed("num_scalable_units")
    named = CUBES.search(row.text("topology"))
    if named:
        sides = [int(side) for side in named[1].split("x")]
    else:
        each = row.needed("num_accelerators") / cubes
        sides = [round(each ** (1 / 3))] * 3
        if np.prod(sides) != each:
            raise UnsupportedRowError(f"units of {each:g} accelerators are no cubes")
    accelerators = cubes * int(np.prod(sides))
    if len(set(sides)) > 1:
        raise UnsupportedRowError(f"cubes of {'x'.join(map(str, sides))} have sides of several lengths")
    lengths = (cubes * sides[0], *sides[1:])  # how cubes are patched together changes no count
    plan = _plan("torus", links=2 * len(sides), lengths=lengths, cube_side=sides[0])
    circuits = _shape(plan, accelerators).circuits
    return Computed(
        {
            "num_accelerators": accelerators,
            "num_core_switches": _rounded(circuits.switches),
            "cables_leaf_spine": _rounded(circuits.ends),
        }
    )


def _torus(row: Row) -> Computed:
    """A torus wired for good: it has no switches, and as many accelerators as its sides say."""
    named = SIDES.search(row.text("topology"))
    if not named:
        raise UnsupportedRowError("the sides of the torus are not given")
    sides = tuple(int(side) for side in named[1].split("x"))
    accelerators = int(np.prod(sides))
    layers = _shape(_plan("torus", links=2 * len(sides), lengths=sides), accelerators).layers
    switches = sum(_rounded(layer.switches) for layer in layers)
    return Computed({"num_accelerators": accelerators, **dict.fromkeys(SWITCHES, switches)})


def _switch_planes(row: Row, catalog: Catalog) -> Computed:
    """One tier of switches or two; what a link is, and what is wired on boards, the catalog says."""
    accelerators = row.count("num_accelerators") or row.needed("num_nodes") * row.needed(
        "accelerators_per_node"
    )
    kin = _kin(row, catalog, accelerators)
    tiers = row.count("tiers") or 1
    on_board = "first_tier_accelerators" in kin.facts
    plan = _plan(
        "switch_planes",
        links=kin.facts["links_per_accelerator"].value,
        planes=row.needed("planes"),
        switch_ports=row.count("switch_radix_ports") or _value(kin, "switch_ports"),
        taper=(row.number("oversubscription_top_tier") or 1) if tiers > 1 else None,
        first_tier_accelerators=row.needed("accelerators_per_node") if on_board else None,
        cables_per_link=_value(kin, "cables_per_link"),
        upper_cables_per_link=_value(kin, "upper_cables_per_link"),
    )
    layers = _shape(plan, accelerators).layers
    lower, *upper = layers
    counts = {
        "num_leaf_switches": lower.switches,
        "num_spine_switches": sum((layer.switches for layer in upper), start=np.zeros(1)),
        "num_core_switches": np.zeros(1),
        "cables_node_leaf": lower.links * lower.cables_per_link,
    }
    if upper:
        counts["cables_leaf_spine"] = upper[0].links * upper[0].cables_per_link
    known = {column: _rounded(value) for column, value in counts.items() if np.isfinite(value[0])}
    nodes, each = row.count("num_nodes"), row.count("accelerators_per_node")
    return Computed(known | {"num_accelerators": nodes * each if nodes and each else accelerators})


def _kin(row: Row, catalog: Catalog, accelerators: int) -> Part:
    """The scale-up fabric of the catalog with the link of the row whose domain is nearest in size.

    Raises
    ------
    UnsupportedRowError : the row names no link, or none that the catalog knows
    """
    named = LINK.search(row.text("fabric"))
    link = named[1] if named else ""
    parts = [catalog.part("scale_up_fabrics", key) for key in catalog.keys("scale_up_fabrics")]
    same = [part for part in parts if part.attributes.get("link") == link]
    if not same:
        raise UnsupportedRowError(f"the catalog knows no scale-up fabric of link {link!r}")
    return min(same, key=lambda part: abs(np.log(part.facts["accelerators"].value / accelerators)))


def _plan(
    structure: str, *, links: float, lengths: tuple[int, ...] = (), **numbers: float | None
) -> ScaleUpPlan:
    """A plan of which only counts are asked."""
    given = {name: _one(value) for name, value in numbers.items() if value is not None}
    return ScaleUpPlan(
        key="row",
        name="",
        structure=structure,
        links_per_accelerator=_one(links),
        link_bandwidth_bytes_per_s=_one(GBIT_S),
        lengths=tuple(_one(length) for length in lengths),
        **({"cables_per_link": unknown()} | given),
    )


def _shape(plan: ScaleUpPlan, accelerators: int) -> Shape:
    return STRUCTURES[plan.structure](plan, _one(accelerators))


def _value(part: Part, name: str) -> float | None:
    return part.facts[name].value if name in part.facts else None


def _rounded(value: Array) -> int:
    return round(float(value[0]))
