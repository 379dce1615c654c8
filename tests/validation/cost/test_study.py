"""Published costs: what is said of the shipped file, and of rows never seen."""

from __future__ import annotations

import json

import pytest

from app.paths import seed_data
from app.validation.cost.statement import quantities_in, unit_of
from app.validation.cost.study import COST, model_costs
from app.validation.study import Row

# Published costs: what is said of the shipped file, and of rows never seen.

PUBLISHED = seed_data() / "validation" / "costs.csv"


def row(subject: str, unit: str, inputs: str, formula: str = "", **cells: object) -> Row:
    plain = {
        "id": "one", "subject": subject, "published_value": 7, "unit": unit, "inputs": inputs,
        "check_formula": formula, "date": "2024-06", "source": "A source", "url": "https://a.example/b",
    }  # fmt: skip
    return Row(key="one", cells={name: str(value) for name, value in {**plain, **cells}.items()})


def computed(catalog, *rows: Row) -> float:
    found = COST.compare(rows, catalog)
    assert found.unsupported == ()
    return found.figures[0].prediction.predicted


def reason(catalog, *rows: Row) -> str:
    found = COST.compare(rows, catalog)
    assert found.figures == ()
    return found.unsupported[0].reason


@pytest.fixture(scope="module")
def report(catalog):
    return COST.report(PUBLISHED, catalog)


def test_every_scored_row_is_computed_or_said_why_not(report):
    found = report.as_json()
    assert (found["rows"], found["scored"], found["supported"]) == (56, 20, 19)
    assert found["fitted_constants"] == 0
    assert found["median_abs_error"] < 0.02
    assert found["p90_abs_error"] < 0.1
    (left,) = found["unsupported"]
    assert left["reason"].startswith("the only figure that the catalog has of it is the published one")
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize(
    ("key", "within"),
    [
        ("dsv3_total", 1e-9), ("epoch_GPT-4", 0.1), ("epoch_Gemini_1.0_Ultra", 0.1),
        ("epoch_Llama_3.1-405B", 0.1), ("sa_llama405", 0.1), ("sa_h100_tco", 0.1), ("sa_gb200_ratio", 0.1),
        ("netsheet_512", 1e-9), ("netsheet_1024", 1e-9), ("bloom_co2", 0.01), ("llama_co2", 0.1),
    ],
)  # fmt: skip
def test_published_totals_by_the_method_they_used(report, key, within):
    (found,) = (one for one in report.predictions if one.key == key)
    assert abs(found.error) <= within


def test_one_that_is_not_within_10_percent(report):
    """The listed run has 80,000 accelerators; the published price of its cluster buys about 100,000."""
    (found,) = (one for one in report.predictions if one.key == "epoch_Grok-3")
    assert -0.15 < found.error < -0.1


def test_models_by_each_method(catalog):
    """GPT-4, Gemini Ultra and Llama 3.1 405B rented, amortised and bought: all within 10 % of what is published."""
    models = {one.name: one for one in model_costs(catalog)}
    for name in ("GPT-4 (Mar 2023)", "Gemini 1.0 Ultra", "Llama 3.1-405B"):
        assert [one.method for one in models[name].methods] == [
            "rental equivalent", "amortised ownership", "acquisition",
        ]  # fmt: skip
        assert all(one.error is not None and abs(one.error) < 0.1 for one in models[name].methods)


def test_no_answer_comes_from_the_published_value(catalog):
    """The same row with another published value, and with what was recomputed, computes the same."""
    asked = "Llama 3.1-405B (three Epoch methods)", "USD amortised hardware+energy", "acquisition 896044949"
    formula = "acquisition price * 0.14*ln10 / 8766"
    first = computed(catalog, row(*asked, formula, published_value=51_040_524))
    assert first == pytest.approx(51_040_524, rel=0.1)
    assert computed(catalog, row(*asked, formula, published_value=7, recomputed=123)) == first


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("MPT", "USD", "440 A100 x 9.5 d; 2 USD/h"), 200_640),
        (("A run", "USD", "2664k H800 GPU hours at 2 USD per GPU hour"), 5_328_000),
        (("A run", "M USD", "150,000 A100-hours; $4/h"), 0.6),
        (("A model, 300B tokens", "USD", "54.2 cents per M tokens"), 162_600),
        (("128 GPUs for 30 days", "USD", "2.50 USD/h", "128*720*2.5"), 230_400),
        (("7B model on 1T tokens", "H100 GPU-days", "4.2e22 FLOP; 300 TFLOP/s"), 1620.37),
        (("A family", "A100 GPU-h", "184,320 + 368,640 + 1,038,336 + 1,720,320", "sum"), 3_311_616),
        (("Largest", "GPU-h", "8B 1.46M, 70B 7.0M, total 39.3M; 700 W", "sum"), 30_840_000),
        (("Emissions", "tCO2e", "1,720,320 A100-80GB h x 400 W; 0.423 kg/kWh"), 291.08),
        (("Emissions", "tCO2e", "433,195 kWh; 57 g/kWh"), 24.69),
        (("Emissions in France", "tCO2e", "100 MWh; PUE 1.2"), 6.0),
        (("Energy", "MWh", "1,000,000 A100-h x 400 W; PUE 1.1"), 440.0),
        (("Energy per token", "J/token", "10.2 kW; PUE 1.25; 2,500 tokens/s"), 5.1),
        (("Tokens", "USD/M tokens", "2,500 tokens/s on 8 H100; 2.0 USD/GPU-h"), 1.7778),
        (("A share of p5", "USD/GPU-h", "98.32 USD/h; 8 GPUs"), 12.29),
        (("1,000-GPU cluster", "USD capex", "31.25k per GPU"), 31_250_000),
        (("Pre-training", "days per trillion tokens", "180k GPU-h per T tokens; 2048 GPUs"), 3.662),
        (("MFU of a run", "%", "3.79e25 FLOP; 30.84M H100 h", "FLOP/(gpu_h*3600*989e12)"), 34.5),
        (("Board of eight", "kgCO2e embodied", "164 kg per GPU; 8 GPUs"), 1312),
    ],
)
def test_rows_of_other_sources(catalog, asked, expected):
    assert computed(catalog, row(*asked)) == pytest.approx(expected, rel=1e-3)


def test_terms_of_a_neighbour_are_used_and_said(catalog):
    own = row("H100 TCO", "USD/GPU-h", "250k per 8-GPU server", "CRF(8 %,5 y) + 1.4 kW*150 USD/kW-mo")
    asked = row("GB200 NVL72 vs H100", "ratio", "3.9M per rack; 2.0 kW per GPU", "same formula")
    checked = COST.compare([asked, own], catalog).figures
    assert "rate 0.08 as another row of the source has it" in checked[0].prediction.assumed
    assert "as another row" not in " ".join(checked[1].prediction.assumed)
    assert checked[0].prediction.predicted == pytest.approx(1.66, abs=0.05)


def test_a_bill_counts_its_switches_and_tiers(catalog):
    """2,048 accelerators: 96 switches in two tiers, whether the row says so or not."""
    asked = "256 nodes / 2,048 H100", "USD"
    assert computed(catalog, row(*asked, "96 switches")) == pytest.approx(100_858_880)
    assert computed(catalog, row(*asked, "310k node")) == pytest.approx(100_858_880)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (("A model, nothing more", "USD", ""), "neither its unit, its formula nor its inputs name a method"),
        (("A model", "components", "8 things"), "the unit 'components' is none of money"),
        (("Speed-up", "x improvement", ""), "the engine has no such ratio"),
        (("Unheard-of model", "USD amortised", "acquisition 5e8"), "no listed model has that name"),
        (("Emissions", "tCO2e", "57 g/kWh"), "it states no accelerator-hours"),
        (("A run of 1,000 A100 for 10 days", "USD", "", "", "date", "1999"), "a year and a half of 1999"),
    ],
)
def test_what_cannot_be_computed_says_why(catalog, asked, expected):
    cells = {asked[4]: asked[5]} if len(asked) > 4 else {}
    assert expected in reason(catalog, row(*asked[:4], **cells))


@pytest.mark.parametrize(
    ("value", "said"), [("2-3M", "not a number"), ("", "is empty"), ("0", "not above 0")]
)
def test_a_value_that_has_no_error(catalog, value, said):
    assert said in reason(catalog, row("A run", "USD", "10 GPU-h; 2 USD/h", published_value=value))


def test_usual_terms_of_an_own_cost_are_those_of_the_catalog(catalog):
    """Cost of capital of a scenario, and what US industry paid: neither is chosen to agree with a published cost."""
    asked = row("H100 TCO", "USD/GPU-h", "250k per 8-GPU server; 1.4 kW", "capital + place + energy")
    (checked,) = COST.compare([asked], catalog).figures
    rate = catalog.assumption("scenario", "wacc", {}).value
    tariff = catalog.price_item("us_average_industrial_electricity_2025").value
    assert {f"rate {rate:g}", f"electricity {tariff:g}"} <= set(checked.prediction.assumed)
    # 31,250 x 0.315471 / 8,760 + 1.4 x 130 x 12 / 8,760 + 1.4 x 0.8 x 1.25 x 0.0826
    assert checked.prediction.predicted == pytest.approx(1.1254 + 0.2493 + 0.1156, abs=1e-3)


def test_a_price_of_an_accelerator_and_hour_is_a_rent_in_every_spelling(catalog):
    # 1,000 x 30 x 24 h x 3 USD
    for price in ("3 USD/GPU/h", "$3/GPU/hr", "3 USD per GPU per hour", "$3.00/GPU-hour"):
        assert computed(
            catalog, row("A run", "USD", f"1,000 GPUs; 30 days; {price}", "gpu_h*price")
        ) == pytest.approx(2_160_000)


def test_power_of_a_whole_cluster_is_not_that_of_each_accelerator(catalog):
    # 150 MW x 90 x 24 h
    assert computed(catalog, row("Energy per run", "GWh", "100,000 H100; 90 days; 150 MW")) == pytest.approx(
        324
    )


def test_power_of_a_server_is_shared_by_its_accelerators(catalog):
    of_server = row("H100 own cost", "USD/GPU-h", "250k per 8-GPU server all-in; 11.2 kW per server")
    of_each = row("H100 own cost", "USD/GPU-h", "250k per 8-GPU server all-in; 1.4 kW per GPU")
    assert computed(catalog, of_server) == pytest.approx(computed(catalog, of_each))


def test_an_accelerator_without_bf16_has_its_fp16_peak(catalog):
    # 2.5e22 FLOP / (8.4e6 h x 3,600 s x 125 TFLOP/s)
    found = computed(catalog, row("Run MFU on V100", "%", "2.5e22 FLOP; 8.4M V100 h"))
    assert found == pytest.approx(100 * 2.5e22 / (8.4e6 * 3600 * 125e12), rel=1e-6)


def test_another_model_of_a_family_is_not_costed_as_the_first(catalog):
    assert reason(catalog, row("GPT-4 Turbo (three Epoch methods)", "USD amortised hardware+energy", ""))


def test_nothing_is_divided_by_no_accelerators(catalog):
    assert reason(catalog, row("Embodied carbon", "kgCO2e", "100 kg; 0 GPUs"))


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ("125 nodes of 8 H100; 30 days; 24 USD/node-h", "an hour of a server"),
        ("1,000 H100; 30 days; 3 EUR/h", "another currency"),
        ("1,000 H100; 30 days; €3/h", "another currency"),
    ],
)
def test_a_price_that_cannot_be_read_is_not_replaced_by_one_of_the_catalog(catalog, inputs, said):
    assert said in reason(catalog, row("A run", "USD", inputs))


# Numbers with units in the text of a row.


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
