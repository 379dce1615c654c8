"""Owning by the short sum: the worked case of an article, limits, and scale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.tco import (
    accelerator_hours_of_days,
    break_even_use,
    electricity_share,
    joint_rent_usd_per_hour,
    purchase_usd,
    straight_line_usd_per_year,
    usd_per_accelerator_hour_of_host,
)
from tests.support import number


def use(rent: float, capex: float = 30e6, opex: float = 4e6) -> float:
    yearly = straight_line_usd_per_year(
        capex_usd=number(capex), life_years=number(4), opex_usd_per_year=number(opex)
    )
    found = break_even_use(
        straight_line_usd_per_year=yearly, accelerators=number(1000), rent_usd_per_hour=number(rent)
    )
    return float(found[0])


@pytest.mark.parametrize(("rent", "capex", "expected"), [(2.5, 30e6, 0.525), (2.0, 30e6, 0.656), (4.0, 30e6, 0.328), (2.5, 45e6, 0.696)])  # fmt: skip
def test_a_thousand_gpus_for_thirty_million(rent, capex, expected):
    assert use(rent, capex) == pytest.approx(expected, abs=1e-3)


@given(st.floats(0.1, 100), st.floats(1.01, 10))
def test_dearer_rent_pays_owning_sooner(rent, factor):
    assert use(rent * factor) == pytest.approx(use(rent) / factor)


def test_what_costs_nothing_pays_at_once():
    assert use(2.5, capex=0, opex=0) == 0


def test_prices_of_several():
    assert purchase_usd(units=number(32), price_usd=number(330e3)) == pytest.approx(10.56e6)
    assert joint_rent_usd_per_hour(accelerators=number(8960), usd_per_accelerator_hour=number(4.2)) == pytest.approx(37_632)  # fmt: skip
    assert usd_per_accelerator_hour_of_host(host_usd_per_hour=number(98.32), accelerators=number(8)) == pytest.approx(12.29)  # fmt: skip
    assert accelerator_hours_of_days(accelerator_days=number(2)) == 48
    share = electricity_share(electricity_usd_per_year=number(1e6), cost_usd_per_year=number(4e6))
    assert share == pytest.approx(0.25)
