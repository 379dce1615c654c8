"""A search as text for a terminal."""

from __future__ import annotations

from typing import Any

from app.charts.format import percent, show
from app.charts.searching.layout_axes import asked_for, variants_text
from app.charts.searching.rejected import refused_text


def search_text(answer: dict[str, Any]) -> str:
    """Number of layouts, reasons for failure, and the best layouts."""
    lines = [
        f"{answer['name']}: {answer['feasible_strategies']:,} of {answer['strategies']:,} layouts can run",
        f"Searched in {answer['search_time_s']:.2f} s; ranked by {answer['objective'].replace('_', ' ')}.",
    ]
    if margin := answer.get("memory_margin"):
        lines.append(
            f"Layouts leave {percent(margin).text} of the memory free, as much as measured peaks differ."
        )
    lines += [f"  {count:>12,} rejected for {name}" for name, count in answer["rejected"].items()]
    if refused := refused_text(answer):
        lines.append(refused)
    stated = answer.get("stated")
    if stated and stated["slower_by"] is not None:
        lines.append(
            f"The stated layout takes {show(stated['step_time_s'], 's').text}, "
            f"{percent(stated['slower_by']).text} longer than the best; {stated['rank'] - 1:,} are faster."
        )
    if answer.get("fix"):
        lines.append(answer["fix"]["message"])
    lines.append("")
    for row in answer["best"]:
        lines.append(_row(row))
        if also := variants_text(row):
            lines.append(f"     also: {also}")
    if not answer["best"]:
        lines.append("No layout can run.")
    return "\n".join(lines)


def _row(row: dict[str, Any]) -> str:
    layout = row["parallelism"]
    degrees = " ".join(f"{name}{layout[name]}" for name in ("tp", "pp", "cp", "ep") if name in layout)
    words = [
        f"vpp{layout.get('vpp')} mb{layout.get('micro_batch')} zero{layout.get('zero_stage')}",
        f"recompute {layout.get('recompute')}",
        *(
            ["no sequence parallel"]
            if not layout.get("sequence_parallel") and layout.get("tp", 1) > 1
            else []
        ),
        *(["PP within scale-up domain"] if layout.get("inside") == "pipeline" else []),
        *(
            [f"context {layout['context']}"]
            if layout.get("cp", 1) > 1 and layout.get("context", "ring") != "ring"
            else []
        ),
        *([f"schedule {layout['schedule']}"] if layout.get("schedule", "1f1b") != "1f1b" else []),
        *(["no tensor overlap"] if layout.get("tensor_overlap") is False else []),
        *(["no data overlap"] if layout.get("data_overlap") is False else []),
        *asked_for(layout),
    ]
    size = f"{row['accelerators']:,} accelerators  " if "accelerators" in row else ""
    figures = [
        show(row["step_time_s"], "s").text,
        f"MFU {percent(row['mfu']).text}",
        show(row["memory_per_accelerator_bytes"], "B").text,
        f"{show(row['usd_per_million_tokens'], 'USD').text} per million tokens",
        *([row["framework"]] if row.get("framework") else []),
    ]
    mark = "" if row.get("feasible", True) else "  (does not work)"
    return f"{row['rank']:>3}  {size}{degrees} dp{row['dp']} {', '.join(words)}: {', '.join(figures)}{mark}"
