"""The answer to own or rent: totals, where they meet, what a wrong guess costs."""

from __future__ import annotations

import dataclasses
import datetime

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.prices import rental_spreads
from app.engine.economics.renting import bill, owning
from app.engine.economics.renting.paths import most_regret_usd, regret_usd
from app.engine.specs import RENTAL_TERMS
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.own_or_rent.pod import Owned, PodMoney, cash_of, level_payment
from app.views.economics.own_or_rent.rented import (
    Mixed,
    Path,
    Rented,
    best_mix,
    compared,
    known_first,
    rented_of,
    reserving,
    usd,
)
from app.views.economics.own_or_rent.report import (
    CostLine,
    Curves,
    HeatMap,
    Owning,
    OwnOrRent,
    PricePath,
    RegretTable,
)
from app.views.economics.own_or_rent.terms import (
    OwnOrRentOptions,
    break_even_use_over_months,
    dated_offers,
    rent_term,
)
from app.views.economics.own_or_rent.words import Worked, notes, verdict, worked


def own_or_rent_answer(
    scenario: EvaluatedScenario,
    catalog: Catalog,
    options: OwnOrRentOptions | None = None,
    *,
    today: datetime.date | None = None,
) -> OwnOrRent:
    """Owning, renting and both over the scenario's horizon.

    Offers and the history of prices come from the catalog, today's prices from the scenario's own values. `today`
    is what the age of prices is counted to.
    """
    return report_of(worked(scenario, catalog), scenario, catalog, options, today=today)


def report_of(
    found: Worked,
    scenario: EvaluatedScenario,
    catalog: Catalog,
    options: OwnOrRentOptions | None = None,
    *,
    today: datetime.date | None = None,
) -> OwnOrRent:
    """The answer from what has been worked out for the same scenario and catalog."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # unknown inputs are NaN
        return _report(
            found,
            scenario,
            catalog,
            options or OwnOrRentOptions(),
            today or datetime.datetime.now(datetime.UTC).date(),
        )


def _report(
    found: Worked,
    scenario: EvaluatedScenario,
    catalog: Catalog,
    options: OwnOrRentOptions,
    today: datetime.date,
) -> OwnOrRent:
    design, origins = scenario.resolved.whole, scenario.resolved.origins
    economics, accelerator = design.economics, design.supernode.accelerator
    pod, owned, paths, path, rents, horizon = found
    against = compared(rents, options.against or economics.renting.compared_with)
    if options.against is None and not against.is_known:
        against = known_first(rents) or against
    peak = known_first([rent for rent in rents if not rent.kind.pays_booked])
    if against.is_known and not against.kind.pays_booked:
        peak = against
    mix = best_mix(pod, owned, peak, horizon) if peak is not None and path.is_known else None
    chosen_mix = None if peak is None or mix is None else (peak, mix[1])
    terms = tuple(rent_term(pod, owned, rent, horizon, origins[rent.kind.place], today) for rent in rents)
    share = bill.peak_share(utilisation=pod.utilisation, peak_over_mean=pod.peak_over_mean)
    offers = [offer for kind in RENTAL_TERMS for offer in catalog.rentals(accelerator.key, kind)]
    report = OwnOrRent(
        name=scenario.document.name,
        accelerator=accelerator.name,
        accelerators=first_of(design.pod.supernodes * design.supernode.accelerators),
        horizon_months=float(horizon),
        utilisation=first_of(pod.utilisation),
        peak_over_mean=first_of(share / pod.utilisation),
        peak_share=first_of(share),
        used_hours_per_month=first_of(pod.used_hours_per_month),
        goodput_ratio=first_of(economics.renting.goodput_ratio),
        wacc=first_of(economics.wacc),
        price_path=path.key,
        against=against.kind.key,
        own=_owning(pod, owned, horizon),
        terms=terms,
        mix=mix[0] if mix is not None else None,
        reserving=reserving(pod, rents[0], rents[1], horizon),
        paths=tuple(_path(one, path, horizon) for one in paths),
        lines=_lines(pod, owned, rents, chosen_mix, horizon),
        heat_map=heat_map(pod, owned, against, horizon) if against.is_known else None,
        curves=curves(pod, owned, rents, path, horizon),
        regret=regrets(pod, owned, rents, chosen_mix, paths, horizon),
        today=today.isoformat(),
        offers=dated_offers(offers, today),
        market=rental_spreads(offers),
        verdict=(),
        notes=(),
    )
    return dataclasses.replace(report, verdict=verdict(report), notes=notes(report, pod))


def _owning(pod: PodMoney, owned: Owned, horizon: int) -> Owning:
    total = owned.total(pod.utilisation)
    running = (pod.fixed_per_year + pod.at_full_use_per_year * pod.utilisation) / 12
    return Owning(
        capex_usd=first_of(pod.capex),
        total_usd=usd(total, horizon),
        equipment_usd=usd(owned.equipment, horizon),
        installation_usd=usd(owned.installation, horizon),
        facility_usd=usd(owned.facility, horizon),
        running_usd=usd(owned.waiting + owned.at_full_use * pod.utilisation, horizon),
        level_usd_per_month=first_of(level_payment(pod) + running),
        running_usd_per_month=first_of(running),
        life_months=first_of(pod.life),
        usd_per_used_hour=usd(
            owning.usd_per_used_hour(
                cost_usd=total,
                used_hours_per_month=pod.used_hours_per_month,
                worth_of_payments=owned.annuity,
            ),
            horizon,
        ),
    )


def _path(path: Path, chosen: Path, horizon: int) -> PricePath:
    return PricePath(
        path=path.key,
        title=path.title,
        said=path.said,
        is_chosen=path.key == chosen.key,
        is_known=path.is_known,
        over_today=tuple(path.over_today[:horizon].tolist()),
    )


def _lines(
    pod: PodMoney,
    owned: Owned,
    rents: tuple[Rented, ...],
    mix: tuple[Rented, Mixed] | None,
    horizon: int,
) -> tuple[CostLine, ...]:
    """What has been paid after each month; the first is what is paid at once."""
    running = owned.waiting + owned.at_full_use * pod.utilisation
    found = [
        ("own", "Own", pod.capex, cash_of(pod, owned, np.ones(1), pod.utilisation)),
        (
            "own_level",
            "Own, level payments",
            np.zeros(1),
            level_payment(pod) * owned.annuity + running,
        ),
        *(
            (rent.kind.key, rent.kind.title, pod.renting.setup_usd, rent.total(pod, pod.utilisation))
            for rent in rents
            if rent.is_known
        ),
    ]
    if mix is not None:
        peak, shares = mix
        rents_too = first_of(pod.utilisation - shares.served) > 0
        at_once = pod.capex * shares.share + (pod.renting.setup_usd if rents_too else 0.0)
        found.append(("mix", "Own and rent", at_once, shares.paid(pod, owned, peak)))
    return tuple(
        CostLine(choice=choice, title=title, usd=(first_of(at_once), *np.asarray(paid)[:horizon].tolist()))
        for choice, title, at_once, paid in found
    )


USES = np.linspace(0.05, 1, 20)
COLUMNS = 24
LEAST_MONTHS_DRAWN = 60
PRICES = 60


def heat_map(pod: PodMoney, owned: Owned, rented: Rented, horizon: int) -> HeatMap:
    """Owning less renting, by utilisation and duration."""
    longest = max(horizon, LEAST_MONTHS_DRAWN)
    months = np.unique(np.round(np.linspace(longest / COLUMNS, longest, COLUMNS))).astype(int)
    use = USES[:, None]
    own = owned.total(use)[:, months - 1]
    rent = rented.total(pod, use)[:, months - 1]
    difference = own - rent
    needed = break_even_use_over_months(pod, owned, rented)[months - 1]
    return HeatMap(
        term=rented.kind.key,
        utilisation=tuple(USES.tolist()),
        months=tuple(float(month) for month in months),
        own_less_rent_usd=tuple(tuple(line) for line in difference.tolist()),
        own_less_rent_share=tuple(tuple(line) for line in (difference / np.maximum(own, rent)).tolist()),
        break_even_utilisation=tuple(needed.tolist()),
    )


def curves(pod: PodMoney, owned: Owned, rents: tuple[Rented, ...], path: Path, horizon: int) -> Curves:
    """Break-even utilisation against price; cost of a utilised hour against utilisation."""
    last = horizon - 1
    known = [first_of(rent.price) for rent in rents if rent.is_known]
    own_hour = first_of(
        owning.usd_per_used_hour(
            cost_usd=owned.total(np.ones(1))[last],
            used_hours_per_month=pod.available_hours_per_year / 12,
            worth_of_payments=owned.annuity[last],
        )
    )
    dearest = max([price for price in (*known, own_hour) if np.isfinite(price)], default=1.0)
    price = np.linspace(dearest / PRICES, 1.25 * dearest, PRICES)
    one_dollar = rented_of(pod, RENTAL_TERMS["on_demand"], np.ones(1), path)
    at_price = dataclasses.replace(
        one_dollar, hours=one_dollar.hours * price[:, None], support=one_dollar.support * price[:, None]
    )
    hours = {
        "used_hours_per_month": pod.available_hours_per_year * USES / 12,
        "worth_of_payments": owned.annuity[last],
    }
    return Curves(
        usd_per_hour=tuple(price.tolist()),
        break_even_utilisation=tuple(break_even_use_over_months(pod, owned, at_price)[:, last].tolist()),
        utilisation=tuple(USES.tolist()),
        own_usd_per_used_hour=tuple(
            owning.usd_per_used_hour(cost_usd=owned.total(USES[:, None])[:, last], **hours).tolist()
        ),
        rent_usd_per_used_hour=tuple(
            tuple(
                owning.usd_per_used_hour(cost_usd=rent.total(pod, USES[:, None])[:, last], **hours).tolist()
            )
            for rent in rents
        ),
    )


def regrets(
    pod: PodMoney,
    owned: Owned,
    rents: tuple[Rented, ...],
    mix: tuple[Rented, Mixed] | None,
    paths: tuple[Path, ...],
    horizon: int,
) -> RegretTable:
    """Owning, each kind of terms with a price, and the mix that is best on the chosen path, on every known path."""
    known = [path for path in paths if path.is_known]
    rented = [rent for rent in rents if rent.is_known]
    own = usd(owned.total(pod.utilisation), horizon)
    rows = [[own] * len(known)]
    rows += [
        [
            usd(rented_of(pod, one.kind, one.price, path).total(pod, pod.utilisation), horizon)
            for path in known
        ]
        for one in rented
    ]
    choices = ["own", *(one.kind.key for one in rented)]
    if mix is not None:
        peak, shares = mix
        rows.append(
            [
                first_of(shares.total(pod, owned, rented_of(pod, peak.kind, peak.price, path), horizon))
                for path in known
            ]
        )
        choices.append("mix")
    cost = np.array(rows)
    regret = regret_usd(cost_usd=cost)
    most = most_regret_usd(regret_usd=regret)
    said = np.isfinite(cost).all() and len(choices) > 1
    return RegretTable(
        choices=tuple(choices),
        paths=tuple(path.key for path in known),
        cost_usd=tuple(tuple(line) for line in cost.tolist()),
        regret_usd=tuple(tuple(line) for line in regret.tolist()),
        most_regret_usd=tuple(most.tolist()),
        least_regretted=choices[int(np.argmin(most))] if said else "",
        left_out=tuple(path.key for path in paths if not path.is_known),
    )
