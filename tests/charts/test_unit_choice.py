"""Figures in the units that a reader has chosen: hand-worked values, and nothing else changes."""

from __future__ import annotations

import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.charts.economics.waterfall import scale_of
from app.charts.format import HEAT, MINUS, THIN_SPACE, one_prefix, show, show_at, temperature
from app.charts.tco import money_scale
from app.charts.unit_choice import BASE, CHOICES, Currency, Units, chosen_units, in_units, read_units
from app.surfaces.pages.units.rates import exchange_rates, rate_of

BITS, TONS, FAHRENHEIT = Units(bandwidth="bits"), Units(heat="tons"), Units(temperature="fahrenheit")
YEN, EURO = Units(currency="JPY"), Units(currency="EUR")


def words(value: float, unit: str, units: Units) -> str:
    with in_units(units, rate_of(units)):
        return show(value, unit).text.replace(THIN_SPACE, " ").replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("value", "unit", "units", "expected"),
    [
        (50e9, "B/s", BASE, "50.0 GB/s"),
        (50e9, "B/s", BITS, "400 Gbit/s"),  # a NIC of 400 Gbit/s
        (125e6, "B/s", BITS, "1.00 Gbit/s"),
        (1e9, "B", BITS, "1.00 GB"),  # capacities stay in bytes
        (3516.853, HEAT, TONS, "1.00 tons"),
        (1e6, HEAT, TONS, "284 tons"),  # 1,000 / 3.517
        (1e6, HEAT, BASE, "1.00 MW"),
        (1e6, "W", TONS, "1.00 MW"),  # electric power stays in W
        (0.0, "degC", FAHRENHEIT, "32\u00b0F"),
        (100.0, "degC", FAHRENHEIT, "212\u00b0F"),
        (-40.0, "degC", FAHRENHEIT, f"{MINUS}40\u00b0F"),
        (10.0, "K", FAHRENHEIT, "10 K"),  # differences stay in K
        (1e6, "USD", YEN, "141 M JPY"),
        (1e6, "USD", EURO, "924,000 EUR"),  # 1 / 1.0817
        (2.5e9, "USD/year", EURO, "2.31 billion EUR/year"),
        (2.5, "USD/h", EURO, "2.50 USD/h"),  # as the source states it
    ],
)
def test_values_worked_by_hand(value: float, unit: str, units: Units, expected: str) -> None:
    assert words(value, unit, units) == expected


def test_temperatures_with_decimals() -> None:
    assert temperature(23.46).text == "23.5\u00b0C"
    with in_units(FAHRENHEIT):
        assert temperature(23.46).text == "74.2\u00b0F"
        assert temperature(-40.0, 0).text == f"{MINUS}40\u00b0F"
        assert temperature(math.nan).text == "not published"


def test_heat_of_the_plant_is_told_from_power_by_its_place() -> None:
    with in_units(TONS):
        assert show_at("cooling.liquid_heat_w", 3.516853e6).text.replace("\u00a0", " ") == "1,000 tons"
        assert show_at("cooling.power_mean_w", 3.516853e6).unit == "MW"
        assert show_at("power.it_mean_w", 3.516853e6).unit == "MW"


@given(
    st.lists(st.floats(1.0, 1e15), min_size=1, max_size=5), st.sampled_from(["B/s", HEAT, "W", "USD", "s"])
)
def test_an_axis_and_a_value_agree_in_every_choice(values: list[float], unit: str) -> None:
    for units in (BASE, Units("bits", "tons", "fahrenheit")):
        with in_units(units):
            divisor, name = one_prefix(values, unit)
            base = 8.0 if name.endswith("bit/s") else 1 / 3516.853 if name == "tons" else 1.0
            assert divisor > 0
            assert name.endswith(show(1.0, unit).unit.removeprefix("m")) or unit in ("s", "USD")
            if name in ("tons", "bit/s"):
                assert divisor == pytest.approx(1 / base)


def test_every_currency_has_a_rate_with_its_source() -> None:
    assert {"USD", *exchange_rates()} == set(get_args(Currency))
    for rate in exchange_rates().values():
        assert rate.per_usd > 0
        assert rate.source
        assert rate.url.startswith("https://www.federalreserve.gov/releases/g5a/")


@given(st.floats(1.0, 1e13), st.sampled_from([YEN, EURO, Units(currency="NOK")]))
def test_an_amount_is_the_same_money_in_every_currency(usd: float, units: Units) -> None:
    per_usd = exchange_rates()[units.currency].per_usd
    with in_units(units, rate_of(units)):
        for scale in (money_scale(usd), scale_of(usd, "USD")):
            assert scale.unit.endswith(units.currency)
            words = {"M": 1e6, "k": 1e3, "billion": 1e9}
            factor = words.get(scale.unit.split("\u00a0")[0], 1.0)
            assert usd / scale.divisor * factor == pytest.approx(usd * per_usd)


@given(st.text(max_size=30))
def test_any_text_is_a_choice_or_base_units(text: str) -> None:
    units = read_units(text)
    assert all(word in of for word, of in zip(units, CHOICES, strict=True))
    assert units == BASE or units.text in (text, f"{text}.USD")


def test_a_choice_ends_with_its_block_and_is_not_seen_elsewhere() -> None:
    with in_units(BITS):
        assert chosen_units() == BITS
        with in_units():
            assert chosen_units() == BASE
    assert chosen_units() == BASE
