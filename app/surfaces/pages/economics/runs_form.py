"""What the tab of the cost of a run asks for: terms of the scenario, and a rate of serving beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.boxes import MOST_TYPED, Box
from app.surfaces.pages.economics.terms_form import typed_number
from app.surfaces.pages.studio.field import number
from app.views.economics.run_methods.options import RunMethodsOptions

TERMS = (
    number("economics.research_multiplier"),
    number("economics.rental_on_demand_usd_per_accelerator_hour"),
    number("economics.rental_reserved_usd_per_accelerator_hour"),
    number("economics.renting.spot_usd_per_accelerator_hour"),
    number("economics.utilisation"),
    number("economics.life_years"),
    number("economics.wacc"),
)
BESIDE = {
    "hardware_age_years": ("Age of the hardware, amortised method", "years", "new"),
    "tokens_per_s": ("Tokens served a second", "tokens/s", "no serving"),
    "accelerators": ("Accelerators that serve them", "", "one SuperNode"),
}
OF_SERVING = {"tokens_per_s": "as computed"}
OF_A_RUN = ("hardware_age_years",)


def beside_of(query: Mapping[str, str]) -> dict[str, str]:
    """What was typed into the boxes beside the terms."""
    return {name: query.get(name, "").strip()[:MOST_TYPED] for name in BESIDE}


def boxes_of(typed: Mapping[str, str], errors: Mapping[str, str], *, serves: bool = False) -> list[Box]:
    """The boxes beside the terms, with what is wrong in them; a design that serves has a rate of its own."""
    return [
        Box(
            name,
            label,
            unit,
            OF_SERVING.get(name, empty) if serves else empty,
            typed[name],
            errors.get(name, ""),
        )
        for name, (label, unit, empty) in BESIDE.items()
        if not (serves and name in OF_A_RUN)
    ]


def options_of(typed: Mapping[str, str]) -> tuple[RunMethodsOptions, dict[str, str]]:
    """What is stated beside the scenario, or nothing with what is wrong by box."""
    values: dict[str, Any] = {name: typed_number(text) for name, text in typed.items() if text}
    try:
        return build_document(RunMethodsOptions, values), {}
    except ScenarioError as error:
        return RunMethodsOptions(), {fault.path: fault.words for fault in error.errors}
