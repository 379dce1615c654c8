"""Every section of every worked example, at its size, at a quarter and at four times: nothing a reader cannot
read, no empty chart, and one value a quantity."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from app.scenarios.examples import list_examples
from app.surfaces.pages.later import PART_HEADER
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state, with_value
from app.surfaces.pages.workspace import WHOLE, Section, section_of, sections
from tests.asgi import AsgiClient
from tests.support import part_of, read_example
from tests.surfaces.pages.shown import VOID, conflicts, differ, empty_charts, read, values

SIZES = (1.0, 0.25, 4.0)
ROOTS = "workload|supernode|pod|parallelism|facility|operations|economics|uncertainty|performance|power|cooling|cost|carbon|reliability|sharing"
NONSENSE = (
    ("no number", re.compile(r"(?<![\w-])nan(?![\w-])|(?<![\w-])-?inf(?![\w-])|\bundefined\b|[(:=] ?None\b|\bNone (?:USD|W|kW|days|tokens)\b")),
    ("a key of the document", re.compile(rf"\b(?:{ROOTS}|fabric)\.[a-z]+_[a-z0-9_.]+\b")),
    ("an encoding", re.compile(r"\b0 or 1\b")),
    ("a share of nothing", re.compile(r"(?<![\d.,])0\.0 ?% of (?:each|a|the) step")),
    ("a ranking of nothing", re.compile(r"\b(?:largest|highest|first|most|then)\b[^.;:]{0,60}?[ ,]0(?:\.0+)? ?%(?=[.,;])")),
)  # fmt: skip
QUIET = {"option", "script", "style", "template", "code", "pre", "textarea", "title"}


class Words(HTMLParser):
    """The text that a page shows, and what it shows of each figure that can be explained."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        words = dict(attrs)
        said = [words[name] or "" for name in ("title", "aria-label", "placeholder") if name in words]
        self.text += [text for text in said if " " in text]  # the place of an input alone is its reference

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not QUIET & set(self.open):
            self.text.append(data)


def nonsense(html: str) -> list[str]:
    """What no reader should see, with a few words around it."""
    words = Words()
    words.feed(html)
    text = re.sub(r"\s+", " ", " ".join(words.text))
    return [
        f"{what}: {text[max(0, found.start() - 60) : found.end() + 40]}"
        for what, pattern in NONSENSE
        for found in pattern.finditer(text)
    ]


def at_size(key: str, times: float) -> str:
    """The query of an example with so many times its SuperNodes, at least one."""
    values = stated_values(read_example(key))
    count = max(1, round(values["pod"]["supernodes"] * times))
    return f"?s={encode_state(with_value(values, 'pod.supernodes', count))}" if times != 1 else ""


CASES = [
    pytest.param(example.key, size, section, id=f"{example.key}-{size:g}-{section.place}")
    for example in list_examples()
    for size in SIZES
    for section in sections()
    if section.place != WHOLE
]


@pytest.mark.parametrize(("key", "size", "section"), part_of(CASES, parts=12))
def test_nothing_that_cannot_be_read(
    reading_client: AsgiClient, key: str, size: float, section: Section
) -> None:
    address = section.address(key) + at_size(key, size)
    answer = reading_client.get(address, headers={PART_HEADER: "section"})
    assert answer.status_code == 200, answer.text[-400:]
    assert not nonsense(answer.text), "\n".join(nonsense(answer.text)[:5])
    assert not [*empty_charts(read(answer.text))]


DESIGNS = [
    pytest.param(example.key, size, id=f"{example.key}-{size:g}")
    for example in list_examples()
    for size in SIZES
]


@pytest.mark.parametrize(("key", "size"), part_of(DESIGNS, parts=len(DESIGNS)))
def test_a_quantity_has_one_value_on_every_tab(reading_client: AsgiClient, key: str, size: float) -> None:
    """A figure of a design is the same wherever its tabs show it, in any unit and rounding."""
    shown: dict[str, dict[str, str]] = {}
    for section in sections():
        if section.place != WHOLE:
            page = reading_client.get(
                section.address(key) + at_size(key, size), headers={PART_HEADER: "section"}
            )
            for value in values(read(page.text)):
                first = shown.setdefault(value.path, {}).setdefault(section.place, value.text)
                assert not differ(first, value.text), (
                    f"{value.path} in {section.place}: {first}, {value.text}"
                )
    assert len(shown) > 30
    assert sum(len(places) > 1 for places in shown.values()) >= 5
    assert not [*conflicts(shown)]


def test_two_values_of_a_quantity_are_found() -> None:
    pages = (
        '<dl><div><dt><a data-explain="cost.tco_usd">TCO</a></dt><dd><span class="number">{}</span> '
        '<span class="unit">{}</span></dd></div></dl>'
    )
    same = (("1.20", "billion USD"), ("1,198", "M USD"), ("1,200,400,000", "USD"))
    apart = (("1.20", "billion USD"), ("1,150", "M USD"))
    for texts, found in ((same, 0), (apart, 1)):
        shown: dict[str, dict[str, str]] = {}
        for place, (number, unit) in enumerate(texts):
            (value,) = values(read(pages.format(number, unit)))
            shown.setdefault(value.path, {})[str(place)] = value.text
        assert len([*conflicts(shown)]) == found, shown
    (labelled,) = values(read("<dl><dt>Total cost of ownership</dt><dd>3 M USD</dd></dl>"))
    assert labelled == ("cost.tco_usd", "3 M USD")
    assert not differ("78.0 days", "1,872 h")
    assert differ("95.2 %", "94.2 %")
    assert differ("unknown", "3 W")


def test_an_empty_chart_is_found() -> None:
    chart = '<figure class="chart{}" data-name="c"><script class="chart-plot">{}</script></figure>'
    drawn = '{"data": [{"type": "bar", "x": [1], "y": [2]}]}'
    for plot, found in (
        (drawn, []),
        ('{"data": []}', ["c"]),
        ('{"data": [{"x": [1, 2], "y": [null, null]}]}', ["c"]),
        ('{"data": [{"type": "heatmap", "z": [[null]]}]}', ["c"]),
        ('{"data": [{"type": "heatmap", "z": [[null, 1]]}]}', []),
    ):
        assert [*empty_charts(read(chart.format("", plot)))] == found, plot
    assert not [*empty_charts(read(chart.format(" is-empty", "null")))]  # it says that its data are unknown


def test_nonsense_is_found() -> None:
    assert nonsense(
        "<p>The largest loss is waiting, 12\u202f% of each step, then kernel launches, 0.0\u202f%.</p>"
    )
    assert nonsense("<p>0.0\u202f% of each step</p>")
    assert nonsense("<p>takes nan% of it, State facility.heat_reuse, recomputation, 0 or 1, cost: None</p>")
    assert not nonsense("<p>None; finance, in finite time</p><code>pod.fabric.nic_gbit_s</code>")


@pytest.mark.parametrize("key", ["dense_128b_on_tpu_v5p", "training_and_serving_on_8_dgx_h200"])
def test_costs_of_the_summary_are_those_of_the_breakdown(reading_client: AsgiClient, key: str) -> None:
    """What is rent only was "unknown" in the breakdown, and a cost per year had the unit of an amount."""
    shown: dict[str, dict[str, str]] = {}
    for place in ("overview", "cost", "economics/cost"):
        page = reading_client.get(section_of(place).address(key), headers={PART_HEADER: "section"})
        for value in values(read(page.text)):
            shown.setdefault(value.path, {}).setdefault(place, value.text)
    assert len(shown["cost.capex_usd"]) > 1
    assert not [*conflicts(shown)]
