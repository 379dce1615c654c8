"""Breakdown of the step time."""

from __future__ import annotations

from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, get_path, unknown_figure
from app.charts.format import THIN_SPACE, one_prefix, percent, share_text, show
from app.charts.mixed import slowest_text
from app.charts.step_parts import (
    CALIBRATION,
    DATA_PARALLEL,
    GENERIC_TRAFFIC,
    MODEL_PARALLEL,
    complete_breakdown,
    group_seconds,
    part_label,
    predicted_step_s,
    step_groups,
)
from app.charts.workload_kind import is_serving, kind_of

EYEBROW = "Step time, exposed seconds on the slowest pipeline stage"
GENERIC_EYEBROW = "Step time, exposed seconds"
SERVING_EYEBROW = "Time per output token, mean over requests"
EYEBROWS = {"training": EYEBROW, "generic": GENERIC_EYEBROW, "serving": SERVING_EYEBROW}
SERVING_CAPTION = (
    "Of a token after the first; the parts add up to the time between two tokens that a user sees."
)
CAPTION = "Traffic that hides behind arithmetic is not counted; the parts add up to the step."
HEIGHT = 200
SMALLEST_SHARE = 5e-4  # of the step; what is smaller stands in the table only


def step_time_figure(evaluation: dict[str, Any]) -> Figure:
    """Stacked bar of one step, with its table as the legend."""
    breakdown = complete_breakdown(get_path(evaluation, "performance.time_breakdown_s"))
    serving = is_serving(evaluation)
    whole = "performance.tpot_s" if serving else "performance.step_time_s"
    total = get_path(evaluation, whole)
    eyebrow, caption = EYEBROWS[kind_of(evaluation)], SERVING_CAPTION if serving else CAPTION
    if breakdown is None or not total:
        return unknown_figure(
            "step_time",
            eyebrow,
            caption,
            "The time per token is unknown." if serving else "The step time is unknown.",
        )
    scale, unit = one_prefix([total], "s")
    part = "Part of the token" if serving else "Part of the step"
    groups = [(group, group_seconds(breakdown, group) or 0.0) for group in step_groups(breakdown)]
    shown = [(group, seconds) for group, seconds in groups if seconds >= SMALLEST_SHARE * total]
    return Figure(
        name="step_time",
        eyebrow=eyebrow,
        takeaway=_serving_takeaway(breakdown, total) if serving else _takeaway(breakdown, total),
        caption=f"{caption} {slowest_text(evaluation)}".rstrip(),
        columns=(Column.words(part), Column("Time", "s"), Column("Share", "%")),
        rows=_rows(breakdown, total, whole),
        legend_columns=(Column.words(part), Column("Time"), Column("Share")),
        legend_rows=(
            *(
                Row(
                    (group.label, _seconds(seconds, scale, unit), share_text(seconds / total, 1)),
                    slot=group.slot,
                    path=f"performance.time_breakdown_s.{group.parts[0]}" if len(group.parts) == 1 else "",
                )
                for group, seconds in shown
            ),
            *_correction_row(breakdown.get(CALIBRATION, 0.0), total, scale, unit),
        ),
        plot=_plot(
            [(g.label, g.slot, s) for g, s in shown], total, breakdown.get(CALIBRATION, 0.0), scale, unit
        ),
    )


def _correction_row(seconds: float, total: float, scale: float, unit: str) -> tuple[Row, ...]:
    """What own runs take longer or less; it is no part of the bar, which has no length below 0."""
    if not seconds:
        return ()
    numbers = (_seconds(seconds, scale, unit), share_text(seconds / total, 1))
    cells = (part_label(CALIBRATION), *(text.replace("-", "\N{MINUS SIGN}") for text in numbers))
    return (Row(cells, path=f"performance.time_breakdown_s.{CALIBRATION}"),)


def _seconds(seconds: float, scale: float, unit: str) -> str:
    return f"{seconds / scale:.2f}{THIN_SPACE}{unit}"


def _takeaway(breakdown: dict[str, float], total: float) -> str:
    predicted = predicted_step_s(breakdown)
    arithmetic = sum(breakdown.get(part, 0.0) for part in ("gemm", "attention", "arithmetic")) / predicted
    parts = MODEL_PARALLEL.parts + DATA_PARALLEL.parts + GENERIC_TRAFFIC
    traffic = sum(breakdown.get(part, 0.0) for part in parts) / predicted
    text = f"{percent(arithmetic).text} of each {show(predicted, 's').text} step is arithmetic; "
    if traffic < 0.005:
        text += "no traffic is left exposed."
    else:
        text += f"traffic that cannot be hidden takes {percent(traffic).text}."
    return text + _correction(breakdown.get(CALIBRATION, 0.0), predicted, total)


def _serving_takeaway(breakdown: dict[str, float], total: float) -> str:
    """What takes longest of a token, and its pace."""
    predicted = predicted_step_s(breakdown)
    largest = max(step_groups(breakdown), key=lambda group: group_seconds(breakdown, group) or 0.0)
    share = percent((group_seconds(breakdown, largest) or 0.0) / predicted).text
    text = f"{largest.label} take{'' if largest.label.endswith('s') else 's'} {share} of each {show(predicted, 's').text}"
    return f"{text} token; {1 / predicted:,.3g} tokens per second for each user." + _correction(
        breakdown.get(CALIBRATION, 0.0), predicted, total
    )


def _correction(seconds: float, predicted: float, total: float) -> str:
    """What own runs say of the step, where the scenario states any."""
    if not seconds:
        return ""
    change = percent(abs(seconds) / predicted).text
    return f" Own runs take {change} {'longer' if seconds > 0 else 'less'}: {show(total, 's').text}."


def _rows(breakdown: dict[str, float], total: float, whole: str) -> tuple[Row, ...]:
    rows = [
        Row(
            (part_label(part), f"{seconds:.4g}", f"{100 * seconds / total:.1f}"),
            path=f"performance.time_breakdown_s.{part}",
        )
        for part, seconds in breakdown.items()
    ]
    return (
        *rows,
        Row(
            ("Token" if whole.endswith("tpot_s") else "Step", f"{total:.4g}", "100.0"), path=whole, total=True
        ),
    )


def _plot(
    segments: list[tuple[str, str, float]], total: float, correction: float, scale: float, unit: str
) -> dict[str, Any]:
    """The predicted parts as a bar; where own runs correct their sum, a line at what is left of it."""
    end = max(total, total - correction) / scale
    data = [
        forms.bars(
            ["This design"], [seconds / scale], slot, width=[0.36], edge="bg", edge_width=1.5, name=label,
            hover=f"{label}<br>{_seconds(seconds, scale, unit)}, {percent(seconds / total).text}", constraintext="inside",
            **forms.inside([f"{seconds / scale:.2f}"], f"on-{slot}"),
        )
        for label, slot, seconds in segments
    ]  # fmt: skip
    words = f"<b>{show(total, 's').text}</b>" + ("<br>by own runs" if correction else "")
    own_runs = forms.segment(total / scale, 0.2, total / scale, 0.8, "text", 2, yref="paper")
    return forms.plot(
        data,
        HEIGHT,
        x=forms.from_zero(end * 1.05, unit, words=forms.plain),
        y=forms.names(["This design"]),
        shapes=[own_runs] if correction else [],
        notes=[forms.note(end, "This design", words, "text", anchor="left", shift=(6, 0), align="left")],
        right=72,
        barmode="stack",
        uniformtext={"minsize": 12, "mode": "hide"},  # no label in a segment too narrow for it
    )
