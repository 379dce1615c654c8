"""The study document, schema version 1: a question, its limits, the designs that could answer it, and the
decision."""

from __future__ import annotations

import json
from datetime import date
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from app.scenarios.document.economics import EconomicsDocument, OperationsDocument
from app.scenarios.document.facility import FacilityDocument
from app.scenarios.document.scenario import known_version
from app.scenarios.document.serving import ServingDocument
from app.scenarios.document.uncertainty import UncertaintyDocument
from app.scenarios.document.workload import TrainingDocument
from app.scenarios.fields import PERCENT, Line, Number, Paragraph, Part, fault
from app.scenarios.reading.yaml_text import write_yaml
from app.scenarios.study.candidates import MOST_CHOSEN, CandidatesDocument, ChosenDocument
from app.scenarios.study.limits import LimitsDocument

Objective = Literal["usd", "run", "time", "power", "carbon"]


class StudyWorkload(Part):
    """Purpose of the pod: a training run, then serving of the trained model, or serving alone."""

    training: TrainingDocument | None = Field(
        default=None, description="The training run; none for serving alone."
    )
    serving: ServingDocument | None = Field(
        default=None,
        description="What the same pod serves afterwards, or all along where nothing is trained.",
    )

    @model_validator(mode="after")
    def _is_something(self) -> Self:
        if self.training is None and self.serving is None:
            raise fault(
                "required",
                "needs training, serving, or both",
                hint="state workload.training",
                field="training",
            )
        return self


class CommonDocument(Part):
    """What all candidates share; their site, building and terms take precedence."""

    facility: FacilityDocument = Field(default=FacilityDocument(), description="Building, as of a scenario.")
    operations: OperationsDocument = Field(
        default=OperationsDocument(), description="Operations, as of a scenario."
    )
    economics: EconomicsDocument = Field(default=EconomicsDocument(), description="Terms, as of a scenario.")
    uncertainty: UncertaintyDocument = Field(
        default=UncertaintyDocument(),
        description="Uncertain inputs and how they are drawn, as of a scenario.",
    )
    assumptions: Annotated[dict[str, Number], Field(max_length=1_000)] = Field(
        default={}, description="Modelling assumptions stated otherwise, by room and name."
    )


class TimingDocument(Part):
    """When things are ordered; what is left out is taken from the catalog's assumptions."""

    order_date: Annotated[date, Field(strict=False)] | None = Field(
        title="Order date",
        default=None,
        description="Date of the order; months alone are shown when left out.",
    )
    serving_years: Annotated[float, Field(ge=0, le=50)] | None = Field(
        title="Years of serving",
        default=None,
        description="Years that the pod serves after training; the rest of its life when left out.",
    )
    price_change_per_year: Annotated[Annotated[float, Field(ge=-0.9, le=1)], PERCENT] | None = Field(
        title="Price change a year",
        default=None,
        description="Change of the price of SuperNodes a year until they are bought; an assumption, 0, when left out.",
    )


class DecisionDocument(Part):
    """What was decided."""

    text: Paragraph = Field(
        title="Decision and reasons", default="", description="The decision and its reasons."
    )
    chosen: Line | None = Field(
        title="Chosen",
        default=None,
        description="Name of the chosen column, or key of a candidate; none as yet.",
    )


class StudyDocument(Part):
    """A study: requirements in, ranked alternatives out."""

    schema_version: Annotated[Literal[1], BeforeValidator(known_version)] = Field(
        default=1, description="Version of this document."
    )
    name: Line = Field(title="Name", default="Untitled study", description="Name of the study.")
    question: Paragraph = Field(title="Question", default="", description="What is to be decided, in words.")
    workload: StudyWorkload = Field(description="Purpose of the pod: training, serving, or both.")
    limits: LimitsDocument = Field(default=LimitsDocument(), description="What an answer must keep.")
    candidates: CandidatesDocument = Field(
        default=CandidatesDocument(), description="Designs that are searched over."
    )
    chosen: Annotated[tuple[ChosenDocument, ...], Field(strict=False, max_length=MOST_CHOSEN)] = Field(
        default=(), description="Columns of the board, kept by hand."
    )
    base: Line | None = Field(
        title="Base case",
        default=None,
        description="Name of a chosen column, or key of a candidate, that others are compared with; the first answer "
        "when left out.",
    )
    objective: Objective = Field(
        title="Ranked by",
        default="usd",
        description="What answers are ranked by: usd (total cost of ownership; of rented capacity what as much work costs), "
        "run (cost of the run), time, power or carbon.",
    )
    common: CommonDocument = Field(default=CommonDocument(), description="What all candidates share.")
    timing: TimingDocument = Field(
        default=TimingDocument(), description="When things are ordered and delivered."
    )
    decision: DecisionDocument = Field(default=DecisionDocument(), description="What was decided.")

    @model_validator(mode="after")
    def _columns_told_apart(self) -> Self:
        names = [one.name for one in self.chosen]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise fault(
                "names",
                f"has two columns called '{twice[:60]}'",
                hint="give each a name of its own",
                field="chosen",
            )
        known = {network.name for network in self.candidates.networks}
        for one in self.chosen:
            named = one.candidate.network if one.candidate else None
            if named is not None and named not in known:
                raise fault(
                    "unknown_network",
                    f"'{one.name[:60]}' names the network '{named[:60]}', which candidates.networks lacks",
                    hint=f"its networks are {', '.join(sorted(known))[:200]}",
                    field="chosen",
                )
        return self

    @model_validator(mode="after")
    def _limits_of_what_is_done(self) -> Self:
        training = {"finish_within_days": self.limits.finish_within_days, "run_usd": self.limits.run_usd}
        serving = {name: getattr(self.limits, name) for name in ("ttft_s", "tpot_s", "served_tokens_per_s")}
        for kind, limits in (("training", training), ("serving", serving)):
            stated = next((name for name, value in limits.items() if value is not None), None)
            if stated is not None and getattr(self.workload, kind) is None:
                raise fault(
                    "workload",
                    f"has {stated}, and the workload has no {kind}",
                    hint=f"state workload.{kind}, or leave the limit out",
                    field=f"limits.{stated}",
                )
        return self

    @model_validator(mode="after")
    def _delivery_from_an_order(self) -> Self:
        if self.limits.delivery_by is not None and self.timing.order_date is None:
            raise fault(
                "required",
                "has delivery_by, and no date of the order is stated to count from",
                hint="state timing.order_date, or leave limits.delivery_by out",
                field="limits.delivery_by",
            )
        return self

    def as_dict(self) -> dict[str, Any]:
        """The canonical form: every field, defaults too, as plain JSON values; what is not stated is left
        out."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)

    def as_json(self) -> str:
        """The canonical form as JSON text."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def as_yaml(self) -> str:
        """The canonical form as YAML 1.2 text."""
        return write_yaml(self.as_dict())


def study_schema() -> dict[str, Any]:
    """The JSON Schema of the study document."""
    schema = StudyDocument.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Podwright study"}
