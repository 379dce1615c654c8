"""Keys and values between instances: links by hand, what prefill hides, and what links carry at most."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric.collectives.shared_links import nothing_shared
from app.engine.performance.serving.kv_transfer import (
    Transfer,
    exposed_transfer_s,
    kv_transfer,
    transfer_pieces,
    transfer_wait_s,
)
from app.engine.specs import Architecture, ServingLayout
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.pods import tapered
from tests.engine.performance.serving.speed_cases import apart, load, roofline
from tests.support import number

GROUPS = 300
LATENT = 61 * (512 + 64) * 2  # bytes of a token of DeepSeek-V3 in 16 bit


def of(values: Any) -> Any:
    return np.atleast_1d(np.asarray(values, dtype=float))


def cut(tp: Any, dp: Any = 1, pp: Any = 1) -> ServingLayout:
    return ServingLayout(
        tensor_parallel=of(tp), data_parallel=of(dp), pipeline_parallel=of(pp), expert_parallel=of(1)
    )


def sent(
    model: Architecture,
    prefill: ServingLayout,
    decode: ServingLayout,
    *,
    instances: tuple[Any, Any] = (1, 1),
    tokens: float = 1024,
    prefill_s: Any = 1.0,
    links: tuple[Any, Any, Any] = (72, 9e11, 5e10),
    fabric: tuple[float, float] = (np.inf, 1.0),
    **changes: float,
) -> Transfer:
    names = ("domain_accelerators", "scale_up_bandwidth_bytes_per_s", "scale_out_bandwidth_bytes_per_s")
    return kv_transfer(
        architecture=model,
        parts=cases.parts(),
        machine=dataclasses.replace(
            cases.machine(cases.GB200_BYTES),
            shared_links=tapered(*fabric) if np.isfinite(fabric[0]) else nothing_shared(),
            **dict(zip(names, map(of, links), strict=True)),
        ),
        prefill=prefill,
        prefill_instances=of(instances[0]),
        decode=decode,
        decode_instances=of(instances[1]),
        input_tokens=number(tokens),
        cached_share=number(0),
        shared_tokens=number(0),
        prefill_s=of(prefill_s),
        assumptions=roofline(**changes),
    )


@pytest.mark.parametrize(
    ("prefill", "decode", "expected"),
    [
        (cut(8), cut(8), 327680 / 8),  # keys and values by heads, over eight links
        (cut(8), cut(4), 327680 / 4),  # of those that receive
        (cut(2), cut(8), 327680 / 2),  # of those that send
        (cut(4, pp=2), cut(8), 327680 / 8),  # stages send their layers at once
        (cut(16), cut(16), 2 * 327680 / 16),  # twice as many ranks as heads hold copies
        (cut(1, dp=8), cut(8), 327680),  # one replica of attention has the prompt
    ],
)
def test_links_of_those_that_have_it_and_those_that_need_it(
    prefill: ServingLayout, decode: ServingLayout, expected: float
) -> None:
    found = sent(cases.llama_70b(), prefill, decode, kv_transfer_bandwidth_share=0.5)
    assert found.whole_s[0] == pytest.approx(1024 * expected / 4.5e11)


def test_a_latent_goes_whole_to_every_rank() -> None:
    bytes_of_one = 1024 * LATENT
    for tp_from, tp_to, copies in ((8, 8, 1), (1, 8, 8), (8, 1, 1)):
        found = sent(deepseek_v3(), cut(tp_from), cut(tp_to))
        assert found.whole_s[0] == pytest.approx(copies * bytes_of_one / 9e11)


def test_a_group_beyond_its_domain_sends_over_the_fabric() -> None:
    within = sent(deepseek_v3(), cut(8), cut(8), instances=(1, 8))
    beyond = sent(deepseek_v3(), cut(8), cut(8), instances=(1, 9))
    assert beyond.whole_s[0] == pytest.approx(18 * within.whole_s[0])
    assert sent(deepseek_v3(), cut(8), cut(8), kv_transfer_overhead_s=0.5).whole_s[0] > 0.5


def test_what_prefill_hides_by_how_an_engine_sends() -> None:
    """32,768 tokens in four passes of 1 s: after the prefill, with each pass, with each of 61 layers of each."""
    pieces = [
        transfer_pieces(grain=number(grain), passes=number(4), layers=number(61))[0] for grain in (0, 1, 2)
    ]
    assert pieces == [1, 4, 244]
    common: dict[str, Any] = {"prefill_s": 4.0, "tokens": 32768, "links": (1, 9e11, 1e9)}
    whole, passes, layers = (
        sent(deepseek_v3(), cut(8), cut(8), kv_transfer_grain=grain, **common) for grain in (0, 1, 2)
    )
    seconds = 32768 * LATENT / 1e9
    assert seconds < 3  # the first three quarters are sent while the rest is computed
    assert whole.exposed_s[0] == whole.whole_s[0] == pytest.approx(seconds)
    assert passes.exposed_s[0] == pytest.approx(seconds / 4)
    assert layers.exposed_s[0] == pytest.approx(seconds / 244)


@pytest.mark.slow
@given(transfer=st.floats(1e-4, 1e3), prefill=st.floats(1e-4, 1e3), pieces=st.integers(1, 1000))
def test_no_less_than_a_piece_and_no_more_than_all_is_exposed(
    transfer: float, prefill: float, pieces: int
) -> None:
    found = exposed_transfer_s(transfer_s=number(transfer), prefill_s=number(prefill), pieces=number(pieces))[
        0
    ]
    assert transfer / pieces * (1 - 1e-9) <= found <= transfer * (1 + 1e-9)
    assert found >= (transfer - prefill) * (1 - 1e-9)


def test_wait_for_other_transfers_by_hand() -> None:
    """Half busy: half a transfer. No one waits alone, nor for ever."""

    def wait(rate: float, concurrency: float) -> float:
        return float(
            transfer_wait_s(
                requests_per_s=number(rate), requests_per_s_limit=number(10), concurrency=number(concurrency),
                transfer_s=number(0.1),
            )[0]
        )  # fmt: skip

    assert wait(5, 1e9) == pytest.approx(0.05)
    assert wait(5, 1) == 0
    assert wait(5, 2) == pytest.approx(0.1 * 0.25 / 1.5)
    assert np.isfinite(wait(10, 1e9))


def test_links_carry_no_more_than_they_can() -> None:
    """One gigabyte a second of the fabric, on each of 8 ranks that prefill."""
    slow = {"kv_transfer_bandwidth_share": 0.02}
    found = apart(cases.llama_70b(), load(4096, tokens=8192, output=16), prefills=1, decodes=16, **slow)
    most = 8 * 1e9 / (8192 * 327680)
    assert found.requests_per_s[0] == pytest.approx(most, rel=0.05)
    assert found.requests_per_s[0] <= most * 1.0001  # as close as the fixed point is known
    freely = apart(cases.llama_70b(), load(4096, tokens=8192, output=16), prefills=1, decodes=16)
    assert freely.requests_per_s[0] > 1.5 * most


def test_little_s_law_holds_with_the_wait_for_transfers() -> None:
    found = apart(
        deepseek_v3(), load(64, tokens=8192), prefills=8, decodes=2, kv_transfer_bandwidth_share=0.01
    )
    assert found.ttft_parts_s["kv_transfer"][0] > 8192 * LATENT / 5e8
    answer = 1024 * found.tpot_s[0]
    assert found.requests_per_s[0] * (found.ttft_s[0] + answer) == pytest.approx(64, rel=0.02)


def drawn() -> dict[str, Any]:
    rng = np.random.default_rng(21)
    tp = [2.0 ** rng.integers(0, 4, GROUPS) for _ in range(2)]
    dp = [rng.integers(1, 17, GROUPS).astype(float) for _ in range(2)]
    out = 10 ** rng.uniform(9.5, 11.5, GROUPS)
    return {
        "prefill": cut(tp[0], dp[0]),
        "decode": cut(tp[1], dp[1]),
        "instances": (rng.integers(1, 9, GROUPS), rng.integers(1, 9, GROUPS)),
        "links": (rng.choice([8, 72, 384], GROUPS), out * 10 ** rng.uniform(0, 1.5, GROUPS), out),
        "prefill_s": 10 ** rng.uniform(-2, 1, GROUPS),
        "tokens": 8192,
    }


@pytest.mark.parametrize("make", [cases.llama_70b, deepseek_v3, cases.hybrid])
@pytest.mark.parametrize("grain", [0, 1, 2])
def test_more_bandwidth_or_a_wider_domain_is_never_slower(make: Any, grain: float) -> None:
    values = drawn()
    domain, up, out = values["links"]
    base = sent(make(), kv_transfer_grain=grain, **values)
    assert np.isfinite([base.whole_s, base.exposed_s, base.requests_per_s]).all()
    for links in ((domain, 2 * up, out), (domain, np.maximum(up, 2 * out), 2 * out), (1e6, up, out)):
        better = sent(make(), kv_transfer_grain=grain, **(values | {"links": links}))
        assert (better.whole_s <= base.whole_s * (1 + 1e-12)).all()
        assert (better.exposed_s <= base.exposed_s * (1 + 1e-12)).all()
        assert (better.requests_per_s >= base.requests_per_s * (1 - 1e-12)).all()


def test_bytes_are_at_least_those_of_the_prompt() -> None:
    values = drawn()
    found = sent(deepseek_v3(), **values)
    _, up, out = values["links"]
    links = np.minimum(values["prefill"].tensor_parallel, values["decode"].tensor_parallel)
    assert (found.whole_s >= 8192 * LATENT / (links * np.maximum(up, out))).all()


def test_an_oversubscribed_fabric_slows_groups_wider_than_its_unit() -> None:
    """Leaves of 16: of three groups the first has one alongside it; of eight, four fill leaves of their own that all send out."""
    for instances, slower in ((2, 1.0), (3, 1.0), (8, 2.0)):
        even, uneven = (
            sent(
                deepseek_v3(),
                cut(8),
                cut(8),
                instances=(1, instances - 1),
                links=(8, 9e11, 5e10),
                fabric=fabric,
            )
            for fabric in ((np.inf, 1.0), (16, 2.0))
        )
        assert uneven.whole_s[0] == pytest.approx(slower * even.whole_s[0])
        assert uneven.requests_per_s[0] == pytest.approx(even.requests_per_s[0] / slower)
