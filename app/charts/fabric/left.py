"""The fabric after a failure as a picture: a mark for each place, by what is left of its links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.fabric.words import device_name, share_text
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.forms.drawing import named_points

EYEBROW = "What is left of the fabric"
ROW_HEIGHT = 44
MARK_WIDTH = 12  # a mark and room beside it; many of them scroll sideways on a small screen
WHOLE, PART, NONE = "whole", "part", "none"
LOOKS = {WHOLE: ("c1-tint", "square"), PART: ("warn", "diamond"), NONE: ("bad", "x")}
WORDS = {WHOLE: "All links", PART: "Some links lost", NONE: "Out of use or cut off"}
SHOWN_ROWS = 40


class Place(NamedTuple):
    """Devices of a kind that stand together."""

    kind: str
    first: str
    devices: int
    out: int  # failed or cut off
    share: float  # of links that work

    @property
    def look(self) -> str:
        if self.out == self.devices:
            return NONE
        return WHOLE if self.out == 0 and self.share == 1 else PART


def left_figure(places: Sequence[Place], *, hosts: int, cut_off: int) -> Figure:
    """Kinds of device from the hosts up to the top, and along each kind its places in their order."""
    kinds = list(dict.fromkeys(place.kind for place in places))[::-1]
    hit = [place for place in places if place.look != WHOLE]
    height = ROW_HEIGHT * len(kinds) + 24
    return Figure(
        name="fabric_left",
        eyebrow=EYEBROW,
        takeaway=_takeaway(hosts, cut_off, hit),
        caption="Each mark is one device; where there are many, those of a scalable unit or as many in their order. "
        "The table has those that have lost something, at most 40.",
        columns=(
            Column.words("From"), Column("Devices"), Column("Out of use or cut off"), Column("Links left"),
        ),
        rows=tuple(
            Row((place.first, f"{place.devices:,}", f"{place.out:,}", share_text(place.share)))
            for place in hit[:SHOWN_ROWS]
        ),
        plot=_plot(places, kinds, height),
        minimum_width=MARK_WIDTH * max(len(_row(kind, places)) for kind in kinds) if places else 0,
        legend=tuple(Mark(LOOKS[look][0], WORDS[look]) for look in (WHOLE, PART, NONE)),
    )  # fmt: skip


def _takeaway(hosts: int, cut_off: int, hit: list[Place]) -> str:
    if cut_off:
        return f"{cut_off:,} of {hosts:,} hosts are cut off."
    if not hit:
        return "Nothing has failed, and every host reaches every other."
    return f"All {hosts:,} hosts still reach each other."


def _plot(places: Sequence[Place], kinds: list[str], height: int) -> dict[str, Any]:
    data = []
    for look, (slot, symbol) in LOOKS.items():
        drawn = [one for kind in kinds for one in _row(kind, places) if one[1].look == look]
        points = [(column, device_name(place.kind)) for column, place in drawn]
        said = [f"{_name(place)}<br>{share_text(place.share)} of the links work" for _, place in drawn]
        data.append(named_points(points, said, slot, 9, symbol))
    names = [device_name(kind) for kind in kinds]
    down = forms.names(names, showline=False, range=[len(names) - 0.5, -0.5], autorange=False)
    return forms.plot(data, height, x=forms.blank([-0.02, 1.02]), y=down)


def _name(place: Place) -> str:
    return place.first if place.devices == 1 else f"{place.first} and on, {place.devices:,} in all"


def _row(kind: str, places: Sequence[Place]) -> list[tuple[float, Place]]:
    """The places of a kind, spread over the width."""
    mine = [place for place in places if place.kind == kind]
    return [((at + 0.5) / len(mine), place) for at, place in enumerate(mine)]
