"""What a page shows: values of quantities by place, and charts. Read from its HTML, as a reader gets it."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, NamedTuple

from app.engine.quantities import REGISTRY

VOID = {"br", "hr", "img", "input", "link", "meta", "wbr", "col", "source", "path", "circle", "rect", "line"}


@dataclass
class Element:
    """One element of a page with what is in it."""

    tag: str
    attributes: dict[str, str]
    inside: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        found = " ".join(part if isinstance(part, str) else part.text for part in self.inside)
        return re.sub(r"\s+", " ", found).strip()

    @property
    def elements(self) -> list[Element]:
        return [part for part in self.inside if isinstance(part, Element)]

    def has(self, name: str) -> bool:
        return name in self.attributes.get("class", "").split()

    def all(self) -> Iterator[Element]:
        """This element and those below it, in the order of the page."""
        yield self
        for part in self.elements:
            yield from part.all()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        if any(one.tag == tag for one in self.open[1:]):
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def read(html: str) -> Element:
    """The page as a tree."""
    reader = _Reader()
    reader.feed(html)
    return reader.root


class Value(NamedTuple):
    """A value of a quantity as a page shows it."""

    path: str
    text: str


def values(page: Element) -> Iterator[Value]:
    """Values of quantities: in key figures, lists of facts and tables of them, by the place that their label leads to,
    or by the label itself where it is that of a declared quantity."""
    for one in page.all():
        if one.tag == "a" and "data-explain" in one.attributes:
            shown = [part for part in one.all() if part.has("key-value") or part.has("number")]
            if shown:
                whole = next((part for part in shown if part.has("key-value")), one)
                yield Value(one.attributes["data-explain"], whole.text)
        if one.tag == "dl":
            yield from _pairs(part for group in (one, *one.elements) for part in group.elements)
        if one.tag == "table" and one.has("facts"):
            for row in (part for part in one.all() if part.tag == "tr"):
                yield from _pairs(row.elements[:2])


def _pairs(parts: Iterator[Element] | list[Element]) -> Iterator[Value]:
    label: Element | None = None
    for part in parts:
        if part.tag in ("dt", "th"):
            label = part
        elif part.tag in ("dd", "td") and label is not None:
            path = next(
                (one.attributes["data-explain"] for one in label.all() if "data-explain" in one.attributes),
                "",
            ) or labels().get(label.text.casefold(), "")
            text = _value_of(part)
            label = None
            if path and text:
                yield Value(path, text)


def _value_of(part: Element) -> str:
    """The first number of an element with its unit."""
    unknown = next((one.text for one in part.all() if one.has("unknown")), "")
    found = [one for one in part.all() if one.has("number") or one.has("unit")]
    if unknown and not found:
        return unknown
    if not found:
        return part.text
    unit = next((one.text for one in found if one.has("unit")), "")
    return f"{found[0].text} {unit}".strip()


@functools.cache
def labels() -> dict[str, str]:
    """The place of each quantity of an evaluation by its label, where one quantity alone has it."""
    found: dict[str, set[str]] = {}
    for record in REGISTRY.values():
        if "[" not in record.path:
            found.setdefault(record.label.casefold(), set()).add(record.path)
    return {label: next(iter(paths)) for label, paths in found.items() if len(paths) == 1}


PREFIXES = {
    "": 1.0,
    "n": 1e-9,
    "µ": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "E": 1e18,
}
WORDS = {"billion": 1e9, "million": 1e6, "trillion": 1e12}
DURATIONS = {"days": 86400.0, "h": 3600.0, "min": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
BASE = re.compile(r"(B|W|Wh|J|FLOP|tokens|USD|bit)(?=$|/|\s)(.*)")
NUMBER = re.compile(r"^(−|-)?(\d[\d,]*(?:\.\d+)?)\s*(.*)$")


class Measured(NamedTuple):
    """A number that was shown, as what it was rounded from: between two ends, in a unit without prefix."""

    low: float
    high: float
    unit: str


def measured(text: str) -> Measured | None:
    """The number of a text; None where it begins with none.

    >>> measured("16.2 MW"), measured("unknown")
    (Measured(low=16149999.999999998, high=16250000.0, unit='W'), None)
    """
    found = NUMBER.match(text.replace("\u202f", " ").replace("\xa0", " ").strip())
    if found is None:
        return None
    sign, digits, unit = found.groups()
    number = float(digits.replace(",", "")) * (-1 if sign else 1)
    half = 0.5 * 10.0 ** -len(digits.partition(".")[2])
    if "." not in digits and "," in digits:  # whole numbers are cut to three digits on some pages
        half = max(half, 0.5 * 10.0 ** (len(digits.replace(",", "")) - 3))
    factor, base = _factor(unit.strip())
    return Measured((number - half) * factor, (number + half) * factor, base)


def _factor(unit: str) -> tuple[float, str]:
    if unit in DURATIONS:
        return DURATIONS[unit], "s"
    word, _, rest = unit.partition(" ")
    if word in WORDS:
        return WORDS[word], rest
    if word in PREFIXES and rest:
        return PREFIXES[word], rest
    if (found := BASE.match(unit[1:])) and unit[:1] in PREFIXES:
        return PREFIXES[unit[:1]], f"{found[1]}{found[2]}"
    return 1.0, unit


def differ(one: str, other: str) -> bool:
    """Return whether two texts show two values, and not one that is rounded or scaled in two ways."""
    first, second = measured(one), measured(other)
    if first is None or second is None:
        return one.casefold() != other.casefold()
    apart = 1e-9 * max(abs(first.high), abs(second.high))
    return first.unit != second.unit or first.low > second.high + apart or second.low > first.high + apart


def conflicts(shown: dict[str, dict[str, str]]) -> Iterator[str]:
    """Quantities with two values: `shown` is by path and place of a section."""
    for path, texts in shown.items():
        (place, text), *others = texts.items()
        for elsewhere, other in others:
            if differ(text, other):
                yield f"{path}: {text} in {place}, {other} in {elsewhere}"
                break


def empty_charts(page: Element) -> Iterator[str]:
    """Names of charts that claim to show data and have none."""
    for figure in (one for one in page.all() if one.tag == "figure" and one.has("chart")):
        if figure.has("is-empty"):
            continue
        plots = [one for one in figure.all() if one.tag == "script" and one.has("chart-plot")]
        for plot in plots:
            stated = json.loads(plot.text or "null") or {}
            drawn = stated.get("plot") or stated
            if not any(_has_data(trace) for trace in drawn.get("data", ())) and not _is_drawing(drawn):
                yield figure.attributes.get("data-name", "chart")


def _has_data(trace: dict[str, Any]) -> bool:
    """Return whether a trace has one point at least that is drawn."""
    if trace.get("type") == "heatmap":
        return any(_known(value) for row in trace.get("z") or () for value in row)
    if trace.get("type") == "sankey":
        return any(_known(value) for value in trace.get("link", {}).get("value", ()))
    axes = [trace[name] for name in ("x", "y", "theta", "r", "values") if name in trace]
    lengths = [sum(_known(value) for value in axis) for axis in axes]
    return (bool(lengths) and min(lengths) > 0) or "dimensions" in trace


def _known(value: Any) -> bool:
    return value is not None and value != "" and value == value


def _is_drawing(plot: dict[str, Any]) -> bool:
    """Return whether a picture is made of shapes alone."""
    return bool(plot.get("layout", {}).get("shapes"))
