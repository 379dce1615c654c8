"""Values of built-in rows that a team states differently: they count for it alone, and can be taken back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.catalog.lookup import Catalog
from app.catalog.own.entries import Entry, OwnSource
from app.catalog.pinned import PinnedCatalog, RecordingCatalog
from app.catalog.snapshot import Snapshot
from app.saved.team_catalog.errors import NotOwnError, RefusedLinesError, RowChangedError
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.examples import example
from tests.saved.team_catalog.conftest import NewTeam

MEASURED = OwnSource(citation="Measured in our hall", as_of="2026-11", value_kind="measured")
QUOTE = OwnSource(citation="Quote 4711", url="https://example.org/4711", as_of="2026-11", value_kind="vendor")
SCENARIO = example("edge_node")
SERVER = "dgx_h100"
CHIP = ("accelerators", "nvidia_h100_sxm")
PRICE = {"part_key": SERVER, "item": "As quoted", "unit": "USD/system", "condition": "quote"}


def entry(kind: str, key: str, source: OwnSource = MEASURED, /, **cells: str) -> list[Entry]:
    return [Entry(kind=kind, key=key, cells=cells, source=source)]


def evaluation(catalog: Catalog, **changes: Any) -> dict[str, Any]:
    document = example("llama_3_1_405b_on_2048_dgx_h100").read()
    return evaluate_scenario(document, catalog).as_json


def test_what_is_not_stated_stays_builtin(team: TeamCatalog) -> None:
    before = team.catalog().part(*CHIP)
    team.put(entry(*CHIP, tdp_w="650"), 0)
    after = team.catalog().part(*CHIP)
    assert after.facts["tdp_w"].value == 650
    assert after.facts["tdp_w"].source == "Measured in our hall"
    assert after.facts["tdp_w"].own.startswith("Acme, entered on ")
    assert after.stated == ("tdp_w",)
    assert after.is_override
    same = {name: fact for name, fact in after.facts.items() if name != "tdp_w"}
    assert same == {name: fact for name, fact in before.facts.items() if name != "tdp_w"}
    assert after.name == before.name
    assert after.attributes == before.attributes


def test_units_are_converted_once_and_the_original_is_kept(team: TeamCatalog) -> None:
    text = b"key,field,value,unit,source,as_of,value_kind\nnvidia_h100_sxm,tdp_w,0.65,kW,Ours,2026,measured\n"
    assert team.import_file(text, dry_run=False).applied
    fact = team.catalog().part(*CHIP).facts["tdp_w"]
    assert (fact.value, fact.unit, fact.printed_value, fact.printed_unit) == (650.0, "W", "0.65", "kW")


def test_an_own_price_comes_before_builtin_ones(team: TeamCatalog) -> None:
    before = team.catalog().price(SERVER)
    assert before is not None
    assert before.condition == "new"
    team.put(entry("prices", "our_dgx", QUOTE, typical="250000", **PRICE), 0)
    after = team.catalog().price(SERVER)
    assert after is not None
    assert (after.value, after.key, after.source) == (250_000.0, "our_dgx", "Quote 4711")
    assert team.catalog().builtin.price(SERVER) == before


def test_a_range_of_an_own_part_comes_before_builtin_prices(team: TeamCatalog) -> None:
    team.put(entry("systems", SERVER, QUOTE, price_usd_low="200000", price_usd_high="288000"), 0)
    price = team.catalog().price(SERVER)
    assert price is not None
    assert price.value == pytest.approx(240_000)
    assert price.own


def test_own_offers_of_rent_come_first(team: TeamCatalog) -> None:
    offer = {"provider": "Ours", "accelerator": "H100", "accelerator_key": CHIP[1], "kind": "on_demand"}
    team.put(entry("rentals", "our_rent", QUOTE, usd_per_accel_hour="1.25", **offer), 0)
    rental = team.catalog().rental(CHIP[1], "on_demand")
    assert rental is not None
    assert (rental.value, rental.offers) == (1.25, 1)


@pytest.mark.slow
def test_evaluations_are_as_before_once_an_override_is_gone(new_team: NewTeam) -> None:
    team, other = new_team(), new_team()
    before = evaluation(team.catalog())
    team.put(entry(*CHIP, tdp_w="500", bf16_dense_tflops="900"), 0)
    team.put(entry("prices", "our_dgx", QUOTE, typical="150000", **PRICE), 0)
    changed = evaluation(team.catalog())
    assert changed["cost"]["capex_usd"] < before["cost"]["capex_usd"]
    assert changed["performance"]["step_time_s"] != before["performance"]["step_time_s"]
    assert changed["provenance"]["catalog_revision"] != before["provenance"]["catalog_revision"]
    assert evaluation(other.catalog()) == before
    team.remove(*CHIP, 1)
    team.remove("prices", "our_dgx", 1)
    assert evaluation(team.catalog()) == before


NUMBERS = {"tdp_w": 700.0, "idle_w": 75.0, "memory_bandwidth_tb_s": 3.35, "all_in_kw_per_accelerator": 1.73}


@pytest.mark.slow
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.dictionaries(st.sampled_from(sorted(NUMBERS)), st.floats(0.5, 1.5), min_size=1))
def test_any_override_and_its_removal(new_team: NewTeam, factors: dict[str, float]) -> None:
    team, other = new_team(), new_team()
    before, theirs = team.catalog().part(*CHIP), other.catalog()
    cells = {name: repr(NUMBERS[name] * factor) for name, factor in factors.items()}
    team.put(entry(*CHIP, **cells), 0)
    assert other.catalog() is theirs  # nobody else reads anything anew
    again = {
        fact.printed_column: fact.printed_value
        for fact in team.catalog().part(*CHIP).facts.values()
        if fact.own
    }
    assert again == {name: text for name, text in cells.items() if float(text) != NUMBERS[name]}
    if again:
        team.remove(*CHIP, 1)
    assert team.catalog() is team.catalog().builtin
    assert team.catalog().part(*CHIP) == before


def test_a_kept_snapshot_outlives_the_own_row(team: TeamCatalog) -> None:
    team.put(entry(*CHIP, tdp_w="650"), 0)
    recording = RecordingCatalog(team.catalog())
    then = recording.part(*CHIP)
    _, pack = recording.snapshot.packed()
    team.remove(*CHIP, 1)
    reopened = PinnedCatalog(team.catalog(), Snapshot.unpacked(pack()), recording.revision)
    assert reopened.part(*CHIP) == then
    assert reopened.part(*CHIP).facts["tdp_w"].own
    assert team.catalog().part(*CHIP).facts["tdp_w"].value == 700


def test_revisions_count_and_guard(team: TeamCatalog) -> None:
    team.put(entry(*CHIP, tdp_w="650"), 0)
    with pytest.raises(RowChangedError):
        team.put(entry(*CHIP, tdp_w="640"), 0)
    team.put(entry(*CHIP, tdp_w="640"), 1)
    assert team.catalog().part(*CHIP).revision == 2
    with pytest.raises(RowChangedError):
        team.remove(*CHIP, 1)
    team.remove(*CHIP, 2)
    with pytest.raises(NotOwnError):
        team.remove(*CHIP, None)


def test_a_put_says_everything(team: TeamCatalog) -> None:
    team.put(entry(*CHIP, tdp_w="650", idle_w="60"), 0)
    team.put(entry(*CHIP, idle_w="60"), 1)
    assert team.catalog().part(*CHIP).stated == ("idle_w",)
    team.put(entry(*CHIP, idle_w="75"), 2)  # what the built-in row says
    assert team.rows() == ()


def test_an_import_leaves_what_it_does_not_say(team: TeamCatalog) -> None:
    team.put(entry(*CHIP, tdp_w="650"), 0)
    text = b"key,idle_w,source,as_of,value_kind\nnvidia_h100_sxm,60,Ours,2026,measured\n"
    assert team.import_file(text, kind="accelerators", dry_run=False).plan.counts["changed"] == 1
    assert set(team.catalog().part(*CHIP).stated) == {"tdp_w", "idle_w"}


def test_what_others_name_cannot_go(team: TeamCatalog) -> None:
    chip = {"name": "Ours", "vendor": "Acme", "generation": "other", "tdp_w": "500"}
    team.put(entry("accelerators", "acme_one", **chip), 0)
    price = {**PRICE, "part_key": "acme_one", "unit": "USD/unit"}
    team.put(entry("prices", "acme_price", QUOTE, typical="1000", **price), 0)
    with pytest.raises(RefusedLinesError, match="prices/acme_price name it"):
        team.remove("accelerators", "acme_one", 1)
    team.remove("prices", "acme_price", 1)
    team.remove("accelerators", "acme_one", 1)
    assert team.rows() == ()


def test_a_model_of_another_shape_has_no_counts_of_the_builtin_one(team: TeamCatalog) -> None:
    assert "computed_parameters" in team.catalog().part("models", "llama_3_1_8b").facts
    team.put(entry("models", "llama_3_1_8b", context_tokens="65536"), 0)
    assert "computed_parameters" not in team.catalog().part("models", "llama_3_1_8b").facts
