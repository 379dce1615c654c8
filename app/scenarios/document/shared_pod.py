"""Sharing of the pod among workloads."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from app.scenarios.document.pod import Parallelism
from app.scenarios.document.workload import WorkloadDocument, known_kind
from app.scenarios.fields import Line, Part, fault

MOST_OTHERS = 7


class OtherWorkloadDocument(Part):
    """A workload beside the first."""

    name: Line = Field(description="Name of the scenario.")
    share: Annotated[float, Field(gt=0, lt=1)] = Field(
        description="Share of the pod or of the day, above 0 and below 1."
    )
    workload: Annotated[WorkloadDocument, BeforeValidator(known_kind)] = Field(
        description="What must be done, as under workload."
    )
    parallelism: Parallelism = Field(
        default="auto", description="auto, or a layout of the job, as under parallelism."
    )


class SharedPodDocument(Part):
    """Several workloads on one pod. The scenario's own workload is the first, and has what the others leave."""

    by: Literal["pod", "day"] = Field(
        description="pod: each has its share of the SuperNodes, to the nearest whole one, all the time; day: each "
        "has the whole pod for its share of the hours, once a day."
    )
    first_name: Line = Field(
        default="First workload", description="What people call the scenario's own workload."
    )
    others: Annotated[
        tuple[OtherWorkloadDocument, ...], Field(strict=False, min_length=1, max_length=MOST_OTHERS)
    ] = Field(description="The other workloads, each with its share.")

    @property
    def names(self) -> tuple[str, ...]:
        """Of all workloads, the first one first."""
        return (self.first_name, *(other.name for other in self.others))

    @model_validator(mode="after")
    def _leaves_something(self) -> Self:
        taken = sum(other.share for other in self.others)
        if taken > 1 - 1e-9:
            raise fault(
                "shares",
                f"take {taken:.4g} of the {self.by} together, and nothing is left for the first workload",
                hint="state shares that add up to less than 1",
                field="others",
            )
        return self

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        twice = next((name for name in self.names if self.names.count(name) > 1), None)
        if twice is not None:
            raise fault(
                "names",
                f"has two workloads called '{twice[:60]}'",
                hint="give each a name of its own; sharing.first_name is that of the scenario's own workload",
                field="others",
            )
        return self
