"""Source, date, kind, confidence and licence of every value, by the rules of the reference files."""

from __future__ import annotations

import csv
import re

import pytest

from app.catalog.lookup import Catalog
from app.catalog.provenance import SourceFamilies, date_in
from app.catalog.seed_files import read_source_families
from tests.support import SEED_DATA

KINDS_OF_VALUE = {"vendor", "measured", "third_party", "derived", "assumption"}


@pytest.fixture(scope="module")
def families() -> SourceFamilies:
    return read_source_families(SEED_DATA)


def test_the_first_family_in_file_order_wins(families: SourceFamilies) -> None:
    # both "stas00" and "http" match
    assert families.family_of("stas00/ml-engineering https://github.com/stas00").key == "ml_engineering"
    assert families.family_of("https://example.org/article").key == "press"
    assert families.family_of("a word of mouth").key == "press"
    assert families.family_of("recalled (no source read)").key == "memory"


def test_kind_of_the_first_licence_of_the_strictest(families: SourceFamilies) -> None:
    cited = families.cite("https://docs.nvidia.com/dgx (guide) | InferenceX-app 2026-04-03 | memory")
    assert cited.families == ("vendor_docs", "inferencex", "memory")
    assert (cited.kind, cited.ship) == ("vendor", "check")
    assert cited.licence.startswith("Apache-2.0 repository; TCO")
    assert cited.as_of == "2026-04-03"
    assert cited.url == "https://docs.nvidia.com/dgx"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("network chapters (commit 744d01e; 2026-08-22)", "2026-08-22"),
        ("https://www.theregister.com/2025/06/12/amd_mi355x/", "2025-06-12"),
        ("FT Apr 2025 3.0 M", "2025-04"),
        ("Google region-carbon-info 2024", "2024"),
        ("arXiv 2304.01433", ""),
        ("DGX SuperPOD RA-11333-001 V11", ""),
        ("memory", ""),
        ("", ""),
    ],
)
def test_dates_in_source_texts(text: str, date: str) -> None:
    assert date_in([text]) == date


def test_a_memory_only_field_is_an_assumption_in_a_verified_row(catalog: Catalog) -> None:
    facts = catalog.part("accelerators", "nvidia_h100_sxm").facts
    assert (facts["idle_w"].kind, facts["idle_w"].confidence) == ("assumption", "recalled")
    assert (facts["tdp_w"].kind, facts["tdp_w"].confidence) == ("vendor", "secondary")  # a cell's own source
    assert (facts["achievable_bf16_flop_per_s"].kind, facts["achievable_bf16_flop_per_s"].confidence) == (
        "third_party",
        "confirmed",
    )


def test_a_recalled_range_is_an_assumption(catalog: Catalog) -> None:
    assert catalog.part("switches", "sn5600").facts["price_usd"].kind == "assumption"


def test_a_row_from_memory_is_all_assumption(catalog: Catalog) -> None:
    kinds = {fact.kind for fact in catalog.part("accelerators", "cambricon_mlu590").facts.values()}
    assert kinds == {"assumption"}


def test_a_vendor_page_makes_vendor_facts(catalog: Catalog) -> None:
    fact = catalog.part("accelerators", "google_tpu_v5p").facts["bf16_flop_per_s"]
    assert fact.kind == "vendor"
    assert fact.url == "https://docs.cloud.google.com/tpu/docs/v5p-training"
    assert fact.ship == "facts_only"


def test_measured_and_derived_facts(catalog: Catalog) -> None:
    storage = catalog.part("storage", "ddn_ai400x2_turbo").facts["measured_read_bandwidth_bytes_per_s"]
    assert storage.kind == "measured"
    model = catalog.part("models", "llama_3_1_405b").facts
    assert model["computed_parameters"].kind == "derived"
    assert model["layers"].kind != "derived"


def test_each_figure_of_a_site_has_its_own_source(catalog: Catalog) -> None:
    facts = catalog.part("sites", "ashburn").facts
    electricity, carbon = facts["electricity_price_usd_per_kwh"], facts["carbon_intensity_kg_per_kwh"]
    assert (electricity.kind, electricity.source) == (
        "assumption",
        "recalled, Dominion large-load about 7-8 c (no source read)",
    )
    assert (carbon.kind, carbon.source, carbon.date) == ("vendor", "Google region-carbon-info 2024", "2024")
    assert (facts["elevation_m"].kind, facts["elevation_m"].licence) == (
        "measured",
        "published free of charge, credit asked",
    )
    assert facts["wholesale_electricity_price_usd_per_kwh"].date == "2024"


def test_prices_carry_their_row(catalog: Catalog) -> None:
    price = catalog.price("nvidia_h100_sxm")
    assert price is not None
    assert price.as_of == "2026-05"
    assert price.kind == "third_party"
    assert price.source
    assert catalog.price_item("demand_charge").confidence


def test_climate_has_the_terms_its_index_names(catalog: Catalog) -> None:
    assert catalog.climate("singapore").credit == "Weather data by Open-Meteo.com"
    assert catalog.climate("amsterdam").ship == "check"


def test_every_fact_says_where_it_comes_from(catalog: Catalog) -> None:
    for kind in catalog.kinds():
        for part in catalog.parts(kind):
            for name, fact in part.facts.items():
                place = f"{kind}/{part.key}.{name}"
                assert fact.kind in KINDS_OF_VALUE, place
                assert fact.source, place
                assert fact.licence, place
                assert fact.ship in {"yes", "facts_only", "check", "no"}, place
                assert fact.confidence in {"confirmed", "secondary", "weak", "recalled", ""}, place
                assert re.fullmatch(r"|\d{4}(-\d\d(-\d\d)?)?", fact.date), f"{place}: {fact.date}"
                assert fact.printed_value, place


def test_notes_of_the_seed_say_where_they_come_from_in_words_that_a_reader_knows() -> None:
    """What was recalled is called so: memory is a part, and the articles have the codes of the page of claims."""
    written = re.compile(r"\barticle \d{3}\b|\(memory\)|^memory(?=$| \(|;)")
    prose = {"source", "note", "notes", "price_note", "power_note", "conditions", "vendor_headline"}
    found = [
        f"{path.name}: {cell}"
        for path in sorted(SEED_DATA.rglob("*.csv"))
        if path.name != "sources.csv"
        for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines())
        for column, cell in row.items()
        if column in prose and written.search(cell or "")
    ]
    assert not found
