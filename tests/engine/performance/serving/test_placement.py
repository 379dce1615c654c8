"""Where instances lie: whole stages in whole domains, by hand and against a slow packing."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from app.engine.performance.serving.placement import placed_of
from app.engine.specs import Pod, ServingLayout
from tests.engine.performance.serving.pods import demand, evaluate, instance, llama_8b, plan, problems
from tests.engine.performance.serving.search.cases import MIXTURE
from tests.support import build, number


def placed(
    decode: ServingLayout,
    count: float,
    prefill: ServingLayout | None = None,
    beside: float = 0,
    *,
    domain: float,
) -> float:
    found = placed_of(
        domain_accelerators=number(domain),
        decode=decode,
        decode_instances=number(count),
        prefill=prefill,
        prefill_instances=None if prefill is None else number(beside),
    )
    return float(found[0])


@pytest.mark.parametrize(
    ("decode", "count", "prefill", "beside", "domain", "expected"),
    [
        (instance(8), 1, None, 0, 8, 8),
        (instance(3), 1, None, 0, 8, 3),
        (instance(1, dp=16), 2, None, 0, 8, 32),
        (instance(3, pp=4), 1, None, 0, 8, 12),  # two stages of three in each box: no more boxes than 12 take
        (instance(3, pp=5), 1, None, 0, 8, 24),
        (instance(1, dp=64), 5, instance(1, dp=3, pp=4), 16, 8, 576),  # 512 accelerators, with 64 in gaps
        (instance(1, dp=48), 1, instance(4), 6, 72, 72),  # six of four beside 48
        (instance(1, dp=48), 2, instance(1, dp=8), 6, 72, 144),
        (instance(1, dp=40), 2, instance(1, dp=36), 1, 72, 216),  # none fits beside another
        (instance(5), 1, instance(3), 1, 8, 8),
        (instance(6), 3, instance(2), 3, 8, 24),
    ],
)
def test_stages_lie_in_whole_domains(
    decode: ServingLayout,
    count: float,
    prefill: ServingLayout | None,
    beside: float,
    domain: float,
    expected: float,
) -> None:
    assert placed(decode, count, prefill, beside, domain=domain) == expected


def slow(stages: list[int], domain: int) -> int:
    """First fit, widest first, one after the other."""
    rooms: list[int] = []
    for stage in sorted(stages, reverse=True):
        place = next((i for i, room in enumerate(rooms) if room >= stage), None)
        if place is None:
            rooms.append(domain)
            place = len(rooms) - 1
        rooms[place] -= stage
    return len(rooms)


def test_as_a_packing_one_after_the_other() -> None:
    for wide, narrow, some, others in product((2, 3, 5, 6, 8), (1, 2, 3), range(1, 8), range(1, 8)):
        domains = slow([wide] * some + [narrow] * others, 8)
        own = wide * some + narrow * others
        found = placed(instance(wide), some, instance(narrow), others, domain=8)
        assert found == (own if domains == np.ceil(own / 8) else 8 * domains), (wide, narrow, some, others)


@pytest.mark.slow
def test_a_stated_group_with_gaps_larger_than_the_pod_is_refused() -> None:
    pod = build(Pod, supernodes=64, accelerators_used=512, fabric=None)
    stages = plan(
        instance(1, dp=64, ep=64), instance(1, dp=4, ep=4, pp=4), decode_instances=5, prefill_instances=12
    )
    gaps = plan(
        instance(1, dp=64, ep=64), instance(1, dp=3, ep=1, pp=4), decode_instances=5, prefill_instances=16
    )
    fits, found = (
        [
            one
            for one in problems(of=pod, architecture=llama_8b(**MIXTURE), plan=each)
            if one.constraint == "layout"
        ]
        for each in (stages, gaps)
    )
    assert fits == []
    assert [one.field for one in found] == ["workload.layout"]
    assert "take up 576 accelerators; the pod has 512" in found[0].message


@pytest.mark.slow
def test_a_demand_needs_supernodes_for_the_gaps_too() -> None:
    """A group of 512 accelerators takes up 72 servers of eight, not 64."""
    pod = build(Pod, supernodes=80, accelerators_used=640, fabric=None)
    gaps = plan(
        instance(1, dp=64, ep=64), instance(1, dp=3, ep=1, pp=4), decode_instances=5, prefill_instances=16
    )
    found = evaluate(of=pod, architecture=llama_8b(**MIXTURE), plan=gaps, demand=demand(1.0))
    assert found.accelerators_per_replica[0] == 512
    assert found.replicas[0] == 1
    assert found.supernodes_needed is not None
    assert found.supernodes_needed[0] == 72
