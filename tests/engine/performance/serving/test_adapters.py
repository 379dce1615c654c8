"""LoRA adapters: sizes, popularity and times worked by hand, limits and properties."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.engine.performance.serving.adapters import (
    AdapterSet,
    adapter_bytes_each,
    adapter_hit_share,
    adapter_set,
    distinct_adapters,
    load_s_of,
    sequences_of_slots,
)
from app.engine.performance.serving.decode import DecodeStep, decode_step
from app.engine.performance.serving.memory import Occupancy, batch_limit, serving_memory
from app.engine.performance.serving.prefill import prefill_of
from app.engine.performance.serving.served_model import ServedModel, served_model
from app.engine.specs import Adapters, Architecture
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.pods import llama_8b
from tests.engine.performance.serving.speed_cases import YEAR, roofline
from tests.support import build, number

LINK = 5e10


def asked(
    count: float = 8, *, slots: float | None = None, everywhere: bool = True, **changes: float
) -> Adapters:
    values = {"rank": 16.0, "share": 1.0, "popularity": 1.0} | changes
    return build(
        Adapters, count=count, slots=count if slots is None else slots, everywhere=everywhere, **values
    )


def adapters(model: Architecture, of: Adapters | None = None) -> AdapterSet:
    return adapter_set(of or asked(), model, number(LINK))


def law(count: int, exponent: float) -> np.ndarray[Any, Any]:
    weight = np.arange(1, count + 1) ** -exponent
    return weight / weight.sum()


def step(model: ServedModel, *, sequences: float = 4, tp: float = 1, **changes: float) -> DecodeStep:
    return decode_step(
        model=model,
        parts=cases.parts(),
        machine=cases.machine(cases.GB200_BYTES),
        layout=cases.layout(tp=tp),
        sequences=number(sequences),
        context_tokens=number(1024),
        step_tokens=number(1),
        engine_year=number(YEAR),
        assumptions=roofline(**changes),
    )


def test_an_adapter_of_rank_16_of_llama_8b_has_42_million_parameters() -> None:
    """32 layers x 16 x (q, k, v, o: 4 x 4096 + 2 x 5120; gate, up, down: 3 x (4096 + 14336)), in 16 bit."""
    own = adapters(llama_8b())
    assert adapter_bytes_each(own, cases.layout())[0] == 2 * 41_943_040
    attention = adapters(llama_8b(), asked(everywhere=False))
    assert adapter_bytes_each(attention, cases.layout())[0] == 2 * 16 * 32 * (4 * 4096 + 2 * 5120)
    whole, cut = 4 * 4096 + 3 * 4096, 2 * 5120 + 3 * 14336
    assert adapter_bytes_each(own, cases.layout(tp=8))[0] == 2 * 16 * 32 * (whole + cut / 8)


def test_an_adapter_of_latent_attention() -> None:
    """DeepSeek-V3, attention alone: 7168 to 1536 to 128 x 192, 7168 to 576, 512 to 128 x 256, 128 x 128 to 7168."""
    sides = (7168 + 1536) + (1536 + 128 * 192) + (7168 + 576) + (512 + 128 * 256) + (128 * 128 + 7168)
    own = adapters(deepseek_v3(), asked(everywhere=False))
    assert adapter_bytes_each(own, cases.layout())[0] == 2 * 16 * 61 * sides


def test_every_expert_has_an_adapter_of_its_own() -> None:
    dense, all_of_it = (
        adapter_bytes_each(adapters(deepseek_v3(), asked(everywhere=way)), cases.layout())[0]
        for way in (False, True)
    )
    routed = 2 * 16 * 58 * 256 * 3 * (7168 + 2048)
    assert routed < all_of_it - dense < 1.02 * routed


def test_different_adapters_of_a_batch() -> None:
    """Ten alike: of 5 sequences 10 (1 - 0.9^5); by a Zipf law the sum over its chances."""
    alike = {"share": number(1), "count": number(10), "popularity": number(0), "slots": number(10)}
    assert distinct_adapters(sequences=number(5), **alike)[0] == pytest.approx(10 * (1 - 0.9**5))
    for count in (3, 40, 500, 10_000):
        p = law(count, 1.1)
        found = distinct_adapters(
            sequences=number(64),
            share=number(0.6),
            count=number(count),
            popularity=number(1.1),
            slots=number(1e9),
        )[0]
        assert found == pytest.approx((1 - (1 - 0.6 * p) ** 64).sum(), rel=0.01)
    one = alike | {"count": number(1)}
    assert distinct_adapters(sequences=number(3), **one)[0] == 1


def test_a_cache_of_adapters_finds_what_a_simulation_finds() -> None:
    """The least recently used leaves; 200,000 requests, seeded."""
    rng = np.random.default_rng(5)
    for count, slots, exponent in ((50, 10, 1.0), (200, 16, 0.7), (20, 19, 1.3)):
        recent: dict[int, None] = {}
        hits = 0
        wanted = rng.choice(count, size=40_000, p=law(count, exponent))
        for one in wanted.tolist():
            hits += one in recent
            recent.pop(one, None)
            recent[one] = None
            if len(recent) > slots:
                del recent[next(iter(recent))]
        found = adapter_hit_share(count=number(count), popularity=number(exponent), slots=number(slots))[0]
        assert found == pytest.approx(hits / wanted.size, abs=0.012)


def test_all_adapters_in_memory_are_always_found_and_more_slots_find_more() -> None:
    shares = [
        adapter_hit_share(count=number(100), popularity=number(1), slots=number(slots))[0]
        for slots in (1, 2, 5, 20, 60, 99, 100, 500)
    ]
    assert shares == sorted(shares)
    assert shares[-2:] == [1, 1]
    assert load_s_of(adapters(llama_8b()), cases.layout())[0] == 0


def test_slots_bound_the_batch() -> None:
    """Two slots for ten alike: 10 (1 - 0.9^n) is 2 at n = 2.1, so two sequences."""
    common = {"share": number(1), "popularity": number(0)}
    assert sequences_of_slots(count=number(10), slots=number(2), **common)[0] == 2
    assert sequences_of_slots(count=number(10), slots=number(1), **common)[0] == 1
    assert sequences_of_slots(count=number(10), slots=number(10), **common)[0] == np.inf
    limits = [
        batch_limit(held(asked(64, slots=slots)), cases.machine(cases.H100_BYTES))[0] for slots in (2, 8, 64)
    ]
    assert limits == sorted(limits)
    assert limits[0] < 10


def held(of: Adapters | None) -> Occupancy:
    model = llama_8b()
    return Occupancy(
        architecture=model,
        layout=cases.layout(),
        parts=cases.parts(),
        sequence_tokens=number(1024),
        assumptions=cases.assumed(),
        adapters=None if of is None else adapters(model, of),
    )


def test_slots_take_memory_and_sum_to_the_whole() -> None:
    none, some = (serving_memory(held(each), number(10)) for each in (None, asked(100, slots=20)))
    assert some.breakdown_bytes["adapters"][0] == 20 * 2 * 41_943_040
    assert some.memory_per_accelerator_bytes[0] == pytest.approx(
        sum(part[0] for part in some.breakdown_bytes.values())
    )
    assert some.memory_per_accelerator_bytes[0] - none.memory_per_accelerator_bytes[0] == pytest.approx(
        20 * 2 * 41_943_040
    )
    assert "adapters" not in none.breakdown_bytes


def test_a_step_reads_each_adapter_in_use_once() -> None:
    """Eight sequences of one adapter, and of eight adapters alike: 8 (1 - (7/8)^8) are different."""
    model = served_model(llama_8b())
    size = 2 * 41_943_040
    one, eight = (
        step(replace(model, adapters=adapters(llama_8b(), asked(count, popularity=0))), sequences=8).parts_s[
            "adapters"
        ][0]
        for count in (1, 8)
    )
    assert one == pytest.approx(size / 8e12, rel=1e-3)
    assert eight == pytest.approx(8 * (1 - (7 / 8) ** 8) * size / 8e12, rel=1e-3)
    assert "adapters" not in step(model).parts_s


def test_kernels_of_adapters_are_started_in_each_layer() -> None:
    """Four in attention and four in the feed-forward block of each of 32 layers."""
    model = replace(served_model(llama_8b()), adapters=adapters(llama_8b()))
    slow, fast = (step(model, kernel_time_s=each).parts_s["adapters"][0] for each in (1e-5, 0.0))
    assert slow - fast == pytest.approx(32 * 8 * 1e-5)


def test_an_adapter_that_is_not_there_crosses_the_link_before_the_prefill() -> None:
    """One slot of two adapters alike: half of the requests load 84 MB at 50 GB/s, and hold up the others."""
    of = asked(2, slots=1, popularity=0, share=0.8)
    model = served_model(llama_8b())
    common: dict[str, Any] = {
        "parts": cases.parts(), "machine": cases.machine(cases.GB200_BYTES), "layout": cases.layout(),
        "input_tokens": number(512), "cached_share": number(0), "waiting": number(1), "assumptions": roofline(),
    }  # fmt: skip
    without = prefill_of(model=model, **common)
    found = prefill_of(model=replace(model, adapters=adapters(llama_8b(), of)), **common)
    load = 0.8 * 0.5 * 2 * 41_943_040 / LINK
    assert found.before_s["adapter_load"][0] == pytest.approx(load, rel=0.01)
    multiplied = 0.8 * 512 * 2 * 41_943_040 / 2.5e15
    assert found.alone_s[0] - without.alone_s[0] == pytest.approx(multiplied, rel=1e-3)
    assert found.cost_s[0] - without.cost_s[0] == pytest.approx(multiplied + load, rel=0.01)
    assert without.before_s == {}


def test_ranks_that_cut_a_prompt_share_the_work_of_its_adapter() -> None:
    of, model = asked(2), served_model(llama_8b())

    def more(context_parallel: float) -> float:
        layout = replace(cases.layout(), context_parallel=number(context_parallel))
        common: dict[str, Any] = {
            "parts": cases.parts(), "machine": cases.machine(cases.GB200_BYTES), "layout": layout,
            "input_tokens": number(4096), "cached_share": number(0), "waiting": number(1), "assumptions": roofline(),
        }  # fmt: skip
        own = prefill_of(model=replace(model, adapters=adapters(llama_8b(), of)), **common)
        return float(own.alone_s[0] - prefill_of(model=model, **common).alone_s[0])

    assert more(2) == pytest.approx(more(1) / 2)


def taken(architecture: Architecture, of: Adapters, sequences: float, tp: float) -> float:
    model = replace(served_model(architecture), adapters=adapters(architecture, of))
    return float(step(model, sequences=sequences, tp=tp).parts_s["adapters"][0])


@pytest.mark.slow
def test_random_adapters_never_make_a_step_shorter() -> None:
    """Over 150 random designs: more sequences, rank, share or adapters take no less, and more slots no more loading."""
    rng = np.random.default_rng(8)
    for _ in range(150):
        architecture = (llama_8b(), deepseek_v3(), cases.gpt_oss(), cases.hybrid())[rng.integers(4)]
        count = float(rng.integers(1, 400))
        of = asked(
            count, slots=float(rng.integers(1, count + 1)), everywhere=bool(rng.integers(2)),
            rank=float(2 ** rng.integers(2, 8)), share=float(rng.uniform(0.1, 0.9)), popularity=float(rng.uniform(0, 2)),
        )  # fmt: skip
        tp, sequences = float(2 ** rng.integers(4)), float(rng.integers(1, 256))

        now = taken(architecture, of, sequences, tp)
        assert now > 0
        assert taken(architecture, of, sequences * 2, tp) >= now * (1 - 1e-9)
        assert taken(architecture, replace(of, rank=of.rank * 2), sequences, tp) >= now
        assert taken(architecture, replace(of, share=of.share * 1.1), sequences, tp) >= now * (1 - 1e-9)
        layout = cases.layout(tp=tp)
        more = replace(of, slots=of.slots + 1)
        assert (
            load_s_of(adapters(architecture, more), layout)[0]
            <= load_s_of(adapters(architecture, of), layout)[0] + 1e-12
        )
