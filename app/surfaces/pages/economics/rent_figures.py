"""Own or rent drawn: the answer as what each of its figures takes."""

from __future__ import annotations

import datetime
import math

from app.charts.economics.rent_curves import hour_cost_figure, use_by_price_figure
from app.charts.economics.rent_lines import rent_lines_figure
from app.charts.economics.rent_map import rent_map_figure
from app.charts.economics.rent_mix import rent_mix_figure
from app.charts.economics.rent_parts import Drawn
from app.charts.economics.rent_prices import OfferPoint, PathLine, rent_prices_figure
from app.charts.figure import Figure
from app.views.economics.own_or_rent import OwnOrRent
from app.views.economics.own_or_rent.rented import KIND_OF
from app.views.economics.own_or_rent.report import Numbers, RentTerm
from app.views.economics.own_or_rent.words import ON_PATH, choice_words


def rent_figures(report: OwnOrRent) -> dict[str, Figure | None]:
    """By their names in the template; None where there is nothing to be set against."""
    term = next((term for term in report.terms if term.term == report.against), None)
    words = choice_words(report.against) if report.against else "renting"
    return {
        "paid": rent_lines_figure(
            [Drawn(line.choice, line.title, _known(line.usd)) for line in report.lines],
            path=ON_PATH[report.price_path],
            against=report.against,
            meets=term.break_even_month if term else math.nan,
        ),
        "heat": _map(report, words),
        "use_by_price": use_by_price_figure(
            report.curves.usd_per_hour,
            [None if math.isnan(use) else use for use in report.curves.break_even_utilisation],
            [
                Drawn(term.term, term.title, _known((term.usd_per_hour,)))
                for term in report.terms
                if term.pays == "used"
            ],
            report.utilisation,
        ),
        "hour_cost": hour_cost_figure(
            report.curves.utilisation,
            [
                Drawn("own", "Own", _known(report.curves.own_usd_per_used_hour)),
                *(
                    Drawn(term.term, term.title, _known(values))
                    for term, values in zip(report.terms, report.curves.rent_usd_per_used_hour, strict=True)
                ),
            ],
            report.utilisation,
        ),
        "mix": _mix(report),
        "prices": _prices(report, term, words),
    }


def _map(report: OwnOrRent, words: str) -> Figure | None:
    heat = report.heat_map
    if heat is None:
        return None
    return rent_map_figure(
        words=words,
        utilisation=heat.utilisation,
        months=heat.months,
        share=[_known(line) for line in heat.own_less_rent_share],
        even=_known(heat.break_even_utilisation),
        here=(report.horizon_months, report.utilisation),
    )


def _mix(report: OwnOrRent) -> Figure | None:
    mix = report.mix
    if mix is None:
        return None
    best, best_usd, served = _known((mix.owned_share, mix.total_usd, mix.served_share))
    return rent_mix_figure(
        mix.share,
        _known(mix.total_by_share_usd),
        best=best,
        best_usd=best_usd,
        served=served,
        peak_over_mean=report.peak_over_mean,
        words=choice_words(mix.term),
    )


def _prices(report: OwnOrRent, term: RentTerm | None, words: str) -> Figure:
    return rent_prices_figure(
        [
            OfferPoint(
                offer.kind,
                KIND_OF[offer.kind].title,
                _year(offer.date),
                offer.usd_per_accelerator_hour,
                f"{offer.provider}, {offer.term}, {offer.date}",
            )
            for offer in report.offers
        ],
        [
            PathLine(path.path, path.title, path.over_today, path.is_chosen)
            for path in report.paths
            if path.is_known
        ],
        today_year=_year(report.today),
        usd_per_hour=None if term is None or math.isnan(term.usd_per_hour) else term.usd_per_hour,
        words=words,
    )


def _known(values: Numbers) -> list[float | None]:
    return [value if math.isfinite(value) else None for value in values]


def _year(date: str) -> float:
    """A date in years; a month counts from its middle, a year from its middle too."""
    parts = [int(part) for part in date.split("-")]
    year, month, day = [*parts, 7, 1][:3] if len(parts) == 1 else [*parts, 15][:3]
    first = datetime.date(year, 1, 1)
    return year + (datetime.date(year, month, day) - first).days / 365.25
