"""Scenarios whose SuperNodes are joined in a lattice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.leaves import leaves
from app.engine.quantities import quantity_at
from app.engine.trace import Traced, plain
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario

EDGE: dict[str, Any] = {
    "schema_version": 1,
    "workload": {
        "kind": "training",
        "model": "llama_3_1_8b",
        "tokens": 1e9,
        "sequence_length": 4096,
        "global_batch_sequences": 256,
    },
    "supernode": {"system": "dgx_h100"},
    "parallelism": {"tp": 8},
}


def scenario(supernodes: int, **fabric: Any) -> EvaluatedScenario:
    document = build_scenario(EDGE | {"pod": {"supernodes": supernodes, "fabric": fabric}})
    return evaluate_scenario(document, ready_catalog())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("topology", "fabric"),
    [
        ("torus_2d", {}),
        ("torus_3d", {"optical_circuit_switches": True}),
        ("full_mesh", {}),
        ("nd_full_mesh", {"shape": "4 x 2"}),
        ("hyperx", {"shape": [2, 2]}),
        ("hammingmesh", {}),
    ],
)
def test_every_figure_of_a_lattice_explains_itself(
    seeded_data_dir: Path, topology: str, fabric: dict[str, Any]
) -> None:
    found = scenario(8, topology=topology, **fabric)
    bare = dict(leaves(found.evaluation.sections))
    of_fabric = [path for path in bare if path.startswith("fabric.")]
    assert found.as_json["fabric"]["topology"] == topology
    for path in of_fabric:
        figure = found.figures[path]
        assert isinstance(figure, Traced), path
        assert quantity_at(path), path
        np.testing.assert_array_equal(plain(figure), bare[path], err_msg=path)
        for node in figure.node.walk():
            assert node.inputs or node.kind == "input", f"{path} ends in {node.kind} {node.name}"


@pytest.mark.slow
def test_circuit_switches_are_those_of_the_catalog(seeded_data_dir: Path) -> None:
    found = scenario(128, topology="torus_3d", optical_circuit_switches=True, nic_gbit_s=400)
    fabric = found.as_json["fabric"]
    assert found.resolved.design.pod.fabric.switch is not None
    assert found.resolved.design.pod.fabric.switch.key == "google_palomar_ocs"
    assert [(tier["name"], tier["switches"]) for tier in fabric["tiers"]] == [("cube", 0), ("circuit", 48)]
    assert fabric["latency_s"] > 0
    assert found.as_json["cost"]["capex_usd"] is None  # nobody publishes what a circuit switch costs


@pytest.mark.parametrize("typed", ["8 x 4", "8x4", "8,4", "8 × 4", [8, 4]])
def test_lengths_are_read_as_people_write_them(typed: str | list[int]) -> None:
    document = build_scenario(
        EDGE | {"pod": {"supernodes": 32, "fabric": {"topology": "torus_2d", "shape": typed}}}
    )
    assert document.pod.fabric.shape == (8, 4)


@pytest.mark.parametrize("typed", ["auto", " ", None])
def test_lengths_may_be_left_open(typed: str | None) -> None:
    document = build_scenario(
        EDGE | {"pod": {"supernodes": 32, "fabric": {"topology": "torus_2d", "shape": typed}}}
    )
    assert document.pod.fabric.shape is None


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("8 by 4", "must be lengths such as 8 x 16 x 16, or auto"),
        ("0 x 4", "must be at least 1"),
        ([1] * 7, "at most 6"),
    ],
)
def test_other_lengths_are_refused(typed: str | list[int], message: str) -> None:
    with pytest.raises(ScenarioError, match="shape") as refused:
        build_scenario(EDGE | {"pod": {"supernodes": 32, "fabric": {"topology": "torus_2d", "shape": typed}}})
    assert message in str(refused.value)
