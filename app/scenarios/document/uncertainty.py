"""Uncertainty: ranges of inputs, correlations, and limits."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from app.engine.trace import Array
from app.engine.uncertainty.copula import is_possible, nearest_possible
from app.engine.uncertainty.distributions import ABOVE_ZERO
from app.scenarios.fields import Display, Number, Part, Positive, Whole, fault
from app.scenarios.reading.messages import range_of_text

MOST_SAMPLES = 1_000_000
MOST_INPUTS = 200


class RangeDocument(Part):
    """A number that is not known exactly; the scenario field itself holds its point value."""

    low: Number = Field(description="Low end; of a normal or lognormal one the 10th percentile.")
    typical: Number | None = Field(
        default=None, description="Most likely value; that of the field when left out."
    )
    high: Number = Field(description="High end; of a normal or lognormal one the 90th percentile.")
    distribution: Literal["triangular", "log_triangular", "uniform", "pert", "normal", "lognormal"] | None = (
        Field(default=None, description="triangular when left out with a typical value, else uniform.")
    )

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        written = range_of_text(value)
        if written is None:
            raise fault("range", "is not a range", hint="write it as 5 to 10, or as low, typical and high")
        return written

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        low, typical, high = self.low, self.typical, self.high
        if low > high:
            words = f"has its low end, {low:,.12g}, above its high end, {high:,.12g}"
            raise fault("range_order", words, hint="swap them")
        if low == high:
            words = f"begins and ends at {low:,.12g}, so it is no range"
            raise fault("range_order", words, hint="write the number itself, or move an end")
        if typical is not None and not low <= typical <= high:
            words = f"has its typical value, {typical:,.12g}, outside {low:,.12g} to {high:,.12g}"
            raise fault("typical_inside", words, hint="move it or an end, or leave it out")
        if self.distribution in ABOVE_ZERO and low <= 0:
            words = f"is {self.distribution} with a low end of {low:,.12g}, and such a value is above zero"
            raise fault("lognormal_above_zero", words, hint="raise the low end, or choose triangular")
        return self


class CorrelationDocument(Part):
    """Two inputs that move together."""

    between: Annotated[tuple[str, str], Field(strict=False)] = Field(
        description="Two fields that have a range."
    )
    coefficient: Annotated[float, Field(ge=-1, le=1)] = Field(
        description="Correlation of their ranks, from -1 to 1."
    )

    @model_validator(mode="after")
    def _of_two(self) -> Self:
        one, other = self.between
        if one == other:
            words = f"correlates {one} with itself"
            raise fault("two_fields", words, hint="name two fields that have a range", field="between")
        return self


class UncertaintyDocument(Part):
    """Ranges stand here or in the fields themselves, as `wacc: 0.08 to 0.12`; both mean the same."""

    inputs: Annotated[dict[str, RangeDocument], Field(max_length=MOST_INPUTS)] = Field(
        default={}, description="Ranges by field, such as economics.wacc."
    )
    catalog_ranges: bool = Field(
        title="Catalog ranges",
        default=True,
        description="Whether inputs that the catalog gives as ranges vary where the scenario is silent.",
    )
    correlations: Annotated[tuple[CorrelationDocument, ...], Field(strict=False, max_length=200)] = Field(
        default=(), description="Inputs that move together."
    )
    sampler: Literal["latin_hypercube", "sobol"] = Field(
        title="Sampler", default="latin_hypercube", description="Sampler."
    )
    samples: Annotated[Whole, Field(ge=2, le=MOST_SAMPLES)] = Field(
        title="Samples", default=4096, description="Samples to draw."
    )
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] = Field(
        title="Seed", default=0, description="The same seed draws the same samples."
    )
    deadline_days: Annotated[Positive | None, Display(unit="days")] = Field(
        title="Deadline", default=None, description="Days within which the run must be done."
    )
    budget_usd: Positive | None = Field(
        title="Budget of the run", default=None, description="Budget of the run when owned."
    )

    @model_validator(mode="after")
    def _can_hold_together(self) -> Self:
        seen: set[frozenset[str]] = set()
        for pair in self.correlations:
            if frozenset(pair.between) in seen:
                words = f"states the correlation of {' and '.join(pair.between)} twice"
                raise fault("once", words, hint="keep one of the two", field="correlations")
            seen.add(frozenset(pair.between))
        matrix = self.rank_correlation(self.correlated_fields)
        if self.correlations and not is_possible(matrix):
            raise fault(
                "positive_definite",
                "cannot all hold at once: the matrix of the correlations is not positive definite",
                hint=f"the nearest that can are {self._in_words(nearest_possible(matrix))}; or leave one out",
                field="correlations",
            )
        return self

    @property
    def correlated_fields(self) -> tuple[str, ...]:
        """Fields that are correlated with another one."""
        return tuple(dict.fromkeys(name for pair in self.correlations for name in pair.between))

    def rank_correlation(self, fields: tuple[str, ...]) -> Array:
        """The matrix of the correlations between these fields, among which all correlated ones are."""
        matrix = np.eye(len(fields))
        for pair in self.correlations:
            one, other = (fields.index(name) for name in pair.between)
            matrix[one, other] = matrix[other, one] = pair.coefficient
        return matrix

    def _in_words(self, matrix: Array) -> str:
        places = {name: index for index, name in enumerate(self.correlated_fields)}
        return ", ".join(
            f"{matrix[places[pair.between[0]], places[pair.between[1]]]:g} for {' and '.join(pair.between)}"
            for pair in self.correlations
        )
