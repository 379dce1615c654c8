"""What is answered to the five questions. Unknown is NaN, never is infinite here; both are null where sent.

Money is in today's worth over the months of work unless a name says otherwise. `answer` is one sentence,
`said` what it rests on, `tab` the page of money and carbon that shows it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputeAnswer:
    """Amount of computing, against the rule of thumb of six operations a parameter and token."""

    answer: str
    said: tuple[str, ...]
    tab: str
    run_accelerator_hours: float
    low: float  # eight of ten comparable runs lie between low and high
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
    own_more_than_rent_usd: float  # below nought: owning is cheaper anyway


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
