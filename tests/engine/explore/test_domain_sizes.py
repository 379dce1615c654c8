"""What a larger scale-up domain buys, on the same accelerators."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from app.engine.explore.domain_sizes import DomainSize, domain_sizes
from app.engine.performance.space import USUAL
from app.engine.specs import Design


@pytest.fixture(scope="module")
def study(design: Design) -> list[DomainSize]:
    return domain_sizes(design, USUAL, bandwidth_factors=(1.0, 2.0))


def _time(one: DomainSize) -> float:
    return float(one.evaluation.sections.performance.step_time_s[0])


@pytest.mark.slow
def test_domains_larger_than_the_job_are_left_out(study: list[DomainSize]) -> None:
    assert [one.domain_accelerators for one in study] == 2 * [1, 4, 8, 16, 32, 64]
    assert all(one.layout_found for one in study)


def test_a_larger_domain_is_never_slower_at_the_same_bandwidth(study: list[DomainSize]) -> None:
    for factor in (1.0, 2.0):
        times = [_time(one) for one in study if one.bandwidth_factor == factor]
        assert all(after <= before * (1 + 1e-9) for before, after in pairwise(times))


def test_more_bandwidth_is_never_slower_in_the_same_domain(study: list[DomainSize]) -> None:
    once, twice = ([one for one in study if one.bandwidth_factor == factor] for factor in (1.0, 2.0))
    for before, after in zip(once, twice, strict=True):
        assert _time(after) <= _time(before) * (1 + 1e-9)


def test_exposed_exchange_is_part_of_the_step(study: list[DomainSize]) -> None:
    assert all(0 < one.exposed_exchange_s < _time(one) for one in study)


def test_one_accelerator_has_nothing_to_exchange(design: Design) -> None:
    workload = replace(
        design.workload,
        architecture=replace(design.workload.architecture, layers=np.full(1, 2.0)),
        global_batch_sequences=np.full(1, 4.0),
    )
    alone = replace(design, workload=workload, pod=replace(design.pod, accelerators_used=np.full(1, 1.0)))
    (one,) = domain_sizes(alone, USUAL)
    assert one.domain_accelerators == 1
    assert one.layout_found
    assert one.exposed_exchange_s == 0
