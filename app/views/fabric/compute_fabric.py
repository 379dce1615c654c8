"""The compute fabric of an evaluated scenario as the engine takes it, to be sized anew."""

from __future__ import annotations

from typing import NamedTuple

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.mixed import all_kinds, blended
from app.engine.specs import Pod, SuperNode
from app.engine.trace import Array
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.fabric.price_spans import price_spans


class FabricRoom(NamedTuple):
    pod: Pod
    supernode: SuperNode
    assumptions: FabricAssumptions
    prices: dict[str, tuple[float, float, float]]


def compute_fabric_of(evaluated: EvaluatedScenario) -> FabricRoom:
    """What the fabric room is given; further kinds of SuperNode are blended into the first.

    Raises
    ------
    ScenarioError : the scenario has no compute fabric
    """
    resolved = evaluated.resolved
    design = blended(resolved.design, all_kinds(resolved.design))
    if design.pod.fabric.switch is None:
        raise refuse(
            "The pod has no compute fabric.",
            rule="no_fabric",
            path="scenario.pod.fabric.topology",
            value=design.pod.fabric.topology,
            hint="Give the pod several SuperNodes, and leave its topology to auto.",
        )
    return FabricRoom(
        pod=design.pod,
        supernode=design.supernode,
        assumptions=design.assumptions.rooms["fabric"],
        prices=price_spans(resolved.origins, resolved.values),
    )


def finite_or_none(value: float | Array) -> float | None:
    """A figure for people and JSON: unknown is None."""
    number = float(value)
    return number if number == number else None
