"""The electrical chain: published stage efficiencies, words of the scenario, redundancy, limits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.electrical.chain import (
    chain_losses,
    distribution_loss_w,
    lv_transformer_loss_w,
    mv_transformer_loss_w,
    stage_loads,
    ups_loss_w,
)
from app.engine.facility.electrical.redundancy import SCHEMES, installed_power_w
from tests.engine.facility.cases import defaults, evaluate, facility_at, steady
from tests.support import number

STAGES = {
    "ups": ups_loss_w,
    "lv_transformer": lv_transformer_loss_w,
    "mv_transformer": mv_transformer_loss_w,
    "distribution": distribution_loss_w,
}


@pytest.mark.parametrize(
    ("stage", "load", "efficiency"),
    [
        ("ups", 0.25, 0.962), ("ups", 0.50, 0.969), ("ups", 0.75, 0.969), ("ups", 1.00, 0.967),
        ("lv_transformer", 0.5, 0.9925), ("mv_transformer", 0.5, 0.997), ("distribution", 0.5, 0.994),
    ],
)  # fmt: skip
def test_stage_efficiency(stage, load, efficiency):
    a = defaults()
    loss = STAGES[stage](
        output_w=number(load),
        sharing_w=number(1),
        standby_w=number(0),
        constant=getattr(a, f"{stage}_loss_constant"),
        linear=getattr(a, f"{stage}_loss_linear"),
        quadratic=getattr(a, f"{stage}_loss_quadratic"),
    )
    assert load / (load + loss[0]) == pytest.approx(efficiency, abs=6e-4)


@pytest.mark.parametrize(
    ("scheme", "highest_normal_load"),
    [("N", 1), ("N+1", 4 / 5), ("2N", 1 / 2), ("2(N+1)", 4 / 10), ("3N/2", 2 / 3), ("4N/3", 3 / 4)],
)
def test_highest_normal_load_with_four_units(scheme, highest_normal_load):
    installed = installed_power_w(it_power_design_w=number(5.5e6), unit_w=number(1.5e6), redundancy=scheme)
    assert 5.5e6 / installed[0] == pytest.approx(highest_normal_load)


def test_n_plus_1_of_a_small_site_is_2n():
    small = {"it_power_design_w": number(2e3), "unit_w": number(1.5e6)}
    assert installed_power_w(**small, redundancy="N+1") == installed_power_w(**small, redundancy="2N")


def test_chain_of_2n_by_hand():
    total, losses = chain_losses(
        it_power_w=number(0.7e6), it_power_design_w=number(1e6), redundancy="2N", assumptions=defaults()
    )
    distribution = 2e6 * (0.0005 + 0.010 * 0.35**2)
    ups_load = (0.7e6 + distribution) / 2e6
    ups = 2e6 * (0.006 + 0.012 * ups_load + 0.016 * ups_load**2)
    assert losses["distribution"][0] == pytest.approx(distribution)
    assert losses["ups"][0] == pytest.approx(ups)
    assert total[0] == pytest.approx(sum(losses.values())[0])


@pytest.mark.parametrize(
    ("words", "efficiency_at_half", "efficiency_at_full"),
    [
        ({"ups": "eco"}, 1 - 0.35 * 0.032, 1 - 0.35 * 0.034),
        ({"ups": "rack_batteries"}, 0.995, 0.995),
        ({"distribution": "dc_800"}, 0.98, 0.98),
        ({"distribution": "dc_800", "ups": "eco"}, 0.98, 0.98),
        ({"distribution": "dc_800", "ups": "rack_batteries"}, 0.98 * 0.995, 0.98 * 0.995),
    ],
)
def test_what_stands_in_the_place_of_the_ups(words, efficiency_at_half, efficiency_at_full):
    a = defaults(**words)
    for load, efficiency in ((0.5, efficiency_at_half), (1.0, efficiency_at_full)):
        loss = ups_loss_w(
            output_w=number(load),
            sharing_w=number(1),
            standby_w=number(0),
            constant=a.ups_loss_constant,
            linear=a.ups_loss_linear,
            quadratic=a.ups_loss_quadratic,
        )
        assert load / (load + loss[0]) == pytest.approx(efficiency, abs=3e-4)


def test_a_rectifier_from_medium_voltage_leaves_out_the_transformer():
    _, losses = chain_losses(
        it_power_w=number(0.7e6),
        it_power_design_w=number(1e6),
        redundancy="2N",
        assumptions=defaults(distribution="dc_800"),
    )
    assert losses["lv_transformer"][0] == 0
    assert losses["ups"][0] == pytest.approx((0.7e6 + losses["distribution"][0]) * (1 / 0.98 - 1))


def test_800_volts_save_up_to_five_percent_end_to_end():
    """NVIDIA, as sector-signals.net quotes it; power supplies of 0.96 become a converter of 0.98."""

    def delivered(power_supply, **words):
        total, _ = chain_losses(
            it_power_w=number(1e6),
            it_power_design_w=number(1e6),
            redundancy="N+1",
            assumptions=defaults(**words),
        )
        return power_supply * 1e6 / (1e6 + total[0])

    gain = delivered(0.98, distribution="dc_800") / delivered(0.96) - 1
    assert 0.03 < gain < 0.055


def test_higher_voltage_loses_less_in_the_same_conductors():
    quadratic = [
        defaults(distribution=word).distribution_loss_quadratic[0] for word in ("ac_415", "ac_480", "dc_800")
    ]
    assert quadratic[1] / quadratic[0] == pytest.approx((415 / 480) ** 2, rel=1e-3)
    assert quadratic == sorted(quadratic, reverse=True)


def test_an_idle_block_is_charged_its_constant_term_alone():
    given = {"it_power_w": number(2.5e6), "it_power_design_w": number(3e6), "assumptions": defaults()}
    _, active = chain_losses(**given, redundancy="N")
    _, caught = chain_losses(**given, redundancy="block_redundant")
    # two units of 1.5 MW at work, a third idle
    assert (caught["distribution"] - active["distribution"])[0] == pytest.approx(1.5e6 * 0.0005)
    ups_load = (2.5e6 + caught["distribution"][0]) / 3e6
    by_hand = 3e6 * (0.006 + 0.012 * ups_load + 0.016 * ups_load**2) + 1.5e6 * 0.006
    assert caught["ups"][0] == pytest.approx(by_hand)


def test_loads_of_stages_are_those_of_their_losses():
    given = {
        "it_power_w": number(0.7e6), "it_power_design_w": number(1e6), "redundancy": "2N",
        "assumptions": defaults(),
    }  # fmt: skip
    _, losses = chain_losses(**given)
    loads = stage_loads(**given, losses_w=losses)
    assert loads["distribution"][0] == pytest.approx(0.35)
    assert loads["ups"][0] == pytest.approx((0.7e6 + losses["distribution"][0]) / 2e6)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(scheme=st.sampled_from(sorted(SCHEMES)), design=st.floats(1e3, 1e9), share=st.floats(0.05, 1))
def test_losses_grow_with_load_and_with_standby(scheme, design, share):
    def losses(load_w, redundancy):
        return chain_losses(
            it_power_w=number(load_w),
            it_power_design_w=number(design),
            redundancy=redundancy,
            assumptions=defaults(),
        )[0][0]

    assert losses(share * design, scheme) < losses(1.01 * share * design, scheme)
    assert 0 < losses(share * design, scheme) / (share * design) < 1
    assert losses(0.1 * design, "2N") > losses(0.1 * design, "N")
    assert losses(share * design, "block_redundant") > losses(share * design, "N")


def test_utility_is_it_losses_cooling_and_house():
    power, cooling = evaluate(facility=facility_at(steady(dry_bulb_c=30, wet_bulb_c=22)))
    assert power.utility_mean_w[0] == pytest.approx(
        (power.it_power_mean_w + power.electrical_losses_w + cooling.power_mean_w + power.house_load_w)[0],
        rel=1e-12,
    )
    assert power.utility_mean_w[0] / power.it_power_mean_w[0] == pytest.approx(cooling.pue[0], rel=1e-12)
    assert power.utility_peak_w == power.it_power_peak_w * cooling.pue_hottest_hour
    assert sum(power.losses_breakdown_w.values())[0] == pytest.approx(power.electrical_losses_w[0])
    assert power.meter_to_tdp_ratio[0] == pytest.approx(
        power.meter_power_per_accelerator_w[0] / 700, rel=1e-12
    )


def test_unknown_redundancy_is_refused():
    with pytest.raises(KeyError):
        installed_power_w(it_power_design_w=np.ones(1), unit_w=np.ones(1), redundancy="3N")
