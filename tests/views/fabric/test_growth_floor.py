"""Stages of a pod on its floor: each rack once, and links as the plan of the final size counts them."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.charts.fabric.growth_stages import growth_stages_figure
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.views.fabric.growth import GrowthOptions, fabric_growth
from app.views.fabric.growth_floor import OTHER, FloorStages, floor_stages
from tests.charts.support import layout
from tests.scenarios.support import document


@pytest.fixture(scope="module")
def pod() -> EvaluatedScenario:
    return evaluate_scenario(document(pod__supernodes=128), ready_catalog())


def stages_of(pod: EvaluatedScenario, *supernodes: int) -> FloorStages:
    found = floor_stages(pod, supernodes)
    assert found is not None
    return found


def test_links_are_those_of_the_plan_for_the_final_size(pod: EvaluatedScenario) -> None:
    final = fabric_growth(pod, GrowthOptions(stages=(32, 64, 96, 128))).plans[1]
    found = stages_of(pod, 32, 64, 96, 128)
    links = [sum(tier.links or 0.0 for tier in stage.tiers) for stage in final.stages]
    assert np.cumsum(found.links_added).tolist() == links


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_every_rack_is_filled_at_one_stage(pod: EvaluatedScenario, seed: int) -> None:
    random = np.random.default_rng(seed)
    sizes = np.unique([*random.integers(1, 128, random.integers(1, 8)), 128]).tolist()
    if len(sizes) < 2:
        sizes = [64, 128]
    found = stages_of(pod, *sizes)
    others = int((found.stage == OTHER).sum())
    assert sum(found.racks_added) + others == found.floor.racks.count
    assert all(count >= 0 for count in (*found.racks_added, *found.links_added))
    assert found.racks_added[0] > 0
    assert sum(found.links_added) == sum(stages_of(pod, 64, 128).links_added)  # whatever the steps


def test_a_plan_a_stage_with_racks_and_links_added(pod: EvaluatedScenario) -> None:
    found = stages_of(pod, 32, 64, 128)
    figure = growth_stages_figure(
        found.floor.racks,
        found.stage,
        supernodes=found.supernodes,
        racks_added=found.racks_added,
        links_added=found.links_added,
        width_m=found.rack_width_m,
        depth_m=found.rack_depth_m,
    )
    titles = [note["text"] for note in layout(figure)["annotations"]][::2]
    assert titles == [f"<b>{size} SuperNodes</b>" for size in (32, 64, 128)]
    assert figure.plot is not None
    drawn = {
        trace["fillcolor"]: (len(trace["x"]) + 1) // 6
        for trace in figure.plot["data"]
        if "fillcolor" in trace
    }
    racks = found.floor.racks.count
    assert sum(drawn.values()) == 3 * racks  # each rack once in each plan
    assert drawn["var(--c1)"] == sum(found.racks_added)
    assert [row.cells[1] for row in figure.rows] == [f"{count:,}" for count in found.racks_added]


def test_no_floor_for_another_size(pod: EvaluatedScenario) -> None:
    assert floor_stages(pod, (64, 256)) is None
