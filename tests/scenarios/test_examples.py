"""The shipped examples: what they state, and that their published figures follow from their sources."""

from __future__ import annotations

import pytest

from app.scenarios.document.scenario import ParallelismDocument, ScenarioDocument
from app.scenarios.examples import published_of_another
from app.scenarios.load import parse_scenario, read_scenario
from tests.support import SEED_DATA, read_example

EXAMPLES = {path.stem: path for path in sorted((SEED_DATA / "examples").glob("*.yaml"))}
EXPECTED = {
    "llama_3_1_405b_on_2048_dgx_h100",
    "gpt_3_175b_on_128_dgx_a100",
    "deepseek_v3_on_256_hgx_h800",
    "llama_3_1_405b_on_gb200_nvl72",
    "dense_128b_on_tpu_v5p",
    "llama_3_1_70b_on_trn2_ultraserver",
    "edge_node",
    "fft_3d_on_512_dgx_a100",
    "seismic_stencil_on_8_gb200_nvl72",
    "deepseek_r1_on_8_h200",
    "deepseek_r1_on_gb200_nvl72",
    "deepseek_r1_on_cloudmatrix384",
    "training_and_serving_on_8_dgx_h200",
}
GENERIC = {"fft_3d_on_512_dgx_a100", "seismic_stencil_on_8_gb200_nvl72"}
SERVING = {"deepseek_r1_on_8_h200", "deepseek_r1_on_gb200_nvl72", "deepseek_r1_on_cloudmatrix384"}
# Accelerators that each job runs on, counted by hand.
USED = {
    "llama_3_1_405b_on_2048_dgx_h100": 2048 * 8,
    "gpt_3_175b_on_128_dgx_a100": 128 * 8,
    "deepseek_v3_on_256_hgx_h800": 256 * 8,
    "llama_3_1_405b_on_gb200_nvl72": 64 * 64,
    "dense_128b_on_tpu_v5p": 128,
    "llama_3_1_70b_on_trn2_ultraserver": 64 * 64,
    "edge_node": 2,
    "fft_3d_on_512_dgx_a100": 512 * 8,
    "seismic_stencil_on_8_gb200_nvl72": 8 * 72,
    "training_and_serving_on_8_dgx_h200": 8 * 8,
}


def read(key: str) -> ScenarioDocument:
    return read_scenario(EXAMPLES[key])


def published(key: str, quantity: str) -> float:
    (figure,) = [figure for figure in read(key).published if figure.quantity == quantity]
    return figure.base_value


def test_all_examples_ship() -> None:
    assert set(EXAMPLES) == EXPECTED


@pytest.mark.parametrize("key", sorted(EXPECTED))
def test_an_example_survives_yaml_and_json(key: str) -> None:
    taken = read(key)
    assert parse_scenario(taken.as_yaml()) == taken
    assert parse_scenario(taken.as_json(), format="json") == taken


@pytest.mark.parametrize("key", sorted(EXPECTED))
def test_an_example_has_published_figures_or_is_marked_illustrative(key: str) -> None:
    taken = read(key)
    assert taken.description
    assert bool(taken.published) != taken.illustrative
    assert all(figure.note for figure in taken.published)
    assert "site" in taken.facility.model_fields_set


@pytest.mark.parametrize("key", sorted(EXPECTED - GENERIC - SERVING))
def test_the_layout_of_an_example_fills_its_accelerators_and_its_batch(key: str) -> None:
    taken = read(key)
    layout = taken.parallelism
    assert isinstance(layout, ParallelismDocument)
    replicas, left = divmod(USED[key], layout.tp * layout.pp * layout.cp)
    assert left == 0
    assert taken.workload.global_batch_sequences % (replicas * layout.micro_batch) == 0
    assert replicas * layout.cp % layout.ep == 0
    if taken.pod.accelerators_used != "all":
        assert taken.pod.accelerators_used == USED[key]


def test_the_main_example_is_the_run_that_meta_describes() -> None:
    taken = read("llama_3_1_405b_on_2048_dgx_h100")
    workload = taken.workload
    assert (workload.tokens, workload.sequence_length, workload.global_batch_sequences) == (
        15.6e12,
        8192,
        2048,
    )
    assert taken.parallelism == ParallelismDocument(
        tp=8, pp=16, cp=1, ep=1, vpp=8, micro_batch=1, zero_stage=2, sequence_parallel=True, recompute="none"
    )


def test_derived_figures_of_llama_follow_from_its_gpu_hours() -> None:
    key, gpu_hours = "llama_3_1_405b_on_2048_dgx_h100", 30.84e6
    assert published(key, "performance.elapsed_time_s") == pytest.approx(gpu_hours / 16384 * 3600, rel=0.006)
    rate = 15.6e12 / (gpu_hours * 3600)
    assert published(key, "performance.tokens_per_s_per_accelerator") == pytest.approx(rate, rel=0.001)


def test_derived_figures_of_gpt_3_follow_from_the_equation_of_the_paper() -> None:
    key = "gpt_3_175b_on_128_dgx_a100"
    seconds = 8 * 300e9 * 175e9 / (1024 * 140e12)
    assert published(key, "performance.training_time_s") == pytest.approx(seconds, rel=0.005)
    rate = 300e9 / seconds / 1024
    assert published(key, "performance.tokens_per_s_per_accelerator") == pytest.approx(rate, rel=0.005)


def test_derived_figures_of_deepseek_v3_follow_from_its_gpu_hours() -> None:
    key = "deepseek_v3_on_256_hgx_h800"
    assert published(key, "performance.elapsed_time_s") == pytest.approx(2.664e6 / 2048 * 3600, rel=0.001)
    rate = 1e12 / (180e3 * 3600)
    assert published(key, "performance.tokens_per_s_per_accelerator") == pytest.approx(rate, rel=0.001)


def test_derived_figures_of_the_tpu_slice_follow_from_the_count_of_maxtext() -> None:
    key = "dense_128b_on_tpu_v5p"
    model = read(key).workload.model
    assert not isinstance(model, str)
    width = model.heads * model.head_dim
    layer = 4 * model.hidden * width + model.mlp_matrices * model.hidden * model.feed_forward_hidden
    parameters = model.layers * layer + 2 * model.vocabulary * model.hidden
    assert parameters == pytest.approx(model.published_parameters, rel=0.001)
    counted = 6 * (parameters - model.vocabulary * model.hidden) + 12 * model.layers * width * 2048
    assert published(key, "performance.tokens_per_s_per_accelerator") == pytest.approx(
        315e12 / counted, rel=0.001
    )
    assert published(key, "performance.mfu") == pytest.approx(315 / 459, rel=0.001)


def test_published_figures_are_of_the_inputs_they_were_published_for() -> None:
    key = "llama_3_1_405b_on_2048_dgx_h100"
    own = read_example(key)
    assert own.published
    assert not published_of_another(own)
    assert not published_of_another(own.model_copy(update={"name": "Ours", "description": "as published"}))
    halved = own.pod.model_copy(update={"supernodes": 1024})
    assert published_of_another(own.model_copy(update={"pod": halved}))
    assert not published_of_another(own.model_copy(update={"pod": halved, "published": ()}))
    assert not published_of_another(own.model_copy(update={"pod": halved, "published": own.published[:1]}))
