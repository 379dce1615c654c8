"""Published power and cooling beside ours as a page: errors, ranks, every figure and every region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from app.charts import Figure
from app.charts.format import Shown, number, signed_percent
from app.surfaces.pages.validation.overview import KeyFigure
from app.surfaces.pages.validation.power_charts import node_chart, region_chart, what_was_measured
from app.surfaces.pages.validation.single_figures import (
    NOTHING,
    ErrorLine,
    FigureGroup,
    FigureLine,
    error_line,
    percent_figure,
    percent_text,
)
from app.validation.power.study import Checked, PublishedPower, RegionYear
from app.validation.study import Errors, LeftOut, errors_of, grouped

TITLES = {
    "node power": "Node power", "energy": "Energy of a run", "sizing": "Sizing", "flow": "Coolant flow",
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
    said: tuple[tuple[str, str], ...]


class PowerOverview(NamedTuple):
    lead: str
    key_figures: tuple[KeyFigure, ...]
    charts: tuple[Figure, ...]
    errors: tuple[ErrorLine, ...]
    ranks: tuple[RankLine, ...]
    ranks_say: str
    water_says: str
    groups: tuple[FigureGroup, ...]
    regions: tuple[RegionLine, ...]
    left_out: tuple[tuple[str, str], ...]  # what, reason
    left_out_regions: tuple[tuple[str, str], ...]
    unscored: tuple[tuple[str, str], ...]


def power_overview(found: PublishedPower) -> PowerOverview:
    """Everything the page shows, in words."""
    report, regions = found.report, found.regions_report
    totals, by_row = report.totals, errors_of(report.predictions)
    near: dict[str, Any] = regions.extra["rank_correlation"]
    return PowerOverview(
        lead=(
            f"{len(report.predictions)} of {report.scored} published figures of node power, PUE, flow and sizing, and "
            f"{len(regions.predictions)} region-years of PUE by cloud providers, computed by the functions that compute "
            "every design. Nothing is fitted to them."
        ),
        key_figures=(
            KeyFigure(
                "Figures computed", Shown(f"{len(report.predictions)}"), f"of {report.scored} compared"
            ),
            KeyFigure("Median error", percent_figure(totals.median_abs_error), "sources weighted equally"),
            KeyFigure(
                "Nine of ten within",
                percent_figure(totals.p90_abs_error),
                f"by row {percent_text(by_row.p90_abs_error)}",
            ),
            KeyFigure(
                "Ranks of PUE agree",
                Shown(_rho(near["all"])),
                f"Spearman, {near['all']['pairs']} region-years",
            ),
        ),
        charts=(node_chart(found.checked), region_chart(found)),
        errors=_error_lines(found),
        ranks=_rank_lines(near, regions.extra["rank_correlation_with_far"]),
        ranks_say=(
            f"{regions.extra['model'][:1].upper()}{regions.extra['model'][1:]}. Operators differ more than climates "
            "do, so a PUE is shown with the band that eight of ten of them lie in."
        ),
        water_says=_water_says(regions.extra["wue"]),
        groups=_groups(found.checked),
        regions=tuple(
            _region_line(one)
            for one in found.regions.found
            if one.pue is not None or one.wue_l_per_kwh is not None
        ),
        left_out=tuple(_left_out(one) for one in found.unsupported),
        left_out_regions=tuple((one.id, one.reason) for one in found.regions.unsupported),
        unscored=tuple(_left_out(one) for one in found.unscored),
    )


def _groups(checked: Sequence[Checked]) -> tuple[FigureGroup, ...]:
    order = list(TITLES)
    in_order = sorted(checked, key=lambda one: order.index(one.kind))
    return tuple(
        FigureGroup(
            TITLES[kind], f"kind-{kind.replace(' ', '-').lower()}", tuple(_line(one) for one in members)
        )
        for kind, members in groupby(in_order, key=lambda one: one.kind)
    )


def _line(one: Checked) -> FigureLine:
    row, prediction = one.row, one.prediction
    unit = "" if row.text("unit") == "-" else f" {row.text('unit')}"
    band = (
        ""
        if prediction.low is None or prediction.high is None
        else f"{prediction.low:.2f} to {prediction.high:.2f}"
    )
    said = {
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
        said=tuple((label, text) for label, text in said.items() if text),
    )


def _region_line(one: RegionYear) -> RegionLine:
    row = one.row
    said = {
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
        said=tuple((label, text) for label, text in said.items() if text),
    )


def _error_lines(found: PublishedPower) -> tuple[ErrorLine, ...]:
    kinds = grouped(found.report.predictions, lambda one: one.groups["quantity"])
    providers = grouped(found.regions_report.predictions, lambda one: one.groups["provider"])
    lines = [error_line(TITLES[kind], Errors(**kinds[kind])) for kind in TITLES if kind in kinds]
    lines.append(error_line("PUE less one", Errors(**found.report.extra["pue_less_one"])))
    lines += [error_line(f"Regions of {name}", Errors(**errors)) for name, errors in providers.items()]
    return (
        *lines,
        error_line("Regions, PUE less one", Errors(**found.regions_report.extra["pue_less_one"])),
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
        f"{water['published_median_l_per_kwh']:.2f} L/kWh, ours with adiabatic coolers "
        f"{water['predicted_median_l_per_kwh']:.2f}, ranks agree at {_rho(water['rank_correlation']['all'])}. "
        f"{len(water['left_out'])} rows are left out: most print the mean of their provider."
    )


def _left_out(one: LeftOut) -> tuple[str, str]:
    return one.row.text("quantity"), one.reason


def _rho(found: Mapping[str, Any]) -> str:
    return "too few" if found["spearman"] is None else f"{found['spearman']:.2f}".replace("-", "\u2212")
