"""Own or rent of whole scenarios: money is conserved, the words say what the figures do, unknown stays unknown."""

from __future__ import annotations

import datetime
import functools
import json
import math
from typing import Any

import numpy as np
import pytest

from app.catalog.prices import ONE_SELLER
from app.catalog.ready import ready_catalog
from app.catalog.values import STALE_PRICE_DAYS, RentalOffer
from app.charts.own_or_rent import own_or_rent_figure
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_document
from app.views.economics.own_or_rent import OwnOrRent, own_or_rent_answer
from app.views.economics.own_or_rent.rented import price_history
from app.views.economics.own_or_rent.report import RentTerm, own_or_rent_text
from app.views.economics.own_or_rent.terms import OwnOrRentOptions
from app.views.plain import report_json
from tests.scenarios.support import document, faults, scenario

PRICE = {"price_usd": 330e3}  # of a SuperNode without a published price
TODAY = datetime.date(2026, 11, 22)
RENT = "economics__rental_on_demand_usd_per_accelerator_hour"


@functools.cache
def evaluated(**changes: Any) -> EvaluatedScenario:
    laid_out = {"parallelism__tp": 8, "parallelism__pp": 1, "parallelism__zero_stage": 1}
    return evaluate_scenario(document(**laid_out, **changes), ready_catalog())


@functools.cache
def answered(against: str | None = None, **changes: Any) -> OwnOrRent:
    options = OwnOrRentOptions.model_validate({"against": against})
    return own_or_rent_answer(evaluated(**changes), ready_catalog(), options, today=TODAY)


def answered_anew(against: str | None, **changes: Any) -> OwnOrRent:
    """As `answered`, with changes that cannot be kept by."""
    laid_out = {"parallelism__tp": 8, "parallelism__pp": 1, "parallelism__zero_stage": 1}
    own = evaluate_scenario(document(**laid_out, **changes), ready_catalog())
    options = OwnOrRentOptions.model_validate({"against": against})
    return own_or_rent_answer(own, ready_catalog(), options, today=TODAY)


def term(report: OwnOrRent, key: str = "on_demand") -> RentTerm:
    return next(one for one in report.terms if one.term == key)


def line(report: OwnOrRent, choice: str) -> tuple[float, ...]:
    return next(one.usd for one in report.lines if one.choice == choice)


def test_parts_sum_to_totals() -> None:
    report = answered(economics__renting__setup_usd=5e4, economics__renting__egress_tb_per_month=10.0)
    own = report.own
    assert own.total_usd == pytest.approx(
        own.equipment_usd + own.installation_usd + own.facility_usd + own.running_usd
    )
    for one in report.terms:
        parts = one.parts
        assert one.total_usd == pytest.approx(
            parts.hours_usd + parts.support_usd + parts.storage_usd + parts.egress_usd + parts.setup_usd
        )
        assert parts.setup_usd == 5e4
        assert line(report, one.term)[-1] == pytest.approx(one.total_usd)


def test_cash_and_level_payments_come_to_the_same_after_a_life() -> None:
    report = answered()
    assert report.own.life_months == report.horizon_months
    assert line(report, "own_level")[-1] == pytest.approx(report.own.total_usd)
    assert line(report, "own")[0] == report.own.capex_usd


def test_at_the_break_even_use_both_cost_the_same() -> None:
    for key in ("on_demand", "spot"):
        needed = term(answered(), key).break_even_utilisation
        there = answered(economics__utilisation=round(needed, 12), economics__renting__peak_over_mean=1.0)
        assert term(there, key).total_usd == pytest.approx(there.own.total_usd, rel=1e-6)
        # the demand is constant, so no mix can be better than either
        assert there.mix is not None


def test_it_pays_back_in_the_month_that_the_lines_cross() -> None:
    report = answered()
    month = int(term(report).break_even_month)
    own, rent = line(report, "own"), line(report, "on_demand")
    assert own[month - 1] > rent[month - 1]
    assert own[month] <= rent[month]
    assert f"it pays back in month {month} at constant prices" in report.verdict[1]


def test_figures_that_differ_from_the_summary_are_reconciled() -> None:
    """A utilised hour and a payback have two definitions each: pages name them apart and state both values."""
    scenario, report = evaluated(), answered()
    levelised = first_of(scenario.evaluation.sections.cost.usd_per_accelerator_hour)
    (note,) = (note for note in report.notes if note.startswith("A utilised hour of owning"))
    assert f"{report.own.usd_per_used_hour:.2f} USD over these {report.horizon_months:.0f} months" in note
    assert f"the levelised cost is {levelised:.2f} USD" in note
    # at the end of a life the same capital is paid for: only monthly payments make it cheaper, by less than the year's interest
    assert levelised / (1 + report.wacc) < report.own.usd_per_used_hour < levelised
    assert "counting the whole rental bill" in report.verdict[1]
    assert "counting the whole rental bill" not in own_or_rent_figure(scenario.as_json).takeaway
    assert own_or_rent_figure(scenario.as_json).takeaway.startswith("By the hourly rent alone")


def test_the_heat_map_is_the_totals() -> None:
    report = answered()
    heat = report.heat_map
    assert heat is not None
    row = np.argmin(np.abs(np.array(heat.utilisation) - report.utilisation))
    column = heat.months.index(report.horizon_months)
    difference = report.own.total_usd - term(report).total_usd
    assert heat.own_less_rent_usd[row][column] == pytest.approx(difference)
    for months, line_of in zip(heat.break_even_utilisation, np.array(heat.own_less_rent_usd).T, strict=True):
        cheaper = np.array(heat.utilisation) > months
        assert ((line_of < 0) == cheaper).all()


def test_a_mix_is_never_dearer_than_either() -> None:
    report = answered()
    assert report.mix is not None
    assert report.mix.saves_usd >= 0
    assert report.mix.total_usd <= min(report.own.total_usd, term(report).total_usd)
    assert 0 < report.mix.owned_share <= 1  # what is stored is rented with any rented part
    assert report.regret.least_regretted in ("mix", "own")


def test_a_peak_beyond_the_pod_is_the_pod() -> None:
    report = answered(economics__utilisation=0.9)
    assert report.peak_share == 1
    assert report.peak_over_mean == pytest.approx(1 / 0.9)
    assert any("takes more" in note or "would take more" in note for note in report.notes)


def test_reserved_capacity_is_paid_for_the_peak_and_on_demand_is_not() -> None:
    report = answered(economics__utilisation=0.4, economics__renting__peak_over_mean=2.0)
    reserved, on_demand = term(report, "reserved"), term(report)
    assert (reserved.pays, on_demand.pays) == ("booked", "used")
    assert reserved.paid_over_used == pytest.approx(2)
    assert reserved.parts.hours_usd / on_demand.parts.hours_usd == pytest.approx(
        2 * reserved.usd_per_hour / on_demand.usd_per_hour
    )
    assert report.reserving.above_utilisation == pytest.approx(reserved.usd_per_hour / on_demand.usd_per_hour)
    assert report.reserving.reserve_all == "no"


def test_a_commitment_outlasts_a_jump() -> None:
    changes = {"economics__renting__price_path": "shock", "economics__renting__shock_month": 2.0}
    year = {**changes, "economics__renting__horizon_months": 12.0}
    flat = answered(economics__renting__horizon_months=12.0)
    assert term(answered(**year), "reserved").total_usd == pytest.approx(term(flat, "reserved").total_usd)
    assert term(answered(**year)).total_usd > 1.2 * term(flat).total_usd


def test_lost_goodput_makes_rent_dearer() -> None:
    lost, whole = term(answered(economics__renting__goodput_ratio=0.8)), term(answered())
    assert lost.parts.hours_usd == pytest.approx(whole.parts.hours_usd / 0.8)
    assert lost.break_even_utilisation < whole.break_even_utilisation
    assert lost.break_even_month < whole.break_even_month


def test_prices_are_dated_and_old_ones_marked() -> None:
    report = answered()
    assert term(report).as_of == "2026-09-19"
    assert not term(report).is_old
    later = own_or_rent_answer(evaluated(), ready_catalog(), today=datetime.date(2027, 9, 1))
    assert term(later).is_old
    assert any("older than 180 days" in note for note in later.notes)
    assert {offer.kind for offer in report.offers} == {
        "on_demand",
        "reserved",
        "contract",
        "spot",
        "capacity_block",
    }
    assert all(offer.source and offer.date for offer in report.offers)


def test_history_sets_sellers_against_themselves() -> None:
    report = answered(economics__renting__price_path="history")
    path = next(path for path in report.paths if path.path == "history")
    assert path.is_known
    assert path.is_chosen
    assert path.over_today[0] == 1
    # H100 on demand from 2023-06 to 2026-09 moved between -14 and +21 % in a year: no decaying curve.
    assert 0.9 < min(path.over_today) < max(path.over_today) < 1.3
    assert not math.isnan(term(report).total_usd)


def offer(date: str, provider: str, usd: float) -> RentalOffer:
    return RentalOffer(
        key=f"{provider}{date}", accelerator_key="a", kind="on_demand", provider=provider, vendor_class="", region="", instance="",
        term="", date=date, usd_per_accelerator_hour=usd, value_kind="third_party", source="", url="",
        confidence="", licence="", note="",
    )  # fmt: skip


def test_a_seller_with_two_names_is_one() -> None:
    offers = [
        offer("2024-01-05", "Lambda Labs", 2.0), offer("2025-03", "Lambda", 4.0), offer("2024-01", "Other", 9.0),
        offer("2025-03", "Other", 9.0), offer("2025-03", "Cheap", 0.5), offer("2025", "Undated", 1.0),
    ]  # fmt: skip
    found = price_history("A", offers)
    assert found.is_known
    assert found.index[-1] == pytest.approx(math.sqrt(2))
    assert "2024-01 to 2025-03" in found.said


def test_too_little_history_is_said_and_not_made_up() -> None:
    assert not price_history("A", []).is_known
    short = price_history("A", [offer("2026-01", "One", 1.0), offer("2026-03", "One", 2.0)])
    assert not short.is_known
    assert "too short" in short.said
    report = answered(supernode__system="dgx_b200", economics__renting__price_path="history")
    assert report.regret.left_out == ("history",)
    assert math.isnan(term(report).total_usd)
    assert "is unknown" in report.verdict[0]


def test_unknown_prices_stay_unknown() -> None:
    report = answered(supernode__system="huawei_cloudmatrix384", workload__global_batch_sequences=1152)
    assert all(math.isnan(one.usd_per_hour) for one in report.terms)
    assert report.against == "on_demand"
    assert report.mix is None
    assert report.heat_map is None
    assert {one.pays_back for one in report.terms} == {"unknown"}
    assert "unknown" in report.verdict[0] or "state one" in report.verdict[0]
    found = report_json(report)
    assert found["terms"][0]["total_usd"] is None
    assert "unknown" in own_or_rent_text(report)


def test_owning_that_never_pays_is_never_and_not_unknown() -> None:
    report = answered(**{RENT: 0.01})
    one = term(report)
    assert (one.owning_pays, one.pays_back) == ("never", "never")
    assert report_json(report)["terms"][0]["break_even_month"] is None
    assert "not cheaper than renting on demand at any use" in report.verdict[1]
    assert report.mix is not None
    assert report.mix.owned_share == 0


def test_equipment_is_bought_again_after_its_life() -> None:
    report = answered(economics__life_years=2.0)
    assert any("bought again at today's price, 2 times" in note for note in report.notes)
    assert report.own.equipment_usd > answered().own.equipment_usd


def test_other_terms_may_be_asked_for() -> None:
    report = answered("spot")
    assert report.against == "spot"
    assert report.mix is not None
    assert report.mix.term == "spot"
    assert answered("reserved").mix.term == "on_demand"  # type: ignore[union-attr]


def test_terms_without_a_price_leave_the_mix_and_the_regret() -> None:
    stated = {"supernode__system": "hgx_h800", "supernode__override": PRICE, RENT: 4.0}
    report = answered_anew("spot", **stated)
    assert math.isnan(term(report, "spot").usd_per_hour)
    assert report.against == "spot"
    assert report.mix is not None
    assert report.mix.term == "on_demand"
    assert math.isfinite(report.mix.total_usd)
    assert report.regret.least_regretted in report.regret.choices
    assert report.mix == answered_anew(None, **stated).mix


def test_without_a_price_path_there_is_no_mix_and_still_a_regret() -> None:
    report = answered_anew(
        None,
        supernode__system="hgx_h800",
        supernode__override=PRICE,
        economics__renting__price_path="history",
        **{RENT: 4.0},
    )
    assert not next(path for path in report.paths if path.is_chosen).is_known
    assert report.mix is None
    assert "mix" not in report.regret.choices
    assert report.regret.least_regretted in ("own", "on_demand")
    assert "What renting costs if prices move as they did is unknown" in report.verdict[0]


def test_old_prices_are_those_older_than_the_limit() -> None:
    later = TODAY + datetime.timedelta(days=10 * STALE_PRICE_DAYS)
    report = own_or_rent_answer(evaluated(), ready_catalog(), today=later)
    (note,) = (note for note in report.notes if note.startswith("Prices older than"))
    assert note.startswith(f"Prices older than {STALE_PRICE_DAYS} days: ")


def test_json_is_finite() -> None:
    json.dumps(report_json(answered()), allow_nan=False)


def test_text_has_every_way_and_regret() -> None:
    text = own_or_rent_text(answered())
    for words in ("On demand", "Reserved", "Spot", "Capacity block", "Own and rent", "Regret", "2026-09-19"):
        assert words in text


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("utilisation", 1.2), ("renting__horizon_months", 0), ("renting__peak_over_mean", 0.5),
        ("renting__commitment_months", 0), ("renting__price_change_per_year", -1.0), ("renting__goodput_ratio", 0),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_words(place: str, value: float) -> None:
    (fault,) = faults(scenario(**{f"economics__{place}": value}))
    assert fault.path == f"economics.{place.replace('__', '.')}"
    assert str(value) in fault.message


def test_unknown_terms_are_refused() -> None:
    with pytest.raises(ScenarioError, match="capacity_block"):
        build_document(OwnOrRentOptions, {"against": "free"})


def test_the_market_is_a_distribution_by_class_and_term() -> None:
    market = {(one.kind, one.vendor_class, one.term): one for one in answered().market}
    large, small = (
        market["on_demand", "hyperscaler", "on-demand"],
        market["on_demand", "neocloud", "on-demand"],
    )
    assert (small.low, small.high) == (3.20, 6.155)
    assert large.low > small.low
    assert large.sellers == 4  # AWS, Azure, Google Cloud, Oracle Cloud
    for one in market.values():
        assert one.low <= one.typical <= one.high
        assert one.sellers <= one.offers
        assert one.oldest <= one.newest
    assert "hyperscaler" in own_or_rent_text(answered())


@pytest.mark.parametrize("vendors", ["hyperscaler", "neocloud", "marketplace"])
def test_a_class_of_vendors_takes_its_own_offers(vendors: str) -> None:
    report = answered(economics__renting__vendor_class=vendors)
    offers = [one.usd_per_accelerator_hour for one in report.offers
              if (one.vendor_class, one.kind) == (vendors, "on_demand")]  # fmt: skip
    assert min(offers) <= term(report).usd_per_hour <= max(offers)
    assert (term(report).usd_per_hour == term(answered()).usd_per_hour) is False
    # a marketplace has no contracts
    assert math.isnan(term(report, "contract").usd_per_hour)


@pytest.mark.parametrize(("generation", "accelerator", "year"),
                         [("ampere", "nvidia_a100_sxm_80", 0.003), ("hopper", "nvidia_h100_sxm", -0.023)])  # fmt: skip
def test_price_change_by_generation_is_that_of_the_same_sellers(
    generation: str, accelerator: str, year: float
) -> None:
    """Slope of log price over time with a constant a seller, computed again from the offers of the catalog."""
    row = ready_catalog().assumption("scenario", "price_change_per_year", {"generation": generation})
    cheapest: dict[tuple[str, str, float], float] = {}
    for one in ready_catalog().rentals(accelerator, "on_demand"):
        parts = [int(part) for part in one.date.split("-")] + [7]
        key = (ONE_SELLER.get(one.provider, one.provider), one.term, parts[0] + (parts[1] - 0.5) / 12)
        cheapest[key] = min(cheapest.get(key, math.inf), one.usd_per_accelerator_hour)
    sellers = {key[:2] for key in cheapest}
    up = down = 0.0
    for seller in sellers:
        points = np.array([(key[2], math.log(usd)) for key, usd in cheapest.items() if key[:2] == seller])
        off = points - points.mean(axis=0)
        up, down = up + float(off[:, 0] @ off[:, 1]), down + float(off[:, 0] @ off[:, 0])
    assert math.expm1(up / down) == pytest.approx(row.value, abs=0.0015)
    assert row.value == year
    assert row.low is not None
    assert row.high is not None
    assert row.low < row.value < row.high
