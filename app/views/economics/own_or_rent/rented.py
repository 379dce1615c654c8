"""What renting has cost after every month, by the engine's formulas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.economics.renting import bill, demand, paths
from app.engine.economics.renting.worth import worth_so_far_usd
from app.engine.specs import Economics
from app.engine.trace import Array, first_of
from app.views.economics.own_or_rent.owned import MONTH
from app.views.economics.own_or_rent.pod import PodMoney
from app.views.economics.own_or_rent.price_paths import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of rental terms. `place` is where its price stands in the design and in the scenario."""

    key: str
    title: str
    words: str  # in a sentence, after "than"
    place: str
    pays_booked: bool = False


KINDS = (
    Kind(
        key="on_demand",
        title="On demand",
        words="renting on demand",
        place="economics.rental_on_demand_usd_per_accelerator_hour",
    ),
    Kind(
        key="reserved",
        title="Reserved",
        words="reserving",
        place="economics.rental_reserved_usd_per_accelerator_hour",
        pays_booked=True,
    ),
    Kind(
        key="spot",
        title="Spot",
        words="renting on the spot market",
        place="economics.renting.spot_usd_per_accelerator_hour",
    ),
    Kind(
        key="capacity_block",
        title="Capacity block",
        words="booking capacity blocks",
        place="economics.renting.capacity_block_usd_per_accelerator_hour",
    ),
)
KIND_OF = {kind.key: kind for kind in KINDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rented:
    """On one kind of terms and one price path, after each month of MONTH."""

    kind: Kind
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
        """Hours paid over hours used at a utilisation."""
        return bill.paid_over_used(
            pays_booked=np.array([float(self.kind.pays_booked)]),
            utilisation=utilisation,
            peak_share=demand.peak_share(utilisation=utilisation, peak_over_mean=pod.peak_over_mean),
        )

    def total(self, pod: PodMoney, utilisation: Array) -> Array:
        return self.fixed + self.at_full_use * utilisation * self.paid_over_used(pod, utilisation)


def price_of(economics: Economics, kind: Kind) -> Array:
    """Today's price of a kind of terms."""
    return {
        "on_demand": economics.rental_on_demand_usd_per_accelerator_hour,
        "reserved": economics.rental_reserved_usd_per_accelerator_hour,
        "spot": economics.renting.spot_usd_per_accelerator_hour,
        "capacity_block": economics.renting.capacity_block_usd_per_accelerator_hour,
    }[kind.key]


def rented_of(pod: PodMoney, kind: Kind, price: Array, path: Path) -> Rented:
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


def known_first(rents: tuple[Rented, ...], wanted: str | None) -> Rented | None:
    """The terms that are asked for, else on demand, else the first with a price."""
    if wanted is not None:
        return next(rent for rent in rents if rent.kind.key == wanted)
    return next((rent for rent in rents if rent.is_known), None)


def usd(value: Array, months: int) -> float:
    """Amount paid after a number of months."""
    return first_of(np.asarray(value)[months - 1])
