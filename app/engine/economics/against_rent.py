"""A run when rented, and where owning and renting meet: quantities called in their order."""

from __future__ import annotations

from typing import Any

from app.engine.economics import finance, rent
from app.engine.specs import Economics
from app.engine.trace import Array


def against_rent(
    economics: Economics,
    bill: dict[str, Array],
    hours: dict[str, Array],
    use: dict[str, Array],
    opex: dict[str, Array],
    owned: dict[str, Any],
) -> dict[str, Array]:
    """Break-even of owning and renting."""
    on_demand = economics.rental_on_demand_usd_per_accelerator_hour
    reserved = economics.rental_reserved_usd_per_accelerator_hour
    rising = rent.use_dependent_usd_per_year(**use)
    level = {
        "idle_cost_usd_per_year": rent.idle_cost_usd_per_year(
            annual_cost_usd_per_year=owned["annual_cost_usd_per_year"],
            use_dependent_usd_per_year=rising,
            utilisation=economics.utilisation,
        ),
        "use_dependent_usd_per_year": rising,
        "available_accelerator_hours_per_year": hours["available"],
    }
    gain = rent.monthly_gain_on_demand_usd(
        available_accelerator_hours_per_year=hours["available"],
        utilisation=economics.utilisation,
        on_demand_usd_per_hour=on_demand,
        opex_usd_per_year=opex["total"],
    )
    return {
        "break_even_utilisation": rent.break_even_utilisation(**level, on_demand_usd_per_hour=on_demand),
        "break_even_utilisation_reserved": rent.break_even_utilisation_reserved(
            **level, reserved_usd_per_hour=reserved
        ),
        "break_even_months": rent.break_even_months(
            capex_usd=bill["capex_usd"],
            monthly_gain_usd=gain,
            monthly_rate=finance.monthly_rate(yearly_rate=economics.wacc),
        ),
    }


def run_against_rent(economics: Economics, run_hours: Array) -> dict[str, Array]:
    """The run when rented."""
    return {
        "usd_per_run_rented_on_demand": rent.usd_per_run_rented_on_demand(
            run_accelerator_hours=run_hours,
            on_demand_usd_per_hour=economics.rental_on_demand_usd_per_accelerator_hour,
        ),
        "usd_per_run_rented_reserved": rent.usd_per_run_rented_reserved(
            run_accelerator_hours=run_hours,
            reserved_usd_per_hour=economics.rental_reserved_usd_per_accelerator_hour,
        ),
    }
