"""A job as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.quantities import quantity_at
from app.jobs.results import Results, Rows, usual_goal

WORDS = {
    "queued": "waits to be run",
    "running": "runs",
    "done": "done",
    "failed": "failed",
    "cancelled": "cancelled",
}


def job_text(results: Results, best: Mapping[str, Sequence[Rows]]) -> str:
    """How far it is, how many designs work, and the best by each output."""
    job = results.job
    lines = [
        f"{job.name}: {WORDS[job.state]}, {job.done:,} of {job.total:,} designs, {job.feasible:,} feasible"
    ]
    lines.append(f"Job {job.id}" + (f", {job.seconds:,.1f} s" if job.seconds is not None else ""))
    if job.error:
        lines.append(job.error)
    for name, rows in best.items():
        record = quantity_at(name)
        unit = f" [{record.unit}]" if record and record.unit != "1" else ""
        lines += ["", f"{record.label if record else name}{unit}, {usual_goal(name)} first"]
        lines += [_line(rows_of_one, name) for rows_of_one in rows] or ["  no feasible design has it"]
    return "\n".join(lines)


def _line(rows: Rows, name: str) -> str:
    inputs = ", ".join(f"{field} {_shown(found[0])}" for field, found in rows.inputs.items())
    return f"  {rows.outputs[name][0]:>14,.6g}  design {rows.start:,}: {inputs}"


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
