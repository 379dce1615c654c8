"""On what terms a pod is bought, paid for or rented."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.specs import Economics, Finance, Renting
from app.engine.trace import Array, Origin
from app.scenarios.document.scenario import EconomicsDocument
from app.scenarios.resolve.inputs import Inputs

OF_THE_POD = (
    "life_years", "wacc", "utilisation", "residual_value",
    "colocation_usd_per_kw_month", "price_discount", "research_multiplier",
)  # fmt: skip
OF_FINANCE = (
    "tax_rate", "bonus_depreciation", "inflation", "debt_share", "debt_rate", "debt_years",
)  # fmt: skip
OF_RENTING = (
    "price_change_per_year", "shock_month", "shock_share", "storage_usd_per_tb_month", "egress_tb_per_month",
    "egress_usd_per_tb", "support_share", "setup_usd", "goodput_ratio",
    "commitment_months", "peak_over_mean", "horizon_months",
)  # fmt: skip
RENTS = (
    ("on_demand", "rental_on_demand_usd_per_accelerator_hour"),
    ("reserved", "rental_reserved_usd_per_accelerator_hour"),
)
RENTS_OF_RENTING = (
    ("contract", "contract_usd_per_accelerator_hour"),
    ("spot", "spot_usd_per_accelerator_hour"),
    ("capacity_block", "capacity_block_usd_per_accelerator_hour"),
)


ONE_CONTRACT_SPREAD = 0.2
"""Share that a contract price lies either way of its only known offer: H100 on contracts of one year went from 1.70 to
2.35 USD an hour within six months (rentals of the catalog, 2025-10 and 2026-03), 16 % either way of the middle."""


def economics(
    inputs: Inputs, document: EconomicsDocument, accelerator_key: str, accelerators: float
) -> Economics:
    """Life, capital, finance and rental terms of a pod of so many accelerators."""
    listed = _rents(inputs, document, accelerator_key, RENTS, "economics.", "economics.")
    renting = _rents(
        inputs,
        document.renting,
        accelerator_key,
        RENTS_OF_RENTING,
        "economics.renting.",
        "economics.renting.",
    )
    enough = inputs.assumption("economics.renting.contract_accelerators", "scenario.contract_accelerators")
    return Economics(
        **_numbers(inputs, document, OF_THE_POD, "economics"),
        **listed,
        owns_building=inputs.derived(
            "economics.owns_building",
            float(document.building == "owned"),
            "whether shell, plant and land are owned",
            f"economics.building: {document.building}",
        ),
        finance=Finance(
            prices=document.finance.prices,
            depreciation=document.finance.depreciation,
            **_numbers(inputs, document.finance, OF_FINANCE, "economics.finance"),
            price_usd_per_accelerator_hour=_stated_price(
                inputs, document.finance.price_usd_per_accelerator_hour
            ),
        ),
        renting=Renting(
            price_path=document.renting.price_path,
            compared_with=_compared_with(
                document.renting.compared_with, accelerators >= float(enough[0]), {**listed, **renting}
            ),
            contract_accelerators=enough,
            **_numbers(inputs, document.renting, OF_RENTING, "economics.renting"),
            **renting,
        ),
    )


def _compared_with(stated: str, large: bool, rents: dict[str, Array]) -> str:
    """Terms that owning is compared with: as stated, else those that a buyer of this size gets and that are known."""
    if stated != "auto":
        return stated
    known = {kind: not np.isnan(rents[name]).any() for kind, name in (*RENTS, *RENTS_OF_RENTING)}
    if known["contract"] and large:
        return "contract"
    return "reserved" if known["reserved"] and not known["on_demand"] else "on_demand"


def _numbers(inputs: Inputs, part: Any, names: tuple[str, ...], at: str) -> dict[str, Array]:
    """Numbers that a part states, else the catalog's assumptions of their names."""
    return {
        name: inputs.assumption(
            f"{at}.{name}", f"scenario.{name}", given=getattr(part, name), scenario_field=f"{at}.{name}"
        )
        for name in names
    }


def _stated_price(inputs: Inputs, price: float | None) -> Array | None:
    field = "economics.finance.price_usd_per_accelerator_hour"
    return None if price is None else inputs.scenario(field, price, field)


def rentals(inputs: Inputs, document: EconomicsDocument, accelerator_key: str, at: str) -> dict[str, Array]:
    """Rental terms of a further kind of SuperNode, kept at `at`; what the scenario states is of all kinds."""
    return _rents(inputs, document, accelerator_key, RENTS, at, "economics.") | _rents(
        inputs, document.renting, accelerator_key, RENTS_OF_RENTING, at, "economics.renting."
    )


def _rents(
    inputs: Inputs,
    part: Any,
    accelerator_key: str,
    terms: tuple[tuple[str, str], ...],
    at: str,
    fields_at: str,
) -> dict[str, Array]:
    """Rental terms of one kind of accelerator, kept at `at`; `fields_at` is where the scenario states them."""
    return {
        name: _rental(inputs, f"{at}{name}", f"{fields_at}{name}", kind, accelerator_key, getattr(part, name))
        for kind, name in terms
    }


def _rental(
    inputs: Inputs, path: str, field: str, kind: str, accelerator_key: str, given: float | None
) -> Array:
    if given is not None:
        return inputs.scenario(path, given, field)
    rental = inputs.catalog.rental(accelerator_key, kind)
    if rental is None:
        name = inputs.catalog.part("accelerators", accelerator_key).name
        return inputs.unknown(path, f"{kind.replace('_', ' ')} rental of {name}", scenario_field=field)
    low, high = rental.low, rental.high
    if kind == "contract" and rental.offers == 1:
        low, high = rental.value * (1 - ONE_CONTRACT_SPREAD), rental.value * (1 + ONE_CONTRACT_SPREAD)
    origin = Origin(
        kind="third_party",
        label=f"{kind.replace('_', ' ')} rental, median of the cheapest offers of {rental.offers} providers",
        source=rental.source,
        date=rental.as_of,
        low=low,
        high=high,
        own=rental.own,
        catalog=f"rentals/{accelerator_key}",
    )
    return inputs.taken(path, rental.value, origin)
