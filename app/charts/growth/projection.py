"""One trend to 2030: its figures, its line, the bands of the line and of single figures, and its limits."""

from __future__ import annotations

import math
from typing import Any

from app.charts.figure import Column, Figure, Mark, Row, layout, token, unknown_figure, value_axis
from app.charts.growth.words import doubling_text, figure_text, times

NAME = "growth_projection"
HEIGHT = 420
MOST_TICKS = 6
ROOM = 0.05  # of the scale, beyond the outermost figures
YEARS_APART = 6  # labelled years at most


def projection_figure(trend: dict[str, Any]) -> Figure:
    """The trend of an answer."""
    eyebrow = f"{trend['name']}, projected to 2030"
    unit, band, limits = trend["unit"], trend["projection"], trend["limits"]
    caption = _caption(trend)
    if band is None:
        return unknown_figure(NAME, eyebrow, caption, trend["unknown"])
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=_takeaway(trend),
        caption=caption,
        height=HEIGHT,
        columns=(Column(name="Figure", numeric=False), Column(name="Year"), Column(name="Value")),
        rows=(
            *(
                Row(cells=(point["name"], f"{point['year']:.1f}", figure_text(point["value"], unit)))
                for point in sorted(trend["points"], key=lambda point: point["year"])
            ),
            *(_year_row(band, place, unit) for place in range(len(band["years"])) if _is_shown(trend, place)),
        ),
        legend=(
            Mark(slot="c1", label="Line and its 90 % band"),
            Mark(slot="c1-faint", label="90 % of single figures"),
            Mark(slot="c7", label="Dated figures"),
            *([Mark(slot="line-dash", label="Published limit")] if limits else []),
        ),
        plot={"data": _traces(trend), "layout": _layout(trend)},
        narrow={"xaxis.tickvals": [(ends := _years(trend))[0], ends[1]],
                "xaxis.ticktext": [f"{year:.0f}" for year in ends],
                "annotations": [
                    _limit_name(limit, unit) | {"text": figure_text(limit["value"], unit, short=True)} for limit in limits
                ]},
    )  # fmt: skip


def _caption(trend: dict[str, Any]) -> str:
    capped = " No band goes beyond the lowest limit." if trend["limits"] else " No limit is published for it."
    return f"{trend['what']} A fit of {trend['n']} figures; dashed beyond the last of them.{capped}"


def _takeaway(trend: dict[str, Any]) -> str:
    band, fit, unit = trend["projection"], trend["fit"], trend["unit"]
    low, central, high = (band[name][-1] for name in ("low", "central", "high"))
    rate = f"{times(fit['annual_factor'])} a year ({times(fit['low'])} to {times(fit['high'])})"
    if fit["doubling_years"] is not None:
        rate += f", doubling in {doubling_text(fit['doubling_years'])}"
    if trend["limits"] and central >= trend["limits"][0]["value"]:
        limit = trend["limits"][0]
        return f"At {rate}, the limit of {limit['name']} binds in {limit['met_year']:.1f}, at {figure_text(limit['value'], unit)}."
    ends = f"{figure_text(low, unit)} to {figure_text(high, unit)}"
    said = f"At {rate}, it comes to {figure_text(central, unit)} in 2030 ({ends})"
    if not trend["limits"]:
        return f"{said}."
    limit = trend["limits"][0]
    return f"{said}, below the limit of {limit['name']}, {figure_text(limit['value'], unit)}."


def _year_row(band: dict[str, list[float]], place: int, unit: str) -> Row:
    low, central, high = (figure_text(band[name][place], unit) for name in ("low", "central", "high"))
    return Row(cells=(f"Trend ({low} to {high})", f"{band['years'][place]:.0f}", central))


def _is_shown(trend: dict[str, Any], place: int) -> bool:
    """Whole years from the last figure on stand in the table."""
    year = trend["projection"]["years"][place]
    return bool(year == round(year) and year >= math.floor(trend["last_year"]))


def _years(trend: dict[str, Any]) -> tuple[float, float]:
    years = trend["projection"]["years"]
    return years[0], years[-1]


def _traces(trend: dict[str, Any]) -> list[dict[str, Any]]:
    band, unit = trend["projection"], trend["unit"]
    years = band["years"]
    last = trend["last_year"]
    split = next((place for place, year in enumerate(years) if year >= last), len(years) - 1)

    def between(low: str, high: str, opacity: float) -> dict[str, Any]:
        return {
            "type": "scatter", "mode": "lines", "x": [*years, *reversed(years)],
            "y": [*band[low], *reversed(band[high])], "fill": "toself", "fillcolor": token("c1"),
            "opacity": opacity, "line": {"width": 0}, "hoverinfo": "skip",
        }  # fmt: skip

    def line(places: slice, dash: str) -> dict[str, Any]:
        return {
            "type": "scatter", "mode": "lines", "x": years[places], "y": band["central"][places],
            "line": {"color": token("c1"), "width": 2.5, "dash": dash},
            "customdata": [
                [figure_text(band[name][place], unit) for name in ("low", "central", "high")]
                for place in range(*places.indices(len(years)))
            ],
            "hovertemplate": "%{x:.1f}<br>%{customdata[1]} (%{customdata[0]} to %{customdata[2]})<extra></extra>",
        }  # fmt: skip

    points = trend["points"]
    return [
        between("least", "most", 0.10),
        between("low", "high", 0.22),
        {
            "type": "scatter", "mode": "markers", "x": [point["year"] for point in points],
            "y": [point["value"] for point in points],
            "marker": {"size": 6, "color": token("c7"), "opacity": 0.75, "line": {"color": token("bg"), "width": 0.5}},
            "customdata": [[point["name"], figure_text(point["value"], unit)] for point in points],
            "hovertemplate": "%{customdata[0]}, %{x:.1f}<br>%{customdata[1]}<extra></extra>",
        },
        line(slice(0, split + 1), "solid"),
        line(slice(split, None), "dash"),
    ]  # fmt: skip


def _layout(trend: dict[str, Any]) -> dict[str, Any]:
    band, limits = trend["projection"], trend["limits"]
    first, last = _years(trend)
    values = [*(point["value"] for point in trend["points"]), *band["least"], *band["most"],
              *(limit["value"] for limit in limits)]  # fmt: skip
    low, high = (math.log10(end(values)) for end in (min, max))
    room = ROOM * (high - low)
    ticks = _ticks(low - room, high + room)
    step = max(1, math.ceil((last - first) / YEARS_APART))
    labelled = [last - step * place for place in range(int((last - first) / step) + 1)][::-1]
    return layout(
        HEIGHT,
        margin={"l": 8, "r": 16, "t": 20, "b": 8},
        xaxis=value_axis(labelled, [f"{year:.0f}" for year in labelled], [first - 0.2, last + 0.2], showgrid=False,
                         showline=True, linecolor=token("axis")),
        yaxis=value_axis(
            ticks, [figure_text(tick, trend["unit"], short=True) for tick in ticks], [low - room, high + room], type="log"
        ),
        shapes=[_limit_line(limit) for limit in limits],
        annotations=[_limit_name(limit, trend["unit"]) for limit in limits],
    )  # fmt: skip


def _limit_line(limit: dict[str, Any]) -> dict[str, Any]:
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": limit["value"], "y1": limit["value"],
            "line": {"color": token("bad"), "width": 1.5 if limit["binds_first"] else 1, "dash": "dash"}}  # fmt: skip


def _limit_name(limit: dict[str, Any], unit: str) -> dict[str, Any]:
    """Above its line; that of the lowest below it, where no other stands."""
    return {"xref": "paper", "x": 0, "xanchor": "left", "y": math.log10(limit["value"]), "showarrow": False,
            "yanchor": "top" if limit["binds_first"] else "bottom", "font": {"size": 12, "color": token("bad")},
            "text": f"{limit['name'].capitalize()}, {figure_text(limit['value'], unit, short=True)}"}  # fmt: skip


def _ticks(low: float, high: float) -> list[float]:
    """Powers of ten, or 1, 2 and 5 of them where there are few."""
    powers = range(math.floor(low), math.ceil(high) + 1)
    for factors in ((1,), (1, 3), (1, 2, 5)):
        ticks = [factor * 10.0**power for power in powers for factor in factors]
        ticks = [tick for tick in ticks if low <= math.log10(tick) <= high]
        if len(ticks) >= 3:
            break
    return ticks[:: -(-len(ticks) // MOST_TICKS)]
