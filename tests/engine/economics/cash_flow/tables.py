"""Cash flows of the pods that the tests of this room build by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.economics.cash_flow.section import evaluate_cash_flow
from app.engine.economics.cash_flow.worth import CashFlow
from app.engine.economics.section import Cost, evaluate_cost
from tests.engine.economics.pods import economics, finance, pod


def table(*, terms: dict[str, Any] | None = None, **of_finance: Any) -> tuple[Cost, CashFlow]:
    """Cost and cash flow of 2,048 DGX H100 on other terms, without inflation, tax and debt unless they are given."""
    plain = {"inflation": 0.0, "tax_rate": 0.0, "debt_share": 0.0}
    given = pod(economics=economics(**(terms or {}), finance=finance(**(plain | of_finance))))
    with np.errstate(invalid="ignore", divide="ignore"):  # as during every evaluation
        cost = evaluate_cost(**given)
        names = ("supernode", "pod", "economics", "reliability", "power", "assumptions")
        return cost, evaluate_cash_flow(cost=cost, **{name: given[name] for name in names})
