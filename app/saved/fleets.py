"""Saved fleets: their summaries, and the numbers of designs in place of their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.scenarios.errors import refuse
from app.scenarios.fleet.document import FleetDocument
from app.views.fleet.tasks import numbers_of

MOST_TRACE = 8_000_000
"""Letters of a trace that is kept with a fleet."""
FIGURES = ("allocated", "wait_p95_s", "cost_usd")


def fleet_summary(document: FleetDocument, answer: dict[str, Any] | None = None) -> dict[str, Any]:
    """Summary of a fleet for lists and cards; without figures where no answer is kept with it.

    Raises
    ------
    ScenarioError : its trace is too long to be kept
    """
    if document.trace is not None and len(document.trace.csv) > MOST_TRACE:
        raise refuse(
            f"The trace has more than {MOST_TRACE:,} letters.", rule="too_long", path="trace.csv",
            hint="Keep the fleet without it, or a shorter part.",
        )  # fmt: skip
    last = answer["policies"][-1] if answer and answer["policies"] else None
    figures = {one["name"]: one["mean"] for one in last["figures"]} if last else {}
    return {
        "classes": len(document.classes) + len(document.served),
        "trace": document.trace is not None,
        "days": None if document.trace is not None else document.days,
        "pods": [pod.name if pod.design is None else pod.design for pod in document.pods],
        "supernodes": sum(pod.supernodes or 0 for pod in document.pods) or None,
        "policies": list(document.policies),
        "policy": last["name"] if last else None,
        "utilisation": answer["utilisation"] if answer else None,
        **{name: figures.get(name) for name in FIGURES},
    }


def designs_written_out(
    document: dict[str, Any], evaluation: Callable[[str], dict[str, Any] | None]
) -> dict[str, Any]:
    """The fleet with the numbers of the designs that `evaluation` knows in the place of their ids; itself
    where there are none. What the fleet states stays."""
    pods: list[Any] = []
    site: dict[str, Any] = {}
    is_changed = False
    for pod in document.get("pods") or ():
        found = evaluation(pod["design"]) if isinstance(pod, dict) and pod.get("design") else None
        if found is None:
            pods.append(pod)
            continue
        is_changed = True
        numbers, of_site = numbers_of(found)
        site = site or of_site
        pods.append({**numbers, **{name: value for name, value in pod.items() if name != "design"}})
    return {**site, **document, "pods": pods} if is_changed else document
