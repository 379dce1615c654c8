"""What renting has cost after every month, by the engine's formulas."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.catalog.prices import ONE_SELLER
from app.catalog.values import RentalOffer
from app.engine.economics.renting import bill, owning, paths
from app.engine.economics.renting.bill import worth_so_far_usd
from app.engine.economics.renting.paths import held_usd_per_hour, matched_index, matched_since
from app.engine.specs import RentalTerms, Renting
from app.engine.trace import Array, first_of
from app.views.economics.own_or_rent.pod import MONTH, Owned, PodMoney, cash_of
from app.views.economics.own_or_rent.report import Mix, Reserving


@dataclass(frozen=True, slots=True, kw_only=True)
class Rented:
    """On one kind of terms and one price path, after each month of MONTH."""

    kind: RentalTerms
    price: Array
    hours: Array  # rent of the whole pod at full use
    support: Array  # of the same
    storage: Array
    egress: Array
    setup: Array
    hours_by_month: Array  # not summed, not discounted: rent of each month at full use, support included
    fixed_per_month: Array  # storage and egress

    @property
    def is_known(self) -> bool:
        return not np.isnan(self.price).any()

    @property
    def at_full_use(self) -> Array:
        return self.hours + self.support

    @property
    def fixed(self) -> Array:
        return self.storage + self.egress + self.setup

    def paid_over_used(self, pod: PodMoney, utilisation: Array) -> Array:
        """Paid / utilised hours at a utilisation."""
        return bill.paid_over_used(
            pays_booked=np.array([float(self.kind.pays_booked)]),
            utilisation=utilisation,
            peak_share=bill.peak_share(utilisation=utilisation, peak_over_mean=pod.peak_over_mean),
        )

    def total(self, pod: PodMoney, utilisation: Array) -> Array:
        return self.fixed + self.at_full_use * utilisation * self.paid_over_used(pod, utilisation)


def rented_of(pod: PodMoney, kind: RentalTerms, price: Array, path: Path) -> Rented:
    """Cumulative cost of renting by month."""
    terms = pod.renting
    moved = path.over_today
    if kind.pays_booked:
        moved = paths.committed_over_today(
            month=MONTH, price_over_today=moved, commitment_months=terms.commitment_months
        )
    by_month = bill.rent_usd_per_month(
        rented_hours_per_month=bill.rented_hours_per_month(
            available_accelerator_hours_per_year=pod.available_hours_per_year,
            goodput_ratio=terms.goodput_ratio,
        ),
        usd_per_hour=price,
        price_over_today=moved,
    )
    support = bill.rent_support_usd_per_month(rent_usd_per_month=by_month, support_share=terms.support_share)
    storage = bill.rent_storage_usd_per_month(
        storage_capacity_bytes=pod.storage_bytes, storage_usd_per_tb_month=terms.storage_usd_per_tb_month
    )
    egress = bill.rent_egress_usd_per_month(
        egress_tb_per_month=terms.egress_tb_per_month, egress_usd_per_tb=terms.egress_usd_per_tb
    )

    def so_far(usd_per_month: Array) -> Array:
        every_month = np.broadcast_to(usd_per_month, MONTH.shape)
        return worth_so_far_usd(usd_per_month=every_month, month=MONTH, monthly_rate=pod.rate)

    return Rented(
        kind=kind,
        price=price,
        hours=so_far(by_month),
        support=so_far(support),
        storage=so_far(storage),
        egress=so_far(egress),
        setup=np.broadcast_to(terms.setup_usd, MONTH.shape),
        hours_by_month=by_month + support,
        fixed_per_month=storage + egress,
    )


def known_first(rents: Sequence[Rented]) -> Rented | None:
    """The first terms with a price."""
    return next((rent for rent in rents if rent.is_known), None)


def compared(rents: Sequence[Rented], wanted: str) -> Rented:
    """The terms that are asked for."""
    return next(rent for rent in rents if rent.kind.key == wanted)


def usd(value: Array, months: int) -> float:
    """Amount paid after a number of months."""
    return first_of(np.asarray(value)[months - 1])


SHARE: Array = np.linspace(0, 1, 1001)
DRAWN = slice(None, None, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixed:
    """A share of the pod owned, the rest of the demand rented."""

    share: Array
    served: Array

    def total(self, pod: PodMoney, owned: Owned, rented: Rented, horizon: int) -> Array:
        """Cost over the horizon, of each share."""
        last = horizon - 1
        return owning.mix_usd(
            owned_share=self.share,
            served_share=self.served,
            utilisation=pod.utilisation,
            own_fixed_usd=owned.fixed[last],
            own_at_full_use_usd=owned.at_full_use[last],
            rent_fixed_usd=rented.fixed[last],
            rent_at_full_use_usd=rented.at_full_use[last],
        )

    def paid(self, pod: PodMoney, owned: Owned, rented: Rented) -> Array:
        """Cash paid after each month."""
        elsewhere = np.maximum(pod.utilisation - self.served, 0)
        own = cash_of(pod, owned, self.share, self.served)
        return own + rented.at_full_use * elsewhere + np.where(elsewhere > 0, rented.fixed, 0.0)


def mixed(pod: PodMoney, share: Array) -> Mixed:
    """Share of the demand served by a mix."""
    return Mixed(
        share=share,
        served=bill.served_share(owned_share=share, utilisation=pod.utilisation, peak_share=_peak(pod)),
    )


def best_mix(pod: PodMoney, owned: Owned, rented: Rented, horizon: int) -> tuple[Mix, Mixed]:
    """The share that costs least over the horizon."""
    every = mixed(pod, SHARE)
    cost = every.total(pod, owned, rented, horizon)
    best = mixed(pod, np.atleast_1d(owning.cheapest_share(share=SHARE, cost_usd=cost)))
    total = first_of(best.total(pod, owned, rented, horizon))
    return (
        Mix(
            term=rented.kind.key,
            owned_share=first_of(best.share),
            served_share=first_of(best.served / pod.utilisation),
            total_usd=total,
            saves_usd=float(np.minimum(cost[0], cost[-1])) - total,
            share=tuple(SHARE[DRAWN].tolist()),
            total_by_share_usd=tuple(cost[DRAWN].tolist()),
        ),
        best,
    )


def reserving(pod: PodMoney, on_demand: Rented, reserved: Rented, horizon: int) -> Reserving:
    """Break-even of a commitment, and the share of the demand to commit."""
    last = horizon - 1
    above = first_of(
        owning.reserve_above_use(
            reserved_usd=reserved.at_full_use[last], on_demand_usd=on_demand.at_full_use[last]
        )
    )
    every = mixed(pod, SHARE)
    cost = owning.reserved_base_usd(
        reserved_share=SHARE,
        served_share=every.served,
        utilisation=pod.utilisation,
        rent_fixed_usd=on_demand.fixed[last],
        reserved_at_full_use_usd=reserved.at_full_use[last],
        on_demand_at_full_use_usd=on_demand.at_full_use[last],
    )
    known = not np.isnan(cost).any()
    use = first_of(pod.utilisation)
    return Reserving(
        above_utilisation=above,
        reserve_all="unknown" if np.isnan(above) else "yes" if use > above else "no",
        reserved_share=first_of(owning.cheapest_share(share=SHARE, cost_usd=cost)),
        total_usd=float(cost.min()) if known else float("nan"),
    )


def _peak(pod: PodMoney) -> Array:
    return bill.peak_share(utilisation=pod.utilisation, peak_over_mean=pod.peak_over_mean)


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Prices of MONTH over today's; all unknown where `is_known` is false."""

    key: str
    title: str
    said: str
    over_today: Array
    is_known: bool = True


def paths_of(renting: Renting, accelerator: str, offers: Sequence[RentalOffer]) -> tuple[Path, ...]:
    """Flat, decay, the jump, the jump taken back, and the dated history."""
    back = paths.undoing_share(share=renting.shock_share)
    jumps = {"shock": renting.shock_share, "shock_back": back}
    change, when = first_of(renting.price_change_per_year), first_of(renting.shock_month)
    history = price_history(accelerator, offers)
    return (
        Path(
            key="flat",
            title="Flat",
            said="Today's prices hold.",
            over_today=paths.flat_over_today(month=MONTH),
        ),
        Path(
            key="decay",
            title=f"Decay, {signed(change)} per year",
            said=f"Prices move by {signed(change)} per year, compounded month by month.",
            over_today=paths.decayed_over_today(
                month=MONTH, price_change_per_year=renting.price_change_per_year
            ),
        ),
        *(
            Path(
                key=key,
                title=f"Jump of {signed(first_of(share))}",
                said=f"Today's prices hold until month {when:g}, then those after a jump of {signed(first_of(share))}.",
                over_today=paths.shocked_over_today(
                    month=MONTH, shock_month=renting.shock_month, shock_share=share
                ),
            )
            for key, share in jumps.items()
        ),
        Path(
            key="history",
            title="Repeat history",
            said=history.said,
            over_today=paths.replayed_over_today(month=MONTH, history_index=history.index)
            if history.is_known
            else np.full_like(MONTH, np.nan),
            is_known=history.is_known,
        ),
    )


def signed(share: float) -> str:
    """A change as words: "+38 %"."""
    return f"{'+' if share >= 0 else chr(0x2212)}{abs(100 * share):.3g}\u202f%"


LEAST_MONTHS, LEAST_SELLERS = 12, 2
DATED = re.compile(r"(\d{4})-(\d{2})")


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceHistory:
    """`index` is over the first month; empty where there is too little of it, as `said` tells."""

    index: Array
    said: str

    @property
    def is_known(self) -> bool:
        return self.index.size > 0


def price_history(accelerator: str, offers: Sequence[RentalOffer]) -> PriceHistory:
    """The index of sellers matched with themselves; the newest run of months in which there are any."""
    by_seller = _cheapest_by_seller_and_month(offers)
    repeated = {seller: months for seller, months in by_seller.items() if len(months) > 1}
    none = np.zeros(0)
    if not repeated:
        said = f"no seller of {accelerator} on demand is listed in two months"
        return PriceHistory(index=none, said=f"Unknown: {said}, so nothing is known to have moved.")
    first = min(min(months) for months in repeated.values())
    last = max(max(months) for months in repeated.values())
    month = np.arange(float(first), last + 1)
    held = np.array([_held(month, months) for months in repeated.values()])
    start = int(matched_since(usd_per_hour=held)[0])
    held = held[:, start:]
    sellers = int((np.isfinite(held).sum(axis=1) > 1).sum())
    length = held.shape[1] - 1
    span = f"{_name(first + start)} to {_name(last)}"
    if length < LEAST_MONTHS or sellers < LEAST_SELLERS:
        said = f"{length} months of {sellers} seller{'' if sellers == 1 else 's'} of {accelerator}, {span}"
        return PriceHistory(
            index=none,
            said=f"Unknown: too short. {said}; it takes {LEAST_MONTHS} months of {LEAST_SELLERS} sellers.",
        )
    return PriceHistory(
        index=matched_index(usd_per_hour=held),
        said=f"As {accelerator} on demand moved from {span}, each of {sellers} sellers against itself: {length} "
        "months of moves from today, and flat after them.",
    )


def _cheapest_by_seller_and_month(offers: Sequence[RentalOffer]) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for offer in offers:
        dated = DATED.match(offer.date)
        if dated:
            month = 12 * int(dated[1]) + int(dated[2]) - 1
            months = found[ONE_SELLER.get(offer.provider, offer.provider)]
            months[month] = min(months.get(month, np.inf), offer.usd_per_accelerator_hour)
    return found


def _held(month: Array, months: dict[int, float]) -> Array:
    seen = sorted(months)
    return held_usd_per_hour(
        month=month,
        offer_month=np.array(seen, dtype=float),
        offer_usd_per_hour=np.array([months[one] for one in seen]),
    )


def _name(month: int) -> str:
    return f"{month // 12}-{month % 12 + 1:02d}"
