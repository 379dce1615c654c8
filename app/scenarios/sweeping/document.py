"""The sweep document, schema version 1: a scenario, the fields that vary, and what is kept of each design."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from app.scenarios.document.scenario import ScenarioDocument, known_version
from app.scenarios.fields import Either, Line, Paragraph, Part, Value, Whole, Word, fault

MOST_DESIGNS = 2_000_000
MOST_AXES = 8
MOST_VALUES = 10_000
MOST_OUTPUTS = 40
DOUBLING = "doubling"


def _level(value: object) -> object:
    if isinstance(value, bool | int | float | str):
        return value
    raise fault("level", "must be a number, a word, true or false")


Scenario = Annotated[Annotated[Line, Word] | Annotated[ScenarioDocument, Value], Either]
Level = Annotated[Any, AfterValidator(_level)]


class AxisDocument(Part):
    """A field of the scenario, and what it is taken through: values one by one, or a range."""

    field: Annotated[str, Field(max_length=160)] = Field(
        description="Field of the scenario, such as economics.wacc."
    )
    values: Annotated[tuple[Level, ...], Field(strict=False, max_length=MOST_VALUES)] | None = Field(
        default=None, description="Values one by one: numbers, words, true or false."
    )
    first: float | None = Field(default=None, alias="from", description="First value of a range.")
    last: float | None = Field(default=None, alias="to", description="Last value of a range.")
    steps: Annotated[Whole, Field(ge=2, le=MOST_VALUES)] | None = Field(
        default=None, description="Values of the range, both ends counted; not for a sample."
    )
    scale: Literal["linear", "log", "doubling"] | None = Field(
        default=None,
        description="linear or log: how the values of a range are spread; linear when left out. doubling: from, twice "
        "from, and so on up to to, without steps.",
    )

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        stated = {"from": self.first, "to": self.last, "steps": self.steps, "scale": self.scale}
        ranged = [name for name, value in stated.items() if value is not None]
        if self.values is not None and ranged:
            raise fault("one_of", f"has both values and {ranged[0]}", hint="keep one")
        if self.values is not None:
            _check_values(self.values)
        elif self.first is None or self.last is None:
            hint = "give values: [1, 2, 4], or from, to and steps"
            raise fault("one_of", "needs values, or a range with from and to", hint=hint)
        else:
            _check_range(self.first, self.last, self.scale)
            if self.scale == DOUBLING and self.steps is not None:
                message, hint = "must be left out where values double", "leave it out, or take scale: log"
                raise fault("one_of", message, hint=hint, field="steps")
        return self


def _check_values(values: tuple[Any, ...]) -> None:
    if not values:
        raise fault("not_empty", "must not be empty", hint="give one value at least", field="values")
    if len(set(map(str, values))) < len(values):
        raise fault("unique", "has a value twice", hint="keep one of the two", field="values")


def _check_range(first: float, last: float, scale: str | None) -> None:
    if not first < last:
        raise fault("above", f"{last:,.12g} must be above from, which is {first:,.12g}", field="to")
    if scale == "log" and first <= 0:
        raise fault("above", f"{first:,.12g} must be above 0 on a log scale", field="from")
    if scale == DOUBLING and first <= 0:
        raise fault("above", f"{first:,.12g} must be above 0 where values double", field="from")


class SampleDocument(Part):
    """Designs drawn from the axes in place of all their combinations."""

    kind: Literal["latin_hypercube", "sobol"] = Field(description="latin_hypercube or sobol.")
    count: Annotated[Whole, Field(ge=1, le=MOST_DESIGNS)] = Field(description="Designs to draw.")
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] = Field(
        default=0, description="The same seed draws the same designs."
    )


class SweepDocument(Part):
    """A sweep: every combination of its axes, or a sample of them."""

    schema_version: Annotated[Literal[1], BeforeValidator(known_version)] = Field(
        default=1, description="Version of this document."
    )
    name: Line = Field(default="Untitled sweep", description="Name of the scenario.")
    description: Paragraph = Field(default="", description="Purpose.")
    scenario: Scenario = Field(
        description="The design: key of an example, id of a saved scenario, or a scenario written out."
    )
    axes: Annotated[tuple[AxisDocument, ...], Field(strict=False, max_length=MOST_AXES)] = Field(
        description="Fields that vary, each with its values; the last one varies fastest."
    )
    sample: SampleDocument | None = Field(
        default=None, description="Draw designs in place of crossing every value with every other."
    )
    outputs: Annotated[tuple[str, ...], Field(strict=False, max_length=MOST_OUTPUTS)] = Field(
        default=(), description="Figures to keep, such as performance.mfu; the headline ones when left out."
    )

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        if not self.axes:
            raise fault("not_empty", "must not be empty", hint="name one field at least", field="axes")
        seen: set[str] = set()
        for axis in self.axes:
            if axis.field in seen:
                raise fault("unique", f"{axis.field} is an axis twice", hint="keep one", field="axes")
            seen.add(axis.field)
            if self.sample is None and axis.values is None and axis.steps is None and axis.scale != DOUBLING:
                message, hint = f"{axis.field} has a range without steps", "say how many values it has"
                raise fault("required", message, hint=hint, field="axes")
            if self.sample is not None and axis.steps is not None:
                message = f"{axis.field} has steps, and a sample draws from the whole range"
                raise fault("one_of", message, hint="leave them out", field="axes")
        return self

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values; what is not stated is left out."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)
