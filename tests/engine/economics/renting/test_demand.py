"""Load-duration curve, owned shares, and mixes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from app.engine.economics.renting.bill import demand_share, peak_share, served_share, time_above_share
from app.engine.economics.renting.owning import cheapest_share, mix_usd, reserve_above_use, reserved_base_usd
from tests.support import number

SHARE = np.linspace(0, 1, 1001)
use = st.floats(0.05, 1)
swing = st.floats(1, 8)


def test_the_pod_is_the_most() -> None:
    assert peak_share(utilisation=number(0.8), peak_over_mean=number(1.25))[0] == pytest.approx(1)
    assert peak_share(utilisation=number(0.8), peak_over_mean=number(3))[0] == 1
    assert peak_share(utilisation=number(0.4), peak_over_mean=number(1.25))[0] == pytest.approx(0.5)


def test_a_straight_line_by_hand() -> None:
    # Mean 0.5, peak 1: demand falls in a straight line from all to nothing. Half the pod does three quarters.
    given = {"owned_share": np.array([0.0, 0.5, 1.0]), "utilisation": number(0.5), "peak_share": number(1)}
    assert time_above_share(**given) == pytest.approx([1, 0.5, 0])
    assert served_share(**given) == pytest.approx([0, 0.375, 0.5])


def test_constant_demand() -> None:
    given = {
        "owned_share": np.array([0.0, 0.3, 0.6, 1.0]),
        "utilisation": number(0.6),
        "peak_share": number(0.6),
    }
    assert served_share(**given) == pytest.approx([0, 0.3, 0.6, 0.6])
    assert time_above_share(**given) == pytest.approx([1, 1, 0, 0])


@pytest.mark.slow
@given(utilisation=use, ratio=swing, share=st.floats(0, 1))
def test_area_below_the_curve(utilisation: float, ratio: float, share: float) -> None:
    peak = peak_share(utilisation=number(utilisation), peak_over_mean=number(ratio))
    found = served_share(owned_share=number(share), utilisation=number(utilisation), peak_share=peak)[0]

    def below(time: float) -> float:
        there = demand_share(time_share=number(time), utilisation=number(utilisation), peak_share=peak)
        return min(float(there[0]), share)

    above = time_above_share(owned_share=number(share), utilisation=number(utilisation), peak_share=peak)[0]
    area = quad(below, 0, above)[0] + quad(below, above, 1, limit=200)[0]
    assert found == pytest.approx(area, rel=1e-4, abs=1e-6)
    assert 0 <= found <= utilisation * (1 + 1e-12)


@pytest.mark.slow
@given(
    utilisation=use,
    ratio=swing,
    own_fixed=st.floats(0.01, 10),
    own_rising=st.floats(0, 1),
    rent=st.floats(0.01, 10),
    fixed=st.floats(0, 1),
)
def test_a_mix_is_never_dearer_than_either(
    utilisation: float, ratio: float, own_fixed: float, own_rising: float, rent: float, fixed: float
) -> None:
    peak = peak_share(utilisation=number(utilisation), peak_over_mean=number(ratio))
    cost = mix_usd(
        owned_share=SHARE,
        served_share=served_share(owned_share=SHARE, utilisation=number(utilisation), peak_share=peak),
        utilisation=number(utilisation),
        own_fixed_usd=number(own_fixed),
        own_at_full_use_usd=number(own_rising),
        rent_fixed_usd=number(fixed),
        rent_at_full_use_usd=number(rent),
    )
    assert cost[0] == pytest.approx(rent * utilisation + fixed)
    assert cost[-1] == pytest.approx(own_fixed + own_rising * utilisation)
    assert cost.min() <= min(cost[0], cost[-1])


def test_the_best_share_is_where_rent_equals_ownership() -> None:
    # Own for 1 whether used or not, rent for 2 by use: own what is used more than half the time. On the straight
    # line from 1 to 0 that is half the pod: 0.5 + 2 (0.5 - 0.375) = 0.75 against 1 for either alone.
    terms = {"owned_share": SHARE, "utilisation": number(0.5), "peak_share": number(1)}
    cost = mix_usd(
        owned_share=SHARE,
        served_share=served_share(**terms),
        utilisation=number(0.5),
        own_fixed_usd=number(1),
        own_at_full_use_usd=number(0),
        rent_fixed_usd=number(0),
        rent_at_full_use_usd=number(2),
    )
    best = cheapest_share(share=SHARE, cost_usd=cost)
    assert float(best) == pytest.approx(0.5)
    assert cost.min() == pytest.approx(0.75)
    assert time_above_share(**terms)[best == SHARE][0] == pytest.approx(0.5)


def test_reserve_what_is_used_more_than_the_ratio_of_prices() -> None:
    prices = {"reserved": number(2.72), "on_demand": number(3.20)}
    above = reserve_above_use(reserved_usd=prices["reserved"], on_demand_usd=prices["on_demand"])
    assert above[0] == pytest.approx(0.85)
    demand = {"owned_share": SHARE, "utilisation": number(0.8), "peak_share": number(1)}
    cost = reserved_base_usd(
        reserved_share=SHARE,
        served_share=served_share(**demand),
        utilisation=number(0.8),
        rent_fixed_usd=number(0),
        reserved_at_full_use_usd=prices["reserved"],
        on_demand_at_full_use_usd=prices["on_demand"],
    )
    best = cheapest_share(share=SHARE, cost_usd=cost)
    assert time_above_share(**demand)[best == SHARE][0] == pytest.approx(0.85, abs=0.002)


@pytest.mark.parametrize(("utilisation", "reserve"), [(0.84, False), (0.86, True)])
def test_a_pod_in_constant_use_share_by_share(utilisation: float, reserve: bool) -> None:
    # Every accelerator is used for the same share of its time: reserve all above 2.72 / 3.20 = 0.85, else none.
    cost = reserved_base_usd(
        reserved_share=np.array([0.0, 1.0]),
        served_share=np.array([0.0, utilisation]),
        utilisation=number(utilisation),
        rent_fixed_usd=number(0),
        reserved_at_full_use_usd=number(2.72),
        on_demand_at_full_use_usd=number(3.20),
    )
    assert (cost[1] < cost[0]) == reserve


def test_unknown_prices_have_no_best_share() -> None:
    assert np.isnan(cheapest_share(share=SHARE, cost_usd=np.full(1001, np.nan)))
