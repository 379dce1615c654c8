"""Published and computed figures, one with one, as pages: scaling laws, costs and throughputs; parts that
power shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.charts.format import Shown, number, show, signed_percent
from app.surfaces.pages.validation.overview import KeyFigure, share_text
from app.surfaces.pages.validation.subjects import SERVING_NAMES, Words
from app.validation.cost.study import COST, METHOD, METHODS, ByMethod, model_costs
from app.validation.fabric.study import COUNTS, FABRIC, Counted
from app.validation.reliability.study import RELIABILITY
from app.validation.scaling.study import SCALING
from app.validation.serving.throughput import THROUGHPUT
from app.validation.study import FAMILY, Checked, Errors, LeftOut, Report, Row, errors_of

NOTHING = "n/a"
Said = tuple[tuple[str, str], ...]
"""Label and text."""


class FigureLine(NamedTuple):
    """A published figure, and what opens under it."""

    what: str
    published: str
    ours: str
    difference: str
    said: Said
    anchor: str = ""
    label: str = ""  # why it is not scored
    agrees: bool = True
    reason: str = ""  # why it does not agree


class FigureGroup(NamedTuple):
    title: str
    anchor: str
    lines: tuple[FigureLine, ...]


class ErrorLine(NamedTuple):
    name: str
    rows: int
    median: str
    p90: str
    bias: str


class ErrorTable(NamedTuple):
    title: str
    first: str  # header of the first column
    lines: tuple[ErrorLine, ...]


class FiguresPage(NamedTuple):
    """Contents of a page of figures, in words; a kind has what it needs of it."""

    lead: str
    key_figures: tuple[KeyFigure, ...]
    groups: tuple[FigureGroup, ...]
    tables: tuple[ErrorTable, ...] = ()
    left_out: Said = ()
    unscored: Said = ()
    models: tuple[ModelLines, ...] = ()


def scaling_page(catalog: Catalog) -> FiguresPage:
    """Figures of scaling laws, law by law."""
    figures = SCALING.shipped(catalog).compared.figures
    agreeing = sum(one.found.agrees for one in figures)
    explained = sum(not one.found.agrees and bool(one.found.reason) for one in figures)
    return FiguresPage(
        lead=(
            f"{len(figures)} figures that papers print of their scaling laws, computed again from the laws of the "
            f"catalog: {agreeing} come out within 1\u202f%, and of the others it is said why not."
        ),
        key_figures=(
            KeyFigure("Published figures", Shown(f"{len(figures)}"), ""),
            KeyFigure("Within 1 %", Shown(f"{agreeing}"), ""),
            KeyFigure("Differ, explained", Shown(f"{explained}"), "rounding, a misprint or a biased fit"),
            KeyFigure("Differ, not explained", Shown(f"{len(figures) - agreeing - explained}"), ""),
        ),
        groups=numbered_groups("law", figures, lambda one: one.row.text("law"), _law_line),
    )


def cost_page(catalog: Catalog) -> FiguresPage:
    """Costs of runs: models by each method, and every figure by the method of its source."""
    compared, report = COST.shipped(catalog)
    within = sum(abs(one.error) <= 0.1 for one in report.predictions)
    return FiguresPage(
        lead=(
            f"{len(report.predictions)} of {report.scored} published figures of what runs cost, take and emit, each "
            "computed by the method that its source used. Methods differ by several times for one run, so each figure "
            "names its own. Nothing is fitted to them."
        ),
        key_figures=(
            computed(report),
            KeyFigure("Within 10 %", Shown(f"{within}"), f"of {len(report.predictions)}"),
            *errors_in_large(report),
        ),
        models=models_by_method(catalog),
        tables=(error_table("Error by method", "Method", compared.by(METHOD), str.capitalize),),
        groups=ordered_groups(
            "method",
            compared.figures,
            METHODS,
            lambda one: one.prediction.groups[METHOD],
            str.capitalize,
            _cost_line,
        ),
        left_out=left_out(compared.unsupported, "subject"),
        unscored=left_out(compared.unscored, "subject"),
    )


def reliability_page(catalog: Catalog) -> FiguresPage:
    """Failures and spares, by what is counted."""
    compared, report = RELIABILITY.shipped(catalog)
    held = report.extra["within_interval"]
    groups = ("quantity", "Error by quantity", "Quantity"), ("rate", "Error by fleet", "Fleet")
    return FiguresPage(
        lead=(
            f"{len(report.predictions)} of {report.scored} published figures of interruptions, times between failures "
            "and spares, each at the usual rate of failures. Fleets differ by several times: the interval is that of "
            "80 % of fleets."
        ),
        key_figures=(
            computed(report),
            KeyFigure("Within the interval", Shown(f"{held}"), f"of {len(report.predictions)}"),
            *errors_in_large(report),
        ),
        tables=tuple(
            error_table(title, first, compared.by(group), str.capitalize) for group, title, first in groups
        ),
        groups=ordered_groups(
            "quantity",
            compared.figures,
            tuple(dict.fromkeys(one.prediction.groups["quantity"] for one in compared.figures)),
            lambda one: one.prediction.groups["quantity"],
            str.capitalize,
            _reliability_line,
        ),
        left_out=left_out(compared.unsupported, "metric"),
        unscored=left_out(compared.unscored, "metric"),
    )


def throughput_page(catalog: Catalog) -> FiguresPage:
    """Throughputs of served models, source by source, idealised ones labelled."""
    compared, report = THROUGHPUT.shipped(catalog)
    words = Words(catalog, SERVING_NAMES)
    idealised = sum(bool(one.label) for one in compared.figures)
    totals, by_row = report.totals, errors_of(report.predictions)
    groupings = (("model", "Model"), ("system", "System"), ("precision", "Precision"), ("metric", "Metric"))
    return FiguresPage(
        lead=(
            f"{len(report.predictions)} of {report.scored} published throughputs and latencies of served models, each "
            "computed in the unit of its source. Every source counts the same. "
            f"{idealised} more are idealised, with perfect balance over the experts: they are shown next to what would be "
            "served, and are not scored."
        ),
        key_figures=(
            computed(report),
            KeyFigure("Median error", percent_figure(totals.median_abs_error), "sources weighted equally"),
            KeyFigure(
                "90th percentile error", percent_figure(totals.p90_abs_error), "sources weighted equally"
            ),
            KeyFigure(
                "By row",
                percent_figure(by_row.median_abs_error),
                f"median error; 90 % within {percent_text(by_row.p90_abs_error)}",
            ),
        ),
        tables=(
            error_table("Error by source", "Source", compared.by(FAMILY)),
            *(
                error_table(
                    f"Error by {title.lower()}",
                    title,
                    compared.by(name),
                    lambda member, name=name: words.group(name, member),  # type: ignore[misc]
                )
                for name, title in groupings
            ),
        ),
        groups=numbered_groups(
            "source", compared.figures, lambda one: one.prediction.family, _throughput_line
        ),
        left_out=tuple((_served(one.row), one.reason) for one in compared.unsupported),
        unscored=tuple((_served(one.row), one.reason) for one in compared.unscored),
    )


# Lines of each kind.

LARGE = 1e5
"""Figures of laws from here on are written with a power of ten."""
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _law_line(one: Checked[Any]) -> FigureLine:
    row, prediction = one.row, one.prediction
    return FigureLine(
        what=", ".join(text for name in ("case", "quantity", "input") if (text := row.text(name))),
        published=_law_text(prediction.measured),
        ours=_law_text(prediction.predicted),
        difference=signed_percent(prediction.error),
        said=details({"Computed with": row.text("note"), "Source": row.text("source")}),
        agrees=one.found.agrees,
        reason=one.found.reason,
    )


def _law_text(value: float) -> str:
    """Four digits, since figures are compared to one in a hundred.

    >>> _law_text(20170000000.0), _law_text(0.498)
    ('2.017 × 10¹⁰', '0.4980')
    """
    if abs(value) < LARGE:
        return number(value, 4)
    mantissa, _, exponent = f"{value:.3e}".partition("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(SUPERSCRIPTS)}"


class MethodCells(NamedTuple):
    """A model by one method."""

    method: str
    published: Shown
    ours: Shown
    difference: str
    said: str


class ModelLines(NamedTuple):
    name: str
    methods: tuple[MethodCells, ...]


def models_by_method(catalog: Catalog) -> tuple[ModelLines, ...]:
    """Models by each published method."""
    return tuple(
        ModelLines(one.name, tuple(_method(by) for by in one.methods)) for one in model_costs(catalog.builtin)
    )


def _method(one: ByMethod) -> MethodCells:
    return MethodCells(
        method=one.method.capitalize(),
        published=show(one.published_usd, "USD"),
        ours=Shown(NOTHING) if one.computed is None else show(one.computed.value, "USD"),
        difference=NOTHING if one.error is None else signed_percent(one.error),
        said=one.said,
    )


def _cost_line(one: Checked[Any]) -> FigureLine:
    row, prediction = one.row, one.prediction
    opened = {
        "Arithmetic": one.found.arithmetic,
        "Assumed": "; ".join(prediction.assumed),
        "Inputs of the source": row.text("inputs"),
        "Note": row.text("note"),
        "Source": row.text("source"),
    }
    return FigureLine(
        anchor=row.key,
        what=row.text("subject"),
        published=f"{number(prediction.measured, 4)} {row.text('unit')}",
        ours=number(prediction.predicted, 4),
        difference=signed_percent(prediction.error),
        said=details(opened),
    )


def _reliability_line(one: Checked[Any]) -> FigureLine:
    row, prediction = one.row, one.prediction
    bounds = [number(end, 3) for end in (prediction.low, prediction.high) if end is not None]
    opened = {
        "Interval": " to ".join(bounds),
        "Fleet": f"{row.text('accelerators')} accelerators, {row.text('hardware')}, {row.text('period')}",
        "Used for the rate": "yes" if prediction.groups["rate"] == "one of five" else "no",
        "Note": row.text("note"),
        "Source": row.text("source"),
    }
    return FigureLine(
        anchor=row.key,
        what=f"{row.text('system')}: {row.text('metric')}",
        published=f"{number(prediction.measured, 3)} {row.text('unit')}",
        ours=number(prediction.predicted, 3),
        difference=signed_percent(prediction.error),
        said=details(opened),
    )


def _throughput_line(one: Checked[Any]) -> FigureLine:
    row, prediction = one.row, one.prediction
    lengths = (row.text("isl"), row.text("osl"))
    opened = {
        "Not scored": one.label,
        "Engine": row.text("engine"),
        "Precision": row.text("precision"),
        "Tokens in, out": ", ".join(text or "not stated" for text in lengths) if any(lengths) else "",
        "In flight": row.text("concurrency_or_batch"),
        "Conditions": row.text("conditions"),
        "Assumed": "; ".join(prediction.assumed),
        "Source": row.text("source"),
    }
    return FigureLine(
        anchor=row.key,
        what=_served(row),
        label="idealised" if one.label else "",
        published=number(float(f"{prediction.measured:.4g}")),
        ours=number(float(f"{prediction.predicted:.4g}")),
        difference=signed_percent(prediction.error),
        said=details(opened),
    )


def _served(row: Row) -> str:
    """What was served, on what, and what was measured; hardware is named as its source does."""
    count = row.text("n")
    lengths = tuple(text for name in ("isl", "osl") if (text := row.text(name)))
    parts = (
        row.text("model"),
        row.text("hardware"),
        f"{count} accelerator{'' if count == '1' else 's'}" if count else "",
        f"{lengths[0]} in, {lengths[1]} out" if len(lengths) == 2 else "",
    )
    return f"{', '.join(text for text in parts if text)}: {row.text('metric')}"


# What the kinds share.


def numbered_groups(
    name: str,
    figures: Sequence[Checked[Any]],
    key: Callable[[Checked[Any]], str],
    line: Callable[[Checked[Any]], FigureLine],
) -> tuple[FigureGroup, ...]:
    """Figures by a word of theirs, in the order of the words."""
    return tuple(
        FigureGroup(title, f"{name}-{place}", tuple(line(one) for one in members))
        for place, (title, members) in enumerate(groupby(sorted(figures, key=key), key=key), start=1)
    )


def ordered_groups(
    name: str,
    figures: Sequence[Checked[Any]],
    order: Sequence[str],
    key: Callable[[Checked[Any]], str],
    title: Callable[[str], str],
    line: Callable[[Checked[Any]], FigureLine],
) -> tuple[FigureGroup, ...]:
    """Figures by a word of theirs, in an order of its own."""
    in_order = sorted(figures, key=lambda one: order.index(key(one)))
    return tuple(
        FigureGroup(
            title(word), f"{name}-{word.replace(' ', '-').lower()}", tuple(line(one) for one in members)
        )
        for word, members in groupby(in_order, key=key)
    )


def details(opened: Mapping[str, str]) -> Said:
    """What opens under a figure, without what is empty."""
    return tuple((label, text) for label, text in opened.items() if text)


def left_out(rows: Iterable[LeftOut], column: str) -> Said:
    """What is not compared, by the column that names it."""
    return tuple((one.row.text(column), one.reason) for one in rows)


def error_table(
    title: str, first: str, found: Mapping[str, Errors], name: Callable[[str], str] = str
) -> ErrorTable:
    """Errors by group."""
    return ErrorTable(title, first, tuple(error_line(name(group), errors) for group, errors in found.items()))


def error_line(name: str, errors: Errors) -> ErrorLine:
    """Errors of some figures."""
    return ErrorLine(
        name,
        errors.rows,
        percent_text(errors.median_abs_error),
        percent_text(errors.p90_abs_error),
        NOTHING if errors.bias is None else signed_percent(errors.bias),
    )


def computed(report: Report) -> KeyFigure:
    """Number of computed figures."""
    count = len(report.predictions)
    return KeyFigure("Figures computed", Shown(f"{count}"), f"of {report.scored} compared")


def errors_in_large(report: Report) -> tuple[KeyFigure, KeyFigure]:
    """The median error and the 90th percentile."""
    totals, by_row = report.totals, errors_of(report.predictions)
    return (
        KeyFigure("Median error", percent_figure(totals.median_abs_error), "sources weighted equally"),
        KeyFigure(
            "90th percentile error",
            percent_figure(totals.p90_abs_error),
            f"by row {percent_text(by_row.p90_abs_error)}",
        ),
    )


def percent_figure(share: float | None) -> Shown:
    """A share as a key figure."""
    return Shown(NOTHING) if share is None else Shown(f"{100 * share:.1f}", "%")


def percent_text(share: float | None) -> str:
    """A share within a sentence or a table."""
    return NOTHING if share is None else share_text(share)


# Fabrics, whose rows print several counts each.

SWITCHES, CABLES = COUNTS[:3], COUNTS[3:]
FABRIC_GROUPS = (("compute", "Between SuperNodes"), ("scale-up", "Inside a SuperNode"))
GIVEN = (
    ("num_nodes", "{} nodes"),
    ("accelerators_per_node", "{} accelerators per node"),
    ("num_scalable_units", "{} units"),
    ("planes", "{} planes"),
    ("nic_gbit_s_per_accelerator", "{} Gbit/s an accelerator"),
    ("switch_radix_ports", "{} switch ports"),
    ("switch_port_gbit_s", "{} Gbit/s a port"),
    ("leaf_down_ports", "{} ports down"),
    ("leaf_up_ports", "{} up"),
    ("management_ports_on_leaf", "{} management ports"),
)
"""The inputs that counts are computed from, as they are said."""


class FabricLine(NamedTuple):
    """A published fabric, and what opens under it."""

    name: str
    size: str
    switches: tuple[str, str]  # printed, ours
    cables: tuple[str, str]
    exact: bool
    doubts: tuple[str, ...]
    said: Said


class FabricPage(NamedTuple):
    lead: str
    key_figures: tuple[KeyFigure, ...]
    groups: tuple[tuple[str, str, tuple[FabricLine, ...]], ...]  # anchor, title, lines
    left_out: Said


def fabric_page(catalog: Catalog) -> FabricPage:
    """Counts of switches and cables, and what cannot be right."""
    compared = FABRIC.shipped(catalog).compared
    lines = {
        key: tuple(_fabric_line(one) for one in compared.figures if one.row.text("fabric").startswith(key))
        for key, _ in FABRIC_GROUPS
    }
    count, exact = len(compared.figures), sum(one.found.exact for one in compared.figures)
    flagged = sum(bool(one.found.doubts) for one in compared.figures)
    return FabricPage(
        lead=(
            f"{count} published fabrics print counts of switches, cables or accelerators. Each is "
            f"computed again from its inputs, by the same functions as every design: {exact} come out in "
            "every count."
        ),
        key_figures=(
            KeyFigure("Published fabrics", Shown(f"{count}"), "that print counts"),
            KeyFigure("Exact", Shown(f"{exact}"), "in every count"),
            KeyFigure("Differ", Shown(f"{count - exact}"), "in one count or more"),
            KeyFigure("Flagged", Shown(f"{flagged}"), "misprinted, or unverified"),
        ),
        groups=tuple((key, title, lines[key]) for key, title in FABRIC_GROUPS if lines[key]),
        left_out=tuple((one.row.text("system") or one.row.key, one.reason) for one in compared.unsupported),
    )


def _fabric_line(one: Checked[Counted]) -> FabricLine:
    row, printed, ours = one.row, one.found.printed, one.found.computed
    parts = [text.format(row.text(column)) for column, text in GIVEN if row.text(column)]
    opened = {
        "Given": "; ".join([row.text("topology"), ", ".join(parts)]),
        "Taken": "; ".join(ours.assumed),
        "Note": row.text("notes"),
        "Source": row.text("source"),
    }
    accelerators = printed.get("num_accelerators")
    return FabricLine(
        name=row.text("system") or row.key,
        size=NOTHING if accelerators is None else f"{accelerators:,}",
        switches=_both(SWITCHES, printed, ours.counts),
        cables=_both(CABLES, printed, ours.counts),
        exact=one.found.exact,
        doubts=tuple(one.found.doubts),
        said=details(opened),
    )


def _both(columns: Sequence[str], printed: Mapping[str, int], ours: Mapping[str, int]) -> tuple[str, str]:
    """Counts tier by tier, printed and ours; tiers that neither has are left out at the end."""
    known = [column for column in columns if column in printed]
    while known and not printed[known[-1]] and not ours.get(known[-1]):
        known.pop()
    if not known:
        return NOTHING, NOTHING
    return _tiers(known, printed), _tiers(known, ours)


def _tiers(columns: list[str], counts: Mapping[str, int]) -> str:
    return " / ".join(f"{counts[column]:,}" if column in counts else NOTHING for column in columns)
