"""On what terms a pod is bought, paid for or rented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any

import numpy as np

from app.catalog.values import Part
from app.engine.specs import RENTAL_TERMS, Economics, Finance, RentalTerms, Renting
from app.engine.trace import Array, Origin
from app.scenarios.document.scenario import EconomicsDocument
from app.scenarios.resolve import jurisdictions, residual
from app.scenarios.resolve.inputs import Inputs

OF_THE_POD = (
    "life_years", "network_life_years", "storage_life_years", "wacc", "utilisation",
    "colocation_usd_per_kw_month", "price_discount", "research_multiplier",
)  # fmt: skip
OF_FINANCE = (
    "bonus_depreciation", "inflation", "debt_share", "debt_rate", "debt_years",
)  # fmt: skip
OF_RENTING = (
    "price_change_per_year", "shock_month", "shock_share", "storage_usd_per_tb_month", "egress_tb_per_month",
    "egress_usd_per_tb", "support_share", "setup_usd", "goodput_ratio",
    "commitment_months", "peak_over_mean", "horizon_months",
)  # fmt: skip


def economics(
    inputs: Inputs,
    document: EconomicsDocument,
    accelerator_key: str,
    accelerators: float,
    *,
    place: Part,
    place_is_stated: bool,
    several_kinds: bool,
) -> Economics:
    """Life, capital, finance and rental terms of a pod of so many accelerators.

    `place` is the jurisdiction whose rules hold. Terms that go by the generation of the accelerator are those of any where the pod has several kinds.
    """
    also = {"generation": ""} if several_kinds else {}
    rents = {terms.place: array for terms, array in _rents(inputs, document, accelerator_key)}
    enough = inputs.assumption("economics.renting.contract_accelerators", "scenario.contract_accelerators")
    return Economics(
        **_numbers(inputs, document, OF_THE_POD, "economics"),
        **residual.curve(inputs, document, also),
        **jurisdictions.costs(inputs, document, place),
        jurisdiction=place.name,
        **_beneath(rents, "economics."),
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
            **jurisdictions.rules(inputs, document.finance, place, is_stated=place_is_stated),
            price_usd_per_accelerator_hour=_stated_price(
                inputs, document.finance.price_usd_per_accelerator_hour
            ),
        ),
        renting=Renting(
            price_path=document.renting.price_path,
            compared_with=_compared_with(
                document.renting.compared_with, accelerators >= float(enough[0]), rents
            ),
            contract_accelerators=enough,
            **_numbers(inputs, document.renting, OF_RENTING, "economics.renting", also),
            **_beneath(rents, "economics.renting."),
        ),
    )


def _beneath(rents: dict[str, Array], at: str) -> dict[str, Array]:
    """Rents that stand right beneath a part of the scenario, by the last word of their place."""
    names = {place: place.removeprefix(at) for place in rents}
    return {name: rents[place] for place, name in names.items() if "." not in name}


def _compared_with(stated: str, large: bool, rents: dict[str, Array]) -> str:
    """Terms that owning is compared with: as stated, else those that a buyer of this size gets and that are known."""
    if stated != "auto":
        return stated
    known = {kind: not np.isnan(rents[terms.place]).any() for kind, terms in RENTAL_TERMS.items()}
    if known["contract"] and large:
        return "contract"
    return "reserved" if known["reserved"] and not known["on_demand"] else "on_demand"


def _numbers(
    inputs: Inputs, part: Any, names: tuple[str, ...], at: str, also: Mapping[str, str] | None = None
) -> dict[str, Array]:
    """Numbers that a part states, else the catalog's assumptions of their names."""
    return {
        name: inputs.assumption(
            f"{at}.{name}",
            f"scenario.{name}",
            given=getattr(part, name),
            scenario_field=f"{at}.{name}",
            also=also,
        )
        for name in names
    }


def _stated_price(inputs: Inputs, price: float | None) -> Array | None:
    field = "economics.finance.price_usd_per_accelerator_hour"
    return None if price is None else inputs.scenario(field, price, field)


def rentals(inputs: Inputs, document: EconomicsDocument, accelerator_key: str) -> dict[str, Array]:
    """Rents of a further kind of SuperNode by the last word of their place; what the scenario states is of all kinds."""
    return {
        terms.place.rpartition(".")[2]: array
        for terms, array in _rents(inputs, document, accelerator_key, whole=False)
    }


def _rents(
    inputs: Inputs, document: EconomicsDocument, accelerator_key: str, *, whole: bool = True
) -> Iterator[tuple[RentalTerms, Array]]:
    """Rents of one kind of accelerator. Those of the whole design stand at the place of their terms."""
    for terms in RENTAL_TERMS.values():
        path = terms.place if whole else terms.place.rpartition(".")[2]
        given = attrgetter(terms.place.removeprefix("economics."))(document)
        vendors = document.renting.vendor_class
        yield terms, _rental(inputs, path, terms, accelerator_key, given, "" if vendors == "any" else vendors)


def _rental(
    inputs: Inputs, path: str, terms: RentalTerms, accelerator_key: str, given: float | None, vendors: str
) -> Array:
    if given is not None:
        return inputs.scenario(path, given, terms.place)
    rental = inputs.catalog.rental(accelerator_key, terms.key, vendors)
    if rental is None:
        name = inputs.catalog.part("accelerators", accelerator_key).name
        words = " ".join(filter(None, (terms.key.replace("_", " "), "rental of", name)))
        by = f" by a {vendors}" if vendors else ""
        return inputs.unknown(path, f"{words}{by}", scenario_field=terms.place)
    low, high = rental.low, rental.high
    if terms.key == "contract" and rental.offers == 1:
        spread = inputs.setting("scenario.contract_spread")
        low, high = rental.value * (1 - spread), rental.value * (1 + spread)
    sellers = f"{rental.offers} {vendors or 'provider'}{'s' if rental.offers > 1 else ''}"
    origin = Origin(
        kind="third_party",
        label=f"{terms.key.replace('_', ' ')} rental, median of the cheapest offers of {sellers}",
        source=rental.source,
        date=rental.as_of,
        low=low,
        high=high,
        own=rental.own,
        catalog=f"rentals/{accelerator_key}",
    )
    return inputs.taken(path, rental.value, origin)
