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
from app.scenarios.document.economics import EconomicsDocument
from app.scenarios.document.estimates import MOST_ESTIMATES, EstimateDocument
from app.scenarios.document.facility import FacilityDocument, InlineSite
from app.scenarios.document.floor import FloorDocument
from app.scenarios.document.generic import GenericDocument
from app.scenarios.document.operations import InlineStorage, OperationsDocument
from app.scenarios.document.pod import FabricDocument, Parallelism, ParallelismDocument, PodDocument
from app.scenarios.document.published import Published
from app.scenarios.document.serving import ServingDocument
from app.scenarios.document.shared_pod import SharedPodDocument
from app.scenarios.document.supernode import CustomSuperNode, SuperNodeDocument, SuperNodeOverride
from app.scenarios.document.uncertainty import UncertaintyDocument
from app.scenarios.document.uncertainty_faults import check_ranges
from app.scenarios.document.uncertainty_written import ranges_moved
from app.scenarios.document.workload import TrainingDocument, WorkloadDocument, known_kind
from app.scenarios.fields import Line, Number, Paragraph, Part, fault
from app.scenarios.reading.write_yaml import write_yaml

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
    description: Paragraph = Field(default="", description="What it shows, and what it takes for granted.")
    illustrative: bool = Field(default=False, description="True for a design without published results.")
    workload: Annotated[WorkloadDocument, BeforeValidator(known_kind)] = Field(
        description="What must be done."
    )
    supernode: SuperNodeDocument = Field(description="What is bought: one scale-up domain.")
    pod: PodDocument = Field(default=PodDocument(), description="How many, and how they are joined.")
    parallelism: Parallelism = Field(
        title="Layout", default="auto", description="auto, or a layout of the job."
    )
    sharing: SharedPodDocument | None = Field(
        default=None, description="Further workloads on the same pod; none when left out."
    )
    facility: FacilityDocument = Field(default=FacilityDocument(), description="Where it stands.")
    operations: OperationsDocument = Field(
        default=OperationsDocument(), description="How it is kept running."
    )
    economics: EconomicsDocument = Field(default=EconomicsDocument(), description="On what terms.")
    uncertainty: UncertaintyDocument = Field(
        default=UncertaintyDocument(),
        description="What is not known exactly, and what is asked of the answer.",
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
