"""Weights in the memory of the host: times and memory worked by hand, limits and properties."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.decode import DecodeStep, decode_step
from app.engine.performance.serving.machine import HostSide, ServingMachine
from app.engine.performance.serving.memory import Occupancy, host_bytes, serving_memory
from app.engine.performance.serving.prefill import Prefill, prefill_of
from app.engine.performance.serving.served_model import served_model
from app.engine.specs import Architecture
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.speed_cases import YEAR, roofline
from tests.support import build, number

LINK, MEMORY, FLOP = 5e10, 6e10, 2e12


def side(dense: float, experts: float, *, computed: bool, **changes: Any) -> HostSide:
    values: dict[str, Any] = {
        "capacity_bytes": 1e12, "link_bytes_per_s": LINK, "memory_bytes_per_s": MEMORY, "flop_per_s": FLOP,
        "crossing_s": 0, "pass_tokens": 1e6, "prefill_crosses": False,
    }  # fmt: skip
    return build(HostSide, dense_share=dense, expert_share=experts, computed=computed, **(values | changes))


def machine(host: HostSide | None) -> ServingMachine:
    return replace(cases.machine(cases.GB200_BYTES), host=host)


def step(model: Architecture, host: HostSide | None, *, sequences: float = 1, tp: float = 1) -> DecodeStep:
    return decode_step(
        model=served_model(model),
        parts=cases.parts(dense=1, expert=1, head=2),
        machine=machine(host),
        layout=cases.layout(tp=tp),
        sequences=number(sequences),
        context_tokens=number(1024),
        step_tokens=number(1),
        engine_year=number(YEAR),
        assumptions=roofline(),
    )


def prompt(model: Architecture, host: HostSide | None, tokens: float = 1024) -> Prefill:
    return prefill_of(
        model=served_model(model),
        parts=cases.parts(dense=1, expert=1, head=2),
        machine=machine(host),
        layout=cases.layout(),
        input_tokens=number(tokens),
        cached_share=number(0),
        waiting=number(1),
        assumptions=roofline(),
    )


def held(model: Architecture, host: HostSide | None, tp: float = 1, dp: float = 1) -> Occupancy:
    return Occupancy(
        architecture=model,
        layout=cases.layout(tp=tp, dp=dp),
        parts=cases.parts(dense=1, expert=1, head=2),
        sequence_tokens=number(1024),
        assumptions=cases.assumed(),
        host=host,
    )


def test_fetched_layers_take_their_bytes_over_the_link() -> None:
    """Half of 80 layers of 8192 (q and o), 1024 (k and v) and 3 x 28672 columns: 34.2 GB at 50 GB/s."""
    layer = 8192 * (2 * 8192 + 2 * 1024 + 3 * 28672)
    found = step(cases.llama_70b(), side(0.5, 0.5, computed=False)).parts_s
    assert found["host_weights"][0] == pytest.approx(40 * layer / LINK, rel=1e-6)
    whole = step(cases.llama_70b(), None).parts_s
    assert found["dense_matmul"][0] == pytest.approx(whole["dense_matmul"][0] / 2)
    assert found["attention"][0] == whole["attention"][0]
    assert found["output_head"][0] == whole["output_head"][0]


def test_computed_experts_take_the_bandwidth_of_the_host_and_a_crossing_for_each_layer() -> None:
    """DeepSeek-V3, one token: 58 layers of 8 experts of 3 x 7168 x 2048 bytes at 60 GB/s, and 58 ways there and back."""
    each = 3 * 7168 * 2048
    found = step(deepseek_v3(), side(0, 1, computed=True, crossing_s=2e-5)).parts_s
    read, multiplied = 58 * 8 * each / MEMORY, 2 * 58 * 8 * each / FLOP
    crossed = 58 * (2 * 7168 * 2 / LINK + 2e-5)
    assert found["host_weights"][0] == pytest.approx((read**3 + multiplied**3) ** (1 / 3) + crossed, rel=1e-3)
    assert found["experts"][0] == 0
    assert found["dense_matmul"][0] == step(deepseek_v3(), None).parts_s["dense_matmul"][0]


def test_eight_ranks_have_eight_shares_of_their_hosts() -> None:
    one, eight = (
        step(deepseek_v3(), side(0, 1, computed=True), sequences=16, tp=tp).parts_s["host_weights"][0]
        for tp in (1, 8)
    )
    assert one / 9 < eight < one / 7


def test_a_large_batch_is_bound_by_the_processors_of_the_host() -> None:
    model, batch = cases.llama_70b(), 4096
    found = step(model, side(1, 1, computed=True, link_bytes_per_s=1e15), sequences=batch).parts_s
    parameters = float(served_model(model).dense_parameters[0])
    scored = batch * 80 * 1024 * 4 * 64 * 128
    assert found["host_weights"][0] == pytest.approx((2 * parameters * batch + scored) / FLOP, rel=0.02)
    assert found["dense_matmul"][0] == found["attention"][0] == found["launch"][0] == 0


@pytest.mark.parametrize("computed", [True, False])
@pytest.mark.parametrize("model", [cases.llama_70b(), deepseek_v3(), cases.hybrid()])
def test_nothing_in_the_host_changes_nothing(model: Architecture, computed: bool) -> None:
    host = side(0, 0, computed=computed)
    assert step(model, host).step_s == step(model, None).step_s
    assert prompt(model, host).alone_s == prompt(model, None).alone_s
    own, other = (serving_memory(held(model, each), number(3)) for each in (host, None))
    assert own == other


def test_a_host_as_fast_as_the_accelerator_costs_nothing() -> None:
    fast = side(0.7, 0.7, computed=False, link_bytes_per_s=8e12, memory_bytes_per_s=8e12)
    assert step(cases.llama_70b(), fast).step_s[0] == pytest.approx(
        step(cases.llama_70b(), None).step_s[0], rel=1e-9
    )


def test_a_prompt_fetches_weights_once_a_pass() -> None:
    """Two passes of 8,192 tokens; llama.cpp works them off 512 at a time."""
    model = cases.llama_70b()
    weights = float(served_model(model).dense_parameters[0])
    tokens = 16_384
    slow = {"link_bytes_per_s": 1e6, "memory_bytes_per_s": 1e6}
    two = prompt(model, side(1, 1, computed=False, **slow), tokens).alone_s[0]
    assert two == pytest.approx(2 * weights / 1e6, rel=1e-3)
    more = prompt(model, side(1, 1, computed=False, pass_tokens=512, **slow), tokens).alone_s[0]
    assert more == pytest.approx(32 * weights / 1e6, rel=1e-3)


def test_a_prompt_takes_the_quicker_way_where_the_engine_has_both() -> None:
    for tokens in (4, 64, 1024, 8192):
        fetched, computed, either = (
            prompt(deepseek_v3(), side(0, 1, computed=way, prefill_crosses=both), tokens)
            for way, both in ((False, False), (True, False), (True, True))
        )
        assert either.alone_s[0] == pytest.approx(min(fetched.alone_s[0], computed.alone_s[0]), rel=1e-9)
        assert either.cost_s[0] <= min(fetched.cost_s[0], computed.cost_s[0]) * (1 + 1e-9)


def test_ranks_that_cut_a_prompt_share_what_their_hosts_compute() -> None:
    """Half of the tokens each; weights are read by each."""
    model, host = cases.llama_70b(), side(1, 1, computed=True, memory_bytes_per_s=1e18, link_bytes_per_s=1e18)

    def taken(context_parallel: float) -> float:
        found = prefill_of(
            model=served_model(model),
            parts=cases.parts(dense=1, expert=1, head=2),
            machine=machine(host),
            layout=replace(cases.layout(), context_parallel=number(context_parallel)),
            input_tokens=number(4096),
            cached_share=number(0),
            waiting=number(1),
            assumptions=roofline(),
        )
        return float(found.alone_s[0])

    assert taken(2) == pytest.approx(taken(1) / 2, rel=0.01)


@pytest.mark.slow
def test_weights_are_here_or_there_and_never_read_below_the_bound() -> None:
    """Over 200 random designs: bytes are conserved, and no step is shorter than its bytes over the link or memory."""
    rng = np.random.default_rng(21)
    models = (cases.llama_70b(), deepseek_v3(), cases.gpt_oss(), cases.hybrid())
    for _ in range(200):
        model = models[rng.integers(len(models))]
        computed, part = bool(rng.integers(2)), bool(rng.integers(2))
        share = float(rng.uniform(0, 1))
        host = side(share * part, share, computed=computed, crossing_s=1e-5)
        tp, dp, batch = float(2 ** rng.integers(4)), float(2 ** rng.integers(3)), float(rng.integers(1, 300))
        away, here, whole = (
            host_bytes(held(model, host, tp, dp), number(batch)),
            serving_memory(held(model, host, tp, dp), number(batch)).breakdown_bytes,
            serving_memory(held(model, None, tp, dp), number(batch)).breakdown_bytes,
        )
        kept = here["weights"] + here["kv_cache"]
        assert kept[0] + away[0] == pytest.approx((whole["weights"] + whole["kv_cache"])[0])
        found = step(model, host, sequences=batch, tp=tp).parts_s["host_weights"][0]
        dense = host.dense_share[0] * served_model(model).dense_parameters[0] / tp
        assert found >= dense / (MEMORY if computed else LINK) * (1 - 1e-9)
        more = replace(host, dense_share=host.dense_share * 1.1, expert_share=host.expert_share * 1.1)
        assert (
            step(model, more, sequences=batch, tp=tp).step_s[0]
            >= step(model, host, sequences=batch, tp=tp).step_s[0]
        )
        faster = replace(
            host, link_bytes_per_s=host.link_bytes_per_s * 2, memory_bytes_per_s=host.memory_bytes_per_s * 2
        )
        assert step(model, faster, sequences=batch, tp=tp).parts_s["host_weights"][0] <= found
