"""Inputs that vary, as lines of a table, and the words for their values."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

from app.charts.format import brief, number, rounded, show
from app.scenarios.document.ranges import without_range
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.studio.numbers import number_text, scale_of
from app.surfaces.pages.studio.state import MISSING, encode_state, value_at, with_value
from app.views.uncertainty.report import RankCorrelation, UncertainInput, UncertaintyReport

ORIGINS = {
    "scenario": "your range",
    "catalog": "catalog",
    "prediction": "measured runs",
    "assumption": "assumed",
}
TAB = "uncertainty"


class InputCells(NamedTuple):
    """An input as a line of the table; `change` and `remove` are addresses, "" where there is nothing to do."""

    label: str
    place: str
    low: str
    typical: str
    high: str
    distribution: str
    origin: str
    source: str
    change: str
    remove: str


class PairCells(NamedTuple):
    """Correlation of two inputs."""

    one: str
    other: str
    coefficient: str
    origin: str
    remove: str


def input_text(one: UncertainInput, value: float) -> str:
    """A value of an input in the unit of its box, else in the one people use."""
    field = fields_by_path().get(one.field)
    if field is None or field.control != "number":
        return _in_unit(value, one.unit)
    scale = scale_of(field, value)
    return f"{number_text(rounded(value), scale)}\u202f{scale.unit}".strip()


def _in_unit(value: float, unit: str) -> str:
    """Millions as such, and what is counted by something as people say it.

    >>> _in_unit(9.3e6, "USD/MW").split(), _in_unit(0.002, "1/(node day)")
    (['9.30', 'M', 'USD/MW'], '0.00200 per node day')
    """
    if unit.startswith("USD/") and abs(value) >= 1e6:
        return f"{number(value / 1e6)}\u00a0M\u00a0{unit}"
    if unit.startswith("1/"):
        return f"{brief(value)} per {unit[2:].strip('()')}"
    return show(rounded(value), unit).text


def input_cells(opened: OpenedDesign, report: UncertaintyReport, path: str) -> tuple[InputCells, ...]:
    """Those of the scenario first, then the ones that move the figure at `path` most."""
    moves = {bar.place: bar.swing for bar in report.tornado if bar.figure == path}
    order = sorted(report.inputs, key=lambda one: (one.origin != "scenario", -moves.get(one.place, 0.0)))
    return tuple(
        InputCells(
            label=one.label,
            place=one.field or one.place,
            low=input_text(one, one.low),
            typical=input_text(one, one.typical),
            high=input_text(one, one.high),
            distribution=one.distribution.replace("_", "-")
            + ("" if one.kind == "column" else f", {one.levels} values"),
            origin=ORIGINS[one.origin],
            source=one.source,
            change=_change(opened, one.field) if one.field else "",
            remove=_address(opened, without_range(opened.carried.values, one.field))
            if one.origin == "scenario"
            else "",
        )
        for one in order
    )


def pair_cells(opened: OpenedDesign, report: UncertaintyReport) -> tuple[PairCells, ...]:
    """What moves together; pairs of the scenario can be taken out."""
    labels = {one.place: one.label for one in report.inputs}
    fields = {one.place: one.field for one in report.inputs}
    return tuple(
        PairCells(
            one=labels[pair.one],
            other=labels[pair.other],
            coefficient=f"{pair.coefficient:g}".replace("-", "\u2212"),
            origin=ORIGINS[pair.origin],
            remove=_without_pair(opened, pair, fields) if pair.origin == "scenario" else "",
        )
        for pair in report.correlations
    )


def _without_pair(opened: OpenedDesign, pair: RankCorrelation, fields: dict[str, str]) -> str:
    names = {pair.one, pair.other, fields[pair.one], fields[pair.other]}
    stated = value_at(opened.carried.values, "uncertainty.correlations")
    left = [one for one in stated if not set(one["between"]) <= names] if isinstance(stated, list) else []
    return _address(opened, with_value(opened.carried.values, "uncertainty.correlations", left or MISSING))


def _change(opened: OpenedDesign, field: str) -> str:
    state = {"s": opened.carried.state} if opened.carried.state else {}
    return f"{_path(opened)}?{urlencode(state | {'range': field})}#range"


def _address(opened: OpenedDesign, values: dict[str, object]) -> str:
    return f"{_path(opened)}?s={encode_state(values)}"


def _path(opened: OpenedDesign) -> str:
    return f"/{opened.room}/{opened.carried.key}/{TAB}"
