"""Look-ups: what is there, what is unknown, what it costs, and what else it is called."""

from __future__ import annotations

import dataclasses
import datetime
import math

import numpy as np
import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog, CatalogLookupError, Price, RentalOffer
from app.catalog.prices import (
    BARE_SHARES,
    CONDITIONS,
    RELIABILITY,
    age_days,
    bare_system,
    basis_of,
    chosen_estimate,
    chosen_price,
    newest_rental,
    price_words,
)
from app.db.session import read_session


def test_an_open_catalog_is_kept(seeded: Engine) -> None:
    catalog = Catalog.open(seeded)
    assert Catalog.open(seeded) is catalog
    with read_session(seeded) as session:
        assert Catalog.open(session) is catalog


def test_a_part(catalog: Catalog) -> None:
    part = catalog.part("accelerators", "nvidia_h100_sxm")
    assert (part.kind, part.name, part.vendor, part.year) == (
        "accelerators",
        "H100 SXM5 80GB",
        "NVIDIA",
        2022,
    )
    assert part.attributes["generation"] == "hopper"
    assert part.attributes["memory_type"] == "HBM3"


def test_unknown_stays_absent(catalog: Catalog) -> None:
    tpu = catalog.part("accelerators", "google_tpu_v5p")
    assert not {"tdp_w", "idle_w", "price_usd"} & set(tpu.facts)
    assert catalog.price("google_tpu_v5p") is None
    assert all("water_price_usd_per_m3" not in site.facts for site in catalog.parts("sites"))
    unpriced = [part.key for part in catalog.parts("switches") if catalog.price(part.key) is None]
    assert len(unpriced) > 20


def test_zero_is_a_value(catalog: Catalog) -> None:
    assert catalog.part("sites", "dallas").facts["climate_proxy_distance_m"].value == 0.0


def test_every_accelerator_has_a_generation(catalog: Catalog) -> None:
    assert all(part.attributes["generation"] for part in catalog.parts("accelerators"))


def test_every_server_and_rack_says_its_hosts(catalog: Catalog) -> None:
    nodes = {
        part.key: part.facts["nodes"].value for part in catalog.parts("systems") if "nodes" in part.facts
    }
    assert nodes["dgx_h100"] == 1
    assert nodes["gb200_nvl72"] == 18
    assert nodes["huawei_cloudmatrix384"] == 48
    assert nodes["aws_trn2_ultraserver"] == 4


def test_an_unknown_key_names_the_nearest(catalog: Catalog) -> None:
    with pytest.raises(
        CatalogLookupError, match="accelerators has no 'nvidia_h10_sxm'; the nearest are nvidia_h100_sxm"
    ):
        catalog.part("accelerators", "nvidia_h10_sxm")


def test_an_unknown_kind_names_the_nearest(catalog: Catalog) -> None:
    with pytest.raises(CatalogLookupError, match="no kind 'switch'; the nearest are switches"):
        catalog.keys("switch")


@pytest.mark.parametrize(
    ("kind", "name", "key"),
    [
        ("accelerators", "nvidia_h100_sxm", "nvidia_h100_sxm"),
        ("accelerators", "GB200", "nvidia_gb200"),
        ("accelerators", "gb200", "nvidia_gb200"),
        ("models", "meta-llama/Meta-Llama-3.1-8B", "llama_3_1_8b"),
        ("models", "META-LLAMA/meta-llama-3.1-8b", "llama_3_1_8b"),
        ("models", "GPT3-175B", "gpt_3_175b"),
        ("systems", "DGX H100", "dgx_h100"),
        ("systems", "a thing nobody knows", None),
    ],
)
def test_other_names(catalog: Catalog, kind: str, name: str, key: str | None) -> None:
    assert catalog.find(kind, name) == key


def test_nearest_looks_at_keys_and_names(catalog: Catalog) -> None:
    assert catalog.nearest("systems", "dgxh100")[0] == "dgx_h100"
    assert catalog.nearest("models", "llama 3.1 405b")[0] == "llama_3_1_405b"


def test_the_newest_new_price_wins(catalog: Catalog) -> None:
    price = catalog.price("nvidia_h100_sxm")
    assert price is not None
    assert (price.key, price.value, price.low, price.high) == ("h100_sxm5_80gb_2026_05", 27500, 25000, 30000)
    assert len(catalog.prices("nvidia_h100_sxm")) == 3


def test_a_range_stands_for_its_geometric_mean(catalog: Catalog) -> None:
    price = catalog.price("gb300_nvl72")
    assert price is not None
    assert price.value == pytest.approx(math.sqrt(3300000 * 6500000))
    assert price.value_basis == "geometric mean of low and high"
    assert "indicative because: sources disagree by about a factor of two" in price_words(price)
    assert price.note in price_words(price)


def test_a_price_that_is_not_to_be_relied_on_is_shown_and_not_used(catalog: Catalog) -> None:
    assert [row.key for row in catalog.prices("dgx_b300")] == ["dgx_b300_quoted"]
    assert catalog.price("dgx_b300") is None
    assert catalog.price_absence("dgx_b300").startswith(
        "a published 324,037 USD of 2026-03 is not used: below"
    )
    assert catalog.price_absence("dgx_h100") == ""


def test_what_is_not_sold_has_no_price(catalog: Catalog) -> None:
    rented = [part for part in catalog.parts("accelerators") if part.attributes["sold"] == "rent_only"]
    assert {part.vendor for part in rented} == {"Google", "AWS"}
    assert len(rented) == 10
    keys = {part.key for part in rented}
    rented += [part for part in catalog.parts("systems") if part.attributes.get("accelerator_key") in keys]
    assert {"aws_trn2_ultraserver", "tpu_v7_pod"} <= {part.key for part in rented}
    for part in rented:
        assert catalog.price(part.key) is None
        assert catalog.price_absence(part.key).startswith("rent only: ")


def test_every_row_that_is_not_usable_has_a_reason(catalog: Catalog) -> None:
    rows = [catalog.price_item(key) for key in catalog.keys("prices")]
    assert {row.reliability for row in rows} == {"usable", "indicative", "do_not_use"}
    assert all(bool(row.reliability_reason) == (row.reliability != "usable") for row in rows)
    assert all(row.reliability != "usable" for row in rows if "do not rely" in row.note)


def test_random_rows_never_let_a_row_win_that_is_not_to_be_used() -> None:
    random = np.random.default_rng(19)
    for _ in range(500):
        rows = [
            dataclasses.replace(
                PRICE,
                key=str(place),
                value=float(random.uniform(1, 9)),
                condition=str(random.choice([*CONDITIONS, "estimate"])),
                reliability=str(random.choice([*RELIABILITY, "do_not_use"])),
                as_of=str(random.integers(2020, 2027)),
            )
            for place in range(random.integers(0, 7))
        ]
        chosen = chosen_price(rows)
        allowed = [row for row in rows if row.reliability != "do_not_use" and row.condition != "estimate"]
        assert (chosen is None) == (not allowed)
        if chosen is not None:
            assert chosen in allowed
            assert chosen.reliability == "usable" or all(row.reliability != "usable" for row in allowed)
            peers = [
                (row.reliability, row.condition) == (chosen.reliability, chosen.condition) for row in allowed
            ]
            assert chosen.as_of == max(row.as_of for row, peer in zip(allowed, peers, strict=True) if peer)
            without = [row for row in rows if row.reliability != "do_not_use"]
            assert chosen_price(without) == chosen


def test_an_estimate_is_only_offered(catalog: Catalog) -> None:
    estimate = catalog.price_estimate("google_tpu_v5p")
    assert estimate is not None
    assert estimate.value == 3694
    assert catalog.price_estimate("nvidia_h100_sxm") is None


def test_the_range_of_the_part_row_steps_in(catalog: Catalog) -> None:
    price = catalog.price("sn5600")
    assert price is not None
    assert (price.low, price.high, price.condition) == (40000, 75000, "range of the part")
    # prices.csv has rows for these, so the ranges of their own rows are not looked at
    for key in ("nvidia_h100_sxm", "dgx_h100", "qm9700"):
        assert catalog.price(key).condition != "range of the part"  # type: ignore[union-attr]


def test_a_price_of_the_bare_system_comes_before_one_of_more(catalog: Catalog) -> None:
    price = catalog.price("gb200_nvl72")
    assert price is not None
    assert (price.condition, price.basis, price.value, price.built_up) == ("hyperscale", "system", 3.1e6, "")


def test_every_purchase_price_of_a_system_is_of_the_bare_system(catalog: Catalog) -> None:
    priced = [price for key in catalog.keys("systems") if (price := catalog.price(key))]
    assert len(priced) >= 10
    assert {price.basis for price in priced} == {"system"}
    assert all(price_words(price).startswith("bare system") for price in priced)


@pytest.mark.parametrize(
    ("condition", "basis", "share", "low", "high"),
    [
        ("all_in_it", "complete_it", 0.777, 0.76, 0.795),
        ("all_in_it", "", 0.777, 0.76, 0.795),
        ("all_in_with_facility", "all_in", 0.55, 0.525, 0.576),
        ("quote", "complete_it", 0.777, 0.76, 0.795),
    ],
)
def test_a_price_of_more_is_reduced_to_the_bare_system(
    catalog: Catalog, condition: str, basis: str, share: float, low: float, high: float
) -> None:
    stated = dataclasses.replace(PRICE, condition=condition, basis=basis, value=1e6, typical=1e6)
    found = bare_system(stated, catalog.assumption("economics", BARE_SHARES[basis_of(stated)], {}))
    assert (found.value, found.low, found.high) == pytest.approx((1e6 * share, 1e6 * low, 1e6 * high))
    assert found.basis == "system"
    assert "built up from 1,000,000 USD/unit for" in price_words(found)
    assert "SemiAnalysis" in price_words(found)
    assert found.stated == {"value": 1e6, "low": None, "typical": 1e6, "high": None, "basis": basis}


def test_a_price_with_a_share_of_the_network_is_not_used() -> None:
    assert chosen_price([dataclasses.replace(PRICE, basis="system_with_network")]) is None


def test_a_quote_of_the_team_beats_every_other_row() -> None:
    quote = dataclasses.replace(
        PRICE, condition="quote", own="Acme, entered by Anna on 2026-05-02", as_of="2026-05-01"
    )
    others = [
        dataclasses.replace(PRICE, condition=name, own="Acme", as_of="2026-11") for name in CONDITIONS[:4]
    ]
    for indicative in ("usable", "indicative"):
        asked = dataclasses.replace(quote, reliability=indicative)
        assert chosen_price([*others, asked]) == asked
    words = price_words(quote)
    assert "Quote of the team, 2026-05-01, by s (Acme, entered by Anna on 2026-05-02)" in words


PRICE = Price(
    key="x", part_key="x", item="x", condition="new", value=1.0, low=None, typical=1.0, high=None, unit="USD",
    printed_unit="USD/unit", kind="third_party", source="s", url="", as_of="2026", confidence="", licence="l", note="",
)  # fmt: skip


def test_order_of_conditions() -> None:
    order = ["new", "list", "hyperscale", "quote", "used", "all_in_it", "all_in_with_facility"]
    prices = [dataclasses.replace(PRICE, condition=name) for name in [*reversed(order), "estimate"]]
    for expected in order:
        chosen = chosen_price(prices)
        assert chosen is not None
        assert chosen.condition == expected
        prices.remove(chosen)
    assert chosen_price(prices) is None
    assert chosen_estimate(prices) is not None


def test_the_newest_of_one_condition() -> None:
    prices = [
        dataclasses.replace(PRICE, as_of=date) for date in ("2025-12", "2026", "2026-05-25", "2026-05", "")
    ]
    assert chosen_price(prices).as_of == "2026-05-25"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("as_of", "days"),
    [("2026-11-01", 20), ("2026-11", 0), ("2026", 0), ("2025", 325), ("2026-02", 266), ("", None)],
)
def test_the_age_of_a_price(as_of: str, days: int | None) -> None:
    assert age_days(as_of, today=datetime.date(2026, 11, 21)) == days


def test_generic_prices(catalog: Catalog) -> None:
    item = catalog.price_item("ups_1_mw")
    assert (item.low, item.value, item.high, item.unit) == (100, 150, 200, "USD/kVA")
    assert catalog.price_item("demand_charge").unit == "USD/(kW month)"
    with pytest.raises(CatalogLookupError, match="demand_charge"):
        catalog.price_item("demand_charges")


def test_the_newest_rentals(catalog: Catalog) -> None:
    rental = catalog.rental("nvidia_h100_sxm", "on_demand")
    assert rental is not None
    # One offer a provider: Google Cloud lists two regions, and the cheaper one counts.
    assert (rental.as_of, rental.offers) == ("2026-09-19", 13)
    assert (rental.low, rental.typical, rental.high) == (2.69, 3.99, 12.29)
    reserved = catalog.rental("nvidia_h100_sxm", "reserved")
    assert reserved is not None
    assert (reserved.low, reserved.typical, reserved.high) == (2.72, 3.26, 5.54)
    assert catalog.rental("nvidia_h100_sxm", "own_cost") is not None
    assert catalog.rental("huawei_ascend_910c", "on_demand") is None


def test_rentals_are_dated_and_of_one_kind(catalog: Catalog) -> None:
    offers = catalog.rentals("nvidia_h100_sxm", "on_demand")
    assert len(offers) == 39
    assert {offer.kind for offer in offers} == {"on_demand"}
    assert [offer.date for offer in offers] == sorted(offer.date for offer in offers)
    assert newest_rental([]) is None
    assert isinstance(offers[0], RentalOffer)


def test_a_climate_year(catalog: Catalog) -> None:
    year = catalog.climate("ashburn_va")
    assert year.dry_bulb_c.shape == year.wet_bulb_c.shape == year.pressure_pa.shape == (8760,)
    assert year.dry_bulb_c.mean() == pytest.approx(13.78, abs=0.005)
    assert year.binned_hours.sum() == 8760
    assert catalog.climate("ashburn_va") is year
    np.testing.assert_array_equal(year.spec().binned_hours, year.binned_hours)
    with pytest.raises(CatalogLookupError, match="climate has no 'ashburn'"):
        catalog.climate("ashburn")


def test_every_site_has_its_climate(catalog: Catalog) -> None:
    known = set(catalog.keys("climate"))
    assert all(site.attributes["climate_key"] in known for site in catalog.parts("sites"))


def test_assumptions(catalog: Catalog) -> None:
    general = catalog.assumption("performance", "matmul_fraction", {})
    ampere = catalog.assumption("performance", "matmul_fraction", {"generation": "ampere"})
    assert general.applies_to == {}
    assert ampere.applies_to == {"generation": "ampere"}
    assert ampere.low is not None
    assert "matmul_fraction" in catalog.assumption_names("performance")
    assert set(catalog.assumptions("performance", ["matmul_fraction"], {})) == {"matmul_fraction"}
    with pytest.raises(
        CatalogLookupError,
        match="performance has no assumption 'matmul_fractoin'; the nearest are matmul_fraction",
    ):
        catalog.assumption("performance", "matmul_fractoin", {})
