"""What is answered to the five questions. Unknown is NaN, never is infinite here; both are null where sent.

Money is at present value over the months of work unless a name says otherwise. `answer` is one sentence,
`said` what it rests on, `tab` the page of cost and carbon that shows it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from app.catalog.lookup import Catalog
from app.engine.economics.deciding import break_even_rent_usd_per_hour
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.economics.own_or_rent.answer import report_of
from app.views.economics.own_or_rent.pod import MONTH, Owned, PodMoney
from app.views.economics.own_or_rent.rented import Rented
from app.views.economics.own_or_rent.report import OwnOrRent, RentTerm
from app.views.economics.own_or_rent.terms import break_even_use_over_months
from app.views.economics.own_or_rent.words import worked


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputeAnswer:
    """Amount of computing, against the rule of thumb of six operations a parameter and token."""

    answer: str
    said: tuple[str, ...]
    tab: str
    run_accelerator_hours: float
    low: float  # 80 % of comparable runs lie between low and high
    high: float
    elapsed_days: float
    used_accelerator_hours_per_year: float
    runs_per_year: float
    rule_of_thumb_accelerator_hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyAnswer:
    """Data residency and its cost."""

    answer: str
    said: tuple[str, ...]
    tab: str
    data_must_stay: bool | None
    own_more_than_rent_usd: float  # below zero: owning is cheaper anyway


@dataclass(frozen=True, slots=True, kw_only=True)
class TermUse:
    """Use from which owning is cheaper than one kind of rental terms; `owning_pays` is yes, never or unknown."""

    term: str
    title: str
    usd_per_hour: float
    as_of: str
    break_even_utilisation: float
    owning_pays: str
    cheaper: str  # own | rent | unknown, at the scenario's use


@dataclass(frozen=True, slots=True, kw_only=True)
class UseAnswer:
    """The break-even use, and what the fixed rule of the article is worth here.

    `rule_is` is right where the rule is near what is computed, else wrong; `rule_advises` is what it would
    say at the scenario's use.
    """

    answer: str
    said: tuple[str, ...]
    tab: str
    utilisation: float
    rule: float
    rule_is: str  # right | wrong | unknown
    rule_advises: str  # own | rent
    term: str
    terms: tuple[TermUse, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CostPart:
    name: str
    share: float  # of the level yearly cost


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnershipAnswer:
    """Cost of owning and its drivers."""

    answer: str
    said: tuple[str, ...]
    tab: str
    usd_per_used_hour: float
    capital_usd: float
    running_usd_per_month: float
    level_usd_per_month: float
    break_even_month: float
    parts: tuple[CostPart, ...]  # largest first
    capital_usd_per_thousand: float
    running_usd_per_year_per_thousand: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PaidSoFar:
    """After some months, by a start in the cloud and by buying at once."""

    months: int
    rented_usd: float
    owned_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Regretted:
    """The most that a choice costs above the best one, on the price path that is worst for it."""

    choice: str
    words: str
    most_usd: float
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartAnswer:
    """Starting in the cloud: what it costs at first, and when owning would have been ahead."""

    answer: str
    said: tuple[str, ...]
    tab: str
    term: str
    paid: tuple[PaidSoFar, ...]
    owning_ahead_from_month: float
    regrets: tuple[Regretted, ...]
    least_regretted: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    choice: str  # own | mix | a rental term
    words: str
    usd: float
    allowed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """Threshold that flips the decision between owning and renting: `now` is as the scenario has it, `at` where it turns."""

    by: str  # utilisation | price | months
    now: float
    at: float
    unit: str
    said: str
    tab: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SummingUp:
    choice: str  # own | mix | a rental term | unknown
    answer: str
    said: tuple[str, ...]
    totals: tuple[Total, ...]  # cheapest first
    flips: tuple[Flip, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingInput:
    """Unpublished input and the field that states it."""

    label: str
    field: str
    suggested: float | None
    suggested_unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    name: str
    accelerator: str
    accelerators: float
    months_of_work: float
    utilisation: float
    price_path: str
    compute: ComputeAnswer
    privacy: PrivacyAnswer
    use: UseAnswer
    ownership: OwnershipAnswer
    start: StartAnswer
    summing_up: SummingUp
    missing: tuple[MissingInput, ...]
    notes: tuple[str, ...]


def in_months(months: float) -> str:
    """A number of months in a sentence.

    >>> in_months(1.0), in_months(60.0)
    ('1 month', '60 months')
    """
    return f"{months:.0f} month" if round(months) == 1 else f"{months:.0f} months"


class DecisionOptions(Part):
    """Constraints and plans of the decision."""

    data_must_stay: bool | None = Field(
        default=None,
        description="Whether data may not leave the house, by law or contract: then renting is out. No one but the "
        "reader knows; not asked when left out.",
    )
    months_of_work: Annotated[float, Field(ge=1, le=600)] | None = Field(
        default=None,
        description="Months that there is work for; economics.renting.horizon_months when left out.",
    )


HELD = ("on_demand", "reserved", "contract", "capacity_block")
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
    held = [
        term
        for term in report.terms
        if term.term in HELD
        and not math.isnan(term.total_usd)
        and term.commitment_months <= report.horizon_months
    ]
    term = min(held, key=lambda one: one.total_usd, default=None)
    return Compared(
        scenario=scenario,
        report=report,
        term=term,
        pod=found.pod,
        owned=found.owned,
        rented=None if term is None else next(rent for rent in found.rents if rent.kind.key == term.term),
    )
