"""The counts of a scale-up domain from the inputs of its row, by the structures of the engine."""

from __future__ import annotations

import re

import numpy as np

from app.catalog.lookup import Catalog, Part
from app.engine.fabric.scale_up.section import STRUCTURES
from app.engine.fabric.scale_up.shape import Shape
from app.engine.quantities import unknown
from app.engine.specs import ScaleUpPlan
from app.engine.trace import Array
from app.validation.fabric.scale_out import GBIT_S, Computed
from app.validation.rows import Row, UnsupportedRowError

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
            "num_core_switches": _whole(circuits.switches),
            "cables_leaf_spine": _whole(circuits.ends),
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
    switches = sum(_whole(layer.switches) for layer in layers)
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
    known = {column: _whole(value) for column, value in counts.items() if np.isfinite(value[0])}
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


def _whole(value: Array) -> int:
    return round(float(value[0]))


def _one(value: float) -> Array:
    return np.full(1, float(value))
