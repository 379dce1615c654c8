"""A utility that grants less than the peak: by how much it is missed, and fixes that work."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.utility_limit import utility_limit_problems
from tests.engine.facility.cases import defaults, evaluate, facility_at, pod_of, rack, steady
from tests.support import dgx_h100, number

WARM = facility_at(steady(dry_bulb_c=30, wet_bulb_c=22))


def _found(limit_w, supernode=None, supernodes=64, facility=WARM):
    supernode = supernode or dgx_h100()
    granted = dataclasses.replace(facility, utility_limit_w=None if limit_w is None else number(limit_w))
    power, cooling = evaluate(facility=granted, supernode=supernode, supernodes=supernodes)
    problems = utility_limit_problems(
        supernode=supernode,
        pod=pod_of(supernodes, supernodes * supernode.accelerators[0]),
        facility=granted,
        power=power,
        cooling=cooling,
        assumptions=defaults(),
    )
    return power, problems


def _capped(supernode, cap):
    return dataclasses.replace(
        supernode, accelerator=dataclasses.replace(supernode.accelerator, power_cap=number(cap))
    )


def test_no_limit_and_a_limit_that_is_kept_are_no_problem():
    power, problems = _found(None)
    assert problems == []
    assert _found(power.utility_peak_w[0])[1] == []


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(share=st.floats(0.75, 0.98), system=st.sampled_from(["node", "rack"]), cap=st.sampled_from([1, 0.95]))
def test_the_cap_that_is_offered_fits_and_is_nearly_the_largest(share, system, cap):
    node = _capped(dgx_h100() if system == "node" else rack(), cap)
    limit_w = _found(None, node)[0].utility_peak_w[0] * share
    power, (problem,) = _found(limit_w, node)
    assert problem.kind == "infeasible"
    assert problem.missed_by == pytest.approx(power.utility_peak_w[0] - limit_w)
    assert problem.fix.field == "facility.power_cap"
    assert _found(limit_w, _capped(node, problem.fix.value))[1] == []
    assert _found(limit_w, _capped(node, min(problem.fix.value + 0.04, cap)))[1] != []


def test_where_no_cap_does_a_smaller_pod_is_offered_and_fits():
    limit_w = _found(None)[0].utility_peak_w[0] * 0.3
    (problem,) = _found(limit_w)[1]
    assert problem.fix.field == "pod.supernodes"
    assert problem.fix.value == 19  # 64 x 0.3 = 19.2
    assert _found(limit_w, supernodes=19)[1] == []


def test_where_not_even_one_fits_nothing_is_offered():
    (problem,) = _found(1e3)[1]
    assert problem.fix is None


def test_an_unknown_peak_fails_no_limit():
    unknown = dataclasses.replace(dgx_h100(), max_power_w=number(float("nan")))
    assert _found(1e3, unknown)[1] == []


def test_an_unknown_tdp_leaves_the_size():
    chip = dataclasses.replace(dgx_h100().accelerator, tdp_w=number(float("nan")))
    (problem,) = _found(3e5, dataclasses.replace(dgx_h100(), accelerator=chip))[1]
    assert problem.fix.field == "pod.supernodes"
