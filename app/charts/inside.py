"""The inside of a SuperNode on a fabric: its racks and nodes, and a node's accelerators, NICs and rails."""

from __future__ import annotations

import math
from typing import Any

from app.charts.figure import Detail, get_path
from app.charts.format import TIMES, number, show
from app.charts.forms.drawing import (
    band,
    box,
    choosable_points,
    drawing,
    line,
    named_points,
    share_out,
    text,
)
from app.engine.fabric.ports import link_bandwidth_bytes_per_s

MOST_ACROSS = 8
MOST_NODES = 96
ROW = 34  # pixels a line of accelerators takes
JOINED = {"switched": "Scale-up switches", "mesh": "Full mesh", "torus": "Torus"}


def supernode_detail(evaluation: dict[str, Any], word: str) -> Detail:
    """What opens when a SuperNode of a unit is chosen: a node, or the nodes of its racks."""
    inside = evaluation.get("inputs", {}).get("supernode", {})
    accelerators = int(inside.get("accelerators") or 0)
    nics = int(inside.get("scale_out_nics") or 0)
    nodes = int(inside.get("nodes") or 1)
    racks = inside.get("racks")
    node = _node(evaluation, accelerators // nodes, nics // nodes, word)
    if nodes == 1:
        return Detail(
            title="SuperNode 1", subtitle="", note=_rack_note(evaluation, nodes), plot=node.plot,
            facts=node.facts,
        )  # fmt: skip
    facts = (("Nodes", str(nodes)), (word[0].upper() + word[1:], str(accelerators)), ("NICs", str(nics)))
    each = (
        f"{accelerators // nodes} {word}, {nics // nodes} NICs" if nics else f"{accelerators // nodes} {word}"
    )
    return Detail(
        title="SuperNode 1",
        subtitle="",
        note=_rack_note(evaluation, nodes),
        plot=_racks(nodes, max(math.ceil(racks or 1), 1), each) if nodes <= MOST_NODES else None,
        facts=facts,
        details=(node,),
    )


def link_gbit_s(evaluation: dict[str, Any]) -> float | None:
    """Rate of one link of the fabric, as the engine splits a NIC over planes and switch ports."""
    nic = get_path(evaluation, "inputs.supernode.scale_out_nic_bandwidth_bytes_per_s")
    port = get_path(evaluation, "inputs.pod.switch_port_bandwidth_bytes_per_s")
    planes = get_path(evaluation, "fabric.planes")
    if not nic or not port or not planes:
        return None
    return 8e-9 * float(
        link_bandwidth_bytes_per_s(
            scale_out_nic_bandwidth_bytes_per_s=nic, planes=planes, port_bandwidth_bytes_per_s=port
        )
    )


def _rack_note(evaluation: dict[str, Any], nodes: int) -> str:
    """Number of racks, or of SuperNodes that share one, as the evaluation packs them."""
    racks, servers = (
        get_path(evaluation, "inputs.supernode.racks"),
        get_path(evaluation, "power.servers_per_rack"),
    )
    if racks and racks >= 1:
        return "It fills one rack." if racks == 1 else f"It fills {number(math.ceil(racks))} racks."
    if servers is None and racks:  # an evaluation kept from before servers were counted
        servers = nodes / racks
    sharing = math.floor(servers / nodes) if servers else 0
    return f"{number(sharing)} SuperNodes share a rack." if sharing > 1 else ""


def _racks(nodes: int, racks: int, each: str) -> dict[str, Any]:
    """Racks side by side with a square for each node."""
    across = min(racks, 4 if nodes > 16 else MOST_ACROSS)
    lines = math.ceil(racks / across)
    counts = share_out(nodes, racks)
    slots = 2 if racks > 1 else 6  # nodes side by side in a rack
    tall = math.ceil(max(counts) / slots)
    shapes, words, points = [], [], []
    titles: list[tuple[str, str, int]] = []
    for rack, count in enumerate(counts):
        left, top = (rack % across) * (slots + 0.8), (rack // across) * (tall + 1.7)
        shapes.append(box(left - 0.55, top - 0.55, left + slots - 0.45, top + tall - 0.45))
        words.append(text(left + (slots - 1) / 2, top - 0.95, f"Rack {rack + 1}"))
        for node in range(count):
            points.append((left + node % slots, top + float(node // slots)))
            titles.append((f"Node {len(titles) + 1}", each, 0))
    height = round(24 * (lines * (tall + 1.7) - 0.1))
    squares = choosable_points(points, titles, size=14, chosen=None)
    extent = [-0.8, across * (slots + 0.8) - 0.9]
    return drawing(height, extent, [lines * (tall + 1.7) - 1.6, -1.5], [squares], shapes, words)


def _node(evaluation: dict[str, Any], accelerators: int, nics: int, word: str) -> Detail:
    """The inside of one node."""
    rate = link_gbit_s(evaluation)
    scale_up = get_path(evaluation, "fabric.scale_up_bandwidth_bytes_per_s")
    name = get_path(evaluation, "inputs.accelerator.name") or word
    kind = get_path(evaluation, "inputs.supernode.scale_up_topology") or "switched"
    nic = get_path(evaluation, "inputs.supernode.scale_out_nic_bandwidth_bytes_per_s")
    nic_words = f"{nics} {TIMES} {8e-9 * nic:g}G" if nic else str(nics)
    facts = (
        (word[0].upper() + word[1:], f"{accelerators} {TIMES} {name}"),
        ("Scale-up, one way", show(scale_up, "B/s").text),
        ("NICs", nic_words if nics else "not published"),
        *((("Each link", f"{rate:g}G"),) if rate else ()),
    )
    drawn = 0 < accelerators <= 4 * MOST_ACROSS
    plot = _node_plot(accelerators, nics, word, JOINED.get(kind, kind)) if drawn else None
    return Detail(title="Node 1", subtitle="", plot=plot, facts=facts)


def _node_plot(accelerators: int, nics: int, word: str, joined: str) -> dict[str, Any]:
    """From above: what joins the accelerators, the accelerators, their NICs, and the rails below."""
    across = min(accelerators, MOST_ACROSS)
    lines = math.ceil(accelerators / across)
    points = [(float(place % across), 1.1 + place // across) for place in range(accelerators)]
    last = 1.1 + lines - 1
    shapes = [
        box(-0.5, -0.35, across - 0.5, 0.35),
        band(-0.4, across - 0.6, 1.1 - 0.3, -0.4, across - 0.6, 0.35),
    ]
    words = [text((across - 1) / 2, 0, joined)]
    data = [
        named_points(
            points, [f"{word.removesuffix('s')} {place + 1}" for place in range(accelerators)], "c1", 15
        )
    ]
    bottom = last + 0.6
    if 0 < nics <= 2 * MOST_ACROSS:
        pitch = across / nics
        ports = [(-0.5 + pitch * (place + 0.5), last + 1.1) for place in range(nics)]
        shapes.append(band(-0.4, across - 0.6, last + 0.9, -0.4, across - 0.6, last + 0.3))
        shapes += [line(x, y, x, y + 0.75) for x, y in ports]
        data.append(named_points(ports, [f"NIC {place + 1}" for place in range(nics)], "c3", 10))
        words += [text(x, last + 2.1, str(place + 1)) for place, (x, _) in enumerate(ports)]
        words.append(text(-0.75, last + 1.1, "NIC", anchor="right"))
        words.append(text(-0.75, last + 2.1, "Rail", anchor="right"))
        bottom = last + 2.5
    words.append(text(-0.75, 1.1 + (lines - 1) / 2, word if len(word) < 6 else "XPU", anchor="right"))
    extent = [-0.7 - 0.22 * max(across, 4), across - 0.4]
    return drawing(round(ROW * (bottom + 0.5)), extent, [bottom, -0.5], data, shapes, words)
