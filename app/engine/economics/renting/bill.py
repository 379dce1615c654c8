"""What a month of renting costs: hours, support, storage and data taken out."""

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
    """Hours paid over hours used.

    One where used hours are paid; the peak over the mean where a commitment for the peak is paid, used or not.
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
