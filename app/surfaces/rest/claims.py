"""The claims of the articles, each with a verdict, what is true, and what the engine computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from app.likeness import nearest_names
from app.scenarios.errors import shorten
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers, query_parameter
from app.surfaces.rest.paging import AFTER, LIMIT, LINK, bad_cursor, page_answer, read_limit
from app.surfaces.rest.parameters import only, parameter_problem
from app.surfaces.rest.problem_types import INVALID_PARAMETER, NOT_FOUND, NOT_READY
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.services import ServicesDep
from app.validation.claims.judge import SEARCH, Judged, claim_values, claims_of, counts, facets, read_asked
from app.validation.claims.ledger import Verdict, ledger

router = APIRouter(prefix="/claims", tags=["claims"])

BASE = "/api/v1/claims"
Given = Annotated[dict[str, str], only(SEARCH, *facets(), "limit", "after")]
ClaimKey = Annotated[str, Path(description="As /claims lists them.", examples=["S2-37"])]
FACETS = [
    query_parameter(name, f"Only claims of this {name}.", {"type": "string", "enum": list(labels)})
    for name, labels in facets().items()
]
WORDS = query_parameter(
    SEARCH, "Words that a claim must all contain, whatever their case.", {"type": "string"}
)
ANSWERS: dict[int | str, dict[str, Any]] = {
    304: NOT_MODIFIED,
    **problem_answers(INVALID_PARAMETER, NOT_READY),
}


class ComputedAnswer(Answer):
    """A figure of ours. An unpublished value is null."""

    value: float | None
    unit: str = Field(description="Unit of the value; 1 for a count or ratio.")
    text: str = Field(description="The value as people read it, which may be in another unit.")


class ClaimFigureAnswer(ComputedAnswer):
    """Our figure beside the article's."""

    label: str
    theirs: str = Field(description="Value in the article; empty where it says nothing.")
    ratio: float | None = Field(description="Computed / published, over the nearer end of a range.")
    verdict: Verdict | None = Field(description="By the rule; null where nothing is compared.")
    rule: str = Field(description="When it is right; empty where nothing is compared.")
    decides: bool = Field(description="Whether the verdict of the claim follows from it.")


class ClaimLinkAnswer(Answer):
    """Where to open the calculation, or what it comes from."""

    title: str
    href: str


class ClaimAnswer(Answer):
    """A claim of an article."""

    id: str
    article: str = Field(description="Key of the article, as the parameter takes it.")
    article_title: str
    claim: str = Field(description="Claim of the article, in short.")
    verdict: Verdict
    correction: str = Field(description="Correction.")
    reason: str
    source: str
    url: str = Field(description="Of the source; empty where it has no address.")
    topic: str
    kind: str = Field(description="Rule of the verdict.")
    computed: ComputedAnswer | None = Field(description="The first figure; null where nothing is computed.")
    computed_verdict: Verdict | None = Field(
        description="Verdict by the figures; null where the verdict rests on its source."
    )
    figures: list[ClaimFigureAnswer]
    links: list[ClaimLinkAnswer]


class VerdictCounts(Answer):
    """Number of claims by verdict."""

    wrong: int
    imprecise: int
    right: int
    unverifiable: int


class ClaimsAnswer(Answer):
    """A page of claims."""

    items: list[ClaimAnswer]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")
    counts: VerdictCounts


@router.get(
    "",
    summary="List the articles' claims",
    response_model=ClaimsAnswer,
    response_description="A page of claims, what is wrong first.",
    responses={200: {"headers": ETAG | LINK}, **ANSWERS},
    openapi_extra={"parameters": [WORDS, *FACETS, LIMIT, AFTER, IF_NONE_MATCH]},
)
def list_claims(request: Request, given: Given, found: ServicesDep) -> Response:
    """Every quantitative claim of the five articles with its verdict, what is true instead and a source. Figures
    are computed from the catalog as it is now; verdicts of claims with deciding figures follow from them.
    """
    for name in facets():
        if given.get(name) == "":
            raise parameter_problem(name, "one_of", f"{name} is empty.", "Leave it out, or name one.")
    asked = read_asked(given)
    if asked.faults:
        fault = asked.faults[0]
        raise parameter_problem(fault.name, "one_of", fault.message, fault.hint)
    everything = claims_of(found.builtin_catalog()).all()
    limit = read_limit(given, found.limits)
    rest = [one for one in _after(everything, given) if asked.holds(one)]
    shown = rest[:limit]
    token = shown[-1].claim.id if len(rest) > limit else None
    content, headers = page_answer([claim_values(one) for one in shown], token, BASE, given)
    content["counts"] = counts(everything)
    return conditional(request, content_etag(content), lambda: (content, headers))


@router.get(
    "/{key}",
    summary="Read a claim",
    response_model=ClaimAnswer,
    response_description="The claim.",
    responses={200: {"headers": ETAG}, **ANSWERS, **problem_answers(NOT_FOUND)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_claim(key: ClaimKey, request: Request, found: ServicesDep) -> Response:
    """One claim with all its figures. Its page, the first of its links, shows the calculation down to its
    sources.
    """
    if key not in ledger().claims:
        near = nearest_names(key[:80], ledger().claims)
        raise ProblemError(NOT_FOUND, f"There is no claim {shorten(key)}. Nearest: {near}.")
    content = claim_values(claims_of(found.builtin_catalog()).one(key))
    return conditional(request, content_etag(content), lambda: (content, {}))


def _after(everything: tuple[Judged, ...], given: Mapping[str, str]) -> tuple[Judged, ...]:
    """The claims behind the one that `after` names."""
    if "after" not in given:
        return everything
    ids = [one.claim.id for one in everything]
    if given["after"] not in ids:
        raise bad_cursor()
    return everything[ids.index(given["after"]) + 1 :]
