"""What a projection is asked: a law, and what is known of the model."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from app.catalog.scaling_laws import DEFAULT_LAW, scaling_laws
from app.likeness import nearest_names
from app.scenarios.document.scenario import ScenarioDocument, known_version
from app.scenarios.fields import Either, Line, Paragraph, Part, Value, Word, fault, schema_pattern

MODEL = ("parameters", "tokens", "flops", "loss")
LIMITS = ("budget_usd", "deadline_days")

Amount = Annotated[float, Field(ge=1, le=1e20)]


def _known(key: str) -> str:
    if key in scaling_laws():
        return key
    raise fault(
        "unknown_law", "is not a scaling law", hint=f"nearest: {nearest_names(key[:60], scaling_laws())}"
    )


class ProjectionOptions(Part):
    """One or two of parameters, tokens, flops, loss, budget and deadline; the law says the rest."""

    law: Annotated[str, Field(max_length=60), AfterValidator(_known)] = Field(
        default=DEFAULT_LAW, description="Key of a scaling law."
    )
    parameters: Amount | None = Field(default=None, description="Active parameters of the model.")
    tokens: Amount | None = Field(
        default=None, description="Tokens that it is trained on, repeated ones each time."
    )
    flops: Annotated[float, Field(ge=1, le=1e40)] | None = Field(
        default=None, description="Compute of the training run [FLOP], 6 for each parameter and token."
    )
    loss: Annotated[float, Field(gt=0, le=100)] | None = Field(
        default=None, description="Loss to reach [nats/token], on the data of the law."
    )
    budget_usd: Annotated[float, Field(ge=1, le=1e15)] | None = Field(
        default=None, description="Budget of the run when the design is owned [USD]. Needs a scenario."
    )
    deadline_days: Annotated[float, Field(ge=0.01, le=1e6)] | None = Field(
        default=None, description="Days that the run may take, failures included. Needs a scenario."
    )
    experts: Annotated[float, Field(ge=1, le=1e6)] | None = Field(
        default=None, description="Routed experts, for moe_routed and moe_joint."
    )
    unique_tokens: Amount | None = Field(
        default=None, description="Tokens of the corpus, for data_constrained: what is beyond them repeats."
    )
    inference_tokens: Annotated[float, Field(ge=0, le=1e25)] | None = Field(
        default=None, description="Tokens that the model will serve, read and written."
    )
    bits: Annotated[float, Field(ge=1, le=64)] | None = Field(
        default=None,
        description="Bits of weights, activations and key-value cache in training, for precision.",
    )


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
    Annotated[Annotated[str, AfterValidator(_named), schema_pattern(f"^{NAMED.pattern}$")], Word]
    | Annotated[ScenarioDocument, Value],
    Either,
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
