"""The fabric after a failure as a picture: a mark for each place and the routes between, by what is left of
their links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.fabric.words import device_name, share_text
from app.charts.figure import Act, Column, Detail, Figure, Mark, Row

EYEBROW = "Remaining fabric"
ROW_HEIGHT = 84
MARK_WIDTH = 12  # a mark and room alongside it; many scroll sideways on a small screen
WHOLE, PART, NONE = "whole", "part", "none"
LOOKS = {WHOLE: ("c1-tint", "square"), PART: ("warn", "diamond"), NONE: ("bad", "x")}
WORDS = {WHOLE: "All links", PART: "Some links failed", NONE: "Out of use or cut off"}
ROUTES = {WHOLE: ("line-strong", 1, ""), PART: ("warn", 1.5, "dash"), NONE: ("bad", 1.5, "dot")}
SHOWN_ROWS = 40
MOST_LINK_MARKS = 400  # pairs of places, between two kinds of device, whose links can be selected
ALONG = 0.38  # of the way from the lower place: at the middle the links of many pairs would meet
MOST_AT_ONCE = 16  # devices of a place that fail by one click
HOSTS = ("host", "management")


class Place(NamedTuple):
    """Devices of a kind that are drawn as one mark."""

    kind: str
    first: str
    devices: int
    out: int  # failed or cut off
    share: float  # of links that work
    unit: int | None = None  # scalable unit whose hosts they are
    names: tuple[str, ...] = ()  # of the first of them
    link: str = ""  # one that works

    @property
    def look(self) -> str:
        if self.out == self.devices:
            return NONE
        return WHOLE if self.out == 0 and self.share == 1 else PART

    @property
    def name(self) -> str:
        if self.unit is not None:
            return f"unit-{self.unit}"
        return self.first if self.devices == 1 else f"{self.first} and on"


class Bundle(NamedTuple):
    """Links between two places, by their positions."""

    one: int
    other: int
    links: int
    left: int
    link: str = ""  # one that works
    between: str = ""  # all of them, where each place is one device

    @property
    def look(self) -> str:
        return WHOLE if self.left == self.links else PART if self.left else NONE


def left_figure(
    places: Sequence[Place], bundles: Sequence[Bundle] = (), *, hosts: int, cut_off: int
) -> Figure:
    """Kinds of device from the hosts up to the top, along each kind its places in their order, and the links
    between."""
    kinds = list(dict.fromkeys(place.kind for place in places))[::-1]
    hit = sorted((place for place in places if place.look != WHOLE), key=lambda place: place.share)
    height = ROW_HEIGHT * len(kinds) + 24
    dots, or_dot = (
        (", dots on them the links of a pair of marks", ", or a dot on a line,")
        if _selectable(bundles, places)
        else ("", "")
    )
    return Figure(
        name="fabric_left",
        eyebrow=EYEBROW,
        takeaway=_takeaway(hosts, cut_off, hit),
        caption="Each mark is one device; where there are many, those of a scalable unit or as many in their order. "
        f"Lines are links between them{dots}. The table has those that have lost most, at most 40.",
        hint=f"Select a mark{or_dot} to simulate its failure, or use the buttons of its details.",
        columns=(
            Column.words("From"), Column("Devices"), Column("Out of use or cut off"), Column("Remaining links"),
        ),
        rows=tuple(
            Row((place.first, f"{place.devices:,}", f"{place.out:,}", share_text(place.share)))
            for place in hit[:SHOWN_ROWS]
        ),
        plot=_plot(places, bundles, kinds, height),
        details=(
            *(_detail(number, place, places, bundles) for number, place in enumerate(places)),
            *(_link_detail(one, places, bundles) for one in _selectable(bundles, places)),
        ),
        minimum_width=MARK_WIDTH * max(len(_row(kind, places)) for kind in kinds) if places else 0,
        legend=tuple(Mark(LOOKS[look][0], WORDS[look]) for look in (WHOLE, PART, NONE)),
    )  # fmt: skip


def _takeaway(hosts: int, cut_off: int, hit: list[Place]) -> str:
    if cut_off:
        return f"{cut_off:,} of {hosts:,} hosts are cut off."
    if not hit:
        return "Nothing has failed, and every host reaches every other."
    return f"All {hosts:,} hosts still reach each other."


def _plot(
    places: Sequence[Place], bundles: Sequence[Bundle], kinds: list[str], height: int
) -> dict[str, Any]:
    at = [(0.0, 0.0)] * len(places)
    for kind in kinds:
        for x, number in _row(kind, places):
            at[number] = (x, float(kinds.index(kind)))
    data = []
    for look, (slot, width, dash) in ROUTES.items():
        ends = [(*at[one.one], *at[one.other]) for one in bundles if one.look == look]
        if ends:
            data.append(forms.segments(ends, slot, width, dash=dash, opacity=0.5 if look == WHOLE else 1))
    for look, (slot, symbol) in LOOKS.items():
        mine = [number for number, place in enumerate(places) if place.look == look]
        across, up = [at[number][0] for number in mine], [at[number][1] for number in mine]
        data.append(forms.dots(across, up, slot, 9, symbol=symbol))
    links = _selectable(bundles, places)
    middles = [_along(at[one.one], at[one.other]) for one in links]
    if middles:
        data.append(forms.dots([x for x, _ in middles], [y for _, y in middles], "text-3", 4, opacity=0.8))
    data.append(_choices(places, at, links, middles))
    names = [device_name(kind) for kind in kinds]
    return forms.plot(data, height, x=forms.blank([-0.02, 1.02]), y=forms.rows(names) | {"showline": False})


def _selectable(bundles: Sequence[Bundle], places: Sequence[Place]) -> list[Bundle]:
    """Links that can be made to fail from the picture; none between two kinds of device with too many to be
    seen."""
    kinds = [(places[one.one].kind, places[one.other].kind) for one in bundles]
    pairs = Counter(kinds)
    return [
        one for one, kind in zip(bundles, kinds, strict=True) if one.link and pairs[kind] <= MOST_LINK_MARKS
    ]


def _along(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return one[0] + ALONG * (other[0] - one[0]), one[1] + ALONG * (other[1] - one[1])


def _choices(
    places: Sequence[Place],
    at: Sequence[tuple[float, float]],
    links: Sequence[Bundle],
    middles: Sequence[tuple[float, float]],
) -> dict[str, Any]:
    """Marks over places and links that let them fail, seen only around the one whose details are open."""
    said = [[place.name, _says(place), number] for number, place in enumerate(places)]
    said += [
        [_link_name(one, places), f"{one.left:,} of {one.links:,} links work", len(places) + number]
        for number, one in enumerate(links)
    ]
    marks = forms.dots(
        [x for x, _ in (*at, *middles)], [y for _, y in (*at, *middles)], "accent",
        [15] * len(at) + [9] * len(middles), symbol="circle-open", opacity=0, edge_width=2,
        meta="choosable", said=said, hover="%{customdata[0]}<br>%{customdata[1]}",
    )  # fmt: skip
    return marks | {
        "selectedpoints": [0],
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 0}},
    }


def _says(place: Place) -> str:
    devices = "" if place.devices == 1 else f"{place.devices:,} devices, "
    return f"{devices}{share_text(place.share)} of the links work"


def _detail(number: int, place: Place, places: Sequence[Place], bundles: Sequence[Bundle]) -> Detail:
    """What a place has left, the places that its links lead to, and what of it can be made to fail."""
    ways = [one for one in bundles if number in (one.one, one.other)]
    to: dict[str, tuple[int, int]] = {}
    for one in ways:
        kind = places[one.other if one.one == number else one.one].kind
        links, left = to.get(kind, (0, 0))
        to[kind] = (links + one.links, left + one.left)
    routes = tuple(
        (f"Links to {device_name(kind).lower()}", f"{left:,} of {links:,}")
        for kind, (links, left) in to.items()
    )
    return Detail(
        title="",
        subtitle="",
        facts=(
            ("Devices", f"{place.devices:,}"),
            ("Out of use or cut off", f"{place.out:,}"),
            ("Links left", share_text(place.share)),
            *routes,
        ),
        acts=tuple(_acts(place)),
    )


def _link_name(one: Bundle, places: Sequence[Place]) -> str:
    return f"{places[one.one].name} to {places[one.other].name}"


def _link_detail(one: Bundle, places: Sequence[Place], bundles: Sequence[Bundle]) -> Detail:
    """Ends and links of a pair of places, the links that its traffic moves to, and what of it can be made to
    fail."""
    facts = [("Links left", f"{one.left:,} of {one.links:,}")]
    for here, there in ((one.one, one.other), (one.other, one.one)):
        beside = [
            other
            for other in bundles
            if other is not one
            and here in (other.one, other.other)
            and places[_far_end(other, here)].kind == places[there].kind
        ]
        left, links = sum(other.left for other in beside), sum(other.links for other in beside)
        kind = device_name(places[there].kind).lower()
        words = f"{left:,} of {links:,} to other {kind}" if links else f"none to other {kind}"
        facts.append((f"Other routes of {places[here].name}", words))
    acts = [Act(f"Fail link {one.link}", "links", one.link)]
    if one.between and one.links > 1:
        acts.insert(0, Act(f"Fail all {one.links:,} links", "links", one.between))
    return Detail(title="", subtitle="", facts=tuple(facts), acts=tuple(acts))


def _far_end(one: Bundle, here: int) -> int:
    return one.other if one.one == here else one.one


def _acts(place: Place) -> list[Act]:
    """The whole place first where its devices are few, then one device and one link of it."""
    field = "hosts" if place.kind in HOSTS else "switches"
    acts = []
    if place.unit is not None and place.devices > 1:
        acts.append(Act(f"Fail unit {place.unit}", field, f"unit-{place.unit}"))
    elif 1 < place.devices <= MOST_AT_ONCE:
        acts.append(Act(f"Fail these {place.devices:,}", field, ", ".join(place.names[: place.devices])))
    acts.append(Act("Fail this" if place.devices == 1 else f"Fail {place.first}", field, place.first))
    if place.link:
        acts.append(Act(f"Fail link {place.link}", "links", place.link))
    return acts


def _row(kind: str, places: Sequence[Place]) -> list[tuple[float, int]]:
    """The places of a kind, spread over the width."""
    mine = [number for number, place in enumerate(places) if place.kind == kind]
    return [((at + 0.5) / len(mine), number) for at, number in enumerate(mine)]
