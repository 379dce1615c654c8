"""One scale-up domain as arrays: every accelerator, switch chip and link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from app.engine.fabric.graph.graph import Devices, FabricGraph, Links, Whole, devices_of, ports_in_order
from app.engine.fabric.scale_up.mesh import mesh_shape
from app.engine.fabric.scale_up.switch_planes import switch_planes_shape
from app.engine.fabric.scale_up.torus import side_bandwidths, torus_shape
from app.engine.specs import ScaleUpPlan
from app.engine.trace import Array, first_of


class Ends(NamedTuple):
    """Links by their tier and both ends."""

    tier: Whole
    lower: Whole
    upper: Whole


def scale_up_graph(plan: ScaleUpPlan, accelerators: Array) -> FabricGraph:
    """The devices and links of one domain, for the first sample.

    Kinds are "accelerator", "chip" of a lower or only tier and "upper_chip". A device counts its ports in the
    order of the links. Links between the cubes of a torus are those of the tier "optical"; circuit switches
    are set before a job and are no devices of it.
    """
    return GRAPHS[plan.structure](plan, _whole(accelerators))


def _switch_planes_graph(plan: ScaleUpPlan, accelerators: int) -> FabricGraph:
    """Links of accelerators are dealt out over the planes in turn, and so are those of a chip over the chips
    above it. An accelerator begins where the one before it left off, so that uneven shares even out.
    """
    shape = switch_planes_shape(plan, np.full(1, float(accelerators)))
    planes, lower, upper = _whole(shape.planes), shape.layers[0], shape.layers[1:]
    chips = _whole(lower.switches) // planes
    uppers = _whole(upper[0].switches) // planes if upper else 0
    below = -(-accelerators // chips)
    counts = {"accelerator": accelerators, "chip": planes * chips, "upper_chip": planes * uppers}
    in_plane = {"chip": np.repeat(np.arange(planes), chips)}
    in_plane["upper_chip"] = np.repeat(np.arange(planes), uppers)
    devices, first = devices_of(
        counts, plane=in_plane, group={"accelerator": np.arange(accelerators) // below}, rail={}
    )
    links = _whole(lower.links)
    accelerator = np.repeat(np.arange(accelerators), links // accelerators)
    plane = np.arange(links) % planes
    chip = first["chip"] + plane * chips + accelerator // below
    ends = [Ends(np.zeros(links, np.int32), accelerator, chip)]
    if upper and upper[0].name == "peers":
        one, other = np.triu_indices(chips, 1)
        times = _whole(upper[0].links) // (planes * one.size)
        base = first["chip"] + np.repeat(np.arange(planes) * chips, one.size * times)
        pairs = [base + np.tile(np.repeat(ends_of, times), planes) for ends_of in (one, other)]
        ends.append(Ends(np.ones(base.size, np.int32), pairs[0], pairs[1]))
    elif upper:
        links_up = _whole(upper[0].links)
        each = links_up // (planes * chips)
        from_chip = np.repeat(np.arange(planes * chips), each)
        to_chip = from_chip // chips * uppers + np.arange(links_up) % each % uppers
        tier = np.ones(links_up, np.int32)
        ends.append(Ends(tier, first["chip"] + from_chip, first["upper_chip"] + to_chip))
    tiers = tuple(layer.name for layer in shape.layers)
    return _graph(tiers, tuple(counts), devices, ends, [plan.link_bandwidth_bytes_per_s] * len(tiers))


def _torus_graph(plan: ScaleUpPlan, accelerators: int) -> FabricGraph:
    """Accelerators stand in the order of their coordinates, of which the last counts fastest."""
    sides = [_whole(length) for length in plan.lengths]
    places = np.stack(np.unravel_index(np.arange(accelerators), sides))
    cube = _whole(plan.cube_side) if plan.cube_side is not None else 0
    ends = []
    for dimension, side in enumerate(sides):
        begins = places[dimension] < (side if side > 2 else side - 1)  # a ring of two has one link
        following = places[:, begins].copy()
        following[dimension] = (following[dimension] + 1) % side
        tier = following[dimension] % cube == 0 if cube else np.full(following.shape[1], dimension)
        ends.append(Ends(tier, np.flatnonzero(begins), np.ravel_multi_index(tuple(following), sides)))
    tiers = tuple(layer.name for layer in torus_shape(plan, np.full(1, float(accelerators))).layers)
    devices, _ = devices_of({"accelerator": accelerators}, plane={}, group={}, rail={})
    bandwidths = [plan.link_bandwidth_bytes_per_s] * len(tiers) if cube else side_bandwidths(plan)
    return _graph(tiers, ("accelerator",), devices, ends, bandwidths)


def _mesh_graph(plan: ScaleUpPlan, accelerators: int) -> FabricGraph:
    """As many links between every two accelerators as divide evenly."""
    shape = mesh_shape(plan, np.full(1, float(accelerators)))
    lower, upper = np.triu_indices(accelerators, 1)
    each = _whole(shape.layers[0].links) // max(lower.size, 1)
    ends = Ends(np.zeros(lower.size * each, np.int32), np.repeat(lower, each), np.repeat(upper, each))
    devices, _ = devices_of({"accelerator": accelerators}, plane={}, group={}, rail={})
    return _graph(("mesh",), ("accelerator",), devices, [ends], [plan.link_bandwidth_bytes_per_s])


GRAPHS: dict[str, Callable[[ScaleUpPlan, int], FabricGraph]] = {
    "switch_planes": _switch_planes_graph,
    "torus": _torus_graph,
    "mesh": _mesh_graph,
}


def _graph(
    tiers: tuple[str, ...],
    kinds: tuple[str, ...],
    devices: Devices,
    ends: Sequence[Ends],
    bandwidths: Sequence[Array],
) -> FabricGraph:
    """Links tier by tier, with ports that no two share."""
    tier, lower, upper = (
        np.concatenate([getattr(part, name) for part in ends]).astype(np.int32) for name in Ends._fields
    )
    order = np.argsort(tier, kind="stable")
    tier, lower, upper = tier[order], lower[order], upper[order]
    ports = ports_in_order(np.concatenate([lower, upper]))
    return FabricGraph(
        kinds=kinds,
        tiers=tiers,
        devices=devices,
        links=Links(
            tier=tier,
            lower=lower,
            upper=upper,
            lower_port=ports[: lower.size],
            upper_port=ports[lower.size :],
        ),
        link_bandwidth_bytes_per_s=np.array([first_of(value) for value in bandwidths]),
    )


def _whole(value: object) -> int:
    return round(first_of(value))
