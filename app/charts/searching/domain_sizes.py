"""Effect of scale-up domain size: time of a step over sizes of the scale-up domain, at three bandwidths."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE, TIMES, brief, number, percent, show
from app.charts.searching.layout_axes import degrees_text
from app.charts.step_parts import part_label

NAME = "domain_sizes"
HEIGHT = 320
SMALL = 0.01
STYLES = {0.5: ("c2", "dash", "square"), 1.0: ("c1", "solid", "circle"), 2.0: ("c3", "longdash", "diamond")}
LABELLED = (1, 4, 8, 16, 32, 64, 128, 256, 576)
SHARES = ("mfu", "fraction_of_peak")


class Words(NamedTuple):
    """Name of a step by kind of workload, with the note below the chart."""

    eyebrow: str
    step: str
    at_each: str
    rate: str
    rate_column: str
    rate_said: str
    cost: str
    cost_column: str
    paid: str
    last_column: str
    generic: bool = False


BEST = "the best of the common layouts at each size"
PARTS = "Price, power and NICs of the SuperNodes go with their parts at each size; what a multiple of the bandwidth costs is not known."
SAME = "Price and power stay those of the design."
WORDS = {
    "training": Words(
        "Step time by the size of the scale-up domain", "step", BEST, "mfu", "MFU", "MFU",
        "usd_per_million_tokens", "Cost per million tokens", "a million tokens", "Layout",
    ),
    "generic": Words(
        "Step time by the size of the scale-up domain", "step", "placed in order", "fraction_of_peak",
        "Share of the peak", "share of the peak", "usd_per_run", "Cost per run", "a run", "Exposed, by pattern",
        generic=True,
    ),
    "serving": Words(
        "Time of a decode step by the size of the scale-up domain", "decode step",
        "the layout that layout auto finds at each size", "output_tokens_per_s", "Output tokens/s",
        "output tokens/s", "usd_per_million_output_tokens", "Cost per million output tokens",
        "a million output tokens", "Layout",
    ),
}  # fmt: skip


def domain_sizes_figure(study: dict[str, Any]) -> Figure:
    """A line a bandwidth, the domain of the design marked."""
    own = study["domain_accelerators"]
    bandwidth = study["scale_up_bandwidth_bytes_per_s"]
    words = WORDS.get(study.get("kind", ""), WORDS["training"])
    caption = (
        f"The same {study['accelerators']:,} accelerators, {words.at_each}; "
        f"{TIMES}1 is {show(bandwidth, 'B/s').text} one way. {PARTS if study.get('sized_by_parts') else SAME}"
    )
    rows = [row for row in study["sizes"] if row["feasible"] and row["step_time_s"] is not None]
    if not rows:
        return unknown_figure(NAME, words.eyebrow, caption, "No layout can run at any size of the domain.")
    if len({row["domain_accelerators"] for row in rows}) < 2:
        only = f"Only a domain of {rows[0]['domain_accelerators']:,} accelerators can run it: there is no other to compare."
        return unknown_figure(NAME, words.eyebrow, caption, only)
    factors = sorted({row["bandwidth_factor"] for row in rows})
    return Figure(
        name=NAME,
        eyebrow=words.eyebrow,
        takeaway=_takeaway(once := [row for row in rows if row["bandwidth_factor"] == 1], words.step)
        + (_cheapest(once, words) if study.get("sized_by_parts") else ""),
        caption=caption,
        columns=(
            Column.words("Domain"), Column("Bandwidth"), Column(words.step[:1].upper() + words.step[1:]),
            Column("Exposed communication"), Column(words.rate_column), Column(words.cost_column),
            Column("Capital cost"), Column("Mean IT power"), Column("ETTR"),
            Column.words(words.last_column),
        ),
        rows=(
            *(_row(row, own, words) for row in study["sizes"]),
            *(_refused(one) for one in study.get("refused", ())),
        ),
        legend=tuple(Mark(_style(factor)[0], f"{TIMES}{factor:g} scale-up bandwidth") for factor in factors),
        plot=_plot(rows, factors, own, words),
        narrow={"xaxis.tickvals": [1, 8, 64, 576], "xaxis.ticktext": ["1", "8", "64", "576"], "margin.r": 12},
    )  # fmt: skip


def _style(factor: float) -> tuple[str, str, str]:
    return STYLES.get(factor, ("c7", "dot", "x"))


def _takeaway(rows: list[dict[str, Any]], step: str) -> str:
    """From which size on a larger domain hardly changes the step, or what the last size still brings."""
    if len(rows) < 2:
        return "Only one size of the domain can be compared."
    times = [row["step_time_s"] for row in rows]
    sizes = [row["domain_accelerators"] for row in rows]
    enough = next(place for place in range(len(rows)) if times[place] <= times[-1] * (1 + SMALL))
    small = f"{100 * SMALL:g}{THIN_SPACE}%"
    if enough == 0:
        return f"The size of the domain changes the {step} by less than {small}."
    gain = percent(1 - times[enough] / times[0]).text
    if enough == len(rows) - 1:
        last = percent(1 - times[-1] / times[-2]).text
        return f"A domain of {sizes[-1]:,} still takes {last} off the {step} of {sizes[-2]:,}, {gain} off that of {sizes[0]:,}."
    return (
        f"Beyond {sizes[enough]:,} accelerators a larger domain changes the {step} by less than {small}; "
        f"up to there it takes {gain} off."
    )


def _cheapest(rows: list[dict[str, Any]], words: Words) -> str:
    """At which size the work costs least; nothing where a cost is not known."""
    if len(rows) < 2 or any(row[words.cost] is None for row in rows):
        return ""
    least = min(rows, key=lambda row: row[words.cost])
    return f" {words.paid[0].upper()}{words.paid[1:]} costs least at {least['domain_accelerators']:,}."


def _row(row: dict[str, Any], own: int, words: Words) -> Row:
    size = row["domain_accelerators"]
    known = row["feasible"] and row["step_time_s"] is not None
    figures = [*_figures(row, words), *_bought(row)] if known else ["n/a"] * 7
    return Row(
        (
            f"{size:,} accelerators{', as designed' if size == own else ''}",
            f"{TIMES}{row['bandwidth_factor']:g}",
            *figures,
            _arrangement(row) if known else "cannot run" if words.generic else "no layout can run",
        )
    )


def _bought(row: dict[str, Any]) -> list[str]:
    """Capital cost, power and goodput; unknown in a study that has only the domain changed."""
    capex, power, ettr = (row.get(name) for name in ("capex_usd", "it_power_mean_w", "ettr"))
    return [
        "n/a" if capex is None else show(capex, "USD").text,
        "n/a" if power is None else show(power, "W").text,
        "n/a" if ettr is None else percent(ettr).text,
    ]


def _refused(one: dict[str, Any]) -> Row:
    """A size that cannot be built."""
    return Row((f"{one['domain_accelerators']:,} accelerators", "", *["n/a"] * 7, one["reason"]))


def _figures(row: dict[str, Any], words: Words) -> list[str]:
    """Step, exposed communication, what it achieves (MFU, output tokens) and what it costs."""
    exposed, cost, rate = row["exposed_exchange_s"], row[words.cost], row[words.rate]
    return [
        show(row["step_time_s"], "s").text,
        "n/a" if exposed is None else f"{100 * exposed / row['step_time_s']:.3g}{THIN_SPACE}% of it",
        percent(rate).text if words.rate in SHARES else "n/a" if rate is None else brief(rate),
        "n/a" if cost is None else show(cost, "USD").text,
    ]


def _is_generic(row: dict[str, Any]) -> bool:
    return row["mfu"] is None and row.get("fraction_of_peak") is not None


def _arrangement(row: dict[str, Any]) -> str:
    """The layout; of a generic job, which has none, what each pattern takes."""
    if not _is_generic(row):
        return degrees_text(row["parallelism"])
    parts = row["exposed_by_pattern_s"].items()
    return ", ".join(f"{part_label(name)} {show(seconds, 's').text}" for name, seconds in parts) or "none"


def _plot(rows: list[dict[str, Any]], factors: list[float], own: int, words: Words) -> dict[str, Any]:
    top = max(row["step_time_s"] for row in rows) * 1.08
    sizes = sorted({row["domain_accelerators"] for row in rows})
    shown = [size for size in LABELLED if sizes[0] <= size <= sizes[-1]] or sizes
    last = math.log10(sizes[-1])
    extent = [math.log10(sizes[0]) - 0.04 * max(last, 1), last + 0.04 * max(last, 1)]
    data = [
        _line([row for row in rows if row["bandwidth_factor"] == factor], factor, words) for factor in factors
    ]
    data += [
        forms.dots([own], [row["step_time_s"]], "accent", 16, symbol="circle-open", edge_width=2)
        for row in rows
        if row["domain_accelerators"] == own and row["bandwidth_factor"] == 1
    ]
    look = forms.look(slot="control", width=1, dash="dot", words_slot="text-2", anchor="bottom", log=True)
    return forms.plot(
        data,
        HEIGHT,
        x=forms.along(shown, number, extent, type="log", title="Accelerators per scale-up domain"),
        y=forms.from_zero(top, wanted=4, words=lambda tick: forms.tick_text(tick, "s") if tick else "0"),
        limits=[forms.limit(f"This design, {own:,}", x=own, **look)] if sizes[0] <= own <= sizes[-1] else [],
        top=24,
        right=24,
    )


def _line(rows: list[dict[str, Any]], factor: float, words: Words) -> dict[str, Any]:
    slot, dash, symbol = _style(factor)
    return forms.line(
        [row["domain_accelerators"] for row in rows], [row["step_time_s"] for row in rows], slot,
        2.5 if factor == 1 else 1.8, dash, size=7, symbol=symbol, name=f"{TIMES}{factor:g}",
        said=[[*_figures(row, words), _arrangement(row), words.rate_said, words.paid] for row in rows],
        hover=f"%{{x}} accelerators, {TIMES}{factor:g} bandwidth<br>%{{customdata[0]}} a {words.step}, "
        "%{customdata[1]} exposed communication<br>%{customdata[5]} %{customdata[2]}, %{customdata[3]} %{customdata[6]}<br>"
        "%{customdata[4]}",
    )  # fmt: skip
