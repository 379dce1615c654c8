"""Every figure of every way to join explains itself, down to its inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.section import evaluate_fabric
from app.engine.leaves import leaves
from app.engine.quantities import quantity_at
from app.engine.trace import Traced
from tests.engine.fabric.pods import nvl72, pod
from tests.engine.fabric.test_section import trace
from tests.support import assumptions, dgx_h100


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 4, 600])
@pytest.mark.parametrize("kind", [dgx_h100, nvl72])
@pytest.mark.parametrize(
    "changes",
    [
        {"topology": "fat_tree"},
        {"topology": "rail_only", "planes": 2},
        {"topology": "dual_tor"},
        {"topology": "rail_fat_tree", "tiers_asked": 3, "spine_oversubscription": 2, "oversubscription": 3},
        {"topology": "dragonfly"},
        {"topology": "dragonfly", "group_routers": 8, "router_endpoints": 4, "router_global_links": 4},
        {"topology": "dragonfly_plus", "planes": 2},
        {"topology": "dragonfly", "switch": None},
    ],
)
def test_every_figure_explains_itself(size: int, kind: Any, changes: dict[str, Any]) -> None:
    bare, known = pod(size, **changes), assumptions("fabric", FabricAssumptions)
    fabric = evaluate_fabric(
        pod=trace(bare, "pod"), supernode=trace(kind(), "supernode"), assumptions=trace(known, "assumptions")
    )
    plainly = dict(leaves(evaluate_fabric(pod=bare, supernode=kind(), assumptions=known)))
    found = dict(leaves(fabric))
    assert found.keys() == plainly.keys()
    for path, value in found.items():
        place = f"fabric.{path}"
        assert isinstance(value, Traced), place
        assert value.node.quantity is quantity_at(place), place
        assert {node.kind for node in value.node.walk() if not node.inputs} == {"input"}, place
        np.testing.assert_array_equal(value.value, plainly[path], err_msg=place)
