"""Cost against time as lines of text."""

from __future__ import annotations

import math

from app.views.economics.cost_against_time import CostAgainstTime
from app.views.economics.pod_points import PAID, PodPoint, SystemCurve

DAY_S = 86_400.0
HEAD = f"  {'Accelerators':>12}{'SuperNodes':>12}{'Days':>10}{'Owned M USD':>14}{'On demand':>12}{'Reserved':>12}  "
MARKS = "* no other pod is both sooner and cheaper, + the pod that is picked, - cannot be built as it stands"


def cost_against_time_text(answer: CostAgainstTime) -> str:
    """A block a system, a line a pod."""
    lines = [f"{answer.name}: cost of the run against time to finish"]
    for curve in answer.curves:
        lines += ["", *_curve(curve)]
    lines += ["", MARKS, "", *answer.notes]
    return "\n".join(lines)


def _curve(curve: SystemCurve) -> list[str]:
    own = " (the scenario's own)" if curve.key is None else f" ({curve.key})"
    if curve.refused:
        return [f"{curve.name}{own}: {curve.refused}"]
    lines = [f"{curve.name}{own}", HEAD, *(_point(point) for point in curve.points)]
    return lines + [
        f"  unknown: {unknown.label}" + (f" ({unknown.field})" if unknown.field else "")
        for unknown in curve.unknown
    ]


def _point(point: PodPoint) -> str:
    marks = ("*" if point.on_front else "") + ("+" if point.picked else "") + ("" if point.feasible else "-")
    paid = "".join(
        f"{_number(point.usd_per_run[name] / 1e6, 2):>{width}}"
        for name, width in zip(PAID, (14, 12, 12), strict=True)
    )
    line = (
        f"  {point.accelerators:>12,}{point.supernodes:>12,}{_number(point.elapsed_time_s / DAY_S, 1):>10}"
        f"{paid}  {marks:<2} {point.reason}"
    )
    return line.rstrip()


def _number(value: float, digits: int) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.{digits}f}"
