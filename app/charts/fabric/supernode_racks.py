"""The racks of a SuperNode from the front: rack units, trays, switch trays and power shelves, watts and weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import number, show
from app.charts.forms import dots, plot, rect, token
from app.charts.forms.axes import blank
from app.charts.forms.drawing import text


def supernode_racks_figure(inside: dict[str, Any]) -> Figure:
    """The racks of a SuperNode from the front, one of each kind."""
    name, eyebrow = "supernode_racks", "Racks of one SuperNode, front"
    kinds = inside["rack_kinds"]
    if not kinds:
        return unknown_figure(name, eyebrow, "", "The number of racks is unknown, as the power of a part is.")
    columns = (
        Column.words("Rack"), Column.words("Device"), Column("From"), Column("Devices"), Column("Height of one", "U"), Column("Power of one"),
    )  # fmt: skip
    rows = tuple(
        Row((
            f"{kind['title']}, {_times(kind)}", shelf["title"], f"U{shelf['bottom_u']:g}", number(shelf["count"]), f"{shelf['units']:g}",
            show(shelf["power_w"], "W").text if shelf["kind"] != "power_shelf" else "",
        ))
        for kind in kinds
        for shelf in reversed(kind["shelves"])
    )  # fmt: skip
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=_racks_takeaway(inside),
        caption=(
            "Heights, counts and rated watts of the parts, U from the bottom; the order of devices is a convention. "
            "Weight by parts is an estimate: trays by their accelerators, and a rack."
        ),
        columns=columns,
        rows=rows,
        plot=_racks_plot(kinds),
        narrow={"xaxis.range": [0, len(kinds)]},
        legend=tuple(
            Mark(slot, words)
            for kind, (slot, words) in SHELVES.items()
            if any(shelf["kind"] == kind for one in kinds for shelf in one["shelves"])
        ),
        minimum_width=0 if len(kinds) < 3 else 420,
    )


SHELVES = {
    "tray": ("c1", "Compute trays"),
    "switch_tray": ("c3", "Switch trays"),
    "power_shelf": ("c2", "Power shelves"),
}
U_PIXELS = 9


def _times(kind: dict[str, Any]) -> str:
    if kind["count"] < 1:
        return f"shared by {number(1 / kind['count'])} SuperNodes"
    return f"{number(kind['count'])} alike" if kind["count"] > 1 else "one"


def _racks_takeaway(inside: dict[str, Any]) -> str:
    kinds = inside["rack_kinds"]
    most = max(kinds, key=lambda one: -1.0 if one["power_w"] is None else one["power_w"])
    what = ", ".join(
        f"{number(sum(one['count'] for one in most['shelves'] if one['kind'] == kind))} {words.lower()}"
        for kind, (_, words) in SHELVES.items()
        if any(one["kind"] == kind for one in most["shelves"])
    ).replace("1 compute trays", "1 compute tray") if most["kind"] != "server" else "one server"  # fmt: skip
    power = "its power is unknown" if most["power_w"] is None else show(most["power_w"], "W").text
    word = "The server" if most["kind"] == "server" else "The fullest rack"
    if most["kind"] == "server":
        return f"{word} is {most['used_u']:g} U high and draws {power}."
    return f"{word} holds {what} in {most['used_u']:g} of {most['height_u']:g} U: {power}."


def _racks_plot(kinds: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Racks side by side on one scale of rack units."""
    tallest = max(kind["height_u"] for kind in kinds)
    unit = U_PIXELS if tallest > 12 else 22
    shapes, words, points, names = [], [], [], []
    for place, kind in enumerate(kinds):
        left, right = place + 0.04, place + 0.96
        shapes.append(rect(left, 1, right, kind["height_u"] + 1, "bg-sunken", "control", layer="below"))
        facts = f"{show(kind['power_w'], 'W').text}<br>{show(kind['weight_kg'], 'kg').text} by parts"
        words += [
            text(
                place + 0.5,
                tallest + 1,
                f"{kind['title']} · {_times(kind)}<br>{facts}",
                yanchor="bottom",
                yshift=4,
                colour="text",
            )
        ]
        for shelf in kind["shelves"]:
            slot = SHELVES[shelf["kind"]][0]
            for one in range(round(shelf["count"])):
                foot = shelf["bottom_u"] + one * shelf["units"]
                fill = "c1-faint" if slot == "c1" else "bg"
                shapes.append(
                    rect(
                        left + 0.02,
                        foot + 0.08,
                        right - 0.02,
                        foot + shelf["units"] - 0.08,
                        fill,
                        slot,
                        layer="below",
                    )
                )
                points.append((place + 0.5, foot + shelf["units"] / 2))
                names.append(_shelf_words(shelf, foot))
            middle = shelf["bottom_u"] + shelf["count"] * shelf["units"] / 2
            if shelf["count"] * shelf["units"] * unit >= 16:
                label = shelf["title"].lower() + (
                    "" if shelf["count"] == 1 else "s" if shelf["kind"] != "power_shelf" else ""
                )
                label = label.replace("power shelf", "power shelves") if shelf["count"] > 1 else label
                words.append(
                    text(
                        place + 0.5,
                        middle,
                        f"{number(shelf['count'])} {label}",
                        colour="text",
                        yanchor="middle",
                        bgcolor=token("bg"),
                    )
                )
    tip = dots(
        [x for x, _ in points], [y for _, y in points], size=max(unit, 8), text=names, hover="%{text}"
    ) | {"marker": {"size": max(unit, 8), "color": "rgba(0,0,0,0)"}}
    numbers = [1, *range(6, int(tallest) + 1, 6)] if tallest > 12 else list(range(1, int(tallest) + 1))
    words += [text(0.02, one + 0.5, f"U{one}", colour="text-3", anchor="right") for one in numbers]
    height = round(unit * tallest) + 78
    return plot(
        [tip],
        height,
        x=blank(_extent(len(kinds))),
        y=blank([0.6, tallest + 1.2]),
        left=34,
        shapes=shapes,
        notes=words,
        top=62,
        bottom=8,
    )  # fmt: skip


def _extent(kinds: int) -> list[float]:
    """Racks are at most a quarter of the width."""
    return [min(kinds - 4, 0) / 2, kinds - min(kinds - 4, 0) / 2]


def _shelf_words(shelf: dict[str, Any], foot: float) -> str:
    words = f"{shelf['title']}, U{foot:g}"
    if shelf["accelerators"]:
        words += f"<br>{number(shelf['accelerators'])} accelerators, {number(shelf['processors'])} processors, {number(shelf['nics'])} NICs"
    if shelf["switches"]:
        words += f"<br>{number(shelf['switches'])} switch chips"
    return words if shelf["kind"] == "power_shelf" else f"{words}<br>{show(shelf['power_w'], 'W').text}"
