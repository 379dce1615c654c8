"""Models of a wanted size: the nearest of the catalog, and one that is scaled to it."""

from __future__ import annotations

import pytest

from app.catalog.ready import ready_catalog
from app.engine.specs import TrainingWorkload
from app.engine.workload.transformer import parameter_counts
from app.scenarios.document.architecture import InlineArchitecture
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.views.projecting.design import counted_models, nearest_model, scaled_architecture
from tests.scenarios.support import scenario


@pytest.mark.parametrize(
    ("parameters", "key"), [(8e9, "llama_3_1_8b"), (4e11, "llama_3_1_405b"), (1.2e8, "gpt_2_small")]
)
def test_the_nearest_model(seeded_data_dir: object, parameters: float, key: str) -> None:
    found = nearest_model(ready_catalog(), parameters)
    assert found.key == key
    assert found.active_parameters == pytest.approx(parameters, rel=0.05)


def test_a_mixture_counts_by_what_a_token_uses(seeded_data_dir: object) -> None:
    found = {model.key: model.active_parameters for model in counted_models(ready_catalog())}
    assert found["deepseek_v3"] == pytest.approx(37e9, rel=0.05)


@pytest.mark.parametrize("parameters", [1e8, 1e9, 7e10, 1.75e11, 2e12])
def test_a_scaled_model_is_of_its_size_as_the_engine_counts(
    seeded_data_dir: object, parameters: float
) -> None:
    architecture = scaled_architecture(parameters)
    InlineArchitecture(**architecture)
    values = scenario(name="Scaled")
    values["workload"]["model"] = architecture
    workload = resolve(build_scenario(values), ready_catalog()).design.workload
    assert isinstance(workload, TrainingWorkload)
    counts = parameter_counts(architecture=workload.architecture)
    assert counts.active[0] == pytest.approx(parameters, rel=0.06)
    assert architecture["hidden"] == architecture["heads"] * 128


def test_another_ratio_is_another_shape() -> None:
    deep, wide = scaled_architecture(7e10, 64), scaled_architecture(7e10, 192)
    assert deep["layers"] > wide["layers"]
    assert deep["hidden"] < wide["hidden"]


@pytest.mark.parametrize(("ratio", "size", "field"), [(2, 7e10, "aspect_ratio"), (128, 1e19, "parameters")])
def test_what_is_out_of_range_is_refused(ratio: float, size: float, field: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        scaled_architecture(size, ratio)
    (error,) = caught.value.errors
    assert error.path == field
    assert error.hint
