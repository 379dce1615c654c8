"""Numbers with units in the text of a row."""

from __future__ import annotations

import pytest

from app.validation.cost.statement import quantities_in, unit_of


def read(text: str) -> list[tuple[float, str]]:
    return [(pytest.approx(one.value), one.dimension) for one in quantities_in(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2.788M H800 h; 2 USD/h", [(2.788e6, "accelerator h"), (2, "USD/h")]),
        ("13,000 A100 x 90 d", [(13_000, "accelerators"), (2160, "h")]),
        ("256 A100 40GB GPUs for 10 days", [(256, "accelerators"), (240, "h")]),
        ("1,720,320 A100-80GB h x 400 W", [(1_720_320, "accelerator h"), (400, "W")]),
        ("355 V100-years at $1.50 per GPU hour", [(355 * 8766, "accelerator h"), (1.5, "USD/h")]),
        ("cloud 78562017; acquisition 778066899", [(78_562_017, "USD rented"), (778_066_899, "USD bought")]),
        ("1.95 USD per M tokens; 54 % BF16 MFU", [(1.95, "USD/M tokens"), (0.54, "MFU")]),
        ("54.2 cents per M tokens", [(0.542, "USD/M tokens")]),
        ("PUE 1.25; 433,195 kWh; 57 g/kWh", [(1.25, "PUE"), (433_195, "kWh"), (0.057, "kg/kWh")]),
        ("180k GPU-h per T tokens; 2048 GPUs", [(180e3, "accelerator h/T tokens"), (2048, "accelerators")]),
        ("164 kg per GPU", [(164, "kg/accelerator")]),
        ("3.9M per rack; 2.0 kW per GPU", [(3.9e6, "USD/host"), (2000, "W")]),
    ],
)
def test_quantities(text, found):
    assert read(text) == found


def test_terms_of_ownership():
    found = {one.dimension: one.value for one in quantities_in("CRF(10 %,4 y) + 1.4 kW*130 USD/kW-mo")}
    assert found == {"rate": 0.1, "years": 4, "W": 1400, "USD/(kW month)": 130}


def test_the_price_of_a_server_says_how_many_accelerators_it_has():
    (price,) = quantities_in("250k per 8-GPU server all-in")
    assert (price.value, price.dimension, price.devices) == (250e3, "USD/host", 8)


def test_a_count_of_switches_with_their_price():
    found = [
        (one.value, one.dimension) for one in quantities_in("310k node, 8 switches*36k, 50k/node facility")
    ]
    assert found == [(310e3, "USD/host"), (8, "switches"), (50e3, "USD/host"), (36e3, "USD/switch")]


@pytest.mark.parametrize(
    "text", ["128*720*2.5", "4.2e22/3e14/86400", "180000/2048/24", "8.8*15e12/3.6e12 GWh"]
)
def test_arithmetic_is_not_evaluated(text):
    assert quantities_in(text) == ()


def test_units_that_stand_alone():
    assert unit_of("USD amortised hardware+energy") == ("USD", 1.0)
    assert unit_of("M USD") == ("USD", 1e6)
    assert unit_of("J/token all-in") == ("J/token", 1.0)
    assert unit_of("GPU-days") == ("accelerator h", 24.0)
    assert unit_of("%") == ("share", 0.01)
    assert unit_of("components") == ("", 1.0)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$0.608 per million tokens", [(0.608, "USD/M tokens")]),
        ("$0.05/kWh; $150/kW-month", [(0.05, "USD/kWh"), (150, "USD/(kW month)")]),
        ("2 USD/GPU/h", [(2, "USD/h")]),
        ("$2/GPU/hr", [(2, "USD/h")]),
        ("2 USD per GPU per hour", [(2, "USD/h")]),
        ("2048 NVIDIA H100 GPUs", [(2048, "accelerators")]),
        ("11.2 kW per server", [(11_200, "W/host")]),
    ],
)
def test_other_words_for_the_same_quantities(text, found):
    assert read(text) == found


def test_grams_for_a_megawatt_hour():
    assert read("57 g/MWh; 57 kg/MWh") == [(57e-6, "kg/kWh"), (0.057, "kg/kWh")]
