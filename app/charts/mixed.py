"""A pod of several kinds of SuperNode in words: what there is of each, and which of them sets the step."""

from __future__ import annotations

from typing import Any

from app.charts.figure import get_path
from app.charts.format import number, percent, show


def kinds_text(evaluation: dict[str, Any]) -> str:
    """ "1,536 DGX H100 and 512 DGX H200"; nothing of a pod with one kind."""
    kinds = get_path(evaluation, "inputs.pod.kinds") or []
    return _listed([f"{number(kind['supernodes'])} {kind['name']}" for kind in kinds])


def slowest_text(evaluation: dict[str, Any]) -> str:
    """Which kind sets the step, and how long the others wait; nothing of a pod with one kind."""
    kinds = get_path(evaluation, "inputs.pod.kinds") or []
    slowest = get_path(evaluation, "performance.slowest_kind")
    if not kinds or not slowest:
        return ""
    times = get_path(evaluation, "performance.step_time_by_kind_s") or [None] * len(kinds)
    waits = get_path(evaluation, "performance.waiting_share_by_kind") or [None] * len(kinds)
    others = [
        f"{kind['name']} alone would take {show(time_s, 's').text} and waits {percent(wait).text} of each step"
        for kind, time_s, wait in zip(kinds, times, waits, strict=True)
        if kind["name"] != slowest and time_s is not None and wait is not None
    ]
    if not others:
        return f"The step is that of {slowest}; how fast another kind would be is unknown."
    return f"The slowest kind, {slowest}, sets the step: {_listed(others)}."


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
