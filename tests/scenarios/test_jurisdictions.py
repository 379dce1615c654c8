"""What a place adds to a bill, what its law says of writing off, and what equipment fetches by generation and age."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.economics.cash_flow import cash_flow_answer
from app.views.facility.sites import SitesOptions, sites_answer
from app.views.uncertainty.inputs import varying_inputs
from tests.scenarios.support import scenario

LAID_OUT = {"tp": 8, "pp": 1, "zero_stage": 1}


def evaluated(*, system: str = "dgx_h100", site: str = "ashburn", **economics: Any) -> EvaluatedScenario:
    values = scenario(parallelism=LAID_OUT, supernode={"system": system}, economics=economics)
    values.setdefault("facility", {})["site"] = site
    return evaluate_scenario(build_scenario(values), ready_catalog())


def cost_of(**given: Any) -> Any:
    return evaluated(**given).evaluation.sections.cost


def test_every_site_has_a_place_and_every_place_its_figures() -> None:
    catalog = ready_catalog()
    places = {part.key: part for part in catalog.parts("jurisdictions")}
    for site in catalog.parts("sites"):
        assert places[site.attributes["jurisdiction_key"]].attributes["country"] == site.attributes["country"]
    for part in places.values():
        facts = {name: fact.value for name, fact in part.facts.items()}
        assert 0 <= facts["tax_rate"] <= 0.45, part.key
        assert 0 <= facts["import_duty_share"] <= 0.3
        assert 0 <= facts["sales_tax_share"] <= 0.3
        assert 0.3 <= facts["construction_cost_factor"] <= 1.5
        assert 0.1 <= facts["labour_cost_factor"] <= 1.5
        assert 1 <= facts["equipment_write_off_years"] <= 10
        assert 0 <= facts["building_write_off_share_per_year"] <= 0.1
        assert (part.attributes["depreciation"] == "macrs") == (part.attributes["country"] == "US")


def test_a_place_by_hand() -> None:
    """Tokyo builds at 1.25 times the price of the US, and pays half for people."""
    home, away = cost_of(), cost_of(jurisdiction="jp")
    for kind, ratio in {"facility": 1.25, "servers": 1, "land": 1, "duties": 1}.items():
        there, here = (first_of(one.capex_breakdown_usd[kind]) for one in (away, home))
        assert there == pytest.approx(ratio * here), kind
    for kind, ratio in {"staff": 0.5, "engineers": 0.5, "maintenance": 1.25, "electricity": 1}.items():
        there, here = (first_of(one.opex_breakdown_usd_per_year[kind]) for one in (away, home))
        assert there == pytest.approx(ratio * here), kind


def test_duty_and_sales_tax_by_hand() -> None:
    """10 % duty and 5 % tax on the price with duty are 15.5 % of the equipment."""
    plain, taxed = cost_of(), cost_of(import_duty_share=0.1, sales_tax_share=0.05)
    equipment = sum(
        first_of(plain.capex_breakdown_usd[kind]) for kind in ("servers", "spares", "network", "storage")
    )
    assert first_of(taxed.capex_breakdown_usd["duties"]) == pytest.approx(0.155 * equipment)
    assert first_of(taxed.capex_usd - plain.capex_usd) == pytest.approx(0.155 * equipment)
    crf = 0.1 / (1 - 1.1**-5)
    charged = first_of(taxed.annual_cost_usd_per_year - plain.annual_cost_usd_per_year)
    assert charged == pytest.approx(0.155 * equipment * (crf + 0.004))  # and insured


def test_the_site_names_the_place_unless_it_is_stated() -> None:
    def place(**given: Any) -> str:
        return evaluated(**given).resolved.design.economics.jurisdiction

    assert place() == "Virginia, United States"
    assert place(site="abilene") == "Texas, United States"
    assert place(site="oslo") == "Norway"
    assert place(site="oslo", jurisdiction="se") == "Sweden"


def test_a_site_without_a_place_has_the_rules_of_the_default() -> None:
    values = scenario(parallelism=LAID_OUT)
    values["facility"] = {
        "site": {"name": "Elsewhere", "climate": "ashburn_va", "electricity_price_usd_per_kwh": 0.08}
    }
    found = evaluate_scenario(build_scenario(values), ready_catalog())
    assert found.resolved.design.economics.jurisdiction == "United States, federal"
    assert "Rules of United States, federal" in " ".join(cash_flow_answer(found).basis)


def test_macrs_is_refused_where_it_is_not_the_law() -> None:
    with pytest.raises(ScenarioError) as refused:
        evaluated(site="oslo", finance={"depreciation": "macrs"})
    fault = refused.value.errors[0]
    assert fault.path == "economics.finance.depreciation"
    assert "Norway" in fault.message
    assert "tax_life" in fault.hint
    evaluated(finance={"depreciation": "macrs"})
    evaluated(site="oslo", finance={"depreciation": "tax_life"})
    with pytest.raises(ScenarioError, match="jurisdictions"):
        evaluated(jurisdiction="atlantis")


def test_tax_is_off_in_what_things_cost() -> None:
    assert first_of(cost_of(finance={"tax_rate": 0.5}).tco_usd) == first_of(cost_of().tco_usd)


def test_other_sites_are_priced_by_their_own_places() -> None:
    lines = {line.key: line for line in sites_answer(evaluated(), ready_catalog(), SitesOptions()).sites}
    moved = first_of(cost_of(site="tokyo").usd_per_accelerator_hour)
    assert lines["tokyo"].usd_per_accelerator_hour == pytest.approx(moved, rel=1e-3)


@pytest.mark.parametrize(
    ("system", "decline"), [("dgx_a100_640", 0.24), ("dgx_h100", 0.276), ("dgx_b200", 0.22)]
)
def test_what_equipment_fetches_goes_by_generation_and_age(system: str, decline: float) -> None:
    for life in (3, 5):
        found = evaluated(system=system, life_years=life).resolved.values["economics.residual_value"]
        assert first_of(found) == pytest.approx(0.79 * (1 - decline) ** life)
    assert first_of(evaluated(residual_value=0.4).resolved.values["economics.residual_value"]) == 0.4


def test_a_generation_without_a_row_falls_as_hardware_does() -> None:
    rows = ready_catalog().assumption("scenario", "value_decline_per_year", {"generation": "trainium2"})
    assert rows.value == 0.276


def test_the_curve_and_the_duty_vary_in_uncertainty() -> None:
    assert {
        "economics.used_value_share", "economics.value_decline_per_year", "economics.import_duty_share",
        "economics.sales_tax_share", "economics.construction_cost_factor", "economics.labour_cost_factor",
        "economics.network_life_years",
    } <= _varying(evaluated())  # fmt: skip
    assert "economics.residual_value" not in _varying(evaluated(residual_value=0.2))


def _varying(found: EvaluatedScenario) -> set[str]:
    inputs = varying_inputs(found, found.document.as_dict(), found.resolved, ready_catalog())
    return {one.place for one in inputs}


def test_nothing_breaks_over_random_terms() -> None:
    """Break-even within the life, no negative part, no unknown where all prices are known, and years that add up."""
    drawn = random.Random(7)
    places = ready_catalog().keys("jurisdictions")
    for _ in range(25):
        terms: dict[str, Any] = {
            "life_years": drawn.choice([2, 3, 4.5, 5, 8]),
            "network_life_years": drawn.uniform(1, 10),
            "storage_life_years": drawn.uniform(1, 10),
            "utilisation": drawn.uniform(0.05, 1),
            "jurisdiction": drawn.choice(places),
            "residual_value": drawn.choice([None, 0, 0.3]),
            "finance": {
                "depreciation": drawn.choice(["straight_line", "declining_balance", "tax_life"]),
                "prices": drawn.choice(["real", "nominal"]),
            },
        }
        found = evaluated(**terms)
        cost, life = found.evaluation.sections.cost, terms["life_years"]
        months = first_of(cost.break_even_months)
        assert months == math.inf or 0 < months <= 12 * life
        parts = cost.capital_breakdown_usd_per_year | cost.capex_breakdown_usd
        assert all(first_of(usd) >= 0 for usd in parts.values())
        answer = cash_flow_answer(found)
        assert math.isfinite(answer.measures.npv_usd)
        for one in answer.refresh:
            assert one.best_month is None or 1 <= one.best_month <= 240
            assert one.at_life_usd_per_month <= one.best_usd_per_month + 1e-6
