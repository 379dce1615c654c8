"""The inside of a SuperNode: racks with their trays and switch chips, planes of upper switches, and what joins them.

Everything drawn is a part of the build-up that the bill and the losses count. A mark is one thing while there are few;
then it is a rack, and of a torus a cube.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from app.charts.fabric.supernode_torus import supernode_torus_figure
from app.charts.fabric.supernode_words import (
    COLUMNS,
    EYEBROW,
    NAME,
    Inside,
    loss_of,
    loss_words,
    rate_of,
    rows_of,
    spare_words,
)
from app.charts.figure import Column, Detail, Figure, Mark, Row, unknown_figure
from app.charts.format import TIMES, number, show
from app.charts.forms import dots, token
from app.charts.forms.drawing import band, box, drawing, line, named_points, share_out, text

MOST_RACKS_OPEN = 16  # drawn with their trays
MOST_TRAYS_OPEN = 24  # of one rack
MOST_ACCELERATORS = 144  # drawn one by one
MOST_MARKS = 1024
NAMES = 88  # pixels for the names of the lines of a tray
STEP = 1.85  # hundredths of the width, from chip to chip
MOST_PLANES = 18  # with a box each
TITLE, LINE, GAP = 20, 15, 8  # pixels: a heading, a line of marks, room between
PARTS = (
    ("accelerators", "c1", "Accelerators", "circle"),
    ("switches", "c3", "Switch chips", "diamond"),
    ("processors", "c5", "Processors", "triangle-up"),
    ("nics", "c2", "NICs", "square"),
)
"""Of a tray: the field of a shelf, colour, name and mark."""


@dataclass
class _Picture:
    """A drawing as it grows: across in hundredths of its width, down in pixels."""

    shapes: list[dict[str, Any]] = field(default_factory=list)
    words: list[dict[str, Any]] = field(default_factory=list)
    small: dict[str, list[tuple[float, float, str]]] = field(default_factory=dict)
    points: list[tuple[float, float]] = field(default_factory=list)
    titles: list[tuple[str, str, int, dict[str, float], str]] = field(default_factory=list)
    symbols: list[str] = field(default_factory=list)

    def mark(
        self, x: float, y: float, title: str, words: tuple[str, str], detail: int, holds: dict[str, float], symbol: str = "square"
    ) -> None:  # fmt: skip
        """A mark that can be selected: its title, its words in the table and on hover, and the parts that it holds."""
        self.points.append((x, y))
        self.titles.append((title, words[0], detail, holds, words[1]))
        self.symbols.append(symbol)

    def dot(self, slot: str, x: float, y: float, name: str) -> None:
        """Something too small to open."""
        self.small.setdefault(slot, []).append((x, y, name))

    def plot(self, height: float, *, size: int = 7, left: int = 0) -> dict[str, Any]:
        """The document, with what opens on top: trays and racks before chips."""
        order = sorted(range(len(self.points)), key=lambda place: self.symbols[place] != "square")
        points = [self.points[place] for place in order]
        titles, looks = [self.titles[place] for place in order], [self.symbols[place] for place in order]
        symbols = {slot: symbol for _, slot, _, symbol in PARTS}
        data = [
            named_points(
                [(x, y) for x, y, _ in found], [name for *_, name in found], slot, size, symbols[slot]
            )
            for slot, found in self.small.items()
        ]
        if points:
            data.append(_choices(points, titles, looks))
        return drawing(round(height), [-0.5, 100.5], [height, 0], data, self.shapes, self.words, left=left)


def supernode_inside_figure(inside: Inside) -> Figure:
    """The inside of one SuperNode; a torus as a box that can be turned."""
    if inside["network"]["structure"] == "torus" and inside["network"]["joins"]:
        return supernode_torus_figure(inside)
    compute = _boxes(inside)
    if not compute:
        return unknown_figure(NAME, EYEBROW, "", "The inside of the SuperNode is unknown.")
    picture, details = _Picture(), _details(inside)
    if len(compute) == 1 and compute[0].trays == 1:
        plot, details = _tray_plot(inside, _tray(inside), size=11), ()
    else:
        plot = picture.plot(_draw(picture, inside, compute))
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(inside),
        caption=_caption(inside, compute),
        hint="Select a tray, a rack or a switch chip to see what is in it and what is lost with it." if details else "",
        columns=COLUMNS,
        rows=rows_of(inside),
        plot=plot,
        legend=_legend(inside),
        details=details,
        minimum_width=560 if details else 320,
    )  # fmt: skip


@dataclass(frozen=True)
class _Box:
    """A rack, or what stands alone, and how much is in it."""

    title: str
    shelves: tuple[dict[str, Any], ...]  # its trays one by one
    chips: float  # in switch trays

    @property
    def trays(self) -> int:
        return len(self.shelves)

    @property
    def holds(self) -> dict[str, float]:
        """Parts in it."""
        found = {name: sum(one[name] for one in self.shelves) for name, *_ in PARTS}
        return found | {"switches": found["switches"] + self.chips, "trays": float(self.trays)}


def _boxes(inside: Inside) -> list[_Box]:
    """Racks with trays, the fullest first; one box where the number of racks is unknown."""
    kinds = [one for one in inside["rack_kinds"] if one["kind"] != "switches"]
    if not kinds:
        counts = {part["name"]: part["count"] for part in inside["parts"]}
        trays = round(counts["trays"])
        shelf = {
            "accelerators": inside["accelerators"] / trays, "processors": counts.get("processors", 0.0) / trays,
            "nics": counts.get("nics", 0.0) / trays, "switches": 0.0, "kind": "tray", "power_w": None,
        }  # fmt: skip
        return [_Box("Racks unknown", (shelf,) * trays, counts.get("scale_up_switches", 0.0))]
    found: list[_Box] = []
    for kind in kinds:
        trays = tuple(
            shelf
            for shelf in kind["shelves"]
            if shelf["kind"] == "tray"
            for _ in range(round(shelf["count"]))
        )
        chips = sum(one["count"] * one["switches"] for one in kind["shelves"] if one["kind"] == "switch_tray")
        sharing = 1 / kind["count"] if kind["count"] < 1 else 1.0  # SuperNodes in one rack: one is drawn
        whole = trays[: round(len(trays) / sharing)]
        for _ in range(max(round(kind["count"]), 1)):
            title = kind["title"] if kind["kind"] == "server" else f"Rack {len(found) + 1}"
            found.append(_Box(title, whole, chips / sharing))
    return found


def _draw(picture: _Picture, inside: Inside, compute: Sequence[_Box]) -> float:
    """Upper switches, then racks; the height."""
    top = _draw_planes(picture, inside)
    is_open = len(compute) <= MOST_RACKS_OPEN and max(one.trays for one in compute) <= MOST_TRAYS_OPEN
    if is_open:
        return _draw_racks(picture, inside, compute, top)
    return _draw_marks(picture, inside, compute, top)


def _draw_planes(picture: _Picture, inside: Inside) -> float:
    """Chips of the upper tier by their plane, and the links to them; where the racks begin."""
    network = inside["network"]
    total = round(network["upper_chips"] * network["domains"])
    if not total:
        return float(GAP)
    planes = round(network["planes"] * network["domains"])
    chips = share_out(total, planes)
    if planes > MOST_PLANES:
        chips, planes = share_out(total, MOST_PLANES), MOST_PLANES
    pitch = 100 / planes
    across = _evenly(int((pitch - 1.5) / STEP), max(chips))
    lines = math.ceil(max(chips) / across)
    bottom = 2.0 * TITLE + lines * LINE + GAP
    racks = next((one["count"] for one in inside["rack_kinds"] if one["kind"] == "switches"), None)
    stands = f", in {number(racks)} rack{'s' if racks != 1 else ''} of their own" if racks else ""
    picture.words.append(
        text(0, 10, f"Upper tier: {number(total)} switch chips in {planes} planes{stands}", anchor="left")
    )
    loss = loss_of(inside, "upper_switch")
    said = _part_words(inside, "upper_switch")
    for plane, held in enumerate(chips):
        left = plane * pitch
        picture.shapes.append(box(left + 0.3, TITLE, left + pitch - 0.3, bottom))
        picture.words.append(
            text(left + pitch / 2, TITLE + 10, f"Plane {plane + 1}" if pitch > 9 else str(plane + 1))
        )
        inset = (pitch - (min(across, held) - 1) * STEP) / 2
        for chip in range(held):
            x, y = left + inset + chip % across * STEP, 2 * TITLE + (chip // across + 0.5) * LINE
            title = f"Upper chip {chip + 1} of plane {plane + 1}"
            picture.mark(x, y, title, said, _place(inside, "upper"), {"switches": 1.0}, "diamond")
    links = next((one for one in inside["links"] if one["name"] == "upper"), None)
    end = bottom + 2.2 * TITLE
    picture.shapes.append(band(1, 99, end, 1, 99, bottom))
    if links and loss:
        picture.words.append(text(50, (bottom + end) / 2, _links_words(links)))
    return end


def _draw_racks(picture: _Picture, inside: Inside, compute: Sequence[_Box], top: float) -> float:
    """Every rack with its switch chips above and its trays below."""
    count = len(compute)
    across = (
        count
        if count <= 4
        else min(-(-count // 2), 8)
        if count <= 8
        else min(6 if count % 6 == 0 else 8, count)
    )
    pitch = 100 / across
    wide = pitch - (1.5 if count > 1 else 0.0)
    tray = _fit(compute, inside, wide)
    chips_across = _evenly(int((wide - 2) / STEP), round(max(one.chips for one in compute)) or 1)
    chip_lines = math.ceil(max(one.chips for one in compute) / chips_across)
    tray_lines = math.ceil(max(one.trays for one in compute) / tray.across)
    bands = 1.6 * TITLE if chip_lines else 0.0
    high = TITLE + chip_lines * LINE + bands + tray_lines * tray.high + GAP
    peers = next((one for one in inside["links"] if one["name"] == "peers"), None)
    if peers:
        picture.words.append(text(50, top + 8, f"Between the racks: {_links_words(peers)}"))
        top += TITLE
    numbers = itertools.count(1)
    for place, rack in enumerate(compute):
        left, head = place % across * pitch + (pitch - wide) / 2, top + place // across * (high + GAP)
        picture.shapes.append(box(left, head, left + wide, head + high))
        picture.words.append(text(left + wide / 2, head + 11, rack.title))
        chips = round(rack.chips)
        inset = (wide - (min(chips_across, max(chips, 1)) - 1) * STEP) / 2
        said = _part_words(inside, "switch")
        for chip in range(chips):
            x = left + inset + chip % chips_across * STEP
            y = head + TITLE + (chip // chips_across + 0.5) * LINE
            title = f"Switch chip {chip + 1}" + (f" of {rack.title.lower()}" if count > 1 else "")
            picture.mark(x, y, title, said, _place(inside, "lower"), {"switches": 1.0}, "diamond")
        below = head + TITLE + chip_lines * LINE
        if chips:
            half = min(chips_across, chips) * STEP / 2
            middle = left + wide / 2
            picture.shapes.append(
                band(left + 1, left + wide - 1, below + bands, middle - half, middle + half, below)
            )
            if count == 1 and inside["links"]:
                picture.words.append(text(middle, below + bands / 2, _links_words(inside["links"][0])))
        _draw_trays(picture, inside, rack, tray, left, below + bands, wide, numbers)
        if peers and place % across:
            y = head + TITLE + chip_lines * LINE / 2
            picture.shapes += [line(left - (pitch - wide), y + by, left, y + by) for by in (-6, -2, 2, 6)]
    return top + math.ceil(count / across) * (high + GAP)


@dataclass(frozen=True)
class _TrayFit:
    """How trays are drawn: marks only, or with what is in them."""

    across: int
    high: float
    opened: bool


def _evenly(most: int, count: int) -> int:
    """Marks across, at most so many, in lines as long as each other.

    >>> _evenly(5, 18), _evenly(3, 4)
    (5, 2)
    """
    return math.ceil(count / math.ceil(count / max(min(most, count), 1)))


def _fit(compute: Sequence[_Box], inside: Inside, wide: float) -> _TrayFit:
    most = max(one.trays for one in compute)
    full = compute[0].shelves[0]
    marks = max(full["accelerators"], full["processors"] + full["nics"])
    cell = 4.5 + 2.1 * marks
    across = int((wide - 1) / cell)
    if inside["accelerators"] <= MOST_ACCELERATORS and across >= 1 and marks <= 16:
        return _TrayFit(_evenly(across, most), 2 * LINE + GAP, True)
    return _TrayFit(_evenly(int((wide - 1) / 3.4), most), 1.5 * LINE, False)


def _draw_trays(
    picture: _Picture, inside: Inside, rack: _Box, fit: _TrayFit, left: float, top: float, wide: float, numbers: Any
) -> None:  # fmt: skip
    cell = wide / fit.across if fit.opened else min(wide / fit.across, 5.0)
    start = left + (wide - cell * fit.across) / 2
    for place, shelf in enumerate(rack.shelves):
        x, y = start + place % fit.across * cell, top + place // fit.across * fit.high
        title, holds = f"Tray {next(numbers)}", {name: shelf[name] for name, *_ in PARTS} | {"trays": 1.0}
        detail = 0 if shelf["accelerators"] == _tray(inside)["accelerators"] else _place(inside, "last")
        said = _tray_words(inside, shelf)
        if not fit.opened:
            picture.mark(x + cell / 2, y + fit.high / 2, title, said, detail, holds)
            continue
        picture.shapes.append(box(x + 0.4, y + 2, x + cell - 0.4, y + fit.high - 2))
        picture.mark(x + 2.2, y + fit.high / 2, title, said, detail, holds)
        for row, names in enumerate((("accelerators",), ("processors", "nics"))):
            along = 0
            for name, slot, words, _ in PARTS:
                if name not in names:
                    continue
                for one in range(round(shelf[name])):
                    picture.dot(
                        slot,
                        x + 4.8 + 2.1 * along,
                        y + GAP / 2 + (row + 0.5) * LINE,
                        f"{words[:-1]} {one + 1} of {title.lower()}",
                    )
                    along += 1


def _draw_marks(picture: _Picture, inside: Inside, compute: Sequence[_Box], top: float) -> float:
    """A mark for every rack, or for as many as keep them to a number that can be distinguished."""
    each = math.ceil(len(compute) / MOST_MARKS)
    groups = [compute[start : start + each] for start in range(0, len(compute), each)]
    across = min(math.ceil(math.sqrt(len(groups) * 3.2)), 44)
    pitch = 100 / max(across, 12)
    start = 50 - pitch * across / 2
    at = 0
    for place, group in enumerate(groups):
        holds: dict[str, float] = {}
        for rack in group:
            for name, count in rack.holds.items():
                holds[name] = holds.get(name, 0.0) + count
        name = f"Rack {at + 1}" if len(group) == 1 else f"Racks {at + 1:,} to {at + len(group):,}"
        at += len(group)
        said = f"{number(holds['trays'])} trays, {number(holds['accelerators'])} accelerators"
        if holds["switches"]:
            said += f", {number(holds['switches'])} switch chips"
        x, y = start + (place % across + 0.5) * pitch, top + TITLE + (place // across + 0.5) * 18
        picture.mark(x, y, name, (said, _tip(inside, "rack")), 0, holds)
    words = f"{len(compute):,} racks with trays"
    picture.words.append(text(50, top + 8, words if each == 1 else f"{words}, {each} to a mark"))
    return top + TITLE + math.ceil(len(groups) / across) * 18 + GAP


def _tray(inside: Inside) -> dict[str, Any]:
    """The fullest tray."""
    return max(
        (shelf for one in _boxes(inside) for shelf in one.shelves), key=lambda one: float(one["accelerators"])
    )


def _tray_plot(inside: Inside, shelf: dict[str, Any], *, size: int = 8) -> dict[str, Any]:
    """One tray from above: its switch chips, its accelerators and what joins them, its hosts and NICs."""
    picture, network = _Picture(), inside["network"]
    count, at = round(shelf["accelerators"]), float(GAP)
    aboard = network["domain_accelerators"] <= count
    if aboard and network["structure"] == "mesh" and count <= 16:
        high = 190.0
        places = [
            (
                50 + 22 * math.sin(2 * math.pi * one / count),
                high / 2 - 78 * math.cos(2 * math.pi * one / count),
            )
            for one in range(count)
        ]
        picture.shapes += [line(*one, *other) for one, other in itertools.combinations(places, 2)]
        for one, (x, y) in enumerate(places):
            picture.dot("c1", x, y, _named(inside, "accelerators", one))
        picture.words.append(text(76, high / 2, _short_links(inside), anchor="left", align="left"))
        at = high
    else:
        if round(shelf["switches"]):
            at = _row(picture, "switches", shelf, at, inside) + GAP
            picture.shapes.append(band(0, 100, at + 1.6 * TITLE, 0, 100, at))
            words = next((_links_words(one) for one in inside["links"] if one["name"] != "upper"), "")
            picture.words.append(text(50, at + 0.8 * TITLE, words))
            at += 1.6 * TITLE
        at = _row(picture, "accelerators", shelf, at, inside)
    for name in ("processors", "nics"):
        if round(shelf[name]):
            at = _row(picture, name, shelf, at, inside)
    return picture.plot(at + GAP, size=size, left=NAMES)


def _row(picture: _Picture, name: str, shelf: dict[str, Any], at: float, inside: Inside) -> float:
    """A line of parts of one kind with its name before it; where the next begins."""
    _, slot, words, _ = next(one for one in PARTS if one[0] == name)
    count: int = round(shelf[name])
    across = min(count, 16)
    high = math.ceil(count / across) * LINE * 1.5
    picture.words.append(text(0, at + high / 2, words, anchor="right", xshift=-8))
    for one in range(count):
        x = 100 / across * (one % across + 0.5)
        picture.dot(slot, x, at + (one // across + 0.5) * LINE * 1.5, _named(inside, name, one))
    return at + high


def _named(inside: Inside, name: str, place: int) -> str:
    """What a part of a tray says when it is pointed at."""
    title = f"{next(title for part, _, title, _ in PARTS if part == name)[:-1]} {place + 1}"
    if name == "accelerators":
        rate = show(inside["scale_up_bandwidth_bytes_per_s"], "B/s").text
        return f"{title}: {inside['accelerator']}<br>{rate} one way{_tip(inside, 'accelerator')}"
    if name == "switches":
        return f"{title}<br>{''.join(_part_words(inside, 'switch'))}"
    if name == "nics":
        return f"{title}<br>{show(inside['nic_bytes_per_s'], 'B/s').text} one way"
    return f"{title}{_tip(inside, 'tray')}"


def _short_links(inside: Inside) -> str:
    links = inside["links"][0]
    return f"{number(links['links'])} links,<br>{rate_of(links)} each"


def _links_words(links: dict[str, Any]) -> str:
    """Links between two tiers: how many, how fast, over what."""
    cables = links["cables"]
    over = f", {number(cables)} cables" if cables else ""
    return f"{number(links['links'])} links {TIMES} {rate_of(links)}{over}, {links['medium']}"


def _details(inside: Inside) -> tuple[Detail, ...]:
    """What opens: a full tray, the last one where it is not full, and a chip of each tier."""
    full = _tray(inside)
    found = [_tray_detail(inside, full)]
    last = _last_tray(inside)
    if last["accelerators"] != full["accelerators"]:
        found.append(_tray_detail(inside, last))
    tiers = (("switch", "lower_chips"), ("upper_switch", "upper_chips"))
    found += [_chip_detail(inside, name) for name, count in tiers if inside["network"][count]]
    return tuple(found)


def _last_tray(inside: Inside) -> dict[str, Any]:
    return min(
        (shelf for one in _boxes(inside) for shelf in one.shelves), key=lambda one: float(one["accelerators"])
    )


def _place(inside: Inside, what: str) -> int:
    """Which detail a mark opens."""
    partial = _last_tray(inside)["accelerators"] != _tray(inside)["accelerators"]
    lower = 1 + int(partial)
    places = {"last": 1, "lower": lower, "upper": lower + int(bool(inside["network"]["lower_chips"]))}
    return places[what]


def _tray_detail(inside: Inside, shelf: dict[str, Any]) -> Detail:
    loss = loss_of(inside, "tray")
    facts = [
        ("Accelerators", f"{number(shelf['accelerators'])} {TIMES} {inside['accelerator']}"),
        (
            "Scale-up bandwidth per accelerator, one way",
            show(inside["scale_up_bandwidth_bytes_per_s"], "B/s").text,
        ),
        ("Processors", number(shelf["processors"])),
        ("Compute NICs", f"{number(shelf['nics'])} {TIMES} {show(inside['nic_bytes_per_s'], 'B/s').text}"),
        ("Rated power", show(shelf["power_w"], "W").text),
        ("Lost with one part", f"{number(shelf['accelerators'])} accelerators"),
    ]
    if loss:
        facts.append(("Spares", spare_words(loss)))
    return Detail(title="Tray", subtitle="", plot=_tray_plot(inside, shelf), facts=tuple(facts))


def _chip_detail(inside: Inside, name: str) -> Detail:
    loss, network = loss_of(inside, name), inside["network"]
    ports = next((one for one in inside["limits"] if one["name"] == "radix"), None)
    facts = [("Ports", "unknown" if network["switch_ports"] is None else number(network["switch_ports"]))]
    if name == "switch" and ports:
        facts.append(("Ports in use", f"{number(ports['value'])}: {ports['note']}"))
    facts += [("Rate per port, one way", rate_of(inside["links"][0]))]
    if loss:
        facts += [("Lost with one part", loss_words(loss)), ("Spares", spare_words(loss))]
    return Detail(title="Switch chip", subtitle="", facts=tuple(facts))


def _tip(inside: Inside, name: str, lost: str = "") -> str:
    """What is lost with a part and what is held for it, as lines of a tip."""
    loss = loss_of(inside, name)
    if not loss:
        return ""
    return f"<br>lost with it: {lost or loss_words(loss)}<br>spares: {spare_words(loss)}"


def _part_words(inside: Inside, name: str) -> tuple[str, str]:
    ports = inside["network"]["switch_ports"]
    rate = rate_of(inside["links"][0]) if inside["links"] else "unknown rate"
    return f"{number(ports)} ports of {rate}" if ports else f"ports of {rate}", _tip(inside, name)


def _tray_words(inside: Inside, shelf: dict[str, Any]) -> tuple[str, str]:
    words = ", ".join(
        f"{number(shelf[name])} {(title if name == 'nics' else title.lower())[: -1 if shelf[name] == 1 else None]}"
        for name, _, title, _ in PARTS
        if shelf[name]
    )
    return words, _tip(inside, "tray", f"{number(shelf['accelerators'])} accelerators")


def _takeaway(inside: Inside) -> str:
    network = inside["network"]
    count, domain = number(inside["accelerators"]), number(network["domain_accelerators"])
    upper, lower = network["upper_chips"], network["lower_chips"]
    of = (
        f"{number(network['domains'])} domains of {domain} accelerators: in each "
        if network["domains"] > 1
        else ""
    )
    if upper:
        how = f"{number(lower)} lower and {number(upper)} upper switch chips join {domain} accelerators over two tiers"
    elif lower:
        plane = ", each a plane of its own," if network["planes"] == lower > 1 else ""
        how = f"{number(lower)} switch chip{'s' if lower > 1 else ''}{plane} join{'' if lower > 1 else 's'} {domain} accelerators"
    elif network["structure"] == "mesh":
        how = f"each of {domain} accelerators has a link to every other"
    elif network["structure"] == "torus":
        how = f"{domain} accelerators reach their neighbours directly"
    else:
        how = f"{count} accelerators"
    return f"{of}{how}."[0].upper() + f"{of}{how}."[1:]


def _caption(inside: Inside, compute: Sequence[_Box]) -> str:
    words = [f"{inside['name']}: counts are those of its parts."]
    if len(compute) > 1 or compute[0].trays > 1:
        is_open = len(compute) <= MOST_RACKS_OPEN and max(one.trays for one in compute) <= MOST_TRAYS_OPEN
        words.append(f"Squares are {'trays' if is_open else 'racks'}, diamonds are switch chips.")
    racks = [one for one in inside["rack_kinds"] if one["kind"] == "compute"]
    if racks and racks[0]["count"] < 1:
        words.append(f"{number(1 / racks[0]['count'])} SuperNodes share a rack; one is drawn.")
    if inside["network"]["circuit_switches"]:
        words.append(
            f"{number(inside['network']['circuit_switches'])} circuit switches stand outside these racks."
        )
    return " ".join(words)


def _legend(inside: Inside) -> tuple[Mark, ...]:
    counts = {part["name"]: part["count"] for part in inside["parts"]}
    named = {"switches": "scale_up_switches"}
    return tuple(
        Mark(slot, words, number(counts[named.get(name, name)]))
        for name, slot, words, _ in PARTS
        if counts.get(named.get(name, name))
    )


def _choices(
    points: Sequence[tuple[float, float]], titles: Sequence[tuple[Any, ...]], symbols: Sequence[str]
) -> dict[str, Any]:
    marks = dots(
        [x for x, _ in points], [y for _, y in points], ["c3" if one == "diamond" else "bg" for one in symbols],
        [8 if one == "diamond" else 13 for one in symbols], symbol=list(symbols), edge="control", edge_width=1.2,
        meta="choosable", said=[list(title) for title in titles], hover="%{customdata[0]}<br>%{customdata[1]}%{customdata[4]}",
    )  # fmt: skip
    return marks | {
        "selectedpoints": [0],
        "selected": {"marker": {"color": token("accent"), "opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }


def supernode_tray_figure(inside: Inside) -> Figure:
    """One tray of a SuperNode whose picture has no room for what is in it."""
    shelf = _tray(inside)
    return Figure(
        name="supernode_tray",
        eyebrow="One tray",
        takeaway=f"A tray holds {_tray_words(inside, shelf)[0]}.",
        caption=f"{number(next(one['count'] for one in inside['parts'] if one['name'] == 'trays'))} trays, each like this one.",
        columns=(Column.words("Part"), Column("Count")),
        rows=tuple(Row((words, number(shelf[name]))) for name, _, words, _ in PARTS if shelf[name]),
        plot=_tray_plot(inside, shelf, size=11),
        minimum_width=320,
    )
