"""The section as a whole: figures, search, and that every figure explains itself."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.engine.leaves import leaves
from app.engine.performance.section import evaluate_training
from app.engine.quantities import quantity_at
from app.engine.specs import Layout, TrainingWorkload
from app.engine.trace import Origin, Traced, traced_input
from app.engine.units import unit_of
from tests.engine.performance import cases
from tests.support import dgx_h100, llama_405b_training, number

META = cases.layout(tp=8, pp=16, vpp=8, zero=2)


def test_llama_405b() -> None:
    performance = cases.evaluated(llama_405b_training(), META, 16384)
    assert performance.parameters[0] == pytest.approx(405.85e9, rel=1e-4)
    # Meta 2024, arXiv 2407.21783: 400 TFLOP/s a GPU is 41 % of 989; 3.8e25 FLOPs in all.
    flop = performance.model_flop_per_token[0] * 15.6e12
    assert flop == pytest.approx(3.8e25, rel=0.05)
    assert performance.mfu[0] == performance.hfu[0] == pytest.approx(0.41, abs=0.08)
    rate = performance.tokens_per_s[0] / 16384
    assert performance.tokens_per_s_per_accelerator[0] == pytest.approx(rate)
    assert performance.training_time_s[0] == pytest.approx(15.6e12 / performance.tokens_per_s[0])
    assert performance.strategy["dp"][0] == 128
    assert np.isnan(performance.elapsed_time_s).all()


def test_recomputation_is_hardware_not_model_flop() -> None:
    full = cases.evaluated(llama_405b_training(), cases.layout(tp=8, pp=16, vpp=8, recompute=1), 16384)
    assert full.hfu[0] == pytest.approx(full.mfu[0] * 4 / 3)


def test_search_fits_and_beats_the_layout_of_meta() -> None:
    chosen = cases.evaluated(llama_405b_training(), META, 16384)
    found = cases.evaluated(llama_405b_training(), None, 16384)
    assert found.step_time_s[0] <= chosen.step_time_s[0] * 1.001
    assert found.memory_per_accelerator_bytes[0] <= found.memory_capacity_bytes[0]


def test_search_without_room_takes_the_smallest_excess() -> None:
    found = cases.evaluated(llama_405b_training(), None, 8)
    assert found.memory_per_accelerator_bytes[0] > found.memory_capacity_bytes[0]
    assert np.isfinite(found.step_time_s).all()
    assert found.strategy["recompute"][0] == 1


def test_job_that_nothing_divides_is_unknown() -> None:
    workload = cases.training(cases.gpt(2, 2048, 16), 2048, 7)
    found = cases.evaluated(workload, None, 26)
    assert np.isnan(found.step_time_s).all()
    assert np.isnan(found.strategy["tp"]).all()


@pytest.mark.parametrize(
    ("workload", "layout", "accelerators"),
    [
        (llama_405b_training(), META, 16384),
        (llama_405b_training(), None, 16384),
        (cases.training(cases.deepseek_v3(), 4096, 15360, "fp8"), cases.layout(pp=16, ep=64), 2048),
        (cases.training(cases.deepseek_v3(), 4096, 15360, "fp8"), None, 2048),
        (cases.training(cases.gpt(24, 2048, 16), 2048, 7), None, 22),
    ],
)
def test_every_figure_explains_itself(
    workload: TrainingWorkload, layout: Layout | None, accelerators: int
) -> None:
    node = dgx_h100()
    arguments: dict[str, Any] = {
        "workload": workload,
        "supernode": node,
        "pod": cases.pod(accelerators, node),
        "fabric": cases.fabric(node),
        "assumptions": cases.assumed(workload, node),
        "layout": layout,
    }
    bare = dict(leaves(evaluate_training(**arguments), "performance"))
    with np.errstate(invalid="ignore"):
        performance = evaluate_training(**{name: _wrapped(part, name) for name, part in arguments.items()})
    figures = dict(leaves(performance, "performance"))
    assert figures.keys() == bare.keys()
    # Known only with reliability; the design fills it in.
    assert np.isnan(figures.pop("performance.elapsed_time_s")).all()
    for path, figure in figures.items():
        assert isinstance(figure, Traced), path
        assert figure.node.kind == "quantity", path
        record = quantity_at(path)
        assert record is not None, path
        assert figure.node.quantity is record, path
        np.testing.assert_array_equal(figure.value, bare[path], err_msg=path)
        ends = [node for node in figure.node.walk() if not node.inputs]
        assert ends, path
        assert all(node.kind == "input" for node in ends), path


def test_samples_keep_their_shape() -> None:
    workload, node = llama_405b_training(), dgx_h100()
    a = dataclasses.replace(
        cases.assumed(workload, node), matmul_ratio=np.linspace(0.8, 1, 10_000)[:, np.newaxis]
    )
    for layout in (META, None):
        performance = evaluate_training(
            workload=workload,
            supernode=node,
            pod=cases.pod(16384, node),
            fabric=cases.fabric(node),
            layout=layout,
            assumptions=a,
        )
        assert performance.mfu.shape == (10_000, 1)
        assert (np.diff(performance.step_time_s[:, 0]) < 0).all()


def _wrapped(item: Any, path: str) -> Any:
    if isinstance(item, np.ndarray):
        return traced_input(path, item, unit_of(path), Origin(kind="scenario"))
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return dataclasses.replace(
            item,
            **{field.name: _wrapped(getattr(item, field.name), f"{path}.{field.name}")
               for field in dataclasses.fields(item)},
        )  # fmt: skip
    return item


def test_more_accelerators_never_lose_throughput() -> None:
    rates = [
        cases.evaluated(llama_405b_training(), None, accelerators).tokens_per_s[0]
        for accelerators in (1024, 2048, 4096, 8192)
    ]
    assert rates == sorted(rates)


def test_half_the_sequences_take_half_the_steps_apart() -> None:
    workload = llama_405b_training()
    halved = dataclasses.replace(workload, tokens=number(7.8e12))
    whole, half = (cases.evaluated(job, META, 16384).steps[0] for job in (workload, halved))
    assert whole == 2 * half
