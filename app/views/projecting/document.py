"""A projection as it is saved: what it asks, and the design that it counts by."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from app.scenarios.document.scenario import ScenarioDocument, known_version
from app.scenarios.fields import Either, Line, Paragraph, Value, Word, fault
from app.views.projecting.options import ProjectionOptions

NAMED = re.compile(r"[a-z0-9][a-z0-9_]{0,79}")


def _named(value: str) -> str:
    if NAMED.fullmatch(value):
        return value
    raise fault(
        "key_syntax",
        "is neither the key of an example nor the id of a saved scenario",
        hint="such as edge_node; podwright examples lists the keys",
    )


Scenario = Annotated[
    Annotated[Annotated[str, AfterValidator(_named)], Word] | Annotated[ScenarioDocument, Value], Either
]


class ProjectionDocument(ProjectionOptions):
    """What a projection asks, under a name."""

    schema_version: Annotated[Literal[1], BeforeValidator(known_version)] = Field(
        default=1, description="Version of this document."
    )
    name: Line = Field(description="Name of the scenario.")
    description: Paragraph = Field(default="", description="Purpose.")
    scenario: Scenario | None = Field(
        default=None,
        description="The design: key of an example, id of a saved scenario, or a scenario written out.",
    )

    @property
    def options(self) -> ProjectionOptions:
        """What it asks, without name and design."""
        return ProjectionOptions(**{name: getattr(self, name) for name in ProjectionOptions.model_fields})
