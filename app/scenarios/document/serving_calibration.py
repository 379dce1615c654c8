"""Calibration of a served deployment by one measured point."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from app.scenarios.fields import Line, Part, Positive, fault


class ServingCalibrationDocument(Part):
    """Factors on the predicted times, from one measured point of the deployment."""

    measured_tpot_over_predicted: Positive | None = Field(
        title="TPOT (measured / predicted)",
        default=None,
        description="Measured time of a token over the predicted one; 1.1 makes each 1.1 as long.",
    )
    measured_ttft_over_predicted: Positive | None = Field(
        title="TTFT (measured / predicted)",
        default=None,
        description="Measured time to the first token over the predicted one.",
    )
    source: Line | None = Field(
        title="Measurement source", default=None, description="Source of the measurement."
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.measured_tpot_over_predicted is None and self.measured_ttft_over_predicted is None:
            raise fault(
                "required",
                "states neither ratio",
                hint="give measured_tpot_over_predicted, measured_ttft_over_predicted or both, or leave it out",
            )
        return self
