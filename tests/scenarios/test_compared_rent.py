"""The rent that owning is compared with: what a buyer of the size pays, where the catalog knows it."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.economics.cash_flow.answer import cash_flow_answer
from tests.scenarios.support import scenario
from tests.support import read_example

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "economics.md"


def evaluated(system: str = "gb200_nvl72", supernodes: int = 2, **economics: Any) -> EvaluatedScenario:
    values = scenario(pod__supernodes=supernodes)
    values["supernode"] = {"system": system}
    values["economics"] = economics
    return evaluate_scenario(build_scenario(values), ready_catalog())


@pytest.mark.parametrize(
    ("system", "supernodes", "terms"),
    [
        ("gb200_nvl72", 1, "contract"),
        ("dgx_h100", 8, "contract"),
        ("dgx_h100", 7, "on_demand"),  # 56 accelerators: a buyer of list prices
        ("huawei_cloudmatrix384", 1, "on_demand"),  # nobody publishes a rent of it
    ],
)
def test_terms_follow_the_size_and_what_is_known(system: str, supernodes: int, terms: str) -> None:
    assert evaluated(system, supernodes).resolved.design.economics.renting.compared_with == terms


def test_a_contract_price_has_its_range_and_its_sources() -> None:
    found = evaluated()
    origin = found.resolved.origins["economics.renting.contract_usd_per_accelerator_hour"]
    assert found.resolved.design.economics.rent_usd_per_accelerator_hour[0] == 3.3
    assert origin.low is not None
    assert origin.high is not None
    assert origin.low < 3.3 < origin.high
    assert "SemiAnalysis" in origin.source


def test_contracts_of_a_year_count_together() -> None:
    """One year at 2.35 (2026-03) and three at 1.30 (2026-05); 1.70 is an earlier price of the same source."""
    rental = ready_catalog().rental("nvidia_h100_sxm", "contract")
    assert rental is not None
    assert (rental.low, rental.high, rental.offers) == (1.3, 2.35, 2)
    assert rental.value == pytest.approx(1.825)


def test_a_higher_rent_never_makes_owning_pay_later() -> None:
    pick = random.Random(3)
    for _ in range(12):
        system = pick.choice(["gb200_nvl72", "dgx_h100", "dgx_b200"])
        count, price = pick.choice([1, 4, 16]), pick.uniform(0.5, 8)
        cost = [
            evaluated(
                system,
                count,
                renting={"contract_usd_per_accelerator_hour": rent, "compared_with": "contract"},
            ).evaluation.sections.cost
            for rent in (price, 1.3 * price)
        ]
        use = [float(np.median(one.break_even_utilisation)) for one in cost]
        months = [float(np.median(one.break_even_months)) for one in cost]
        assert use[1] <= use[0]
        assert months[1] <= months[0]
        assert all(month <= 60 or math.isinf(month) for month in months)  # within the life


def test_the_warning_names_the_terms() -> None:
    found = evaluated("dgx_h100", 16, utilisation=0.3)
    (warning,) = (one for one in found.evaluation.problems if one.constraint == "renting is cheaper")
    assert "to rent by contract" in warning.message


@pytest.mark.parametrize("terms", ["contract", "on_demand"])
def test_the_table_of_the_guide_is_what_comes_out(terms: str) -> None:
    """docs/economics.md: Llama 3.1 405B on 64 GB200 NVL72, compared with each."""
    words = terms.replace("_", " ")
    (row,) = re.findall(rf"^\| {words} \| (\d.*) \|$", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    values = read_example("llama_3_1_405b_on_gb200_nvl72").as_dict()
    values["economics"]["renting"] = {"compared_with": terms}
    found = evaluate_scenario(build_scenario(values), ready_catalog())
    measures = cash_flow_answer(found).measures
    assert row.split(" | ") == [
        f"{found.resolved.design.economics.rent_usd_per_accelerator_hour[0]:.2f}",
        f"{100 * found.evaluation.sections.cost.break_even_utilisation[0]:.0f} %",
        f"{measures.npv_usd / 1e6:,.0f}",
        f"{100 * measures.irr:.1f} %",
    ]
