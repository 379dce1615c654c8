"""What a study says beside its ranking: differences, firmness, late limits, time, and its written forms."""

from __future__ import annotations

import csv
import functools
import io
import math
from typing import Any

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.engine.uncertainty.within import factor_at, probability_within
from app.scenarios.load import build_document
from app.scenarios.study.candidates import CandidateDocument
from app.scenarios.study.document import StudyDocument
from app.views.plain import report_json
from app.views.study.answer import study_answer
from app.views.study.difference import differences
from app.views.study.evaluating import Candidates
from app.views.study.report import StudyAnswer
from app.views.study.text import study_csv, study_text
from app.views.study.timing import delivery, timing

TRAINED: dict[str, Any] = {
    "kind": "training", "model": "llama_3_1_8b", "tokens": 1e12, "sequence_length": 8192, "global_batch_sequences": 512,
}  # fmt: skip
SERVED: dict[str, Any] = {
    "kind": "serving", "model": "llama_3_1_8b", "precision": "fp8",
    "requests": {"input_tokens": 2048, "output_tokens": 512}, "service_level": {"tpot_s": 0.05, "ttft_s": 1},
}  # fmt: skip
LIMITS: dict[str, Any] = {"finish_within_days": 21, "finish_probability": 0.8, "capex_usd": 20e6}
SEARCHED: dict[str, Any] = {
    "systems": ["dgx_h100"], "supernodes": {"from": 6, "to": 12}, "sites": ["oslo", "dallas"], "terms": ["own", "rent_reserved"],
}  # fmt: skip


def document(**parts: Any) -> StudyDocument:
    found = {"workload": {"training": TRAINED}, "limits": LIMITS, "candidates": SEARCHED} | parts
    return build_document(StudyDocument, found)


@functools.cache
def _plain(catalog: Catalog) -> StudyAnswer:
    return study_answer(document(), catalog)


@pytest.fixture
def answer(catalog: Catalog) -> StudyAnswer:
    return _plain(catalog)


def test_the_probability_is_that_of_its_ends() -> None:
    """P10 and P90 are kept with 10 and 90 %, the value with 50 %; the quantile is the inverse."""
    value, low, high = np.full(3, 100.0), np.full(3, 80.0), np.full(3, 150.0)
    limit = np.array([80.0, 100.0, 150.0])
    assert probability_within(value=value, low=low, high=high, limit=limit) == pytest.approx([0.1, 0.5, 0.9])
    back = factor_at(
        probability=np.array([0.1, 0.5, 0.9]), low_ratio=np.full(3, 0.8), high_ratio=np.full(3, 1.5)
    )
    assert back == pytest.approx([0.8, 1.0, 1.5])
    sure = probability_within(value=value, low=value, high=value, limit=np.array([99.0, 100.0, 101.0]))
    assert sure.tolist() == [0.0, 1.0, 1.0]


def test_answers_are_ranked_and_keep_every_limit(answer: StudyAnswer) -> None:
    ranked = [row for row in answer.rows if row.is_answer]
    assert [row.rank for row in ranked] == list(range(1, len(ranked) + 1))
    costs = [row.figures["tco_usd"].value for row in ranked]
    assert costs == sorted(costs)
    assert all(limit.kept for row in ranked for limit in row.limits)
    assert answer.base == ranked[0].key
    assert any(row.on_front for row in ranked)


def test_rented_capacity_spends_no_capital(answer: StudyAnswer) -> None:
    for row in answer.rows:
        rented = row.terms == "rent_reserved"
        assert (row.figures["capex_usd"].value == 0) == rented


@pytest.mark.parametrize(
    "other",
    [
        {"system": "dgx_h100", "supernodes": 8, "site": "dallas"},
        {"system": "dgx_h100", "supernodes": 12, "site": "dallas", "terms": "rent_reserved"},
        {"system": "gb200_nvl72", "supernodes": 2, "site": "oslo", "terms": "colocate"},
    ],
    ids=["place", "number, place and terms", "system, number and terms"],
)
def test_parts_add_up_to_the_difference(other: dict[str, Any], catalog: Catalog) -> None:
    candidates = Candidates(document(), catalog)
    base = CandidateDocument(system="dgx_h100", supernodes=8, site="oslo")
    found = differences(candidates, base, CandidateDocument(**other))
    assert {one.figure for one in found} >= {"time_s", "tco_usd", "capex_usd", "meter_power_w", "carbon_kg"}
    for one in found:
        assert one.parts, one.note
        brought = sum(part.value for part in one.parts)
        assert brought == pytest.approx(one.value - one.base_value, rel=1e-9, abs=1e-6 * abs(one.value))
    # where it stands changes no speed
    time = next(one for one in found if one.figure == "time_s")
    assert all(part.value == 0 for part in time.parts if part.group in ("site", "terms"))


def test_a_candidate_differs_from_itself_in_nothing(catalog: Catalog) -> None:
    one = CandidateDocument(system="dgx_h100", supernodes=8)
    for found in differences(Candidates(document(), catalog), one, one):
        assert not found.parts
        assert found.value == found.base_value


def test_regret_and_information(answer: StudyAnswer) -> None:
    firm = answer.decision
    assert firm is not None
    assert firm.winner == answer.rows[0].key
    assert sum(one.best_share for one in firm.regrets) == pytest.approx(1)
    assert all(0 <= one.expected_usd <= one.most_usd for one in firm.regrets)
    least = min(one.expected_usd for one in firm.regrets)
    # the best of fixed choices regrets in the mean just what perfect information saves
    assert firm.perfect_information_usd == pytest.approx(least)
    assert all(0 <= one.usd <= firm.perfect_information_usd * 1.1 for one in firm.worth_knowing)
    for flip in firm.flips:
        assert math.isnan(flip.at) == (flip.winner_then == "")
        assert math.isnan(flip.at) or flip.low - 1e-9 <= flip.at <= flip.high + 1e-9
        assert flip.winner_then != firm.winner


def test_train_then_serve_in_one_cash_flow(catalog: Catalog) -> None:
    study = document(
        workload={"training": TRAINED, "serving": SERVED},
        limits=LIMITS | {"served_tokens_per_s": 1e4, "floor_m2": 500, "delivery_by": "2031-01-01"},
        timing={"order_date": "2027-01-01"},
        candidates=SEARCHED | {"terms": ["own", "colocate"], "sites": ["oslo"]},
    )
    answer = study_answer(study, catalog)
    kept = [row for row in answer.rows if row.is_answer]
    # the grid connection of an own site takes longer than the date leaves
    assert {row.terms for row in kept} == {"colocate"}
    assert {"delivery_by", "floor_m2", "served_tokens_per_s"} <= {one.limit for one in kept[0].limits}
    # own sites are worked out as well, the cheapest first, and none of them keeps the date
    assert answer.searched.exact
    assert answer.searched.gap == 0
    timing = answer.timing
    assert timing is not None
    assert sum(one.trained_share for one in timing.years) == pytest.approx(1)
    assert timing.served_tokens == pytest.approx(sum(one.served_tokens for one in timing.years))
    for year in timing.years:
        parts = year.capital_usd + year.running_usd + year.rent_usd + year.residual_usd
        assert year.total_usd == pytest.approx(parts)
    months = {event.name: event.month for event in timing.events}
    assert months["All of the pod works"] <= months["Trained"] <= months["End of work"]


def test_a_study_that_nothing_answers_says_what_it_would_take(catalog: Catalog) -> None:
    answer = study_answer(document(limits={"finish_within_days": 21, "capex_usd": 3e6}, candidates=SEARCHED | {"terms": ["own"]}), catalog)  # fmt: skip
    assert not answer.answered
    assert "No candidate" in answer.verdict
    assert answer.decision is None
    assert not [row for row in answer.rows if row.is_answer]


def test_written_forms_have_every_row(answer: StudyAnswer) -> None:
    text = study_text(answer)
    assert answer.verdict in text
    assert "exact" in text
    rows = list(csv.DictReader(io.StringIO(study_csv(answer.rows))))
    assert [row["key"] for row in rows] == [row.key for row in answer.rows]
    assert float(rows[0]["tco_usd"]) == answer.rows[0].figures["tco_usd"].value
    assert "nan" not in str(report_json(answer)).replace("finance", "").lower().split("'nan'")


def test_the_last_part_is_named_and_holds_up_the_rest(catalog: Catalog) -> None:
    """An own site with power at once waits for transformers; with none of the building's parts late, for what comes last."""
    own = CandidateDocument(system="dgx_h100", supernodes=8, site="oslo")
    study = document(
        common={"economics": {"build_out": {"grid_month": 0, "construction_months": 12}}},
        timing={"order_date": "2027-01-01"},
    )
    candidates = Candidates(study, catalog)
    found = delivery(candidates, own)
    assert [part.critical for part in found.parts] == [True] + [False] * (len(found.parts) - 1)
    months = [part.month for part in found.parts]
    assert months == sorted(months, reverse=True)
    last = found.parts[0]
    # 24 months for a transformer, and 6 to install and test it
    assert (last.key, last.month) == ("transformers", 30)
    assert last.delays_months == pytest.approx(last.month - months[1])
    assert found.month >= 30
    sooner = delivery(
        Candidates(document(common={
            "economics": {"build_out": {"grid_month": 0, "construction_months": 12}},
            "assumptions": {"build_out.lead_months": 4.0, "build_out.fit_out_months": 2.0},
        }, timing={"order_date": "2027-01-01"}), catalog), own,
    )  # fmt: skip
    assert sooner.parts[0].key == "building"
    assert sooner.month < found.month
    # nothing of the building is the tenant's
    hall = delivery(candidates, own.model_copy(update={"terms": "colocate"}))
    assert {part.key for part in hall.parts} == {"hall", "accelerators", "switches"}
    rented = delivery(candidates, own.model_copy(update={"terms": "rent_reserved"}))
    assert (rented.month, rented.parts, rented.price) == (0, (), None)


def test_equipment_that_is_bought_later_has_the_price_of_then(catalog: Catalog) -> None:
    own = CandidateDocument(system="dgx_h100", supernodes=8, site="oslo", terms="colocate")
    flows = {}
    for change in (None, 0.0, -0.2):
        study = document(timing={"order_date": "2027-01-01", "price_change_per_year": change})
        found = timing(Candidates(study, catalog), own, None)
        flows[change] = found
        assert found.price is not None
        expected = found.price.now_usd * (1 + (change or 0.0)) ** (found.price.purchase_month / 12)
        assert found.price.then_usd == pytest.approx(expected)
        assert found.price.low_usd <= found.price.then_usd <= found.price.high_usd or change is not None
    # an unknown change leaves today's price, and is shown as unknown
    assert flows[None].present_value_usd == flows[0.0].present_value_usd
    assert any("no path of purchase prices" in note for note in flows[None].notes)
    spent = [sum(year.capital_usd for year in flows[change].years) for change in (0.0, -0.2)]
    assert spent[0] < spent[1] < 0


def test_keeping_a_column_does_not_search_again(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    study = document(candidates=SEARCHED | {"sites": ["oslo"], "terms": ["own"]}, name="Kept once")
    first = study_answer(study, catalog)

    def searched_again(*_: Any, **__: Any) -> None:
        raise AssertionError("it was searched again")

    monkeypatch.setattr("app.views.study.answer.search_steps", searched_again)
    kept = {"name": "Mine", "candidate": {"system": "dgx_h100", "supernodes": 12, "site": "oslo"}}
    values = study.as_dict() | {"chosen": [kept], "base": "Mine", "decision": {"text": "Buy it."}}
    again = study_answer(build_document(StudyDocument, values), catalog)
    assert again.rows == first.rows
    assert again.base.startswith("dgx_h100/12/")
    assert {one.key for one in again.differences} == {first.rows[0].key}
    with pytest.raises(AssertionError, match="searched again"):
        study_answer(build_document(StudyDocument, values | {"objective": "time"}), catalog)


def test_a_probability_of_money_is_the_share_of_samples(catalog: Catalog) -> None:
    """A limit just above the typical capital is kept with a half and not with 0.9; then the bound is as much as samples say."""
    plain = study_answer(document(limits={"finish_within_days": 60}, candidates=SEARCHED | {"terms": ["own"], "sites": ["oslo"]}), catalog)  # fmt: skip
    typical = plain.rows[0].figures["capex_usd"].value
    asked = {"finish_within_days": 60, "capex_usd": typical * 1.02}
    searched = SEARCHED | {"terms": ["own"], "sites": ["oslo"], "supernodes": [plain.rows[0].supernodes]}
    half = study_answer(document(limits=asked, candidates=searched), catalog)
    sure = study_answer(document(limits=asked | {"probability": 0.9}, candidates=searched), catalog)
    assert half.answered
    assert not sure.answered
    room = study_answer(document(limits=asked | {"probability": 0.9, "capex_usd": typical * 3}, candidates=searched), catalog)  # fmt: skip
    assert room.answered
    capital = room.rows[0].figures["capex_usd"]
    assert capital.low < capital.value < capital.high
    limit = next(one for one in room.rows[0].limits if one.limit == "capex_usd")
    assert 0.9 <= limit.probability <= 1
