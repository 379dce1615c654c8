"""Accepted estimates of inputs that are not published."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from app.scenarios.fields import Line, Number, Paragraph, Part, fault

MOST_ESTIMATES = 200


class EstimateDocument(Part):
    """An estimate with its range and the rule it comes from; it counts only where no value is published."""

    of: Line = Field(description="The input in words; the estimate counts for this input alone.")
    value: Number = Field(description="Value that the design uses, in the unit of the input.")
    low: Number = Field(description="Low end of its range.")
    high: Number = Field(description="High end of its range.")
    rule: Paragraph = Field(description="The rule that the value comes from, with its numbers.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.low <= self.value <= self.high:
            words = f"has its value, {self.value:,.12g}, outside {self.low:,.12g} to {self.high:,.12g}"
            raise fault("value_inside", words, hint="move it or an end of the range")
        return self


PriceUsdPerHour = Annotated[float, Field(gt=0, le=1e6)]
