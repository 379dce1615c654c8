"""The place whose rules hold for tax, duty and costs, and what its row of the catalog says."""

from __future__ import annotations

from typing import Any

from app.catalog.values import Part
from app.engine.trace import Array
from app.scenarios.document.economics import FinanceDocument
from app.scenarios.document.scenario import EconomicsDocument, ScenarioDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error

KIND = "jurisdictions"
DEFAULT = "us"
"""The place of a site that names none: what building and people cost is surveyed there."""
COSTS = ("import_duty_share", "sales_tax_share", "construction_cost_factor", "labour_cost_factor")


def place_of(inputs: Inputs, document: ScenarioDocument, *, at: str = "") -> Part:
    """The stated jurisdiction, else that of the site, else the default one.

    Parameters
    ----------
    at : key of another site than that of the document

    Raises
    ------
    ScenarioError : no such jurisdiction or site
    """
    stated, site = document.economics.jurisdiction, at or document.facility.site
    if stated is not None:
        return part_or_error(inputs.catalog, KIND, stated, "economics.jurisdiction")
    key = ""
    if isinstance(site, str):
        part = part_or_error(inputs.catalog, "sites", site, "facility.site")
        key = str(part.attributes.get("jurisdiction_key") or "")
    return inputs.catalog.part(KIND, key or DEFAULT)


def costs(inputs: Inputs, document: EconomicsDocument, place: Part) -> dict[str, Array]:
    """What the place adds to a bill."""
    return {name: _number(inputs, document, place, "economics", name) for name in COSTS}


def rules(inputs: Inputs, document: FinanceDocument, place: Part, *, is_stated: bool) -> dict[str, Array]:
    """Tax on profit, and the years of writing off.

    Raises
    ------
    ScenarioError : MACRS where it is not the law
    """
    if document.depreciation == "macrs" and place.attributes["depreciation"] != "macrs":
        years = place.facts["equipment_write_off_years"].value
        raise refuse(
            f"MACRS is the law of the United States, and the place is {place.name}.",
            rule="law_of_the_place",
            path="economics.finance.depreciation",
            value="macrs",
            hint=f"State tax_life, which is {years:g} years there, straight_line or declining_balance"
            + (
                "; or another economics.jurisdiction."
                if is_stated
                else "; or economics.jurisdiction where it is not that of the site."
            ),
        )
    at = "economics.finance"
    return {
        "tax_rate": _number(inputs, document, place, at, "tax_rate"),
        **{
            name: inputs.fact(f"{at}.{name}", place, name)
            for name in ("equipment_write_off_years", "building_write_off_share_per_year")
        },
    }


def _number(inputs: Inputs, document: Any, place: Part, at: str, name: str) -> Array:
    path = f"{at}.{name}"
    return inputs.fact(path, place, name, given=getattr(document, name), scenario_field=path)
