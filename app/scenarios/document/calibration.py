"""Calibration by measured runs, stated in the scenario."""

from __future__ import annotations

from pydantic import Field, model_validator

from app.scenarios.fields import Line, Part, Positive, fault


class CalibrationDocument(Part):
    """A factor on every predicted speed, with the bounds that its runs leave."""

    measured_over_predicted: Positive = Field(
        title="Calibration (measured / predicted)",
        description="Measured over predicted speed; 0.92 makes every step 1/0.92 as long.",
    )
    low: Positive | None = Field(
        title="Calibration, P10",
        default=None,
        description="P10 of measured over predicted speed.",
    )
    high: Positive | None = Field(
        title="Calibration, P90",
        default=None,
        description="P90 of measured over predicted speed.",
    )
    note: Line | None = Field(
        title="Calibration runs", default=None, description="Source runs of the calibration."
    )

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Factors on the corrected speed that 80 % of runs lie between; None where none are stated."""
        if self.low is None or self.high is None:
            return None
        return self.low / self.measured_over_predicted, self.high / self.measured_over_predicted

    @model_validator(mode="after")
    def _bounds_hold_the_ratio(self) -> CalibrationDocument:
        ratio, low, high = self.measured_over_predicted, self.low, self.high
        if (low is None) != (high is None):
            stated, missing = ("high", "low") if low is None else ("low", "high")
            raise fault(
                "both_bounds",
                f"is not stated, but {stated} is",
                hint="state both bounds or neither; `podwright calibrate` gives them",
                field=missing,
            )
        if low is not None and low > ratio:
            raise fault("at_most", f"{low:g} is above measured_over_predicted, {ratio:g}", field="low")
        if high is not None and high < ratio:
            raise fault("at_least", f"{high:g} is below measured_over_predicted, {ratio:g}", field="high")
        return self
