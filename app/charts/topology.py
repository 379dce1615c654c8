"""Interactive drawing of the pod."""

from __future__ import annotations

import math
from typing import Any

from app.charts.fat_tree import fat_tree_figure, unit_sizes
from app.charts.figure import Detail, Figure, get_path, unknown_figure
from app.charts.forms.drawing import choosable_points, drawing, share_out, text
from app.charts.grid import grid_detail, segments
from app.charts.inside import link_gbit_s, supernode_detail
from app.charts.lattice import lattice_figure
from app.charts.supernode import supernode_figure
from app.charts.tier_rows import TIER_COLUMNS, accelerator_word, count_text, in_a_sentence, tier_rows
from app.engine.fabric.topologies import TOPOLOGIES


def topology_figure(evaluation: dict[str, Any]) -> Figure:
    """The fabric between SuperNodes, or the inside of the only one."""
    tiers = get_path(evaluation, "fabric.tiers") or []
    topology = get_path(evaluation, "fabric.topology")
    if get_path(evaluation, "fabric.lengths") and any(tier.get("links") for tier in tiers):
        return lattice_figure(evaluation, TOPOLOGIES[topology].title)
    if any(tier.get("switches") for tier in tiers):
        if topology in ("dragonfly", "dragonfly_plus"):
            return group_ring_figure(evaluation, TOPOLOGIES[topology].title)
        return fat_tree_figure(evaluation)
    if get_path(evaluation, "inputs.pod.supernodes") == 1 and get_path(
        evaluation, "inputs.supernode.accelerators"
    ):
        return supernode_figure(evaluation)
    return unknown_figure("topology", "Pod topology", "", "The fabric between SuperNodes is unknown.")


EYEBROW = "Pod topology"
HEIGHT = 420
MOST_JOINED = 40  # groups whose links are all drawn: 780 lines; of more, those of the first
MOST_GROUPS = 1000  # drawn


def group_ring_figure(evaluation: dict[str, Any], title: str) -> Figure:
    """The groups of a dragonfly, what joins them and what is in each."""
    fabric = evaluation["fabric"]
    groups = max(int(fabric.get("scalable_units") or 1), 1)
    supernodes = int(fabric.get("networked_supernodes") or 0)
    accelerators = int(get_path(evaluation, "inputs.supernode.accelerators") or 0)
    word = accelerator_word(evaluation)
    sizes = unit_sizes(supernodes, groups, int(fabric.get("unit_supernodes") or 0))
    kinds = sorted(set(sizes), reverse=True)
    switches = share_out(int(fabric.get("switches_total") or 0), groups)[0]
    inside = supernode_detail(evaluation, word)
    details = tuple(_group_detail(fabric, size, switches, accelerators, word, inside) for size in kinds)
    titles = [
        (
            f"Group {group + 1}",
            f"{size} SuperNode{'s' if size != 1 else ''}, {switches} switches",
            kinds.index(size),
        )
        for group, size in enumerate(sizes[:MOST_GROUPS])
    ]
    return Figure(
        name="topology",
        eyebrow=EYEBROW,
        takeaway=_takeaway(evaluation, title, groups),
        caption=_caption(groups),
        hint="Select a group to open it.",
        columns=TIER_COLUMNS,
        rows=tier_rows(fabric),
        plot=_plot(titles, groups, _global_links(fabric), link_gbit_s(evaluation)),
        details=details,
        minimum_width=420,
    )


def _global_links(fabric: dict[str, Any]) -> float | None:
    return next((tier["links"] for tier in fabric["tiers"] if tier["name"] == "global"), None)


def _plot(
    titles: list[tuple[str, str, int]], groups: int, links: float | None, rate: float | None
) -> dict[str, Any]:
    shown = len(titles)
    turn = 2 * math.pi / max(shown, 1)
    points = [(math.sin(turn * group), math.cos(turn * group)) for group in range(shown)]
    if shown == 1:
        points = [(0.0, 0.0)]
    joined = range(shown) if shown <= MOST_JOINED else range(1)
    ends = [(*points[one], *points[other]) for one in joined for other in range(one + 1, shown)]
    size = max(min(round(900 / max(shown, 1)), 22), 5)
    each = f" of {rate:g} Gbit/s" if rate else ""
    words = [text(0, 1.15, f"{count_text(links)} links between groups{each}")] if links else []
    data = [segments(ends, "c1-tint", 1), choosable_points(points, titles, size=size)]
    return drawing(HEIGHT, [-2.1, 2.1], [-1.2, 1.2], data, words=words)


def _group_detail(
    fabric: dict[str, Any], supernodes: int, switches: int, accelerators: int, word: str, inside: Detail
) -> Detail:
    """SuperNodes of a group; its switches in words."""
    titles = [(f"SuperNode {position + 1}", f"{accelerators} {word}", 0) for position in range(supernodes)]
    tiers = {tier["name"]: tier for tier in fabric["tiers"]}
    leaves = (
        "leaves and spines, each leaf joined to each spine"
        if "spine" in tiers
        else "routers, each joined to all others"
    )
    facts = (("SuperNodes", f"{supernodes:,}"), ("Switches", f"{switches:,}"))
    note = f"{switches:,} switches: {leaves}. Select a SuperNode to open it."
    return grid_detail(titles, (inside,), facts=facts, note=note)


def _takeaway(evaluation: dict[str, Any], title: str, groups: int) -> str:
    furthest = get_path(evaluation, "fabric.diameter_links")
    steps = f": at most {furthest:,.0f} links from node to node" if furthest else ""
    name = in_a_sentence(title)
    name = name[0].upper() + name[1:]
    if groups == 1:
        return f"{name} of one group{steps}."
    return f"{name} of {groups:,} groups, each joined to every other{steps}."


def _caption(groups: int) -> str:
    if groups == 1:
        return "One group, so there are no links between groups."
    drawn = (
        "" if groups <= MOST_JOINED else " Only the links of the first are drawn; every other has as many."
    )
    return f"Each square is a group of switches with the SuperNodes below them; lines join groups.{drawn}"
