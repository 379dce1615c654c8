"""Cost of a month of renting: hours, support, storage and data taken out.

How demand lies over time: the load-duration curve, and what of it an owned share can do.

The curve is P (1 - t)^(k - 1): demand exceeded for a share t of the time, with a peak P and a peak over mean k.
With k = 1 demand is constant, with k = 2 it falls in a straight line from its peak to nothing.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_EIGHT = (
    "[1] SemiAnalysis, How Much Do GPU Clusters Really Cost (2026-04): beside the price of an accelerator-hour "
    "storage, network, control plane, support, goodput, set-up, debugging and other compute"
)


@quantity(unit="accelerator h/month", source=_EIGHT)
def rented_hours_per_month(*, available_accelerator_hours_per_year: Array, goodput_ratio: Array) -> Array:
    """Hours to rent in a month for the useful work of the whole pod at full use.

    Where a rented hour does less useful work than an owned one, more hours are rented.
    """
    return available_accelerator_hours_per_year / 12 / goodput_ratio


@quantity(unit="1", source="definition")
def paid_over_used(*, pays_booked: Array, utilisation: Array, peak_share: Array) -> Array:
    """Paid / utilised hours.

    One where utilised hours are paid; the peak over the mean where a commitment for the peak is paid, used or
    not.
    """
    return np.where(pays_booked > 0, peak_share / utilisation, 1.0)


@quantity(unit="USD/month", source="definition")
def rent_usd_per_month(
    *, rented_hours_per_month: Array, usd_per_hour: Array, price_over_today: Array
) -> Array:
    """Rent of a month at full use."""
    return rented_hours_per_month * usd_per_hour * price_over_today


@quantity(unit="USD/month", source=_EIGHT)
def rent_support_usd_per_month(*, rent_usd_per_month: Array, support_share: Array) -> Array:
    """Support plan of a month."""
    return rent_usd_per_month * support_share


@quantity(unit="USD/month", source=_EIGHT)
def rent_storage_usd_per_month(*, storage_capacity_bytes: Array, storage_usd_per_tb_month: Array) -> Array:
    """Rented storage of a month: all that the pod would own."""
    return storage_capacity_bytes / 1e12 * storage_usd_per_tb_month


@quantity(unit="USD/month", source=_EIGHT)
def rent_egress_usd_per_month(*, egress_tb_per_month: Array, egress_usd_per_tb: Array) -> Array:
    """Data taken out of the cloud in a month.

    Nothing where nothing is taken out, whatever it would cost.
    """
    return np.where(egress_tb_per_month > 0, egress_tb_per_month * egress_usd_per_tb, 0.0)


_SCREENING = "[1] Stoft, Power System Economics (2002), chapter 2-2: load-duration and screening curves"


@quantity(unit="1", source="definition")
def peak_share(*, utilisation: Array, peak_over_mean: Array) -> Array:
    """Accelerators in use at the busiest time over all of the pod.

    u k, and the whole pod at most.
    """
    return np.minimum(utilisation * peak_over_mean, 1)


@quantity(unit="1", source=_SCREENING)
def demand_share(*, time_share: Array, utilisation: Array, peak_share: Array) -> Array:
    """Demand that is exceeded for a share of the time, over the pod."""
    return peak_share * (1 - time_share) ** (peak_share / utilisation - 1)


@quantity(unit="1", source=_SCREENING)
def time_above_share(*, owned_share: Array, utilisation: Array, peak_share: Array) -> Array:
    """Share of the time in which demand exceeds an owned share of the pod.

    1 - (s / P)^(1 / (k - 1)); demand that is constant exceeds all the time what is below it.
    """
    swing = peak_share / utilisation - 1
    below = np.minimum(owned_share / peak_share, 1)
    constant = np.where(below < 1, 1.0, 0.0)
    swinging = 1 - below ** (1 / np.where(swing > 1e-9, swing, 1.0))
    return np.where(swing > 1e-9, swinging, constant)


@quantity(unit="1", source=_SCREENING)
def served_share(*, owned_share: Array, utilisation: Array, peak_share: Array) -> Array:
    """Mean demand that an owned share of the pod does, over the pod.

    The area below both the load-duration curve and the owned share:
    s (1 - y (k - 1) / k) with y = (s / P)^(1 / (k - 1)), the mean u from the peak on.
    """
    above = time_above_share(owned_share=owned_share, utilisation=utilisation, peak_share=peak_share)
    partly = owned_share * (1 - (1 - above) * (1 - utilisation / peak_share))
    return np.where(owned_share >= peak_share, utilisation, partly)


_ANNUITY = "[1] Short, Packey and Holt, NREL/TP-462-5173 (1995), present value"


@quantity(unit="1", source=_ANNUITY)
def worth_of_a_dollar(*, month: Array, monthly_rate: Array) -> Array:
    """Present value of one dollar at the end of a month."""
    return np.exp(-month * np.log1p(monthly_rate))


@quantity(unit="months", source=_ANNUITY)
def worth_of_payments(*, month: Array, monthly_rate: Array) -> Array:
    """Present value of one dollar at the end of every month so far.

    (1 - (1 + r)^-m) / r, and m without interest.
    """
    free = monthly_rate < 1e-15
    paid = -np.expm1(-month * np.log1p(monthly_rate)) / np.where(free, 1.0, monthly_rate)
    return np.where(free, month + 0 * monthly_rate, paid)


@quantity(unit="USD", source=_ANNUITY)
def worth_so_far_usd(*, usd_per_month: Array, month: Array, monthly_rate: Array) -> Array:
    """Present value of all payments until a month."""
    return np.cumsum(usd_per_month * worth_of_a_dollar(month=month, monthly_rate=monthly_rate), axis=-1)
