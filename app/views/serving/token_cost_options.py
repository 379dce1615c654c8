"""What the cost of tokens is compared over: systems, and number formats."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.fields import Key, Part, each_once

MOST_SYSTEMS = 8
MOST_FORMATS = 4


class TokenCostOptions(Part):
    """Systems of the catalog and formats that the same demand is served with."""

    systems: Annotated[
        tuple[Key, ...], Field(strict=False, max_length=MOST_SYSTEMS), AfterValidator(each_once)
    ] = Field(
        default=(),
        description="Catalog keys of the systems beside the scenario's own; those of which most prices are known "
        "when left out.",
    )
    formats: Annotated[
        tuple[ServingPrecision, ...], Field(strict=False, max_length=MOST_FORMATS), AfterValidator(each_once)
    ] = Field(
        default=(), description="Number formats of the matrix products; the scenario's own when left out."
    )
