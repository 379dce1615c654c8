"""Loans and leases of a build-out by month: what is drawn, owed and paid, and their rate with all fees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics.build_out.specs import Financing
from app.engine.economics.finance import monthly_rate
from app.engine.quantities import quantity
from app.engine.trace import Array

_ANNUITY = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), uniform capital recovery"
_SCULPTED = (
    "project finance: debt service of each period is cash flow available for it over the cover asked for"
)
_HALVINGS = 100
_HIGHEST = 10.0  # a month
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Debt:
    """A claim on each phase, phases by months; all positive. `service_usd` leaves out what is repaid from the sale."""

    drawn_usd: Array
    capitalised_usd: Array  # interest that is added to the debt during construction
    interest_usd: Array
    principal_usd: Array
    service_usd: Array
    fees_usd: Array
    owed_usd: Array
    cover: Array  # unknown where nothing is due

    @property
    def paid_usd(self) -> Array:
        """Interest and principal in cash."""
        return self.interest_usd - self.capitalised_usd + self.principal_usd

    @property
    def lender_flow_usd(self) -> Array:
        return self.paid_usd + self.fees_usd - self.drawn_usd


@quantity(unit="USD", source="definition", at="economics.build_out.owed_usd")
def owed_usd(*, drawn_usd: Array, paid_usd: Array, rate: Array, months: Array) -> Array:
    """Debt at the end of each month: what was drawn less what was paid, with interest since.

    (1 + i)^m times the sum of (drawn - paid) / (1 + i)^m.
    """
    factor = (1 + rate) ** months
    return factor * np.cumsum((drawn_usd - paid_usd) / factor, axis=-1)


@quantity(unit="USD", source=_ANNUITY, at="economics.build_out.level_payment_usd")
def level_payment_usd(*, owed_usd: Array, rate: Array, payments: Array) -> Array:
    """Level payment of a month that repays a debt with its interest."""
    free = np.abs(rate) < 1e-12
    shrinks = -np.expm1(-payments * np.log1p(np.where(free, 1.0, rate)))
    return owed_usd * np.where(free, 1 / payments, rate / np.where(free, 1.0, shrinks))


@quantity(unit="USD", source=_SCULPTED, at="economics.build_out.sculpted_service_usd")
def sculpted_service_usd(*, cfads_usd: Array, target_dscr: Array, is_due: Array) -> Array:
    """Debt service that leaves the cover asked for in every month in which it is due."""
    return np.maximum(cfads_usd, 0.0) / target_dscr * is_due


@quantity(unit="1", source="definition", at="economics.build_out.cover")
def cover(*, cfads_usd: Array, service_usd: Array) -> Array:
    """Cash flow available for debt service over what is due; unknown in months without any."""
    return np.where(service_usd > 0, cfads_usd / np.where(service_usd > 0, service_usd, 1.0), np.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class Borrower:
    """A phase as its lenders see it: rows of phases, columns of months."""

    months: Array
    delivery_month: Array
    end_month: Array
    uses_usd: Array
    cfads_usd: Array


def loan(borrower: Borrower, terms: Financing, *, sculpted: bool) -> Debt:
    """A loan on each phase, drawn with its cost, interest capitalised until delivery.

    A sculpted one is what the cover asked for supports, at most the share of cost; where the share binds, the cover is
    higher, and the same in every period. What a level one still owes at the end of the life is repaid from the sale.
    """
    months, begin = borrower.months, borrower.delivery_month
    rate = monthly_rate(yearly_rate=terms.loan_rate)
    last = np.minimum(np.ceil(borrower.end_month), months[-1])
    free = np.minimum(terms.interest_only_months, terms.loan_months - 1)
    is_free = (months > begin) & (months <= np.minimum(begin + free, last))
    is_due = (months > begin + free) & (months <= np.minimum(begin + terms.loan_months, last))
    grown = np.sum(borrower.uses_usd * (1 + rate) ** np.maximum(begin - months, 0.0), axis=-1, keepdims=True)
    most = terms.loan_share * grown
    if sculpted:
        service = sculpted_service_usd(
            cfads_usd=borrower.cfads_usd, target_dscr=terms.target_dscr, is_due=is_due
        )
        worth = np.where(is_due, (1 + rate) ** -(months - begin - free), 0.0)
        supported = np.sum(service * worth, axis=-1, keepdims=True)
        amount = np.minimum(most, supported)
        service = service * amount / np.where(supported > 0, supported, 1.0)
    else:
        amount = most
        service = is_due * level_payment_usd(
            owed_usd=amount, rate=rate, payments=np.maximum(terms.loan_months - free, 1)
        )
    service = service + is_free * amount * rate
    drawn = borrower.uses_usd * amount / np.where(grown > 0, grown, 1.0)
    left = owed_usd(drawn_usd=drawn, paid_usd=service, rate=rate, months=months)
    settled = np.where(months == last, left, 0.0)
    paid = service + settled
    owed = owed_usd(drawn_usd=drawn, paid_usd=paid, rate=rate, months=months)
    scale = _ROUNDING * np.max(np.abs(owed), axis=-1, keepdims=True)
    owed = np.where(np.abs(owed) <= scale, 0.0, owed)
    before = np.concatenate([np.zeros_like(owed[:, :1]), owed[:, :-1]], axis=-1)
    interest = before * rate
    capitalised = np.where(months <= begin, interest, 0.0)
    undrawn = amount - np.cumsum(drawn + capitalised, axis=-1)
    has_begun = np.cumsum(drawn, axis=-1) > 0
    was_drawn = np.concatenate([np.zeros_like(has_begun[:, :1]), has_begun[:, :-1]], axis=-1)
    fees = drawn * terms.upfront_fee + np.where(
        was_drawn & (months <= begin), np.maximum(undrawn, 0.0) * terms.commitment_fee / 12, 0.0
    )
    return Debt(
        drawn_usd=drawn,
        capitalised_usd=capitalised,
        interest_usd=interest,
        principal_usd=paid - (interest - capitalised),
        service_usd=service,
        fees_usd=fees,
        owed_usd=owed,
        cover=cover(cfads_usd=borrower.cfads_usd, service_usd=service),
    )


@quantity(unit="USD", source=_ANNUITY, at="economics.build_out.lease_rent_usd")
def lease_rent_usd(
    *, price_usd: Array, left_usd: Array, rate: Array, payments: Array, in_advance: Array
) -> Array:
    """Rent of a month at which the lessor earns the implicit rate.

    The price less the worth of what is left at the end of the term, as level payments, at the end or at the start of
    their months.
    """
    worth_left = left_usd * (1 + rate) ** -payments
    at_end = level_payment_usd(owed_usd=price_usd - worth_left, rate=rate, payments=payments)
    return np.where(in_advance > 0, at_end / (1 + rate), at_end)


def lease(
    borrower: Borrower,
    price_usd: Array,
    left_usd: Array,
    rate_per_year: Array,
    term_months: Array,
    in_advance: Array,
) -> Debt:
    """Equipment that a lessor buys at delivery; `left_usd` is paid at the end of the term, or given back in kind."""
    months, begin = borrower.months, borrower.delivery_month
    rate = monthly_rate(yearly_rate=rate_per_year)
    term = np.minimum(term_months, np.floor(borrower.end_month - begin))
    rent = lease_rent_usd(
        price_usd=price_usd, left_usd=left_usd, rate=rate, payments=term, in_advance=in_advance
    )
    early = np.where(in_advance > 0, 1, 0)
    is_due = (months > begin - early) & (months <= begin + term - early)
    service = rent * is_due
    drawn = np.where(months == begin, price_usd, 0.0)
    paid = service + np.where(months == begin + term, left_usd, 0.0)
    owed = owed_usd(drawn_usd=drawn, paid_usd=paid, rate=rate, months=months)
    owed = np.where(np.abs(owed) <= _ROUNDING * np.max(np.abs(owed), axis=-1, keepdims=True), 0.0, owed)
    before = np.concatenate([np.zeros_like(owed[:, :1]), owed[:, :-1]], axis=-1)
    interest = before * rate
    return Debt(
        drawn_usd=drawn,
        capitalised_usd=np.zeros_like(owed),
        interest_usd=interest,
        principal_usd=paid - interest,
        service_usd=service,
        fees_usd=np.zeros_like(owed),
        owed_usd=owed,
        cover=cover(cfads_usd=_months_ahead(borrower.cfads_usd, early), service_usd=service),
    )


def _months_ahead(values: Array, early: Array) -> Array:
    """What a rent in advance is paid from: the earnings of the month that it is for."""
    ahead = np.concatenate([values[:, 1:], np.zeros_like(values[:, :1])], axis=-1)
    return np.where(early > 0, ahead, values)


@quantity(unit="1/year", source="definition", at="economics.build_out.yearly_return", leaf=True)
def yearly_return(*, flow_usd: Array) -> Array:
    """Effective yearly rate of monthly flows that are first paid and then got back.

    There is one where the flows change their sign once, or their sum does (Norstrøm's criterion), or where the money
    that is put in is never got back before its time at that rate (a pure investment, after Soper); else it is unknown.
    Rates from -90 % to 1,000 % a month are looked at.
    """
    total = np.cumsum(flow_usd)
    tiny = _ROUNDING * np.max(np.abs(total), initial=0.0)
    of_sum, of_flows = _changes(total, tiny), _changes(flow_usd, tiny)
    if not of_flows.size or of_flows[0] > 0:
        return np.full(1, np.nan)
    months = np.arange(flow_usd.size)
    by_sum = of_sum.size == 2 and of_sum[1] > 0
    # In log(1 + i), so that rates far below nothing are distinguished.
    low, high = (0.0 if by_sum else float(np.log(0.1))), float(np.log1p(_HIGHEST))
    if not np.sum(flow_usd * np.exp(-months * low)) >= 0:
        return np.full(1, np.nan)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if np.sum(flow_usd * np.exp(-months * middle)) > 0:
            low = middle
        else:
            high = middle
    put_in = -np.cumsum(flow_usd * np.exp(-months * high))
    is_pure = bool(np.all(put_in >= -1e-6 * np.max(put_in)))
    has_one = by_sum or of_flows.size == 2 or is_pure
    return np.array([np.expm1(12 * high) if has_one else np.nan])


def _changes(values: Array, tiny: float) -> Array:
    """Signs of the runs of a row, nothing left out."""
    signs = np.sign(values[np.abs(values) > tiny])
    found: Array = signs[np.diff(signs, prepend=0.0) != 0]
    return found
