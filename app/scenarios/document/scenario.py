"""The scenario document, schema version 1: what people write, post and store.

Everything but `workload` and `supernode` has a default. Catalog keys are checked for their form
here and looked up by `app.scenarios.resolve`.
"""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from app.scenarios.document.architecture import InlineArchitecture
from app.scenarios.document.economics import EconomicsDocument, InlineStorage, OperationsDocument
from app.scenarios.document.estimates import MOST_ESTIMATES, EstimateDocument
from app.scenarios.document.facility import FacilityDocument, InlineSite
from app.scenarios.document.generic import GenericDocument
from app.scenarios.document.pod import (
    FabricDocument,
    FloorDocument,
    Parallelism,
    ParallelismDocument,
    PodDocument,
)
from app.scenarios.document.serving import ServingDocument
from app.scenarios.document.supernode import CustomSuperNode, SuperNodeDocument, SuperNodeOverride
from app.scenarios.document.uncertainty import UncertaintyDocument
from app.scenarios.document.uncertainty_faults import check_ranges
from app.scenarios.document.uncertainty_written import ranges_moved
from app.scenarios.document.workload import TrainingDocument, WorkloadDocument, known_kind
from app.scenarios.fields import Line, Number, Paragraph, Part, fault
from app.scenarios.reading.yaml_text import write_yaml

__all__ = [
    "CustomSuperNode",
    "EconomicsDocument",
    "FabricDocument",
    "FacilityDocument",
    "FloorDocument",
    "GenericDocument",
    "InlineArchitecture",
    "InlineSite",
    "InlineStorage",
    "OperationsDocument",
    "ParallelismDocument",
    "PodDocument",
    "Published",
    "ScenarioDocument",
    "ServingDocument",
    "SharedPodDocument",
    "SuperNodeDocument",
    "SuperNodeOverride",
    "TrainingDocument",
    "scenario_schema",
]

SCHEMA_VERSION = 1
OWN_ROWS = "own_rows"
"""Key of the section of own catalog rows beside the fields of an exported scenario: `team_catalog.own_rows` reads it."""


def known_version(version: object) -> object:
    """Stops documents of a version that cannot be read."""
    # True equals 1, and 1.0 is how some programs write 1.
    if isinstance(version, bool) or version != SCHEMA_VERSION:
        raise fault("schema_version", f"is not a version that can be read, which is {SCHEMA_VERSION}")
    return SCHEMA_VERSION


def _assumption_names(assumptions: dict[str, float]) -> dict[str, float]:
    if len(assumptions) > 1_000:
        raise fault("at_most", f"has {len(assumptions):,} entries, more than 1,000")
    for name in assumptions:
        if not re.fullmatch(r"[a-z][a-z0-9_]*\.[a-z0-9_]+", name):
            raise fault(
                "assumption_name",
                f"'{name[:60]}' is not the name of an assumption",
                hint="names are a room and a name, such as operations.failures_per_node_day",
            )
    return assumptions


# Units that figures are printed in, with the base unit of the engine and the factor to it.
PRINTED_UNITS = {
    "fraction": ("1", 1.0),
    "%": ("1", 0.01),
    "s": ("s", 1.0),
    "days": ("s", 86_400.0),
    "tokens/s": ("tokens/s", 1.0),
    "FLOP/s": ("FLOP/s", 1.0),
    "TFLOP/s": ("FLOP/s", 1e12),
    "W": ("W", 1.0),
    "kW": ("W", 1e3),
    "MW": ("W", 1e6),
    "USD": ("USD", 1.0),
    "B": ("B", 1.0),
}
PrintedUnit = Literal[
    "fraction",
    "%",
    "s",
    "days",
    "tokens/s",
    "FLOP/s",
    "TFLOP/s",
    "W",
    "kW",
    "MW",
    "USD",
    "B",
]


class Published(Part):
    """One published figure, in the unit it was printed in."""

    quantity: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$", max_length=120)] = Field(
        description="The figure of the evaluation it is shown next to, such as performance.mfu."
    )
    value: Number = Field(description="The figure as it was printed.")
    unit: PrintedUnit = Field(description="The unit it was printed in.")
    source: Line = Field(description="Who published it, and where.")
    note: Paragraph = Field(
        default="", description="Counting convention, and the difference from Podwright's figure."
    )

    @property
    def base_value(self) -> float:
        """The figure in the base unit of the engine."""
        return self.value * PRINTED_UNITS[self.unit][1]

    @property
    def base_unit(self) -> str:
        """The base unit of the engine."""
        return PRINTED_UNITS[self.unit][0]


MOST_OTHERS = 7


class OtherWorkloadDocument(Part):
    """A workload beside the first."""

    name: Line = Field(description="Name of the scenario.")
    share: Annotated[float, Field(gt=0, lt=1)] = Field(
        description="Share of the pod or of the day, above 0 and below 1."
    )
    workload: Annotated[WorkloadDocument, BeforeValidator(known_kind)] = Field(
        description="Workload, as under workload."
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
    first_name: Line = Field(default="First workload", description="Name of the scenario's own workload.")
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


class ScenarioDocument(Part):
    """One scenario: a workload on hardware at a site, on stated terms.

    Beyond this schema, a field of one number outside lists may be given as a range: as text, `0.08 to 0.12` or
    `0.08 to 0.10 to 0.14`, or as `{low, typical, high, distribution}`. It is moved to `uncertainty.inputs`, and
    the field keeps the typical value, else the geometric mean of the ends.
    """

    schema_version: Annotated[Literal[1], BeforeValidator(known_version)] = Field(
        default=1, description="Version of this document."
    )
    name: Line = Field(title="Name", default="Untitled scenario", description="Name of the scenario.")
    description: Paragraph = Field(default="", description="Purpose and assumptions.")
    illustrative: bool = Field(default=False, description="True for a design without published results.")
    workload: Annotated[WorkloadDocument, BeforeValidator(known_kind)] = Field(description="Workload.")
    supernode: SuperNodeDocument = Field(description="SuperNode: one scale-up domain.")
    pod: PodDocument = Field(
        default=PodDocument(), description="Number of SuperNodes, and the fabric between them."
    )
    parallelism: Parallelism = Field(
        title="Layout", default="auto", description="auto, or a layout of the job."
    )
    sharing: SharedPodDocument | None = Field(
        default=None, description="Further workloads on the same pod; none when left out."
    )
    facility: FacilityDocument = Field(default=FacilityDocument(), description="Where it stands.")
    operations: OperationsDocument = Field(
        default=OperationsDocument(), description="Operations: failures, spares and checkpoints."
    )
    economics: EconomicsDocument = Field(default=EconomicsDocument(), description="On what terms.")
    uncertainty: UncertaintyDocument = Field(
        default=UncertaintyDocument(),
        description="Uncertain inputs, and limits for the answer.",
    )
    assumptions: Annotated[dict[str, Number], AfterValidator(_assumption_names)] = Field(
        default={}, description="Modelling assumptions stated otherwise, by room and name."
    )
    estimates: Annotated[dict[str, EstimateDocument], Field(max_length=MOST_ESTIMATES)] = Field(
        default={},
        description="Accepted estimates of inputs that are not published, by place in the design. A published or "
        "stated value comes first.",
    )
    published: Annotated[tuple[Published, ...], Field(strict=False, max_length=50)] = Field(
        default=(), description="Figures that others published for this scenario."
    )

    @model_validator(mode="before")
    @classmethod
    def _ranges_in_fields(cls, values: Any) -> Any:
        if isinstance(values, dict) and OWN_ROWS in values:
            raise fault(
                OWN_ROWS,
                "holds rows of a team's own catalog, which only an import reads",
                hint="import it, which adds them to your catalog, or leave the section out",
                field=OWN_ROWS,
            )
        return ranges_moved(cls, values)

    @model_validator(mode="after")
    def _ranges_of_numbers(self) -> Self:
        check_ranges(self, self.uncertainty)
        return self

    def as_dict(self) -> dict[str, Any]:
        """The canonical form: every field, defaults too, as plain JSON values. None stands for "not stated"
        and is left out."""
        return self.model_dump(mode="json", exclude_none=True)

    def as_json(self) -> str:
        """The canonical form as JSON text."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def as_yaml(self) -> str:
        """The canonical form as YAML 1.2 text."""
        return write_yaml(self.as_dict())


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of the scenario document."""
    schema = ScenarioDocument.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Podwright scenario",
    }
