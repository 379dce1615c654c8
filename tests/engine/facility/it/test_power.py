"""IT power: hand-worked pods, measured nodes, limits, unknowns."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.it.supernode import node_fan_share
from app.engine.facility.it.supplies import power_supply_efficiency
from tests.engine.facility.cases import defaults, evaluate, facility_at, rack, steady
from tests.support import dgx_h100, number

MILD = facility_at(steady(dry_bulb_c=15, wet_bulb_c=10))


def _power(**changes):
    return evaluate(facility=MILD, **changes)[0]


def test_pod_of_64_dgx_h100_by_hand():
    power = _power(supernode=dgx_h100(), supernodes=64, network_power_w=50e3, spare_supernodes=2)
    node, storage = 10200.0, 0.02 * 66 * 10200
    assert power.it_power_mean_w[0] == pytest.approx(
        64 * 0.70 * node + 2 * 0.21 * node + 50e3 + storage, rel=1e-12
    )
    assert power.it_power_peak_w[0] == pytest.approx(
        64 * 0.82 * 0.987 * node + 2 * 0.21 * node + 50e3 + storage, rel=1e-12
    )
    assert power.it_power_design_w[0] == pytest.approx(66 * node + 50e3 + storage, rel=1e-12)
    assert power.it_power_idle_w[0] == pytest.approx(66 * 0.21 * node + 50e3 + storage, rel=1e-12)
    assert power.it_power_swing_w[0] == pytest.approx(64 * (0.82 * 0.987 - 0.34) * node, rel=1e-12)
    assert power.accelerator_tdp_power_w[0] == 64 * 8 * 700
    assert power.racks[0] == 17
    assert power.power_per_rack_w[0] == 40800


@pytest.mark.parametrize(
    ("measured_w", "source"),
    [
        (6850, "MLPerf Training v4.0, Supermicro, GPT-3 on 64 nodes"),
        (7010, "MLPerf Training v4.0, Supermicro, ResNet-50"),
        (7200, "MLPerf Training v4.1, Dell, Llama-2 70B LoRA on 8 nodes"),
        (7752, "Newkirk et al., arXiv 2506.14551: 0.76 of the rating"),
    ],
)
def test_mean_power_of_measured_8xh100_nodes(measured_w, source):
    power = _power(supernode=dgx_h100(), supernodes=64)
    node_w = (power.it_power_mean_w - power.it_breakdown_w["storage"])[0] / 64
    assert node_w == pytest.approx(measured_w, rel=0.09), source


def test_coincident_peak_lies_between_the_two_measured_clusters():
    """7.17 kW per node (MLPerf v4.0, Supermicro, 64 nodes) and 8.65 (v4.1, Dell, 8 nodes)."""
    power = _power(supernode=dgx_h100(), supernodes=64)
    assert 7170 < (power.it_power_peak_w - power.it_breakdown_w["storage"])[0] / 64 < 8650


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    nodes=st.integers(1, 4000),
    used_share=st.floats(0.01, 1),
    spares=st.integers(0, 50),
    network_w=st.floats(0, 1e6),
)
def test_breakdown_adds_up_and_figures_keep_their_order(nodes, used_share, spares, network_w):
    power = _power(
        supernode=dgx_h100(),
        supernodes=nodes,
        accelerators_used=8 * nodes * used_share,
        spare_supernodes=spares,
        network_power_w=network_w,
    )
    assert sum(power.it_breakdown_w.values())[0] == pytest.approx(power.it_power_mean_w[0], rel=1e-12)
    assert all(part[0] >= -1e-9 for part in power.it_breakdown_w.values())
    assert (
        power.it_power_idle_w[0]
        <= power.it_power_mean_w[0]
        <= power.it_power_peak_w[0]
        <= power.it_power_design_w[0]
    )


def test_accelerators_never_take_more_than_the_node_has():
    hungry = dataclasses.replace(
        dgx_h100(), accelerator=dataclasses.replace(dgx_h100().accelerator, tdp_w=number(1400))
    )
    breakdown = _power(supernode=hungry).it_breakdown_w
    assert breakdown["hosts"][0] == pytest.approx(0, abs=1e-9)
    assert breakdown["accelerators"][0] < 16 * 0.70 * 10200


def test_fans_fall_with_liquid():
    def fans(share):
        return (
            1000
            * node_fan_share(
                liquid_share=number(share),
                fan_power_share_air=number(0.12),
                fan_power_share_liquid=number(0.03),
            )[0]
        )

    assert fans(0) == pytest.approx(120)
    assert fans(1) == pytest.approx(30)
    assert fans(0.5) == pytest.approx(75)


@pytest.mark.parametrize(
    ("load", "efficiency"), [(0.1, 0.90), (0.2, 0.94), (0.35, 0.95), (0.5, 0.96), (0.75, 0.935), (1.0, 0.91)]
)
def test_power_supply_follows_the_titanium_curve(load, efficiency):
    a = defaults()
    result = power_supply_efficiency(
        power_utilisation=number(load),
        power_supply_load_share=number(1),
        efficiency_at_10_percent=a.power_supply_efficiency_at_10_percent,
        efficiency_at_20_percent=a.power_supply_efficiency_at_20_percent,
        efficiency_at_50_percent=a.power_supply_efficiency_at_50_percent,
        efficiency_at_100_percent=a.power_supply_efficiency_at_100_percent,
    )
    assert result[0] == pytest.approx(efficiency)


@pytest.mark.filterwarnings("error")
def test_unpublished_rating_makes_power_unknown_and_nothing_else():
    with np.errstate(invalid="ignore"):
        power, cooling = evaluate(facility=MILD, supernode=rack(max_power_w=float("nan")))
    assert np.isnan([power.it_power_mean_w[0], power.utility_peak_w[0], cooling.pue[0]]).all()
    assert np.isnan([cooling.cdu_count[0], cooling.coolant_flow_l_per_min[0]]).all()
    assert power.accelerator_tdp_power_w[0] == 16 * 72 * 700
    assert power.racks[0] == 16


def test_energy_of_a_year():
    power = _power()
    assert power.energy_it_kwh_per_year[0] == pytest.approx(power.it_power_mean_w[0] * 8.76)
    assert power.energy_utility_kwh_per_year[0] == pytest.approx(power.utility_mean_w[0] * 8.76)
    assert power.energy_j_per_token[0] == pytest.approx(power.utility_mean_w[0] / 1e6)
