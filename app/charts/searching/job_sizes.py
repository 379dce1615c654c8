"""The same job on fewer and more SuperNodes: what the objective comes to at each."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, table, unknown_figure
from app.charts.format import number, percent, show
from app.charts.searching.layout_axes import degrees_text

NAME = "job_sizes"
HEIGHT = 360
CAPTION = (
    "The fastest layout of each number of SuperNodes, the job using every accelerator. "
    "Hollow: no layout fits there."
)


class Objective(NamedTuple):
    field: str
    name: str
    unit: str
    eyebrow: str


OBJECTIVES = {
    "cost": Objective("usd_per_million_tokens", "Cost per million tokens", "USD",
                      "Cost per 1 M tokens by job size"),
    "energy": Objective("energy_j_per_token", "Energy per token", "J", "Energy per token by job size"),
    "accelerators": Objective("elapsed_time_s", "Elapsed time", "s", "Elapsed time by the size of the job"),
}  # fmt: skip


def job_sizes_figure(answer: dict[str, Any], *, own_supernodes: int, deadline_s: float | None) -> Figure:
    """A line over accelerators, the best one ringed and the pod's own marked."""
    objective = OBJECTIVES[answer["objective"]]
    rows = [row for row in answer["sizes"] if row[objective.field] is not None]
    if not rows:
        return unknown_figure(NAME, objective.eyebrow, CAPTION, "The value is unknown at every size.")
    best = answer["best"][0] if answer["best"] else None
    return Figure(
        name=NAME,
        eyebrow=objective.eyebrow,
        takeaway=_takeaway(best, rows, objective, own_supernodes),
        caption=CAPTION,
        **table(
            answer["sizes"],
            (Column.words("SuperNodes"), lambda row: f"{row['supernodes']:,}"),
            (Column("Accelerators"), lambda row: f"{row['accelerators']:,}"),
            (Column(objective.name), lambda row: show(row[objective.field], objective.unit).text),
            (Column("Elapsed time"), lambda row: show(row["elapsed_time_s"], "s").text),
            (Column("Step"), lambda row: show(row["step_time_s"], "s").text),
            (Column("MFU"), lambda row: percent(row["mfu"]).text),
            (Column.words("Fits"), lambda row: "yes" if row["feasible"] else "no"),
            (
                Column.words("Layout"),
                lambda row: (
                    degrees_text(row["parallelism"], row["dp"]) if row["parallelism"] else "none found"
                ),
            ),
        ),
        plot=_plot(rows, best, objective, own_supernodes, deadline_s),
    )


def _takeaway(best: dict[str, Any] | None, rows: list[dict[str, Any]], objective: Objective, own: int) -> str:
    if best is None:
        return "No size meets the limits."
    said = show(best[objective.field], objective.unit).text
    text = f"{best['accelerators']:,} accelerators come first, {objective.name.lower()} {said}"
    mine = next((row for row in rows if row["supernodes"] == own), None)
    if mine is None or best["supernodes"] == own:
        return f"{text}: the current pod size." if mine else f"{text}."
    ours = show(mine[objective.field], objective.unit).text
    return f"{text}; the current pod, {mine['accelerators']:,}, has {ours}."


def _plot(
    rows: list[dict[str, Any]],
    best: dict[str, Any] | None,
    objective: Objective,
    own: int,
    deadline_s: float | None,
) -> dict[str, Any]:
    values = [row[objective.field] for row in rows]
    sizes = [row["accelerators"] for row in rows]
    said = [
        [
            f"{row['supernodes']:,} SuperNodes, {row['accelerators']:,} accelerators",
            show(row[objective.field], objective.unit).text,
            show(row["elapsed_time_s"], "s").text,
            degrees_text(row["parallelism"], row["dp"]),
        ]
        for row in rows
    ]
    line = forms.line(
        sizes, values, size=9, fill_slot=["c1" if row["feasible"] else "bg" for row in rows], edge="c1", edge_width=1.5,
        said=said, hover="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]} in all<br>%{customdata[3]}",
    )  # fmt: skip
    mine = next((row for row in rows if row["supernodes"] == own), None)
    same = best is not None and best["supernodes"] == own
    rings = [_ring(best, objective, "c1", "Rank 1, current" if same else "Rank 1")] if best else []
    rings += [_ring(mine, objective, "c2", "" if same else "Current pod")] if mine else []
    whole = forms.log_ticks(min(sizes) * 0.97, max(sizes) * 1.03)
    ticks = forms.unit_ticks(min(values) * 0.97, max(values) * 1.03, objective.unit)
    labels = [forms.tick_text(tick, objective.unit) for tick in ticks]
    late = deadline_s is not None and objective.field == "elapsed_time_s"
    return forms.plot(
        [line, *rings],
        HEIGHT,
        x=forms.log(sizes, "1", "Accelerators")
        | {"tickvals": whole, "ticktext": [number(tick) for tick in whole]},
        y=forms.log(values, objective.unit, objective.name) | {"tickvals": ticks, "ticktext": labels},
        shapes=[forms.rule("bad", y=deadline_s, dash="dash")] if late else [],
        top=24,
        right=24,
    )


def _ring(row: dict[str, Any], objective: Objective, slot: str, words: str) -> dict[str, Any]:
    symbol, text_slot = ("circle-open", "accent-text") if slot == "c1" else ("square-open", "text-2")
    return forms.dots(
        [row["accelerators"]], [row[objective.field]], slot, 18, symbol=symbol, edge=slot, edge_width=2, text=[words],
        place="bottom center", text_slot=text_slot, cliponaxis=False,
    )  # fmt: skip
