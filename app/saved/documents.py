"""The documents that can be saved: scenarios, designs of one part that scenarios share, projections, studies
and fleets."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from app.saved.records import Kind
from app.scenarios.document.pod import PodDocument
from app.scenarios.document.scenario import ScenarioDocument, known_version
from app.scenarios.document.supernode import SuperNodeDocument
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.fields import Line, Paragraph, Part, fault
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.load import build_document
from app.scenarios.reading.yaml_text import Place
from app.scenarios.study.document import StudyDocument
from app.views.projecting.options import ProjectionDocument


def _nested(field: str) -> PydanticCustomError:
    return fault("one_of", "a design cannot be made of another one", hint="put in its fields", field=field)


Version = Annotated[Literal[1], BeforeValidator(known_version)]


class SuperNodeDesign(Part):
    """A SuperNode to be named by scenarios: `supernode: {design: ID}`."""

    schema_version: Version = Field(default=1, description="Version of this document.")
    name: Line = Field(description="Name of the scenario.")
    description: Paragraph = Field(default="", description="Purpose.")
    supernode: SuperNodeDocument = Field(description="SuperNode: one scale-up domain.")

    @model_validator(mode="after")
    def _stands_alone(self) -> Self:
        if self.supernode.design is not None:
            raise _nested("supernode.design")
        return self


class PodDesign(Part):
    """A SuperPOD to be named by scenarios: `pod: {design: ID}`."""

    schema_version: Version = Field(default=1, description="Version of this document.")
    name: Line = Field(description="Name of the scenario.")
    description: Paragraph = Field(default="", description="Purpose.")
    pod: PodDocument = Field(description="How many SuperNodes, and how they are joined.")

    @model_validator(mode="after")
    def _stands_alone(self) -> Self:
        if self.pod.design is not None:
            raise _nested("pod.design")
        return self


AnyDocument = (
    ScenarioDocument | SuperNodeDesign | PodDesign | ProjectionDocument | StudyDocument | FleetDocument
)
MODELS: dict[Kind, type[AnyDocument]] = {
    "scenario": ScenarioDocument,
    "supernode": SuperNodeDesign,
    "pod": PodDesign,
    "projection": ProjectionDocument,
    "study": StudyDocument,
    "fleet": FleetDocument,
}


def build_saved(
    kind: Kind, values: dict[str, Any], positions: dict[Place, tuple[int, int]] | None = None
) -> AnyDocument:
    """The document of plain values, with a name of its own.

    Raises
    ------
    ScenarioError : the values are no such document, or have no name; one message a fault
    """
    document: AnyDocument = build_document(MODELS[kind], values, positions)
    if "name" not in document.model_fields_set:
        hint = "Expected: what people call it, 1 to 200 characters."
        raise refuse("is required to save it.", rule="required", path="name", hint=hint)
    return document


def canonical(values: dict[str, Any]) -> dict[str, Any]:
    """A saved document with every default written out, so that documents that mean the same are equal.

    One that today's version cannot read, such as an old revision, stays as it was written. The last ones are kept, as
    a merge asks for the same three again and again, and must not be changed.
    """
    return _canonical(json.dumps(values))


@lru_cache(maxsize=64)
def _canonical(text: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(text)
    try:
        return build_document(MODELS[_kind_of(values)], values).model_dump(
            mode="json", exclude_none=True, by_alias=True
        )
    except ScenarioError:
        return values


def _kind_of(values: dict[str, Any]) -> Kind:
    """Kind of a document by its parts: a projection has no parts, and the workload of a study has two
    kinds."""
    workload = values.get("workload")
    if isinstance(workload, dict) and "kind" not in workload:
        return "study"
    if "pods" in values:
        return "fleet"
    parts: dict[str, Kind] = {"workload": "scenario", "supernode": "supernode", "pod": "pod"}
    return next((kind for part, kind in parts.items() if part in values), "projection")
