"""Groups whose prefill and decode instances are on different kinds of SuperNode, over seeded random hardware."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.kv_transfer import kv_transfer
from app.engine.performance.serving.latency import Latency
from app.engine.performance.serving.replica_load import Replica, latency_of, limit_of, whole_replicas
from app.engine.performance.serving.setting import Setting, settings_of
from app.engine.specs import Kind, Pod, ServingLayout
from app.engine.trace import Array, first_of
from tests.engine.performance.serving.pods import WORDS, parts, plan, pod, workload
from tests.support import assumptions, dgx_h100, number

DESIGNS = 120
SERVING = assumptions("serving", ServingAssumptions, **WORDS)
CHIPS = assumptions("performance", PerformanceAssumptions, generation="hopper", precision="fp8")
UNKNOWN = number(np.nan)


def instance(tensor: Any) -> ServingLayout:
    """Instances of tensor parallelism alone."""
    one = np.ones(1)
    return ServingLayout(
        tensor_parallel=np.atleast_1d(tensor), data_parallel=one, pipeline_parallel=one, expert_parallel=one
    )


def kind(*, speed: Any = 1, bandwidth: Any = 1, memory: Any = 1, supernodes: Any = 1) -> Kind:
    """DGX H100 with so many times its peaks, memory bandwidth and memory."""
    supernode = dgx_h100()
    chip = supernode.accelerator
    chip = dataclasses.replace(
        chip,
        memory_bandwidth_bytes_per_s=chip.memory_bandwidth_bytes_per_s * bandwidth,
        memory_bytes=chip.memory_bytes * memory,
        peak_16_bit_flop_per_s=chip.peak_16_bit_flop_per_s * speed,
    )
    own = parts()
    prices = {
        field.name: UNKNOWN
        for field in dataclasses.fields(Kind)
        if field.name.endswith(("_kg", "_c", "_hour"))
    }
    return Kind(
        supernode=dataclasses.replace(supernode, accelerator=chip),
        supernodes=np.atleast_1d(supernodes),
        performance=CHIPS,
        serving=SERVING,
        parts=dataclasses.replace(
            own,
            dense_peak_flop_per_s=own.dense_peak_flop_per_s * speed,
            expert_peak_flop_per_s=own.expert_peak_flop_per_s * speed,
        ),
        **prices,
    )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Drawn:
    """Many designs at once: hardware of two kinds, a group of instances, and requests in flight; all of shape (n,)."""

    first: dict[str, Any]
    further: dict[str, Any]
    prefill: ServingLayout
    decode: ServingLayout
    concurrency: Array

    def on(
        self, first: dict[str, Any], further: dict[str, Any], prefill_on: int = 0
    ) -> tuple[Setting, Replica]:
        """The setting and the group on a pod of these kinds."""
        kinds = (kind(**first), kind(**further))
        supernodes = kinds[0].supernodes + kinds[1].supernodes
        group = dataclasses.replace(
            plan(self.decode, self.prefill), prefill_on=prefill_on, decode_on=1 - prefill_on
        )
        whole = Pod(supernodes=supernodes, accelerators_used=8 * supernodes, fabric=None)  # type: ignore[arg-type]
        (setting,) = settings_of(**pod(workload=workload(plan=group), kinds=kinds, pod=whole))
        one = np.ones(1)
        return setting, Replica(
            decode=self.decode, decode_instances=one, prefill=self.prefill, prefill_instances=one
        )

    def run(self, first: dict[str, Any], further: dict[str, Any], prefill_on: int = 0) -> Latency:
        setting, replica = self.on(first, further, prefill_on)
        return latency_of(setting, replica, self.concurrency, limit_of(setting, replica))


@pytest.fixture
def drawn() -> Drawn:
    random = np.random.default_rng(21)
    first, further = (
        {name: np.exp(random.uniform(-0.7, 0.7, DESIGNS)) for name in ("speed", "bandwidth", "memory")}
        for _ in range(2)
    )
    return Drawn(
        first=first,
        further=further,
        prefill=instance(2.0 ** random.integers(0, 4, DESIGNS)),
        decode=instance(2.0 ** random.integers(0, 4, DESIGNS)),
        concurrency=random.integers(1, 400, DESIGNS).astype(float),
    )


def faster(hardware: dict[str, Any]) -> dict[str, Any]:
    return hardware | {"speed": 1.5 * hardware["speed"], "bandwidth": 1.5 * hardware["bandwidth"]}


def test_faster_hardware_slows_neither_tokens_nor_prompts(drawn: Drawn) -> None:
    """The population of a group is known to 0.01 %."""
    now = drawn.run(drawn.first, drawn.further)
    decodes = drawn.run(drawn.first, faster(drawn.further))
    assert np.all(decodes.tpot_s <= now.tpot_s * (1 + 1e-4))
    assert np.all(decodes.requests_per_s >= now.requests_per_s * (1 - 1e-4))
    np.testing.assert_array_equal(decodes.prefill_s, now.prefill_s)
    reads = drawn.run(faster(drawn.first), drawn.further)
    assert np.all(reads.prefill_s < now.prefill_s)
    assert np.all(reads.requests_per_s >= now.requests_per_s * (1 - 1e-4))
    # More prompts come through, and only with them more run at once.
    held = reads.running <= now.running * (1 + 1e-9)
    assert np.all(reads.tpot_s[held] <= now.tpot_s[held] * (1 + 1e-4))


def test_tokens_take_as_long_as_weights_are_read_on_what_decodes(drawn: Drawn) -> None:
    """Eight thousand million bytes over the ranks, at the bandwidth of the kind that decodes."""
    found = drawn.run(drawn.first, drawn.further)
    read = 6.98e9 / drawn.decode.accelerators / (3.35e12 * drawn.further["bandwidth"])
    assert np.all(found.tpot_s > read)


def test_swapped_names_swap_the_result(drawn: Drawn) -> None:
    one, other = drawn.run(drawn.first, drawn.further), drawn.run(drawn.further, drawn.first, prefill_on=1)
    for name in ("ttft_s", "tpot_s", "requests_per_s", "running", "prefill_s"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    limits = [
        limit_of(*drawn.on(*each))
        for each in ((drawn.first, drawn.further, 0), (drawn.further, drawn.first, 1))
    ]
    np.testing.assert_array_equal(*limits)


def test_replicas_are_those_of_the_kind_that_holds_fewer(drawn: Drawn) -> None:
    reads, decodes = np.random.default_rng(5).integers(1, 6, (2, DESIGNS)).astype(float)
    found = whole_replicas(
        *drawn.on(drawn.first | {"supernodes": reads}, drawn.further | {"supernodes": decodes})
    )
    np.testing.assert_array_equal(
        found,
        np.minimum(
            np.floor(8 / drawn.prefill.accelerators) * reads,
            np.floor(8 / drawn.decode.accelerators) * decodes,
        ),
    )


def apart(sending: float, receiving: float) -> tuple[Setting, Setting]:
    """Settings of both sides, with so many bytes per second over the scale-out link of each."""
    group = dataclasses.replace(plan(instance(4), instance(4)), decode_on=1, prefill_on=0)
    (found,) = settings_of(**pod(workload=workload(plan=group), kinds=(kind(), kind(memory=2))))
    assert found.reading is not None

    def linked(setting: Setting, rate: float) -> Setting:
        machine = dataclasses.replace(setting.machine, scale_out_bandwidth_bytes_per_s=number(rate))
        return dataclasses.replace(setting, machine=machine)

    return linked(found.prefilling, sending), linked(found, receiving)


@pytest.mark.parametrize(("sending", "receiving"), [(50e9, 25e9), (25e9, 50e9), (25e9, 25e9)])
def test_the_slower_link_limits_a_transfer(sending: float, receiving: float) -> None:
    """1,000 tokens of 128 KiB in 16 bit (63 blocks of 16) over four links of 25 GB/s, of which a share is reached."""
    reading, decoding = apart(sending, receiving)
    found = kv_transfer(
        architecture=reading.workload.architecture,
        parts=decoding.parts,
        machine=reading.machine,
        received_on=decoding.machine,
        prefill=instance(4),
        prefill_instances=number(1),
        decode=instance(4),
        decode_instances=number(1),
        input_tokens=number(1000),
        cached_share=number(0),
        shared_tokens=number(0),
        prefill_s=number(1),
        assumptions=reading.assumptions,
    )
    share = first_of(reading.assumptions.kv_transfer_bandwidth_share)
    kept = 63 * 16 * 2 * 32 * 8 * 128 * 2
    assert first_of(found.whole_s) == pytest.approx(
        kept / (4 * 25e9 * share) + first_of(reading.assumptions.kv_transfer_overhead_s)
    )
