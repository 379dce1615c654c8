"""What cost against time is asked for: which systems, paid how, and what they share."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from app.scenarios.fields import Key, Part, Positive, fault
from app.views.economics.systems_compared import MOST_SYSTEMS

Paid = Literal["owned", "on_demand", "reserved"]
Shared = Literal["accelerators", "budget", "deadline"]


def _each_once(keys: tuple[str, ...]) -> tuple[str, ...]:
    twice = next((key for place, key in enumerate(keys) if key in keys[:place]), None)
    if twice is not None:
        raise fault("twice", f"names {twice} twice", hint="name every system once")
    return keys


class CostAgainstTimeOptions(Part):
    """Options of the system comparison."""

    systems: Annotated[
        tuple[Key, ...], Field(strict=False, max_length=MOST_SYSTEMS), AfterValidator(_each_once)
    ] = Field(
        default=(),
        description="Catalog keys of the systems beside the scenario's own; those of which most prices are known "
        "when left out.",
    )
    paid: Paid = Field(
        default="owned",
        description="Whose cost counts: owned, or rented on_demand or reserved; all three are listed.",
    )
    shared: Shared = Field(
        default="accelerators",
        description="What systems have in common where one pod of each is picked: as many accelerators, the budget "
        "(the fastest within it), or the deadline (the cheapest within it).",
    )
    deadline_days: Positive | None = Field(
        default=None,
        description="Days that the run may take in all; uncertainty.deadline_days when left out.",
    )
    budget_usd: Positive | None = Field(
        default=None, description="What the run may cost; uncertainty.budget_usd when left out."
    )
