"""Memory of one accelerator by part, against its capacity."""

from __future__ import annotations

from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, get_path, unknown_figure
from app.charts.format import THIN_SPACE, number, show
from app.charts.forms import Step
from app.charts.workload_kind import is_generic, is_serving
from app.engine.quantities import short_label_at

EYEBROW = "Memory per accelerator, fullest pipeline stage"
GENERIC_EYEBROW = "Memory per accelerator"
GENERIC_CAPTION = "Decimal gigabytes; the dashed line is the memory fitted."
CAPTION = "Decimal gigabytes of the fullest stage at its peak; the dashed line is the memory fitted."
HEIGHT = 320
BREAKDOWN = "performance.memory_breakdown_bytes"
TOTAL = "performance.memory_per_accelerator_bytes"


def memory_figure(evaluation: dict[str, Any]) -> Figure:
    """Floating bars that add up to the memory used."""
    parts = get_path(evaluation, BREAKDOWN)
    total = get_path(evaluation, TOTAL)
    generic = is_generic(evaluation) or is_serving(evaluation)
    eyebrow, caption = (GENERIC_EYEBROW, GENERIC_CAPTION) if generic else (EYEBROW, CAPTION)
    if not isinstance(parts, dict) or not total or any(value is None for value in parts.values()):
        return unknown_figure("memory", eyebrow, caption, "The memory in use is unknown.")
    fitted = get_path(evaluation, "inputs.accelerator.memory_bytes")
    named = [(_label(name), value, f"{BREAKDOWN}.{name}") for name, value in parts.items()]
    return Figure(
        name="memory",
        eyebrow=eyebrow,
        takeaway=_takeaway(named, total, fitted),
        caption=caption,
        columns=(Column.words("Part"), Column("Memory", "GB"), Column("Share", "%")),
        rows=(
            *(
                Row((label, f"{value / 1e9:.2f}", f"{100 * value / total:.1f}"), path=path)
                for label, value, path in named
            ),
            Row(("Total", f"{total / 1e9:.2f}", "100.0"), path=TOTAL, total=True),
        ),
        plot=_plot(
            [(label, value / 1e9) for label, value, _ in named if value > 0], total / 1e9, (fitted or 0) / 1e9
        ),
    )


def _label(name: str) -> str:
    return short_label_at(f"{BREAKDOWN}.{name}")


def _takeaway(named: list[tuple[str, float, str]], total: float, fitted: float | None) -> str:
    largest, value, _ = max(named, key=lambda part: part[1])
    share = f"{largest} take{'' if largest.endswith('s') else 's'} {value / total:.0%}".replace(
        "%", f"{THIN_SPACE}%"
    )
    if not fitted:
        return f"{show(total, 'B').text} is used. {share} of it."
    used = f"{total / 1e9:.1f} of {number(round(fitted / 1e9, 1))}{THIN_SPACE}GB"
    if total > fitted:
        return f"{show(total - fitted, 'B').text} too much: {used}. {share} of it."
    return f"{used} is used. {share} of it."


def _plot(parts: list[tuple[str, float]], total: float, fitted: float) -> dict[str, Any]:
    steps, at = [], 0.0
    for label, value in parts:
        start, at = at, at + value
        steps.append(Step(label, start, at, "c1", f"{value:.1f}", f"{value:.1f}{THIN_SPACE}GB"))
    whole = f"{total:.1f}{THIN_SPACE}GB"
    steps.append(Step("Total", 0.0, total, "text-2", whole, whole, total=True))
    words = f"{number(round(fitted, 1))}{THIN_SPACE}GB fitted"
    limit = forms.note(fitted, 1, words, "bad", anchor="right bottom", shift=(4, 0), yref="paper")
    return forms.waterfall(
        steps, "GB", HEIGHT, upto=fitted, inside=True, top=22,
        shapes=[forms.rule("bad", x=fitted, width=2, dash="dash")] if fitted else [], notes=[limit] if fitted else [],
    )  # fmt: skip
