"""The timeline of a step as text for a terminal: a line a stage."""

from __future__ import annotations

from app.charts.format import percent, show, signed_percent
from app.views.timeline import TimelineView

BAR, CELLS = "#", 40


def timeline_text(view: TimelineView) -> str:
    """Simulation and closed form, and how much of the step each stage computes and waits."""
    lines = [
        (
            f"{view.name}: {view.schedule}, {view.stages} stages of {view.chunks_per_stage} chunks, "
            f"{view.micro_batches:,} micro-batches"
        ),
        (
            f"Simulated {show(view.simulated_s, 's').text}, closed form {show(view.formula_s, 's').text} "
            f"({signed_percent(view.formula_s / view.simulated_s - 1)}), without optimiser and exchange of gradients."
        ),
    ]
    if view.simulated_micro_batches < view.micro_batches:
        lines.append(f"Both are of {view.simulated_micro_batches:,} micro-batches.")
    lines += [f"Stages wait {percent(view.waiting_share).text} of the time.", ""]
    lines.append(f"{'Stage':>5}  {'Layers':>6}  {'Busy':>9}  {'Waiting':>9}  {'Chunks held':>11}")
    for stage in view.by_stage:
        share = stage.busy_s / view.simulated_s
        lines.append(
            f"{stage.stage:>5}  {stage.layers:>6g}  {show(stage.busy_s, 's').text:>9}  "
            f"{percent(1 - share).text:>9}  {stage.chunks_held:>11}  {BAR * round(CELLS * share)}"
        )
    return "\n".join(lines)
