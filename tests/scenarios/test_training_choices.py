"""Multi-token prediction, tiers of memory and groups of shards, from the scenario to figures that explain themselves."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.leaves import leaves, plain_values
from app.engine.trace import Traced, plain
from app.scenarios.document.layout import layout_document
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from tests.scenarios.support import document, fault

CHOSEN = {
    "offload": "both",
    "offload_to": "nvme",
    "shard_group": 8,
    "recompute": "selective",
    "tp": 2,
    "pp": 2,
}


@pytest.fixture
def evaluated(seeded_data_dir: object) -> EvaluatedScenario:
    return evaluate_scenario(
        document(
            workload__prediction_modules=1,
            workload__software={"framework": "deepspeed", "attention_kernel": "flash_2"},
            pod__supernodes=8,
            parallelism=CHOSEN,
        ),
        ready_catalog(),
    )


@pytest.mark.slow
def test_every_figure_explains_itself(evaluated: EvaluatedScenario) -> None:
    bare = dict(leaves(evaluated.evaluation.sections))
    for path, figure in evaluated.figures.items():
        assert isinstance(figure, Traced), path
        np.testing.assert_array_equal(plain(figure), bare[path], err_msg=path)
    prediction = evaluated.figures["performance.time_breakdown_s.prediction"]
    assert plain(prediction) > 0
    fields = {node.origin.field for node in prediction.node.walk() if node.origin is not None}
    assert "workload.prediction_modules" in fields
    away = evaluated.figures["performance.offload_capacity_bytes"]
    catalog = {node.origin.catalog for node in away.node.walk() if node.origin is not None}
    assert "assumptions/performance.drive_bytes" in catalog


def test_a_layout_comes_back_as_it_was_stated(evaluated: EvaluatedScenario) -> None:
    shown = plain_values(evaluated.evaluation.sections.performance.strategy, "performance.strategy")
    back = layout_document(shown)
    assert {name: back[name] for name in CHOSEN} == CHOSEN


def test_auto_is_the_host_and_is_not_said_without_offload(seeded_data_dir: object) -> None:
    stated, plain_layout = (
        evaluate_scenario(document(pod__supernodes=8, parallelism=layout), ready_catalog())
        for layout in ({"tp": 2, "offload": "optimizer"}, {"tp": 2})
    )
    for one, expected in ((stated, "host"), (plain_layout, None)):
        shown = plain_values(one.evaluation.sections.performance.strategy, "performance.strategy")
        assert layout_document(shown).get("offload_to") == expected


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("workload__prediction_modules", -1, "at least 0"),
        ("workload__prediction_modules", 17, "at most 16"),
        ("parallelism__offload_to", "disk", "nvme"),
    ],
)
def test_what_cannot_be_is_named(place: str, value: object, said: str) -> None:
    error = fault(**{place: value})
    assert error.path == place.replace("__", ".")
    assert said in f"{error.message} {error.hint}"


def test_a_host_that_nobody_published_is_not_missed_without_offload(seeded_data_dir: object) -> None:
    """No figure of a design without offload is unknown for the memory of its hosts."""
    one = evaluate_scenario(
        document(
            supernode={"custom": {"name": "Eight", "accelerator": "nvidia_h100_sxm", "accelerators": 8,
                                  "scale_up": {"topology": "switched", "bandwidth_bytes_per_s": 450e9}}},
            parallelism={"tp": 8},
        ),
        ready_catalog(),
    )  # fmt: skip
    assert plain(one.figures["performance.offload_capacity_bytes"]) == 0
    assert "supernode.host_memory_bytes" not in {problem.constraint for problem in one.problems}
