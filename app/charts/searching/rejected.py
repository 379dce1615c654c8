"""Reasons for infeasible layouts: how many, by what takes most of a memory that is too small."""

from __future__ import annotations

from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, unknown_figure
from app.charts.format import THIN_SPACE

NAME = "rejected"
EYEBROW = "Why the rest cannot run"
CAPTION = "Layouts by the constraint that they miss; of a memory that is too small, its largest part."
BAR, FRAME = 30, 24  # pixels a reason, and around them


def rejected_figure(answer: dict[str, Any]) -> Figure:
    """Bars, the most frequent reason first."""
    counts = sorted(answer["rejected"].items(), key=lambda item: -item[1])
    rejected = sum(answer["rejected"].values())
    if not rejected:
        return unknown_figure(NAME, EYEBROW, CAPTION, "Every layout can run.")
    names = [reason_text(name) for name, _ in counts]
    height = BAR * len(names) + FRAME
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=f"{_share(counts[0][1], rejected)} of the {rejected:,} that cannot run {_said(counts[0][0])}.",
        caption=CAPTION,
        columns=(Column.words("Constraint"), Column("Layouts"), Column("Of all")),
        rows=tuple(
            Row((words, f"{count:,}", _share(count, answer["strategies"])))
            for words, (_, count) in zip(names, counts, strict=True)
        ),
        plot=_plot(names, [count for _, count in counts], height),
    )


def refused_text(answer: dict[str, Any]) -> str:
    """What was left out because no framework that was searched runs it, by framework and rule; empty where nothing was."""
    refused = answer.get("refused", {})
    if not refused:
        return ""
    by = sorted(refused.items(), key=lambda item: -item[1])
    return f"Not run, by the rules of the framework: {'; '.join(f'{name} {count:,}' for name, count in by)}."


def reason_text(name: str) -> str:
    """A constraint as people say it.

    >>> reason_text("memory: logits"), reason_text("unknown figures")
    ('Memory, logits', 'Unknown figures')
    """
    words = name.replace(": ", ", ")
    return words[0].upper() + words[1:]


def _said(name: str) -> str:
    kind, _, part = name.partition(": ")
    return f"lack memory, {part} taking most of it" if kind == "memory" else f"fail for {name}"


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.3g}{THIN_SPACE}%"


def _plot(names: list[str], counts: list[int], height: int) -> dict[str, Any]:
    labels = forms.inside_or_beside([f"{count:,}" for count in counts], "on-c7")
    bars = forms.bars(names, counts, "c7", width=0.55, hover="%{y}<br>%{x:,} layouts", **labels)
    return forms.plot([bars], height, x=forms.blank([0, max(counts) * 1.02]), y=forms.names(names))
