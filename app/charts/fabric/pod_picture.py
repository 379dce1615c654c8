"""The compute fabric as rows of marks: hosts below, tiers of switches above, and the links that the graph has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.charts.fabric.words import device_name, share_text, slower_text
from app.charts.figure import Detail, Figure, Mark
from app.charts.format import TIMES, number, show
from app.charts.forms import dots, segments, token
from app.charts.forms.axes import blank
from app.charts.forms.drawing import drawing, text
from app.charts.grid import grid_detail
from app.charts.inside import supernode_detail
from app.charts.tier_rows import TIER_COLUMNS, accelerator_word, tier_rows

EYEBROW = "Pod topology"
LEFT = -21.0  # where the names of rows stand; marks span 0 to 100
ROWS = (("host", "management"), ("leaf",), ("spine",), ("core",))
PITCH = 150  # pixels from row to row
LEFT_OUT = "not computed at this size"
MOST_RAILS = 12  # with a name each
PORT = 0.2  # of a row, from a mark to where its links part
NAMES = {
    "rail_fat_tree": "Rail fat tree", "fat_tree": "Folded Clos", "rail_only": "Rail-only fabric: no link joins two rails",
    "dual_tor": "Fabric with two leaves for every NIC",
}  # fmt: skip
Picture = Mapping[str, Any]


def pod_picture_figure(
    picture: Picture, evaluation: dict[str, Any], *, loads: Mapping[str, float | None] | None, losses: Sequence[Picture] | None,
    asked: tuple[str, str] | None,
) -> Figure:  # fmt: skip
    """Marks and bundles of links as they are in the graph.

    Parameters
    ----------
    loads : busy share of the links of a tier; None where they are left out
    losses : rows of the loss of one part of a kind; None where they are left out
    asked : ends of the route that is drawn
    """
    places = _places(picture["marks"])
    marks, links = picture["marks"], picture["links"]
    details: list[Detail] = []
    titles, points, sizes, symbols = [], [], [], []
    pixels = _size(marks)
    for place, mark in enumerate(marks):
        titles.append([mark["title"], _devices(mark), len(details)])
        details.append(_mark_detail(mark, evaluation, losses))
        points.append(places[place])
        sizes.append(pixels)
        symbols.append("square")
    for tier, lower in dict.fromkeys((one["tier"], one["lower"]) for one in links):
        found = [one for one in links if (one["tier"], one["lower"]) == (tier, lower)]
        total = sum(one["links"] for one in found)
        titles.append(
            [f"Links up from {marks[lower]['title']}", f"{total:,} {TIMES} {_rate(found[0])}", len(details)]
        )
        details.append(_links_detail(found, marks, loads, losses))
        x, y = places[lower]
        points.append((x, y + PORT))
        sizes.append(9)
        symbols.append("circle")
    chosen = dots(
        [x for x, _ in points], [y for _, y in points], "bg", sizes, symbol=symbols, edge="control", edge_width=1.2,
        meta="choosable", said=titles, hover="%{customdata[0]}<br>%{customdata[1]}",
    ) | {
        "selectedpoints": [0],
        "selected": {"marker": {"color": token("accent-soft"), "opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }  # fmt: skip
    edges = ["bad" if one["failed"] else "control" for one in marks]
    edges += ["control"] * (len(points) - len(marks))
    chosen["marker"]["line"] = {"width": 1.4, "color": [token(edge) for edge in edges]}
    rows = len({y for _, y in places})
    return Figure(
        name="topology",
        eyebrow=EYEBROW,
        takeaway=_takeaway(picture, asked),
        caption=_caption(marks),
        hint="Select a mark or the point above it, its links, to see ports, rate, load and loss.",
        columns=TIER_COLUMNS,
        rows=tier_rows(evaluation["fabric"]),
        plot=drawing(
            PITCH * rows - 30, [], [], [*_lines(picture, places, 0.5 * pixels / PITCH), chosen], (),
            _words(picture, places), x=blank([LEFT - 1, 102], fixedrange=False),
            y=blank([-0.35, rows - 0.55], fixedrange=False), dragmode="zoom",
        ),
        narrow={"dragmode": False},
        legend=_legend(picture),
        details=tuple(details),
        minimum_width=820,
    )  # fmt: skip


def _places(marks: Sequence[Picture]) -> list[tuple[float, float]]:
    """Where each mark stands: across in hundredths, up by rows of its kind."""
    rows = _rows(marks)
    counts = [sum(one["kind"] in kinds for one in marks) for kinds in rows]
    seen, found = [0] * len(rows), []
    for mark in marks:
        level = next(level for level, kinds in enumerate(rows) if mark["kind"] in kinds)
        found.append((100 / counts[level] * (seen[level] + 0.5), float(level)))
        seen[level] += 1
    return found


def _rows(marks: Sequence[Picture]) -> list[tuple[str, ...]]:
    """Kinds of each row from below: what links end in first."""
    there = {one["kind"] for one in marks}
    return [kinds for row in ROWS if (kinds := tuple(kind for kind in row if kind in there))]


def _size(marks: Sequence[Picture]) -> int:
    """Pixels of a mark, so that those of the fullest row stand apart."""
    most = max(sum(one["kind"] in kinds for one in marks) for kinds in _rows(marks))
    return max(min(570 // most, 36), 17)


def _lines(picture: Picture, places: Sequence[tuple[float, float]], half: float) -> list[dict[str, Any]]:
    """Links that are whole, those that have failed, and the route; they end `half` a mark below the upper ones."""
    ends = [
        (places[one["lower"]][0], places[one["lower"]][1] + PORT, places[one["upper"]][0], places[one["upper"]][1] - half)
        for one in picture["links"]
    ]  # fmt: skip
    width = 1.0 if len(ends) <= 64 else 0.8
    starts = {one["lower"] for one in picture["links"]}
    whole = [(*places[at], places[at][0], places[at][1] + PORT) for at in starts]
    kept: list[tuple[float, ...]] = []
    broken: list[tuple[float, ...]] = []
    route: list[tuple[float, ...]] = []
    for place, one in zip(ends, picture["links"], strict=True):
        (route if one["on_route"] else broken if one["failed"] else kept).append(place)
    used = {one["lower"] for one in picture["links"] if one["on_route"]}
    route += [(*places[at], places[at][0], places[at][1] + PORT) for at in used]
    found = [segments([*whole, *kept], "c1-tint", width)]
    if broken:
        found.append(segments(broken, "bad", 1.8, dash="dot"))
    if route:
        found.append(segments(route, "c2", 2.6))
    return found


def _words(picture: Picture, places: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
    """Names of rows, links between them, and in each mark its number or how many it stands for."""
    marks, links, words = picture["marks"], picture["links"], []
    for level, kinds in enumerate(_rows(marks)):
        inside = [place for place, one in enumerate(marks) if one["kind"] in kinds]
        total = sum(marks[place]["devices"] for place in inside)
        name = "Nodes" if kinds[0] == "host" else device_name(kinds[0])
        others = sum(one["devices"] for one in marks if one["kind"] == kinds[-1]) if len(kinds) > 1 else 0
        count = f"{total - others:,} and {others:,} for management" if others else f"{total:,}"
        words.append(text(LEFT, level, f"<b>{name}</b>", colour="text", anchor="left", yanchor="bottom"))
        words.append(text(LEFT, level, count, anchor="left", yanchor="top"))
        single = total == len(inside)
        for order, place in enumerate(inside):
            mark = marks[place]
            said = str(order + 1) if single else f"{mark['devices']:,}"
            failed = mark["failed"] > 0
            x, y = places[place]
            words.append(
                text(x, y, f"{TIMES}" if failed and single else said, colour="bad" if failed else "text-2")
            )
    for tier in dict.fromkeys(one["tier"] for one in links):
        found = [one for one in links if one["tier"] == tier]
        y = places[found[0]["lower"]][1] + 0.5
        said = f"{sum(one['links'] for one in found):,} {TIMES} {_rate(found[0])}"
        words.append(text(LEFT, y, said, colour="accent-text", anchor="left"))
    return [*words, *_rails(picture, places)]


def _rails(picture: Picture, places: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
    """Names of the rails of a rail-only fabric, above what each is made of."""
    top = max(y for _, y in places)
    if picture["topology"] != "rail_only" or not top:
        return []
    across: dict[int, list[float]] = {}
    for mark, (x, y) in zip(picture["marks"], places, strict=True):
        if y == top:
            across.setdefault(mark["part"], []).append(x)
    if not 1 < len(across) <= MOST_RAILS:
        return []
    return [
        text(sum(found) / len(found), top + 0.27, f"Rail {part}", colour="text-2")
        for part, found in sorted(across.items())
    ]


def _rate(one: Picture) -> str:
    return f"{8e-9 * one['rate_bytes_per_s']:g}G"


def _devices(mark: Picture) -> str:
    name = "node" if mark["kind"] == "host" else device_name(mark["kind"]).lower()
    ports = str(mark["ports_most"])
    if mark["ports_least"] != mark["ports_most"]:
        ports = f"{mark['ports_least']} to {mark['ports_most']}"
    if mark["devices"] == 1:
        return f"{ports} ports in use"
    return f"{mark['devices']:,} {name}{'s' if name == 'node' else ''}, {ports} ports in use on each"


def _mark_detail(mark: Picture, evaluation: dict[str, Any], losses: Sequence[Picture] | None) -> Detail:
    ports = str(mark["ports_most"])
    if mark["ports_least"] != mark["ports_most"]:
        ports = f"{mark['ports_least']} to {mark['ports_most']}"
    facts = [("Devices", f"{mark['devices']:,}"), ("Ports in use per device", ports)]
    if mark["failed"]:
        facts.append(("Failed", f"{mark['failed']:,} of {mark['devices']:,}"))
    if mark["kind"] != "host":
        return Detail(
            title=mark["title"], subtitle="", facts=(*facts, *_loss("switch", mark["kind"], losses))
        )
    inside = supernode_detail(evaluation, accelerator_word(evaluation))
    nodes = int(evaluation["inputs"]["supernode"].get("nodes") or 1)
    count = max(mark["devices"] // nodes, 1)
    if count == 1:
        return Detail(
            title=mark["title"], subtitle="", note=inside.note, facts=(*facts, *inside.facts), plot=inside.plot,
            details=inside.details,
        )  # fmt: skip
    titles = [(f"SuperNode {one + 1}", "of this mark", 0) for one in range(count)]
    return grid_detail(titles, (inside,), facts=tuple(facts), note="Select a SuperNode to open it.")


def _links_detail(
    found: Sequence[Picture],
    marks: Sequence[Picture],
    loads: Mapping[str, float | None] | None,
    losses: Sequence[Picture] | None,
) -> Detail:
    tier, lower = found[0]["tier"], marks[found[0]["lower"]]
    total = sum(one["links"] for one in found)
    failed, taken = sum(one["failed"] for one in found), sum(one["on_route"] for one in found)
    facts = [
        ("Links", f"{total:,}"),
        ("Rate per port, one way", f"{8e-9 * found[0]['rate_bytes_per_s']:g} Gbit/s"),
        ("Together, one way", show(total * found[0]["rate_bytes_per_s"], "B/s").text),
        ("Mean utilisation over a step", share_text(loads.get(tier)) if loads is not None else LEFT_OUT),
    ]
    if failed:
        facts.append(("Failed", f"{failed:,}"))
    if taken:
        facts.append(("On the route", f"{taken:,}"))
    ends = ", ".join(marks[one["upper"]]["title"] for one in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return Detail(
        title=f"Links up from {lower['title']}", subtitle="", note=f"To {ends}{more}.",
        facts=(*facts, *_loss("link", tier, losses)),
    )  # fmt: skip


def _loss(part: str, tier: str, losses: Sequence[Picture] | None) -> tuple[tuple[str, str], ...]:
    """What goes when one of a kind fails."""
    if losses is None:
        return (("When one fails", "see the faults tab"),)
    row = next((one for one in losses if (one["part"], one["tier"]) == (part, tier)), None)
    if row is None:
        return (("When one fails", "unknown"),)
    job = row["job"]
    step = slower_text(job["slowdown"]) if job["runs"] else "stops"
    return (
        ("When one fails: hosts cut off", number(row["cut_off"])),
        ("Worst-host bandwidth", share_text(job["access_share"])),
        ("Worst uplink capacity", share_text(job["beyond_share"])),
        ("Step time", step),
    )


def _legend(picture: Picture) -> tuple[Mark, ...]:
    found = []
    if any(one["on_route"] for one in picture["links"]):
        found.append(Mark("c2", "Route"))
    if any(one["failed"] for one in (*picture["links"], *picture["marks"])):
        found.append(Mark("bad", "Failed"))
    return (Mark("c1-tint", "Links"), *found) if found else ()


def _takeaway(picture: Picture, asked: tuple[str, str] | None) -> str:
    name = NAMES.get(picture["topology"], "Fabric")
    kinds = [kind for row in _rows(picture["marks"]) for kind in row]
    counts = [
        f"{sum(one['devices'] for one in picture['marks'] if one['kind'] == kind):,} "
        f"{'nodes' if kind == 'host' else device_name(kind).lower()}"
        for kind in kinds
    ]
    said = f"{name}; {', '.join(counts)}."
    if asked is None:
        return said
    taken = sum(one["on_route"] for one in picture["links"])
    if not taken:
        return f"{said} No path is left from {asked[0]} to {asked[1]}."
    return f"From {asked[0]} to {asked[1]}: {picture['route_length']} links, over {taken:,} links of its {picture['route_paths']:,.0f} shortest paths, of which {picture['route_disjoint_paths']:,} have no link in common."


def _caption(marks: Sequence[Picture]) -> str:
    grouped = any(one["devices"] > 1 for one in marks)
    said = "Lines are links of the compute fabric."
    if not grouped:
        return f"Each mark is one device. {said}"
    return f"A number in a row with more devices than marks says how many a mark stands for. {said}"
