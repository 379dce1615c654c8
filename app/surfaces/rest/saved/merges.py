"""Saving over what someone else saved meanwhile: changes of both are merged field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import Field, create_model

from app.saved.merge import Side
from app.saved.merging import MergedSave, merge_result
from app.saved.records import WORDS, Saved
from app.saved.writing import LONGEST_NOTE
from app.scenarios.errors import refuse
from app.scenarios.fields import Part, Whole
from app.scenarios.load import build_document
from app.surfaces.rest.bodies import JSON, Body, BodyDep, BodyValues, read_body
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.documented import ETAG, example_scenarios, problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.preconditions import IDEMPOTENCY_KEY, REPLAYED
from app.surfaces.rest.problem_types import MERGE_CONFLICT
from app.surfaces.rest.problems import json_bytes
from app.surfaces.rest.saved.answers import DocumentChangeAnswer, change_answers
from app.surfaces.rest.saved.declared import MAKING, Id, body_problems
from app.surfaces.rest.saved.saving import PRIVATE, Once, in_a_worker
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep

RevisionNumber = Annotated[Whole, Field(ge=1, le=1_000_000_000)]


class MergeBody(Part):
    """Document to save, and its base revision."""

    base_revision: RevisionNumber = Field(description="The revision that the document was made from.")
    document: dict[str, Any] = Field(description="Complete document to save.")
    note: str = Field(default="", max_length=LONGEST_NOTE, description="Note of this save.")
    choices: Annotated[dict[str, Side], Field(max_length=1_000)] = Field(
        default={}, description="The side to take of each conflict, by its path."
    )
    seen_revision: RevisionNumber | None = Field(
        default=None,
        description="The revision that the choices were made against, as the conflict reported it. Where someone saved "
        "since, they are asked for again. Required with choices.",
    )


class MergeAnswer(Answer):
    """Result of a save."""

    revision: int = Field(description="The newest revision, which holds both sides' changes.")
    merged_with: int | None = Field(description="The revision of theirs; null where nothing came in between.")
    authors: list[str] = Field(
        description="Who saved the revisions that were merged with, from base_revision on, as far as that is known."
    )
    kept_revision: int | None = Field(
        description="The revision that holds the document as it was sent, where a choice left something of it out; "
        "otherwise null."
    )
    from_mine: list[DocumentChangeAnswer] = Field(description="Fields that are others than in theirs.")
    from_theirs: list[DocumentChangeAnswer] = Field(
        description="Fields that are others than in what was sent."
    )


def add_merges(router: APIRouter, shelf: Shelf) -> None:
    """POST of a change that was made from an older revision."""

    @router.post(
        "/{id}/merges",
        name=f"merge_{shelf.one}",
        summary=f"Save a {shelf.one} over what was saved meanwhile",
        description="Fields that one side changed are taken from it. Where both changed one, each to another value, "
        "the answer is 409 with the conflicts and nothing is written; send the same again with a choice for each. What "
        "is merged without choices is one revision; where a choice left something of the document out, the document as "
        "it was sent is the revision before.",
        responses=_answers(shelf),
        openapi_extra={"requestBody": _declared_body(shelf), "parameters": [IDEMPOTENCY_KEY]},
        dependencies=[only()],
    )
    async def merge(id: Id, request: Request, body: BodyDep, found: ServicesDep) -> Response:
        return await in_a_worker(found, _merge, shelf, found, id, body, Once.of(request, body))


def _merge(shelf: Shelf, found: Services, id: str, body: Body, once: Once) -> Response:
    read = read_body(body, found.limits)
    with shelf.faults(found.limits):
        asked = _read(read)
    saved = shelf.find(found, id)

    def work() -> Saved:
        return found.saved.merge(
            saved.kind,
            id,
            asked.document,
            base_revision=asked.base_revision,
            note=asked.note,
            choices=asked.choices,
            seen_revision=asked.seen_revision,
        )

    with shelf.faults(found.limits, above="/document"):
        kind = shelf.check(read.below("document"))
        if kind != saved.kind:
            words = f"This is a {WORDS[saved.kind]}, and the document a {WORDS[kind]}."
            raise refuse(words, rule="kind", hint="Save it as a new one.")
        made, replayed = once.done(found, work)
    return _answer(shelf, merge_result(found.saved, made, asked.document, asked.base_revision), replayed)


def _read(read: BodyValues) -> MergeBody:
    asked = build_document(MergeBody, read.values, read.positions)
    if asked.choices and asked.seen_revision is None:
        hint = "The revision of the answer that reported the conflicts."
        raise refuse("is required with choices.", rule="required", path="seen_revision", hint=hint)
    return asked


def _answer(shelf: Shelf, merged: MergedSave, replayed: bool) -> Response:
    content = {
        "saved": shelf.answer_of(merged.saved),
        "revision": merged.saved.revision,
        "merged_with": merged.theirs,
        "authors": list(merged.authors),
        "kept_revision": merged.kept,
        "from_mine": change_answers(merged.from_mine),
        "from_theirs": change_answers(merged.from_theirs),
    }
    headers = {"etag": merged.saved.etag, "cache-control": PRIVATE}
    if replayed:
        headers["idempotency-replayed"] = "true"
    return Response(json_bytes(content), headers=headers, media_type=JSON)


def _answers(shelf: Shelf) -> dict[int | str, dict[str, Any]]:
    name = f"{shelf.answer.__name__.removesuffix('Answer')}MergeAnswer"
    model = create_model(name, __base__=MergeAnswer, saved=(shelf.answer, Field(description="As it is now.")))
    ok = {"model": model, "description": "Both sides' changes are saved.", "headers": {**ETAG, **REPLAYED}}
    problems = dict.fromkeys((*MAKING, MERGE_CONFLICT, *body_problems(shelf.invalid)))
    return {200: ok, **problem_answers(*problems)}


def _declared_body(shelf: Shelf) -> dict[str, Any]:
    schema = MergeBody.model_json_schema()
    content: Mapping[str, Any] = shelf.changing_body["content"][JSON]
    schema["properties"]["document"] = content["schema"]
    schema["title"] = f"{shelf.one.capitalize()}Merge"
    key, example = next(iter(content["examples"].items()))
    if "value" not in example:  # the examples of a scenario are components of the description
        key, example = "edge_node", example_scenarios()["edge_node"]
    value = {"base_revision": 1, "document": example["value"], "note": "Checked"}
    return {
        "required": True,
        "description": f"The {shelf.one}, and the revision that it was made from.",
        "content": {
            JSON: {"schema": schema, "examples": {key: {"summary": "Made from revision 1", "value": value}}},
        },
    }
