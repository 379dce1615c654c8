"""IT power by component: sums that are exact, known parts at their place, and what is not published in "other"."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.it.load import it_load
from app.engine.facility.it.parts import IN_SUPERNODES, STATES, HostParts, NetworkParts, it_parts
from tests.engine.facility.cases import defaults, facility_at, pod_of, rack, steady
from tests.support import dgx_h100, number

MILD = facility_at(steady(dry_bulb_c=15, wet_bulb_c=10))
XEONS = HostParts(
    processors=number(2), processor_tdp_w=number(350), memory_bytes=number(2e12), nic_power_w=number(25)
)
UNKNOWN = HostParts(
    processors=number(np.nan), processor_tdp_w=number(np.nan), memory_bytes=number(np.nan), nic_power_w=number(25)
)  # fmt: skip


def _found(supernode, hosts=XEONS, nodes=64, used=1.0, spares=2, distribution="ac_415"):
    facility = dataclasses.replace(MILD, distribution=distribution)
    a = defaults(distribution=distribution)
    it = it_load(
        supernode=supernode,
        pod=pod_of(nodes, nodes * supernode.accelerators[0] * used),
        facility=facility,
        fabric=SimpleNamespace(network_power_w=number(50e3)),
        reliability=SimpleNamespace(spare_supernodes_installed=number(spares), storage_power_w=number(0)),
        assumptions=a,
        busy_share=number(0.8),
    )
    parts = it_parts(
        it=it,
        supernode=supernode,
        hosts=hosts,
        network=NetworkParts(switches_w=number(36e3), optics_w=number(14e3)),
        distribution=distribution,
        assumptions=a,
    )
    return it, parts


def _sum(parts):
    return sum(value[0] for value in parts.values() if not np.isnan(value[0]))


@pytest.mark.slow
@settings(max_examples=25)
@given(
    used=st.floats(0.01, 1),
    spares=st.integers(0, 20),
    known=st.booleans(),
    cap=st.none() | st.floats(0.3, 1),
    distribution=st.sampled_from(["ac_415", "dc_800"]),
    liquid=st.booleans(),
)
def test_every_state_sums_to_its_figure(used, spares, known, cap, distribution, liquid):
    node = rack() if liquid else dgx_h100()
    chip = dataclasses.replace(node.accelerator, power_cap=None if cap is None else number(cap))
    it, parts = _found(
        dataclasses.replace(node, accelerator=chip),
        XEONS if known else UNKNOWN,
        64,
        used,
        spares,
        distribution,
    )
    figures = {"idle": it.idle_w, "mean": it.mean_w, "peak": it.peak_w, "design": it.design_w}
    for state in STATES:
        assert _sum(parts[state]) == pytest.approx(figures[state][0], rel=1e-12), state
        assert all(value[0] >= -1e-6 for value in parts[state].values() if not np.isnan(value[0])), state


def test_nodes_of_eight_by_hand():
    it, parts = _found(dgx_h100(), spares=0)
    mean, idle = parts["mean"], parts["idle"]
    assert mean["accelerators"][0] == pytest.approx(it.breakdown_w["accelerators"][0])
    assert mean["fans"][0] == pytest.approx(64 * 0.12 * 7140)
    assert mean["supplies"][0] == pytest.approx(64 * 0.05 * 7140)
    assert mean["nics"][0] == 64 * 8 * 25
    assert mean["processors"][0] == pytest.approx(64 * 2 * 350 * 0.5)
    assert mean["memory"][0] == pytest.approx(64 * 125)
    assert parts["design"]["accelerators"][0] == pytest.approx(64 * 5600)
    assert parts["design"]["processors"][0] == pytest.approx(64 * 700)
    assert idle["accelerators"][0] == pytest.approx(64 * 8 * 75)
    assert (mean["switches"][0], mean["optics"][0], mean["network_other"][0]) == (36e3, 14e3, 0)


def test_what_nobody_published_is_unknown_and_its_power_in_the_remainder():
    known, unknown = (_found(dgx_h100(), hosts)[1]["mean"] for hosts in (XEONS, UNKNOWN))
    assert np.isnan([unknown["processors"][0], unknown["memory"][0]]).all()
    moved = known["processors"] + known["memory"]
    assert unknown["other"][0] == pytest.approx((known["other"] + moved)[0])


def test_an_accelerator_without_a_published_idle_power_is_in_the_remainder_of_idle_nodes():
    chip = dataclasses.replace(dgx_h100().accelerator, idle_w=number(np.nan))
    it, parts = _found(dataclasses.replace(dgx_h100(), accelerator=chip), spares=2)
    assert np.isnan(parts["idle"]["accelerators"][0])
    assert parts["mean"]["accelerators"][0] == pytest.approx(it.breakdown_w["accelerators"][0])
    assert _sum(parts["mean"]) == pytest.approx(it.mean_w[0], rel=1e-12)


def test_an_unpublished_tdp_leaves_its_power_in_the_remainder():
    chip = dataclasses.replace(dgx_h100().accelerator, tdp_w=number(np.nan))
    it, parts = _found(dataclasses.replace(dgx_h100(), accelerator=chip), spares=2)
    assert np.isnan(parts["mean"]["accelerators"][0])
    assert _sum(parts["mean"]) == pytest.approx(it.mean_w[0], rel=1e-12)


def test_an_unpublished_rating_makes_every_split_unknown():
    _, parts = _found(dataclasses.replace(dgx_h100(), max_power_w=number(np.nan)))
    assert np.isnan([parts[state]["other"][0] for state in STATES]).all()


def test_hosts_never_take_more_than_the_node_has():
    hungry = dataclasses.replace(XEONS, processors=number(40))
    parts = _found(dgx_h100(), hungry)[1]["mean"]
    assert parts["other"][0] == pytest.approx(0, abs=1e-6)
    assert parts["processors"][0] < 64 * 40 * 175
    assert set(IN_SUPERNODES) <= set(parts)
