"""Size of a model from its values or from a Hugging Face `config.json`."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.scenarios.document.model_counts import SEQUENCE_TOKENS, model_report
from app.scenarios.errors import ScenarioError
from app.scenarios.fields import Whole
from app.scenarios.reading.messages import input_errors
from app.surfaces.rest.bodies import Body, BodyDep, read_body
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.documented import OF_A_BODY, problem_answers
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_PARAMETER, INVALID_SCENARIO
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import examples_body
from app.surfaces.rest.services import Services, ServicesDep

router = APIRouter(tags=["catalog"])

EXAMPLE = {
    "config": {
        "model_type": "llama",
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "intermediate_size": 14336,
        "vocab_size": 128256,
    }
}
VALUES = {"values": {"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "vocabulary": 128256}}


class ModelRequest(BaseModel):
    """A model by its values or by its configuration; where both are sent, values win field by field."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)

    values: dict[str, str | int | float | None] = Field(
        default_factory=dict, description="By column of the kind models; earlier spellings are read too."
    )
    config: dict[str, Any] | str | None = Field(
        default=None, description="A config.json, as an object or as text."
    )
    sequence_tokens: Whole = Field(
        default=SEQUENCE_TOKENS, ge=1, le=1_000_000_000, description="Sequence length of the FLOP per token."
    )


class ModelCountsAnswer(Answer):
    """Size of one model; null where a value that it needs is missing."""

    parameters: float | None
    active_parameters: float | None
    kv_cache_bytes_per_token: float | None = Field(
        description="All layers, 16 bit, windows not yet full; index keys of sparse attention included."
    )
    recurrent_state_bytes: float | None = Field(description="Of one sequence, 16 bit.")
    forward_flop_per_token: float | None
    training_flop_per_token: float | None = Field(description="Forward and backward.")
    sequence_tokens: int


class AssumedAnswer(Answer):
    """A value that was left blank, and what it stands for."""

    field: str
    value: float
    rule: str
    is_assumption: bool = Field(description="False where the value follows from others.")


class ModelFaultAnswer(Answer):
    """A reason why the values are not a model yet."""

    field: str
    rule: str
    message: str
    hint: str


class ConfigurationAnswer(Answer):
    """Values read from a configuration."""

    family: str
    read: dict[str, str] = Field(description="Field -> key that states it.")
    assumed: dict[str, str] = Field(description="Field -> rule that it comes from.")
    unread: list[str] = Field(description="Values that the engine does not use.")
    faults: list[str]


class ModelDescriptionAnswer(Answer):
    """Sizes computed from the values of a model."""

    name: str
    values: dict[str, str | int | float] = Field(
        description="By column, as PUT /catalog/models/{key} and `workload.model` of a scenario take them."
    )
    attention: str
    counts: ModelCountsAnswer
    assumed: list[AssumedAnswer]
    faults: list[ModelFaultAnswer]
    configuration: ConfigurationAnswer | None


@router.post(
    "/model-descriptions",
    summary="Describe a model",
    response_model=ModelDescriptionAnswer,
    response_description="Counts, filled-in values, and everything that is missing.",
    responses=problem_answers(INVALID_PARAMETER, INVALID_SCENARIO, *OF_A_BODY),
    openapi_extra=examples_body(
        "ModelRequest",
        "Values, or a configuration.",
        {"config": {"value": EXAMPLE}, "values": {"value": VALUES}},
    ),
    dependencies=[only()],
)
async def describe_model_values(body: BodyDep, found: ServicesDep) -> Response:
    """Total and active parameters, KV cache and FLOP of a token, of a model that need not be saved or complete:
    `faults` name what is missing. Of a `config.json`, `values` are a row to save and `configuration` says what was
    read, assumed and left out.
    """
    return await found.workers.run(_described, body, found)


def _described(body: Body, found: Services) -> Response:
    try:
        asked = ModelRequest.model_validate(read_body(body, found.limits).values)
    except ValidationError as error:
        faults = ScenarioError(input_errors(error.errors(include_url=False), ModelRequest))
        raise scenario_problem(faults, found.limits) from None
    return json_response(model_report(asked.values, asked.config, asked.sequence_tokens))
