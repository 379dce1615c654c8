"""The conversion table: factors against another library of units, conventions against published figures."""

from __future__ import annotations

import csv

import pint
import pytest

from app.catalog.columns import PRICE_UNITS, PRINTED_UNITS, conversion_table, numeric_columns, text_columns
from app.catalog.kinds import KINDS
from app.catalog.kinds.base import CatalogKind
from app.catalog.lookup import Catalog
from app.engine.units import unit_of
from tests.support import SEED_DATA

# How the words of our units read in pint; conventions that are no units are left out.
WORDS = {
    "TFLOP/s": "teraflop/s", "PFLOP/s": "petaflop/s", "TOP/s": "teraflop/s", "FLOP/s": "flop/s",
    "B": "byte", "B/s": "byte/s", "GB": "gigabyte", "TB": "terabyte", "GB/s": "gigabyte/s", "TB/s": "terabyte/s",
    "Gbit/s": "gigabit/s", "Tbit/s": "terabit/s", "%": "percent", "L/kWh": "liter/kilowatt_hour",
    "g/kWh": "gram/kilowatt_hour", "kg/kWh": "kilogram/kilowatt_hour", "million/s": "million/s", "1/s": "1/s",
    "deg": "degree", "USD/kWh": "USD/kilowatt_hour", "USD/m3": "USD/meter**3", "us": "microsecond",
    "USD/h": "USD/hour", "1": "dimensionless", "": "dimensionless", "fraction": "dimensionless",
    "thousand million": "thousand_million", "million million tokens": "million_million * tokens", "h": "hour",
}  # fmt: skip
DIRECTIONS = " both ways"


@pytest.fixture(scope="module")
def units() -> pint.UnitRegistry:
    registry = pint.UnitRegistry(autoconvert_offset_to_baseunit=True)
    registry.define("flop = [operation]")
    registry.define("million = 1e6")
    registry.define("thousand_million = 1e9")
    registry.define("million_million = 1e12")
    registry.define("USD = [money]")
    registry.define("tokens = [token]")
    return registry


@pytest.mark.parametrize("printed", PRINTED_UNITS)
def test_factors_agree_with_pint(units: pint.UnitRegistry, printed: str) -> None:
    if printed == "degC":
        assert PRINTED_UNITS[printed].factor == 1
        return
    entry = PRINTED_UNITS[printed]
    one_way = 0.5 if printed.endswith(DIRECTIONS) else 1.0
    word = printed.removesuffix(DIRECTIONS)
    quantity = units.Quantity(one_way, WORDS.get(word, word)).to(WORDS.get(entry.unit, entry.unit))
    assert entry.factor == pytest.approx(quantity.magnitude, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_column_of_every_file_is_read(kind: type[CatalogKind]) -> None:
    if kind.kind == "assumptions":
        return
    with (SEED_DATA / kind.file).open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    numeric = [printed for column in numeric_columns(kind) for printed in column.printed]
    assert sorted([*text_columns(kind), *numeric]) == sorted(header)


def test_names_of_fields_end_in_their_units() -> None:
    for line in conversion_table():
        known = unit_of(line.field)
        if known != "1":
            assert known == line.unit, f"{line.kind}.{line.field} is in {line.unit}"


def test_names_of_fields_are_whole_words() -> None:
    for line in conversion_table():
        assert not {"gb", "tb", "tflops", "gbit", "num", "attn"} & set(line.field.split("_"))


def test_price_units_cover_the_file() -> None:
    with (SEED_DATA / "prices.csv").open(encoding="utf-8", newline="") as file:
        assert {row["unit"] for row in csv.DictReader(file)} == set(PRICE_UNITS)


@pytest.mark.parametrize(
    ("kind", "key", "field", "value", "printed"),
    [
        # an "80 GB" H100 holds 81,559 MiB; 900 GB/s of NVLink is both ways; 3.35 TB/s is decimal
        ("accelerators", "nvidia_h100_sxm", "memory_bytes", 81559 * 2**20, "85520809984 B"),
        ("accelerators", "nvidia_h100_sxm", "scale_up_bandwidth_bytes_per_s", 450e9, "450 GB/s"),
        ("accelerators", "nvidia_h100_sxm", "scale_up_bandwidth_from_both_ways_bytes_per_s", 450e9, "900 GB/s both ways"),
        ("accelerators", "nvidia_h100_sxm", "memory_bandwidth_bytes_per_s", 3.35e12, "3.35 TB/s"),
        ("accelerators", "nvidia_h100_sxm", "scale_out_bandwidth_bytes_per_s", 50e9, "400 Gbit/s"),
        ("accelerators", "nvidia_h100_sxm", "bf16_flop_per_s", 989.4e12, "989.4 TFLOP/s"),
        ("systems", "dgx_h100", "scale_up_bandwidth_bytes_per_s", 450e9, "900 GB/s both ways"),
        ("systems", "dgx_h100", "scale_up_aggregate_bandwidth_bytes_per_s", 3.6e12, "7.2 TB/s both ways"),
        ("systems", "dgx_h100", "max_power_w", 10200, "10.2 kW"),
        ("systems", "gb200_nvl72", "bf16_flop_per_s", 180e15, "180.0 PFLOP/s"),
        ("switches", "qm9700", "port_bandwidth_bytes_per_s", 50e9, "400 Gbit/s"),
        ("switches", "qm9700", "latency_s", 150e-9, "150 ns"),
        ("optics", "dr4_2x400g_100m", "links", 2, "2"),
        ("models", "llama_3_1_405b", "training_tokens", 15.6e12, "15.6 million million tokens"),
        ("sites", "ashburn", "carbon_intensity_kg_per_kwh", 0.32305, "323.05 g/kWh"),
    ],
)  # fmt: skip
def test_conventions(catalog: Catalog, kind: str, key: str, field: str, value: float, printed: str) -> None:
    fact = catalog.part(kind, key).facts[field]
    assert fact.value == pytest.approx(value, rel=1e-12)
    assert f"{fact.printed_value} {fact.printed_unit}".strip() == printed
