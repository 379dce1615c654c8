"""Own or rent in sentences, with their numbers."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.values import STALE_PRICE_DAYS
from app.engine.specs import RENTAL_TERMS
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.own_or_rent.pod import Owned, PodMoney, owned_of, pod_money
from app.views.economics.own_or_rent.rented import Path, Rented, paths_of, rented_of
from app.views.economics.own_or_rent.report import OwnOrRent, RentTerm

ON_PATH = {
    "flat": "at constant prices",
    "decay": "on the falling path",
    "shock": "on the path with a jump",
    "shock_back": "on the path with the jump the other way",
    "history": "if prices move as they did",
}
OWNING_UNKNOWN = (
    "What owning costs is unknown, as the price of something that is bought is not published: state the price of a "
    "SuperNode, or what the studio names."
)
CHOICE = {"own": "owning", "mix": "owning the base and renting the peak"}


def choice_words(choice: str) -> str:
    """A choice in a sentence."""
    return CHOICE.get(choice) or RENTAL_TERMS[choice].choice


def money(value: float) -> str:
    """A sum of money in a sentence: three digits, four where the first is a one.

    >>> money(1.1665e9), money(72.6e6), money(9.9996e5)
    ('1.167\u202fbillion USD', '72.6\u202fM USD', '1.000\u202fM USD')
    """
    if not math.isfinite(value):
        return "unknown"
    for size, unit in ((1e9, "billion USD"), (1e6, "M USD"), (1e3, "k USD")):
        if abs(value) >= 0.99995 * size:
            scaled = value / size
            leading = f"{abs(scaled):.3e}"
            digits = 4 if leading.startswith("1") else 3
            decimals = max(0, digits - 1 - int(leading.split("e")[1]))
            return f"{scaled:,.{decimals}f}\u202f{unit}"
    return f"{value:.0f}\u202fUSD"


def percent(share: float) -> str:
    return f"{100 * share:.0f}\u202f%"


def verdict(report: OwnOrRent) -> tuple[str, ...]:
    """Cheapest choice, break-even of owning, benefit of a mix, and cost of a wrong forecast."""
    known = [term for term in report.terms if not math.isnan(term.usd_per_hour)]
    if math.isnan(report.own.total_usd):
        return (OWNING_UNKNOWN,)
    if not known:
        return (
            f"No rental price of {report.accelerator} is known, so owning cannot be set against renting: state one.",
        )
    path = ON_PATH[report.price_path]
    if all(math.isnan(term.total_usd) for term in known):
        unknown = next(one for one in report.paths if one.is_chosen)
        return (f"What renting costs {path} is unknown. {unknown.said}",)
    return tuple(
        sentence
        for sentence in (_least(report, known), _meet(report), _mix(report), _regret(report))
        if sentence
    )


def _least(report: OwnOrRent, known: list[RentTerm]) -> str:
    totals = {"own": report.own.total_usd} | {
        term.term: term.total_usd
        for term in known
        if not math.isnan(term.total_usd) and term.commitment_months <= report.horizon_months
    }
    if _is_mixed(report) and report.mix is not None:
        totals["mix"] = report.mix.total_usd
    first, *others = sorted(totals, key=lambda choice: totals[choice])
    against = [f"{money(totals[choice])} for {choice_words(choice)}" for choice in others[:2]]
    return (
        f"Over {report.horizon_months:.0f} months at {percent(report.utilisation)} use "
        f"{choice_words(first)} costs least {ON_PATH[report.price_path]}: {money(totals[first])}, against "
        f"{' and '.join(against)}."
    )


def _is_mixed(report: OwnOrRent) -> bool:
    """Return whether a mix is cheaper than owning all and renting all."""
    mix = report.mix
    return mix is not None and mix.saves_usd > 0 and 0 < mix.owned_share < 1


def _meet(report: OwnOrRent) -> str:
    term = next(term for term in report.terms if term.term == report.against)
    than = RENTAL_TERMS[term.term].choice
    if term.owning_pays == "unknown":
        return ""
    if term.owning_pays == "never":
        return f"Owning is not cheaper than {than} at any use within {report.horizon_months:.0f} months."
    text = f"Owning is cheaper than {than} from {percent(term.break_even_utilisation)} use"
    at = f"at {percent(report.utilisation)}"
    if term.pays_back == "yes":
        late = ", after its life has ended" if term.break_even_month > report.own.life_months else ""
        return (
            f"{text}; {at}, counting the whole rental bill, it pays back in month {term.break_even_month:.0f}{late} "
            f"{ON_PATH[report.price_path]}."
        )
    return f"{text}; {at} the rental bill saved never pays back what was bought."


def _mix(report: OwnOrRent) -> str:
    mix = report.mix
    if mix is None or math.isnan(mix.saves_usd):
        return ""
    rest = RENTAL_TERMS[mix.term].choice
    if not _is_mixed(report):
        every = "owning all" if mix.owned_share == 1.0 else f"{rest} for all"
        return f"No mix is cheaper than {every} with a peak of {report.peak_over_mean:.3g} times the mean."
    return (
        f"Owning {percent(mix.owned_share)} of the pod does {percent(mix.served_share)} of the work; {rest} for what is "
        f"left saves {money(mix.saves_usd)} against the better of owning all and {rest} for all."
    )


def _regret(report: OwnOrRent) -> str:
    table = report.regret
    if not table.least_regretted:
        return ""
    most = table.most_regret_usd[table.choices.index(table.least_regretted)]
    if most <= 0:
        return f"On every price path {choice_words(table.least_regretted)} costs least."
    return (
        f"By minimax regret over price paths the choice is {choice_words(table.least_regretted)}: it costs "
        f"{money(most)} more than the best choice at most."
    )


def notes(report: OwnOrRent, pod: PodMoney) -> tuple[str, ...]:
    """Caveats of the figures."""
    found = [
        (
            f"Amounts are present values at {100 * report.wacc:.3g}\u202f% per year, paid at the end of each month; "
            "equipment is credited with what it would fetch at the end, the building with what is not yet paid off."
        ),
        *_other_figures(report, pod),
        (
            "Reserved capacity is paid for the peak whether it is used or not; its price holds "
            f"{float(pod.renting.commitment_months[0]):g} months, then follows the path. All else is paid by the utilised hour."
        ),
        "A share of the pod is taken to cost that share of all; SuperNodes are whole, and staff is not.",
    ]
    stated = float(pod.peak_over_mean[0])
    if report.peak_over_mean < stated - 1e-9:
        found.append(
            f"A peak of {stated:.3g} times the mean would take more than the pod has; "
            f"{report.peak_over_mean:.3g} times fills it, and is used."
        )
    life, horizon = report.own.life_months, report.horizon_months
    if life < horizon:
        again = math.ceil(horizon / life) - 1
        found.append(
            f"Equipment serves {life:g} months and is bought again at today's price, {again} time{'s' if again > 1 else ''}."
        )
    unknown = [term.title.lower() for term in report.terms if math.isnan(term.usd_per_hour)]
    if unknown:
        found.append(f"No price is published for {report.accelerator}: {', '.join(unknown)}.")
    old = [f"{term.title.lower()} of {term.as_of}" for term in report.terms if term.is_old]
    if old:
        found.append(f"Prices older than {STALE_PRICE_DAYS} days: {', '.join(old)}.")
    if any(term.term == "spot" and not math.isnan(term.usd_per_hour) for term in report.terms):
        found.append(
            "Spot capacity is taken back at short notice; what work is lost by that is not charged here."
        )
    return tuple(found)


def _other_figures(report: OwnOrRent, pod: PodMoney) -> list[str]:
    """Reconciliation with the figures of the summary that answer nearly the same question."""
    levelised = first_of(pod.annual_cost / (12 * pod.used_hours_per_month))
    if math.isnan(levelised) or math.isnan(report.own.usd_per_used_hour):
        return []
    return [
        (
            f"A utilised hour of owning costs {report.own.usd_per_used_hour:.2f} USD over these "
            f"{report.horizon_months:.0f} months, paid by the month and resold at their end; the levelised cost is "
            f"{levelised:.2f} USD, in yearly payments over the life of each kind of equipment."
        ),
        (
            "Payback counts the whole rental bill: support, storage, data taken out and hours booked for the peak. "
            "The chart of cumulative cost counts the hourly rent alone."
        ),
    ]


class Worked(NamedTuple):
    """`path` is the one of `paths` that the scenario chose; `rents` are in the order of RENTAL_TERMS."""

    pod: PodMoney
    owned: Owned
    paths: tuple[Path, ...]
    path: Path
    rents: tuple[Rented, ...]
    horizon: int


def worked(scenario: EvaluatedScenario, catalog: Catalog) -> Worked:
    """Owning and renting after every month, on the scenario's price path."""
    design = scenario.resolved.whole
    economics, accelerator = design.economics, design.supernode.accelerator
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # unknown inputs are NaN
        pod = pod_money(scenario)
        paths = paths_of(economics.renting, accelerator.name, catalog.rentals(accelerator.key, "on_demand"))
        path = next(path for path in paths if path.key == economics.renting.price_path)
        return Worked(
            pod=pod,
            owned=owned_of(pod),
            paths=paths,
            path=path,
            rents=tuple(
                rented_of(pod, kind, economics.rents_usd_per_accelerator_hour[kind.key], path)
                for kind in RENTAL_TERMS.values()
            ),
            horizon=max(round(first_of(economics.renting.horizon_months)), 1),
        )
