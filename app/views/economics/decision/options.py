"""What the decision is asked with, beside the scenario: what no computation can know."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.scenarios.fields import Part


class DecisionOptions(Part):
    """Constraints and plans of whoever decides."""

    data_must_stay: bool | None = Field(
        default=None,
        description="Whether data may not leave the house, by law or contract: then renting is out. Nobody but the "
        "reader knows; not asked when left out.",
    )
    months_of_work: Annotated[float, Field(ge=1, le=600)] | None = Field(
        default=None,
        description="Months that there is work for; economics.renting.horizon_months when left out.",
    )
