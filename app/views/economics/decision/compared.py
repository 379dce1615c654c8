"""Owning and renting as the decision needs them: the report of own or rent, and one kind of terms to decide by."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.economics.deciding import break_even_rent_usd_per_hour
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.own_or_rent.answer import report_of
from app.views.economics.own_or_rent.owned import MONTH, Owned
from app.views.economics.own_or_rent.pod import PodMoney
from app.views.economics.own_or_rent.rented import Rented
from app.views.economics.own_or_rent.report import OwnOrRent, RentTerm
from app.views.economics.own_or_rent.terms import break_even_use_over_months
from app.views.economics.own_or_rent.worked import worked

HELD = ("on_demand", "reserved", "capacity_block")
"""Terms whose capacity is not taken back while it is paid for, as that of the spot market is."""


@dataclass(frozen=True)
class Compared:
    """`term` is the cheapest of the terms that hold capacity; None where no total of theirs is known."""

    scenario: EvaluatedScenario
    report: OwnOrRent
    term: RentTerm | None
    pod: PodMoney
    owned: Owned
    rented: Rented | None

    @property
    def is_known(self) -> bool:
        return self.term is not None and not math.isnan(self.report.own.total_usd)

    @property
    def flip_month(self) -> float:
        """Months from which owning is cheaper at the scenario's use; infinite where it never is."""
        if self.rented is None:
            return math.nan
        needed = break_even_use_over_months(self.pod, self.owned, self.rented)
        if np.isnan(needed).any():
            return math.nan
        cheaper = np.flatnonzero(needed <= first_of(self.pod.utilisation))
        return float(MONTH[cheaper[0]]) if cheaper.size else math.inf

    @property
    def flip_usd_per_hour(self) -> float:
        """Rental price at which both cost the same over the months of work."""
        if self.term is None:
            return math.nan
        parts = self.term.parts
        return first_of(
            break_even_rent_usd_per_hour(
                own_usd=np.array([self.report.own.total_usd]),
                rent_fixed_usd=np.array([parts.storage_usd + parts.egress_usd + parts.setup_usd]),
                rent_of_hours_usd=np.array([parts.hours_usd + parts.support_usd]),
                usd_per_hour=np.array([self.term.usd_per_hour]),
            )
        )


def compared(scenario: EvaluatedScenario, catalog: Catalog) -> Compared:
    """The scenario's own or rent."""
    found = worked(scenario, catalog)
    report = report_of(found, scenario, catalog)
    held = [term for term in report.terms if term.term in HELD and not math.isnan(term.total_usd)]
    term = min(held, key=lambda one: one.total_usd, default=None)
    return Compared(
        scenario=scenario,
        report=report,
        term=term,
        pod=found.pod,
        owned=found.owned,
        rented=None if term is None else next(rent for rent in found.rents if rent.kind.key == term.term),
    )
