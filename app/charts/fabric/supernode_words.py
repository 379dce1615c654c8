"""What the pictures of a SuperNode say in words: their name, their table, losses, spares and rates."""

from __future__ import annotations

from typing import Any

from app.charts.figure import Column, Row
from app.charts.format import number, percent, show

Inside = dict[str, Any]
"""The answer of the view of a SuperNode, as plain values; None where unknown."""
NAME = "supernode_inside"
EYEBROW = "Inside one SuperNode"
COLUMNS = (Column.words("Part"), Column("Count"), Column("Lost with one"))


def rows_of(inside: Inside) -> tuple[Row, ...]:
    """The table below a picture: each part with its count and what is lost with one."""
    lost = {one["name"]: loss_words(one) for one in inside["losses"]}
    of_part = {
        "accelerators": "accelerator", "trays": "tray", "racks": "rack", "scale_up_switches": "switch",
        "scale_up_links": "link", "scale_up_far_links": "link",
    }  # fmt: skip
    return tuple(
        Row(
            (
                part["title"],
                "unknown" if part["count"] is None else number(part["count"]),
                lost.get(of_part.get(part["name"], ""), ""),
            )
        )
        for part in inside["parts"]
        if part["name"] not in ("assembly", "host_memory")
    )


def loss_words(loss: dict[str, Any]) -> str:
    """Losses with one part, in words."""
    if loss["accelerators"]:
        count = number(loss["accelerators"])
        return f"{count} accelerator{'s' if loss['accelerators'] > 1 else ''}"
    if loss["bandwidth_share"] is None:
        return "unknown"
    return f"{percent(loss['bandwidth_share']).text} of the bandwidth of each accelerator it joins"


def spare_words(loss: dict[str, Any]) -> str:
    """Spares of one part, in words."""
    if not loss["replaced"]:
        return (
            "none held: its links stay lost until it is repaired" if not loss["accelerators"] else "none held"
        )
    if loss["spares"] is None:
        return "unknown: no run"
    unit = loss["replaced"] if loss["spares"] == 1 else loss["replaced"].replace("unit", "units", 1)
    words = f"{number(loss['spares'])} spare {unit}"
    if loss["reserve"]:
        words += f"; {number(loss['reserve'])} in reserve in each domain"
    return words


def loss_of(inside: Inside, name: str) -> dict[str, Any] | None:
    """Losses with a part, where that is known."""
    return next((one for one in inside["losses"] if one["name"] == name), None)


def rate_of(links: dict[str, Any]) -> str:
    """Rate of one link."""
    return show(links["bytes_per_s"], "B/s").text
