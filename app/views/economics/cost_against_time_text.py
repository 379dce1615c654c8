"""Cost against time as lines of text."""

from __future__ import annotations

from app.views.economics.cost_against_time import CostAgainstTime
from app.views.economics.pod_points import PodPoint, SystemCurve
from app.views.table import Column, fixed, text_table

MARKS = "* no other pod is both sooner and cheaper, + the pod that is picked, - cannot be built as it stands"


def _marks(point: PodPoint) -> str:
    marks = ("*" if point.on_front else "") + ("+" if point.picked else "") + ("" if point.feasible else "-")
    return f"{marks:<2} {point.reason}"


MILLIONS = fixed(2, per=1e6)
POINTS = (
    Column("Accelerators", "accelerators", fixed(0), 12),
    Column("SuperNodes", "supernodes", fixed(0), 12),
    Column("Days", "elapsed_time_s", fixed(1, per=86_400), 10),
    Column("Owned M USD", lambda point: point.usd_per_run["owned"], MILLIONS, 14),
    Column("On demand", lambda point: point.usd_per_run["on_demand"], MILLIONS, 12),
    Column("Reserved", lambda point: point.usd_per_run["reserved"], MILLIONS, 12),
    Column("", _marks),
)


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
    return [
        f"{curve.name}{own}",
        *text_table(POINTS, curve.points, indent="  "),
        *(
            f"  unknown: {unknown.label}" + (f" ({unknown.field})" if unknown.field else "")
            for unknown in curve.unknown
        ),
    ]
