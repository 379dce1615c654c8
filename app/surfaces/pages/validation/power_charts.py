"""Charts of published power and cooling beside ours: nodes, and regions of clouds."""

from __future__ import annotations

from collections.abc import Iterable

from app.charts import Figure
from app.charts.format import THIN_SPACE
from app.charts.forms import SYMBOLS
from app.charts.measured_subjects import NODE_POWER
from app.charts.predicted_measured import Point, Series, predicted_measured_figure
from app.charts.pue_regions import RegionPoint, pue_regions_figure
from app.validation.power.places import NEAR_KM
from app.validation.power.study import NODE_POWER as NODE_POWER_KIND
from app.validation.power.study import Checked, PublishedPower


def node_chart(checked: Iterable[Checked]) -> Figure:
    """Powers of one node alone: others are in units of their own."""
    points = [
        Point(
            key=one.row.key,
            name=what_was_measured(one),
            series=one.found.hardware,
            measured=one.prediction.measured * one.watts / 1e3,
            predicted=one.prediction.predicted * one.watts / 1e3,
        )
        for one in checked
        if one.kind == NODE_POWER_KIND and one.watts and one.found.hardware
    ]
    names = sorted({point.series for point in points})
    series = [Series(name, slot) for name, slot in zip(names, SYMBOLS, strict=False)]
    return predicted_measured_figure(
        points,
        series,
        caption=f"Mean, peak, pauses and idle. The dotted lines are 20{THIN_SPACE}% off.",
        subject=NODE_POWER,
    )


def region_chart(found: PublishedPower) -> Figure:
    below, above = found.band
    points = [
        RegionPoint(
            name=f"{one.row.text('location')}, {one.row.text('year')}",
            provider=one.provider,
            published=one.pue,
            predicted=one.predicted_pue,
            near=one.place.near,
        )
        for one in found.regions.found
        if one.pue is not None
    ]
    inside = sum(-below <= point.published - point.predicted <= above for point in points)
    return pue_regions_figure(
        points,
        below=below,
        above=above,
        takeaway=(
            f"{100 * inside / max(len(points), 1):.0f}{THIN_SPACE}% of {len(points)} region-years lie between "
            f"{below:.2f} below and {above:.2f} above ours."
        ),
        caption=f"Open markers: the nearest climate year is over {NEAR_KM:.0f} km away.",
    )


def what_was_measured(one: Checked) -> str:
    """The quantity, with the workload and the count of nodes where several rows ask for the same."""
    quantity = one.row.text("quantity")
    quantity = quantity[:1].upper() + quantity[1:]
    first, _, rest = one.row.text("conditions").partition(";")[0].partition(", ")
    if one.kind != NODE_POWER_KIND or not first or first.startswith(("same", "SR")):
        return quantity
    second = rest.partition(",")[0].partition(" (")[0]
    return f"{quantity} ({first}, {second})" if "node" in second else f"{quantity} ({first})"
