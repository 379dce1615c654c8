"""The best step of every pair of tensor and pipeline parallelism, as a heat map to choose from."""

from __future__ import annotations

import math
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, table, unknown_figure
from app.charts.format import percent, show
from app.charts.searching.layout_axes import Adopt, degrees_text, details_text

NAME = "degrees"
EYEBROW = "Best step by tensor and pipeline parallelism"
CAPTION = "The fastest layout of each pair, whatever its other choices. Blank: no layout of the pair can run."
HEIGHT = 400
CELL, FRAME = 24, 64  # pixels that a row of cells takes at least, and around them
SCALE_STEPS = 5
NEAR = 0.05
DARK = 0.62  # of the scale, from which its colours are nearer to those of the text


def degrees_figure(answer: dict[str, Any], adopt: Adopt) -> Figure:
    """Pipeline parallelism down, tensor parallelism across; a cell leads to the studio with its best layout."""
    pairs = [pair for pair in answer["degrees"] if pair["step_time_s"] is not None]
    if not pairs:
        return unknown_figure(NAME, EYEBROW, CAPTION, "No pair has a layout that can run.")
    tps = sorted({pair["tp"] for pair in answer["degrees"]})
    pps = sorted({pair["pp"] for pair in answer["degrees"]})
    height = max(HEIGHT, CELL * len(pps) + FRAME)
    pairs.sort(key=lambda pair: float(pair["step_time_s"]))
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(pairs),
        caption=CAPTION,
        **table(
            pairs,
            (Column.words("Pair"), lambda pair: degrees_text({"tp": pair["tp"], "pp": pair["pp"]})),
            (Column("Best step"), lambda pair: show(pair["step_time_s"], "s").text),
            (Column("Can run"), lambda pair: f"{pair['feasible_strategies']:,}"),
            (Column("Looked at"), lambda pair: f"{pair['strategies']:,}"),
            (Column.words("Rest of the layout"), lambda pair: details_text(pair["parallelism"])),
            path=lambda pair: adopt(pair["parallelism"]),
        ),
        plot=_plot(pairs, tps, pps, height),
        hint="A cell opens the studio with its layout; the table under Data has the same as buttons.",
    )


def _takeaway(pairs: list[dict[str, Any]]) -> str:
    best = pairs[0]
    near = sum(pair["step_time_s"] <= best["step_time_s"] * (1 + NEAR) for pair in pairs) - 1
    where = degrees_text(best)
    others = f"{near} other pair{'s' if near != 1 else ''}" if near else "no other pair"
    verb = "come" if near > 1 else "comes"
    time = show(best["step_time_s"], "s").text
    return f"{where} is fastest, {time} per step; {others} {verb} within {percent(NEAR).text} of it."


def _plot(pairs: list[dict[str, Any]], tps: list[int], pps: list[int], height: int) -> dict[str, Any]:
    """`pairs` are in the order of the table; customdata begins with the row that adopts a cell."""
    known = {(pair["tp"], pair["pp"]): (row, pair) for row, pair in enumerate(pairs)}
    times = [pair["step_time_s"] for pair in pairs]
    low, high = min(times), max(times)
    if high < low * 1.02:  # one colour: differences that no one could tell
        low, high = low / 1.01, high * 1.01
    ticks = forms.unit_ticks(low, high, "s", SCALE_STEPS)

    def grid(cell: Any) -> list[list[Any]]:
        return [[cell(*known[tp, pp]) if (tp, pp) in known else None for tp in tps] for pp in pps]

    said = grid(
        lambda row, pair: [
            row,
            show(pair["step_time_s"], "s").text,
            f"{pair['feasible_strategies']:,} of {pair['strategies']:,} can run",
            details_text(pair["parallelism"]),
        ]
    )
    across, down = [str(tp) for tp in tps], [str(pp) for pp in pps]
    heat = forms.heat_map(
        across, down, grid(lambda _, pair: math.log10(pair["step_time_s"])), [math.log10(low), math.log10(high)],
        scale=([math.log10(tick) for tick in ticks], [forms.tick_text(tick, "s") for tick in ticks]),
        hover="TP %{x}, PP %{y}: %{customdata[1]}<br>%{customdata[2]}<br>%{customdata[3]}", customdata=said, meta="adopts",
        hoverongaps=False,
    )  # fmt: skip
    look = forms.look(showline=False, tickfont=forms.font("text-3"))
    return forms.plot(
        [heat, _words(pairs, low, high)],
        height,
        x=forms.names(across, title="Tensor parallelism", autorange=True, **look),
        y=forms.names(down, title="Pipeline parallel", **look),
    )


def _words(pairs: list[dict[str, Any]], low: float, high: float) -> dict[str, Any]:
    """The step time in each cell, in the colour that can be read on it."""
    shares = [math.log(pair["step_time_s"] / low) / math.log(high / low) for pair in pairs]
    slots = ["bg" if share > DARK else "text" for share in shares]
    places = [str(pair["tp"]) for pair in pairs], [str(pair["pp"]) for pair in pairs]
    return forms.texts(*places, [show(pair["step_time_s"], "s").value for pair in pairs], slots)
