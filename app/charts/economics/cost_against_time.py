"""Cost of a run against the time to finish it: a curve a system, over sizes of pod."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Row, line_marks, unknown_figure
from app.charts.format import WIDE_SPACE, show

NAME = "cost_against_time"
HEIGHT = 440


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPod:
    """A pod of which both the time and the cost are known."""

    words: str  # accelerators and SuperNodes
    elapsed_time_s: float
    usd: float
    feasible: bool
    on_front: bool
    picked: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSystem:
    name: str
    pods: tuple[DrawnPod, ...]


def cost_against_time_figure(
    systems: Sequence[DrawnSystem],
    *,
    money: str,
    left_out: Sequence[str],
    deadline_s: float | None = None,
    budget_usd: float | None = None,
) -> Figure:
    """`money` says whose cost it is ("owned"); systems `left_out` have no pod with both figures known."""
    eyebrow = f"Cost of the run, {money}, against time to finish"
    caption = (
        "A line a system, its points pods from a quarter to four times the accelerators of the scenario. The stepped "
        "line joins pods that no other one beats in time and cost at once. Hollow: infeasible."
    )
    if left_out:
        caption += f" Not drawn, as a time or price is unknown: {', '.join(left_out)}."
    drawn = [system for system in systems if system.pods]
    if not drawn:
        return unknown_figure(NAME, eyebrow, caption, "No pod has both a known time and a known cost.")
    front = sorted(
        ((pod, system) for system in drawn for pod in system.pods if pod.on_front),
        key=lambda one: one[0].elapsed_time_s,
    )
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=_takeaway(front, deadline_s),
        caption=caption,
        columns=(
            Column.words("System"), Column.words("Pod"), Column("Time to finish"), Column("Cost of the run"),
            Column.words("Notes"),
        ),
        rows=tuple(_row(system, pod) for system in drawn for pod in system.pods),
        legend=line_marks([system.name for system in drawn]),
        plot=_plot(drawn, [pod for pod, _ in front], deadline_s, budget_usd),
        narrow={"xaxis.nticks": 3, "yaxis.nticks": 4},
    )  # fmt: skip


def _takeaway(front: list[tuple[DrawnPod, DrawnSystem]], deadline_s: float | None) -> str:
    if not front:
        return "No pod is feasible."
    (soonest, fast), (cheapest, cheap) = front[0], front[-1]
    if soonest is cheapest:
        said = f"{fast.name} with {soonest.words} is both soonest and cheapest: {_both(soonest)}."
    else:
        said = f"{_subject(cheap, cheapest)} is cheapest, {_both(cheapest)}; {_subject(fast, soonest)} is soonest, {_both(soonest)}."
    if deadline_s is None:
        return said
    able = [one for one in front if one[0].elapsed_time_s <= deadline_s]
    if not able:
        return f"No pod meets the deadline of {show(deadline_s, 's').text}. {said}"
    pod, system = able[-1]
    return f"{_subject(system, pod)} is the cheapest that meets the deadline of {show(deadline_s, 's').text}: {_both(pod)}."


def _subject(system: DrawnSystem, pod: DrawnPod) -> str:
    return f"{system.name} with {pod.words}"


def _both(pod: DrawnPod) -> str:
    return f"{show(pod.usd, 'USD').text} in {show(pod.elapsed_time_s, 's').text}"


def _row(system: DrawnSystem, pod: DrawnPod) -> Row:
    words = [
        *(["no other is sooner and cheaper"] if pod.on_front else []),
        *(["picked"] if pod.picked else []),
        *([pod.reason] if not pod.feasible else []),
    ]
    return Row(
        (
            system.name, pod.words, show(pod.elapsed_time_s, "s").text, show(pod.usd, "USD").text,
            "; ".join(words),
        )
    )  # fmt: skip


def _plot(
    drawn: list[DrawnSystem], front: list[DrawnPod], deadline_s: float | None, budget_usd: float | None
) -> dict[str, Any]:
    times = [pod.elapsed_time_s for system in drawn for pod in system.pods]
    costs = [pod.usd for system in drawn for pod in system.pods]
    limits = []
    if deadline_s is not None:
        limits.append(
            forms.limit(f"Deadline{WIDE_SPACE}{show(deadline_s, 's').text}", x=deadline_s, log=True)
        )
    if budget_usd is not None:
        limits.append(
            forms.limit(f"Budget{WIDE_SPACE}{show(budget_usd, 'USD').text}", y=budget_usd, log=True)
        )
    steps = forms.line(
        [pod.elapsed_time_s for pod in front], [pod.usd for pod in front], "line-strong", 3, shape="hv"
    )
    return forms.plot(
        [
            *([steps] if len(front) > 1 else []),
            *(_trace(system, *forms.style(place)) for place, system in enumerate(drawn)),
        ],
        HEIGHT,
        x=forms.log([*times, *([deadline_s] if deadline_s else [])], "s", "Time to finish"),
        y=forms.log([*costs, *([budget_usd] if budget_usd else [])], "USD", "Cost of the run"),
        limits=limits,
        top=22,
        right=24,
    )


def _trace(system: DrawnSystem, slot: str, dash: str, symbol: str) -> dict[str, Any]:
    pods = system.pods
    return forms.line(
        [pod.elapsed_time_s for pod in pods], [pod.usd for pod in pods], slot, 2.5 if slot == "c1" else 1.8, dash,
        size=[12 if pod.picked else 8 for pod in pods], symbol=[symbol if pod.feasible else f"{symbol}-open" for pod in pods],
        opacity=1, edge=slot, edge_width=1.5, name=system.name,
        said=[
            [f"{system.name}, {pod.words}", _both(pod), pod.reason or ("picked" if pod.picked else "")] for pod in pods
        ],
        hover="%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}",
    )  # fmt: skip
