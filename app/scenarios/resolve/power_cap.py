"""The power cap of a scenario, handed to the accelerators of every kind: step time and power both read it there."""

from __future__ import annotations

from dataclasses import replace

from app.engine.specs import Design, SuperNode
from app.scenarios.resolve.inputs import Inputs

FIELD = "facility.power_cap"


def capped(inputs: Inputs, design: Design, power_cap: float | None) -> Design:
    """The design with the cap; the design itself where the scenario states none."""
    if power_cap is None:
        return design

    def under_cap(supernode: SuperNode, path: str) -> SuperNode:
        value = inputs.scenario(f"{path}.accelerator.power_cap", power_cap, FIELD)
        return replace(supernode, accelerator=replace(supernode.accelerator, power_cap=value))

    return replace(
        design,
        supernode=under_cap(design.supernode, "supernode"),
        kinds=tuple(
            replace(kind, supernode=under_cap(kind.supernode, f"kinds[{place}].supernode"))
            for place, kind in enumerate(design.kinds)
        ),
    )
