"""The terms of the field, explained."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import Field

from app.catalog.glossary import Term, glossary
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_PARAMETER

router = APIRouter(tags=["catalog"])


class TermAnswer(Answer):
    """A term in two sentences."""

    key: str
    term: str
    aliases: list[str]
    what: str = Field(description="Definition, one sentence.")
    why: str = Field(description="Why it matters, one sentence.")
    source: str
    address: str = Field(description="Of the source.")
    href: str = Field(description="Its place on the page of all terms.")


class TermsAnswer(Answer):
    """All terms, in the order of the alphabet."""

    items: list[TermAnswer]


@router.get(
    "/terms",
    summary="List the terms",
    response_model=TermsAnswer,
    response_description="Every term.",
    responses={200: {"headers": ETAG}, 304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def list_terms(request: Request) -> Response:
    """The terms that pages and answers use, such as MFU or all-to-all: what each is and why it matters, with a source."""
    items = [_answer(term) for term in glossary().values()]
    return conditional(request, content_etag(items), lambda: ({"items": items}, {}))


def _answer(term: Term) -> dict[str, object]:
    return {
        "key": term.key,
        "term": term.term,
        "aliases": list(term.aliases),
        "what": term.what,
        "why": term.why,
        "source": term.source,
        "address": term.address,
        "href": f"/terms#{term.key}",
    }
