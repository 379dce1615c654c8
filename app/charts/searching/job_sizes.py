"""The same job on fewer and more SuperNodes: what the objective comes to at each."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import Column, Figure, Row, layout, token, unknown_figure
from app.charts.format import number, percent, show
from app.charts.searching.layout_words import degrees_text
from app.charts.searching.log_scale import log_axis, log_ticks, tick_text, unit_ticks

NAME = "job_sizes"
HEIGHT = 360
CAPTION = (
    "The fastest layout of each number of SuperNodes, the job using every accelerator of them. "
    "Hollow: no layout fits there."
)


class Objective(NamedTuple):
    field: str
    name: str
    unit: str
    eyebrow: str


OBJECTIVES = {
    "cost": Objective("usd_per_million_tokens", "Cost per million tokens", "USD",
                      "Cost of a million tokens by the size of the job"),
    "energy": Objective("energy_j_per_token", "Energy per token", "J", "Energy of a token by the size of the job"),
    "accelerators": Objective("elapsed_time_s", "Elapsed time", "s", "Elapsed time by the size of the job"),
}  # fmt: skip


def job_sizes_figure(answer: dict[str, Any], *, own_supernodes: int, deadline_s: float | None) -> Figure:
    """A line over accelerators, the best one ringed and the pod's own marked."""
    objective = OBJECTIVES[answer["objective"]]
    rows = [row for row in answer["sizes"] if row[objective.field] is not None]
    if not rows:
        return unknown_figure(NAME, objective.eyebrow, CAPTION, "What it comes to is unknown at every size.")
    best = answer["best"][0] if answer["best"] else None
    return Figure(
        name=NAME,
        eyebrow=objective.eyebrow,
        takeaway=_takeaway(best, rows, objective, own_supernodes),
        caption=CAPTION,
        height=HEIGHT,
        columns=(
            Column(name="SuperNodes", numeric=False), Column(name="Accelerators"), Column(name=objective.name),
            Column(name="Elapsed time"), Column(name="Step"), Column(name="MFU"),
            Column(name="Fits", numeric=False), Column(name="Layout", numeric=False),
        ),
        rows=tuple(_row(row, objective) for row in answer["sizes"]),
        plot=_plot(rows, best, objective, own_supernodes, deadline_s),
    )  # fmt: skip


def _row(row: dict[str, Any], objective: Objective) -> Row:
    return Row(
        cells=(
            f"{row['supernodes']:,}",
            f"{row['accelerators']:,}",
            show(row[objective.field], objective.unit).text,
            show(row["elapsed_time_s"], "s").text,
            show(row["step_time_s"], "s").text,
            percent(row["mfu"]).text,
            "yes" if row["feasible"] else "no",
            degrees_text(row["parallelism"], row["dp"]) if row["parallelism"] else "none found",
        )
    )


def _takeaway(best: dict[str, Any] | None, rows: list[dict[str, Any]], objective: Objective, own: int) -> str:
    if best is None:
        return "No size meets what is asked for."
    said = show(best[objective.field], objective.unit).text
    text = f"{best['accelerators']:,} accelerators come first, {objective.name.lower()} {said}"
    mine = next((row for row in rows if row["supernodes"] == own), None)
    if mine is None or best["supernodes"] == own:
        return f"{text}: the size of the pod as it is." if mine else f"{text}."
    ours = show(mine[objective.field], objective.unit).text
    return f"{text}; the pod as it is, {mine['accelerators']:,}, has {ours}."


def _plot(
    rows: list[dict[str, Any]], best: dict[str, Any] | None, objective: Objective, own: int,
    deadline_s: float | None,
) -> dict[str, Any]:  # fmt: skip
    values = [row[objective.field] for row in rows]
    sizes = [row["accelerators"] for row in rows]
    line = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": sizes,
        "y": values,
        "line": {"color": token("c1"), "width": 2.5},
        "marker": {
            "size": 9,
            "color": [token("c1") if row["feasible"] else token("bg") for row in rows],
            "line": {"color": token("c1"), "width": 1.5},
        },
        "customdata": [
            [f"{row['supernodes']:,} SuperNodes, {row['accelerators']:,} accelerators",
             show(row[objective.field], objective.unit).text, show(row["elapsed_time_s"], "s").text,
             degrees_text(row["parallelism"], row["dp"])]
            for row in rows
        ],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]} in all<br>%{customdata[3]}"
        "<extra></extra>",
    }  # fmt: skip
    mine = next((row for row in rows if row["supernodes"] == own), None)
    same = best is not None and best["supernodes"] == own
    rings = [_ring(best, objective, "c1", "Rank 1, as it is" if same else "Rank 1")] if best else []
    rings += [_ring(mine, objective, "c2", "" if same else "Pod as it is")] if mine else []
    ticks = unit_ticks(min(values) * 0.97, max(values) * 1.03, objective.unit)
    return {
        "data": [line, *rings],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 24, "t": 24, "b": 8},
            xaxis=log_axis([float(size) for size in sizes], "1", "Accelerators")
            | _accelerator_ticks(min(sizes), max(sizes)),
            yaxis=log_axis(values, objective.unit, objective.name)
            | {"tickvals": ticks, "ticktext": [tick_text(tick, objective.unit) for tick in ticks]},
            shapes=_deadline(deadline_s) if objective.field == "elapsed_time_s" else [],
        ),
    }


def _ring(row: dict[str, Any], objective: Objective, slot: str, words: str) -> dict[str, Any]:
    symbol = "circle-open" if slot == "c1" else "square-open"
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [row["accelerators"]],
        "y": [row[objective.field]],
        "text": [words],
        "textposition": "bottom center",
        "textfont": {"size": 12, "color": token("accent-text" if slot == "c1" else "text-2")},
        "marker": {
            "size": 18,
            "symbol": symbol,
            "color": token(slot),
            "line": {"width": 2, "color": token(slot)},
        },
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _accelerator_ticks(low: int, high: int) -> dict[str, Any]:
    ticks = log_ticks(low * 0.97, high * 1.03)
    return {"tickvals": ticks, "ticktext": [number(tick) for tick in ticks]}


def _deadline(deadline_s: float | None) -> list[dict[str, Any]]:
    if deadline_s is None:
        return []
    line = {"color": token("bad"), "width": 1.5, "dash": "dash"}
    return [
        {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": deadline_s,
            "y1": deadline_s,
            "line": line,
        }
    ]
