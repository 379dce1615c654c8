"""Records of the answer of a study. Unknown is NaN, and null in JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.views.fabric.supernode_sizes import SuperNodeSizes
from app.views.study.columns import StudyFigure


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitKept:
    """One stated limit and one candidate.

    Parameters
    ----------
    limit : field of the limits
    value, bound : of the figure and the limit, in the unit of the figure
    probability : of keeping it; NaN where the figure is unknown
    asked : probability that is asked for
    kept : whether the probability is at least that asked for; False where it is unknown
    binds : whether it is the limit that is broken, else kept with least room
    change : the nearest change of the candidate that would keep it; "" where it is kept or none is known
    """

    limit: str
    title: str
    unit: str
    value: float
    bound: float
    probability: float
    asked: float
    kept: bool
    binds: bool
    change: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRow:
    """One candidate. `figures` are by key of `FIGURES`; `key` names the candidate everywhere.

    Parameters
    ----------
    rank : 1 for the winner; 0 for a row that is not an answer
    feasible : whether the design can be built and the job runs on it
    reason : why it is infeasible or misses a limit; "" for an answer
    probability : of keeping all limits at once, by the samples that all share
    on_front : whether no other answer is better in cost, time, power, carbon and probability at once
    binds : field of the limit that binds; "" without limits
    """

    key: str
    rank: int
    system: str
    system_name: str
    supernodes: int
    domain_size: int
    accelerators: int
    network: str
    number_format: str
    layout: str
    site: str
    site_name: str
    terms: str
    figures: dict[str, StudyFigure]
    limits: tuple[LimitKept, ...]
    feasible: bool
    reason: str
    probability: float
    on_front: bool = False
    binds: str = ""

    @property
    def is_answer(self) -> bool:
        return self.rank > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """Designs that a bound ruled out without evaluating them.

    Parameters
    ----------
    bound : key of the bound
    words : the bound as a sentence with its formula
    limit : field of the limit that it was held against
    designs : how many it ruled out
    """

    bound: str
    words: str
    limit: str
    designs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """Extent of the search. `designs` = evaluated + pruned + refused, layouts not counted.

    Parameters
    ----------
    exact : whether no design of the space can be better than the winner
    settled : whether, beside that, the best and the fewest SuperNodes of each hardware, place and terms are
        exact
    gap : share by which some design might be better, 0 where exact; NaN without a winner
    smallest : of each system, network and format the fewest SuperNodes that keep every limit, by key; 0: none
    """

    designs: int
    evaluated: int
    refused: int
    pruned: tuple[Pruned, ...]
    layouts: int
    exact: bool
    gap: float
    smallest: dict[str, int]
    search_time_s: float
    settled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferencePart:
    """Contribution of one group of choices to the difference: its Shapley value over the groups that
    differ."""

    group: str
    title: str
    from_words: str
    to_words: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDifference:
    """What explains a figure of a candidate less that of the base; the parts add up to `value -
    base_value`."""

    key: str
    figure: str
    title: str
    unit: str
    base_value: float
    value: float
    parts: tuple[DifferencePart, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFlip:
    """An input that changes the winner within its range, and the nearest value at which it does.

    `at` is NaN where it does not change the winner within the range.
    """

    input: str
    label: str
    unit: str
    now: float
    low: float
    high: float
    at: float
    winner_then: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyRegret:
    """What choosing a candidate costs above the best choice of each sample.

    Parameters
    ----------
    expected_usd, most_usd : mean and largest over the samples
    best_share : share of the samples in which it is the best
    """

    key: str
    expected_usd: float
    most_usd: float
    best_share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WorthKnowing:
    """Expected value of perfect information on one input."""

    input: str
    label: str
    usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDecision:
    """Robustness of the ranking.

    Parameters
    ----------
    margin : the second's objective over the winner's, less 1
    kept_together : share of the samples in which a candidate keeps time, money, power and carbon limits at
        once, by key
    perfect_information_usd : expected value of perfect information on all inputs
    """

    winner: str
    second: str
    margin: float
    flips: tuple[StudyFlip, ...]
    regrets: tuple[StudyRegret, ...]
    least_expected_regret: str
    minimax_regret: str
    perfect_information_usd: float
    worth_knowing: tuple[WorthKnowing, ...]
    samples: int
    kept_together: dict[str, float]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyEvent:
    """An event, in months after the order."""

    name: str
    month: float
    low: float
    high: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyYear:
    """A year after the order. Outflows are negative."""

    year: int
    capital_usd: float
    running_usd: float
    rent_usd: float
    residual_usd: float
    total_usd: float
    trained_share: float
    served_tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPart:
    """A part that the work waits for, in months after the order.

    Parameters
    ----------
    critical : whether it comes last
    delays_months : how much later than what comes before it; 0 where it is not the last
    """

    key: str
    title: str
    month: float
    low: float
    high: float
    source: str
    critical: bool = False
    delays_months: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPrice:
    """The price of a SuperNode today, and when it is bought.

    Parameters
    ----------
    purchase_month : after the order of the site
    low_usd, high_usd : by the ends of the change a year
    stated : whether the study states the change; else it is an assumption
    """

    purchase_month: float
    now_usd: float
    then_usd: float
    low_usd: float
    high_usd: float
    change_per_year: float
    low_per_year: float
    high_per_year: float
    stated: bool
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyTiming:
    """Cost and work of the winner by year, from the order to the end of life.

    Parameters
    ----------
    parts : that the work waits for, the latest first; none for rented capacity
    price : of equipment that is bought
    """

    key: str
    events: tuple[StudyEvent, ...]
    years: tuple[StudyYear, ...]
    present_value_usd: float
    served_tokens: float
    notes: tuple[str, ...] = ()
    parts: tuple[StudyPart, ...] = ()
    price: StudyPrice | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyAnswer:
    """Ranked alternatives: answers first by rank, then the nearest misses."""

    name: str
    objective: str
    answered: bool
    verdict: str
    base: str
    rows: tuple[StudyRow, ...]
    searched: Searched
    differences: tuple[StudyDifference, ...] = ()
    decision: StudyDecision | None = None
    sizes: SuperNodeSizes | None = None
    timing: StudyTiming | None = None
    refusals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    provenance: dict[str, Any] = field(default_factory=dict)
