"""One trend to 2030: its figures, its line, the bands of the line and of single figures, and its limits."""

from __future__ import annotations

import math
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.growth.indexed import doubling_text, figure_text, times

ENDS = ("low", "central", "high")

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
        columns=(Column.words("Figure"), Column("Year"), Column("Value")),
        rows=(
            *(
                Row((point["name"], f"{point['year']:.1f}", figure_text(point["value"], unit)))
                for point in sorted(trend["points"], key=lambda point: point["year"])
            ),
            *(_year_row(band, place, unit) for place in range(len(band["years"])) if _is_shown(trend, place)),
        ),
        legend=(
            Mark("c1", "Line and its 90 % band"),
            Mark("c1-faint", "90 % of single figures"),
            Mark("c7", "Dated figures"),
            *([Mark("line-dash", "Published limit")] if limits else []),
        ),
        plot=_plot(trend),
        narrow={
            "xaxis.tickvals": [(ends := _years(trend))[0], ends[1]],
            "xaxis.ticktext": [f"{year:.0f}" for year in ends],
            "annotations": [
                _limit(limit, unit)[1] | {"text": figure_text(limit["value"], unit, short=True)}
                for limit in limits
            ],
        },
    )


def _caption(trend: dict[str, Any]) -> str:
    capped = " No band goes beyond the lowest limit." if trend["limits"] else " No limit is published for it."
    return f"{trend['what']} A fit of {trend['n']} figures; dashed beyond the last.{capped}"


def _takeaway(trend: dict[str, Any]) -> str:
    band, fit, unit = trend["projection"], trend["fit"], trend["unit"]
    low, central, high = (band[name][-1] for name in ("low", "central", "high"))
    rate = f"{times(fit['annual_factor'])} per year ({times(fit['low'])} to {times(fit['high'])})"
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
    return Row((f"Trend ({low} to {high})", f"{band['years'][place]:.0f}", central))


def _is_shown(trend: dict[str, Any], place: int) -> bool:
    """Whole years from the last figure on stand in the table."""
    year = trend["projection"]["years"][place]
    return bool(year == round(year) and year >= math.floor(trend["last_year"]))


def _years(trend: dict[str, Any]) -> tuple[float, float]:
    years = trend["projection"]["years"]
    return years[0], years[-1]


def _traces(trend: dict[str, Any]) -> list[dict[str, Any]]:
    band, unit, points = trend["projection"], trend["unit"], trend["points"]
    years = band["years"]
    split = next((place for place, year in enumerate(years) if year >= trend["last_year"]), len(years) - 1)
    said = [
        [figure_text(value, unit) for value in one] for one in zip(*(band[key] for key in ENDS), strict=True)
    ]
    hover = "%{x:.1f}<br>%{customdata[1]} (%{customdata[0]} to %{customdata[2]})"
    figures = forms.dots(
        [point["year"] for point in points], [point["value"] for point in points], "c7", 6, opacity=0.75, edge="bg",
        edge_width=0.5, said=[[point["name"], figure_text(point["value"], unit)] for point in points],
        hover="%{customdata[0]}, %{x:.1f}<br>%{customdata[1]}",
    )  # fmt: skip
    parts = ((slice(0, split + 1), "solid"), (slice(split, None), "dash"))
    return [
        forms.band(years, band["least"], band["most"], "c1", 0.10),
        forms.band(years, band["low"], band["high"], "c1", 0.22),
        figures,
        *(
            forms.line(years[part], band["central"][part], "c1", 2.5, dash, said=said[part], hover=hover)
            for part, dash in parts
        ),
    ]


def _plot(trend: dict[str, Any]) -> dict[str, Any]:
    first, last = _years(trend)
    extent = _extent(trend)
    step = max(1, math.ceil((last - first) / YEARS_APART))
    years = [last - step * place for place in range(int((last - first) / step) + 1)][::-1]
    return forms.plot(
        _traces(trend),
        HEIGHT,
        x=forms.along(years, lambda year: f"{year:.0f}", [first - 0.2, last + 0.2]),
        y=forms.values(
            forms.log_ticks(10 ** extent[0], 10 ** extent[1], MOST_TICKS),
            lambda tick: figure_text(tick, trend["unit"], short=True),
            extent,
            type="log",
        ),
        limits=[_limit(limit, trend["unit"]) for limit in trend["limits"]],
        top=20,
        right=16,
    )


def _extent(trend: dict[str, Any]) -> list[float]:
    """Logarithms of all that is drawn, with room around it."""
    band = trend["projection"]
    drawn = [*trend["points"], *trend["limits"]]
    values = [*(one["value"] for one in drawn), *band["least"], *band["most"]]
    low, high = (math.log10(end(values)) for end in (min, max))
    room = ROOM * (high - low)
    return [low - room, high + room]


def _limit(limit: dict[str, Any], unit: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Its name stands above its line; that of the lowest below it, where no other stands."""
    lowest = limit["binds_first"]
    words = f"{limit['name'].capitalize()}, {figure_text(limit['value'], unit, short=True)}"
    anchor, width = ("left top", 1.5) if lowest else ("left bottom", 1)
    return forms.limit(words, y=limit["value"], width=width, log=True, at=0, anchor=anchor)
