"""Published power and cooling beside ours as a page: errors, ranks, every figure and every region."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.charts import Figure
from app.charts.format import THIN_SPACE, Shown, number, signed_percent
from app.charts.forms import SYMBOLS
from app.charts.predicted_measured import NODE_POWER as NODES
from app.charts.predicted_measured import Point, Series, predicted_measured_figure
from app.charts.pue_regions import RegionPoint, pue_regions_figure
from app.surfaces.pages.validation.figures import (
    NOTHING,
    ErrorTable,
    FigureGroup,
    FigureLine,
    Said,
    computed,
    details,
    error_line,
    errors_in_large,
    left_out,
    ordered_groups,
)
from app.surfaces.pages.validation.overview import KeyFigure
from app.validation.power.facility import operators_band
from app.validation.power.places import NEAR_KM
from app.validation.power.regions import PROVIDER, REGIONS, RegionYear
from app.validation.power.statement import Predicted
from app.validation.power.study import NODE_POWER, POWER, QUANTITY
from app.validation.study import Checked, Errors

TITLES = {
    "node power": "Node power", "energy": "Energy per run", "sizing": "Sizing", "flow": "Coolant flow",
    "PUE provider": "PUE of cloud regions", "PUE facility": "PUE of single buildings", "WUE": "Water",
}  # fmt: skip


class RankLine(NamedTuple):
    """Rank correlations: of places with a climate year near by, and of all."""

    name: str
    near: str
    near_rows: int
    far: str
    far_rows: int


class RegionLine(NamedTuple):
    name: str
    badge: str  # "" where the climate year is near
    pue: str
    our_pue: str
    difference: str
    wue: str
    our_wue: str
    said: Said


class PowerPage(NamedTuple):
    lead: str
    key_figures: tuple[KeyFigure, ...]
    charts: tuple[Figure, ...]
    errors: ErrorTable
    ranks: tuple[RankLine, ...]
    ranks_say: str
    water_says: str
    groups: tuple[FigureGroup, ...]
    regions: tuple[RegionLine, ...]
    left_out: Said
    left_out_regions: Said
    unscored: Said


def power_page(catalog: Catalog) -> PowerPage:
    """Everything the page shows, in words."""
    compared, report = POWER.shipped(catalog)
    regions, of_regions = REGIONS.shipped(catalog)
    near: dict[str, Any] = of_regions.extra["rank_correlation"]
    model = of_regions.extra["model"]
    return PowerPage(
        lead=(
            f"{len(report.predictions)} of {report.scored} published figures of node power, PUE, flow and sizing, and "
            f"{len(regions.predictions)} region-years of PUE by cloud providers, computed by the functions that compute "
            "every design. Nothing is fitted to them."
        ),
        key_figures=(
            computed(report),
            *errors_in_large(report),
            KeyFigure(
                "Ranks of PUE agree",
                Shown(_rho(near["all"])),
                f"Spearman, {near['all']['pairs']} region-years",
            ),
        ),
        charts=(
            node_chart(compared.figures),
            region_chart([one.found for one in regions.figures], operators_band(catalog)),
        ),
        errors=ErrorTable(
            "Error by kind of figure",
            "Kind",
            (
                *(error_line(TITLES[kind], found) for kind, found in _in_order(compared.by(QUANTITY))),
                error_line("PUE less one", Errors(**report.extra["pue_less_one"])),
                *(error_line(f"Regions of {name}", found) for name, found in regions.by(PROVIDER).items()),
                error_line("Regions, PUE less one", Errors(**of_regions.extra["pue_less_one"])),
            ),
        ),
        ranks=_rank_lines(near, of_regions.extra["rank_correlation_with_far"]),
        ranks_say=(
            f"{model[:1].upper()}{model[1:]}. Operators differ more than climates "
            "do, so a PUE is shown with the band that 80 % lie in."
        ),
        water_says=_water_says(of_regions.extra["wue"]),
        groups=ordered_groups(
            "kind", compared.figures, list(TITLES), _kind, lambda kind: TITLES[kind], _line
        ),
        regions=tuple(
            _region_line(one.found)
            for one in regions.figures
            if one.found.pue is not None or one.found.wue_l_per_kwh is not None
        ),
        left_out=left_out(compared.unsupported, "quantity"),
        left_out_regions=tuple((one.row.key, one.reason) for one in regions.unsupported),
        unscored=left_out(compared.unscored, "quantity"),
    )


def _in_order(found: Mapping[str, Errors]) -> Iterator[tuple[str, Errors]]:
    return ((kind, found[kind]) for kind in TITLES if kind in found)


def _kind(one: Checked[Predicted]) -> str:
    return one.prediction.groups[QUANTITY]


def _line(one: Checked[Predicted]) -> FigureLine:
    row, prediction = one.row, one.prediction
    unit = "" if row.text("unit") == "-" else f" {row.text('unit')}"
    band = (
        ""
        if prediction.low is None or prediction.high is None
        else f"{prediction.low:.2f} to {prediction.high:.2f}"
    )
    opened = {
        "Conditions": row.text("conditions"),
        "Computed for": "; ".join(prediction.assumed),
        "Operators lie": band,
        "Source": row.text("source"),
    }
    return FigureLine(
        anchor=row.key,
        what=what_was_measured(one),
        published=f"{number(prediction.measured, 4)}{unit}",
        ours=f"{number(prediction.predicted, 4)}{unit}",
        difference=signed_percent(prediction.error),
        said=details(opened),
    )


def _region_line(one: RegionYear) -> RegionLine:
    row = one.row
    opened = {
        "Region": f"{one.provider} {row.text('region')}",
        "Climate": one.place.badge[:1].upper() + one.place.badge[1:],
        "Source": row.text("source"),
    }
    return RegionLine(
        name=f"{row.text('location')}, {row.text('year')}",
        badge="" if one.place.near else f"{one.place.distance_km:,.0f} km",
        pue=NOTHING if one.pue is None else f"{one.pue:.2f}",
        our_pue=f"{one.predicted_pue:.2f}",
        difference=NOTHING if one.pue is None else signed_percent(one.predicted_pue / one.pue - 1),
        wue=NOTHING if one.wue_l_per_kwh is None else f"{one.wue_l_per_kwh:.2f}",
        our_wue=f"{one.predicted_wue_l_per_kwh:.2f}",
        said=details(opened),
    )


def _rank_lines(near: Mapping[str, Any], far: Mapping[str, Any]) -> tuple[RankLine, ...]:
    nobody = {"pairs": 0, "spearman": None}
    return tuple(
        RankLine(
            "All providers" if name == "all" else name,
            _rho(near.get(name, nobody)),
            near.get(name, nobody)["pairs"],
            _rho(found),
            found["pairs"],
        )
        for name, found in far.items()
    )


def _water_says(water: Mapping[str, Any]) -> str:
    if not water["rows"]:
        return "No region publishes a WUE of its own."
    return (
        f"Water: {water['rows']} regions publish a WUE of their own; the median is "
        f"{water['published_median_l_per_kwh']:.2f} L/kWh, computed with adiabatic coolers "
        f"{water['predicted_median_l_per_kwh']:.2f}, ranks agree at {_rho(water['rank_correlation']['all'])}. "
        f"{len(water['left_out'])} rows are left out: most print the mean of their provider."
    )


def _rho(found: Mapping[str, Any]) -> str:
    return "too few" if found["spearman"] is None else f"{found['spearman']:.2f}".replace("-", "\u2212")


def node_chart(checked: Iterable[Checked[Predicted]]) -> Figure:
    """Powers of one node alone: others are in units of their own."""
    points = [
        Point(
            key=one.row.key,
            name=what_was_measured(one),
            series=one.found.hardware,
            measured=one.prediction.measured * one.found.watts / 1e3,
            predicted=one.prediction.predicted * one.found.watts / 1e3,
        )
        for one in checked
        if _kind(one) == NODE_POWER and one.found.watts and one.found.hardware
    ]
    names = sorted({point.series for point in points})
    series = [Series(name, slot) for name, slot in zip(names, SYMBOLS, strict=False)]
    return predicted_measured_figure(
        points,
        series,
        caption=f"Mean, peak, pauses and idle. The dotted lines are 20{THIN_SPACE}% off.",
        subject=NODES,
    )


def region_chart(regions: Iterable[RegionYear], band: tuple[float, float]) -> Figure:
    """Published PUE of regions above ours, with the band that operators lie in."""
    below, above = band
    points = [
        RegionPoint(
            name=f"{one.row.text('location')}, {one.row.text('year')}",
            provider=one.provider,
            published=one.pue,
            predicted=one.predicted_pue,
            near=one.place.near,
        )
        for one in regions
        if one.pue is not None
    ]
    inside = sum(-below <= point.published - point.predicted <= above for point in points)
    return pue_regions_figure(
        points,
        below=below,
        above=above,
        takeaway=(
            f"{100 * inside / max(len(points), 1):.0f}{THIN_SPACE}% of {len(points)} region-years lie between "
            f"{below:.2f} below and {above:.2f} above the computed one."
        ),
        caption=f"Open markers: the nearest climate year is over {NEAR_KM:.0f} km away.",
    )


def what_was_measured(one: Checked[Predicted]) -> str:
    """The quantity, with the workload and the count of nodes where several rows ask for the same."""
    quantity = one.row.text("quantity")
    quantity = quantity[:1].upper() + quantity[1:]
    first, _, rest = one.row.text("conditions").partition(";")[0].partition(", ")
    if _kind(one) != NODE_POWER or not first or first.startswith(("same", "SR")):
        return quantity
    second = rest.partition(",")[0].partition(" (")[0]
    return f"{quantity} ({first}, {second})" if "node" in second else f"{quantity} ({first})"
