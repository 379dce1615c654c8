"""ZeRO in groups of replicas: what a rank holds, and what it exchanges."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np
import pytest

from app.engine.performance.layout_rules import layout_errors
from tests.engine.performance import cases
from tests.support import dgx_h100, number

WORKLOAD = cases.training(cases.gpt(32, 4096, 32), 4096, 1024)
USED = 256


@pytest.mark.parametrize("zero", [1, 2, 3])
def test_one_group_of_all_is_the_same(zero: int) -> None:
    whole, grouped = (cases.layout(zero=zero, shard_ranks=ranks) for ranks in (0, USED))
    a = cases.assumed(WORKLOAD, dgx_h100())
    held = [cases.held(WORKLOAD, one, USED, a).memory_per_accelerator_bytes for one in (whole, grouped)]
    times = [cases.timed(WORKLOAD, one, USED).step_time_s for one in (whole, grouped)]
    np.testing.assert_array_equal(*held)
    np.testing.assert_allclose(*times, rtol=1e-12)


def test_weights_that_stay_gathered_are_held_whole() -> None:
    """Without reshard after forward a stage holds its weights, in a pipeline its 32-bit gradients as well, and
    gathers once a step: memory as with ZeRO 1."""
    a = cases.assumed(WORKLOAD, dgx_h100())

    def parts(**chosen: float) -> dict[str, float]:
        held = cases.held(WORKLOAD, cases.layout(**chosen), USED, a).breakdown_bytes
        return {name: float(held[name][0]) for name in ("weights", "gradients", "optimizer")}

    kept, resharded = (parts(zero=3, pp=2, reshard=value) for value in (0, 1))
    assert kept == parts(zero=1, pp=2)
    assert resharded["weights"] < kept["weights"] / 4
    alone = parts(zero=3, reshard=0)
    assert alone["weights"] == parts(zero=2)["weights"]
    assert alone["gradients"] == parts(zero=3)["gradients"]
    times = [
        float(cases.timed(WORKLOAD, cases.layout(zero=3, pp=2, reshard=value), USED).breakdown_s["dp"][0])
        for value in (0, 1)
    ]
    assert times[0] < times[1]


def test_layers_gathered_ahead_take_memory_and_hide_exchange() -> None:
    a = cases.assumed(WORKLOAD, dgx_h100())

    def found(layers: float) -> tuple[float, float]:
        assumed = dataclasses.replace(a, shard_prefetched_layers=np.full(1, layers))
        layout = cases.layout(zero=3)
        held = cases.held(WORKLOAD, layout, USED, assumed).breakdown_bytes["buffers"][0]
        return float(held), float(
            cases.timed(WORKLOAD, layout, USED, assumptions=assumed).breakdown_s["dp"][0]
        )

    none, one, two = (found(layers) for layers in (0, 1, 2))
    assert none[0] < one[0] < two[0]
    assert none[1] > one[1] == two[1]


def test_states_are_shards_of_the_group() -> None:
    a = cases.assumed(WORKLOAD, dgx_h100())
    parts = {
        ranks: cases.held(WORKLOAD, cases.layout(zero=3, shard_ranks=ranks), USED, a).breakdown_bytes
        for ranks in (8, 32, 0)
    }
    for name in ("weights", "gradients", "optimizer"):
        np.testing.assert_allclose(parts[8][name], parts[32][name] * 4)
        np.testing.assert_allclose(parts[8][name], parts[0][name] * USED / 8)


def test_gathers_of_a_node_stay_inside_it() -> None:
    """Gradients aside, every micro-batch gathers all weights: inside a node over NVLink, else over the NICs."""
    a = replace(cases.assumed(WORKLOAD, dgx_h100()), gradient_parameter_bytes=number(1e-6))
    whole, grouped = (
        cases.timed(WORKLOAD, cases.layout(zero=3, data_overlap=0, shard_ranks=ranks), USED, assumptions=a)
        for ranks in (0, 8)
    )
    assert grouped.breakdown_s["dp"][0] < whole.breakdown_s["dp"][0] / 2


def test_shards_with_copies_are_reduced_between_groups() -> None:
    """Half of the gradients of two groups cross between them: more than none, less than all."""
    one_node = cases.timed(WORKLOAD, cases.layout(zero=1, data_overlap=0, shard_ranks=8), 8).breakdown_s[
        "dp"
    ][0]
    two_nodes = cases.timed(WORKLOAD, cases.layout(zero=1, data_overlap=0, shard_ranks=8), 16).breakdown_s[
        "dp"
    ][0]
    assert two_nodes > one_node


@pytest.mark.parametrize(("ranks", "said"), [(7, "does not divide the 256 replicas"), (2.5, "whole number")])
def test_a_group_that_does_not_divide_is_refused(ranks: float, said: str) -> None:
    node = dgx_h100()
    ((field, message),) = layout_errors(
        workload=WORKLOAD, supernode=node, pod=cases.pod(USED, node), layout=cases.layout(shard_ranks=ranks)
    )
    assert field == "parallelism.shard_group"
    assert said in message
