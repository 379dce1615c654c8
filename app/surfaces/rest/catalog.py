"""The catalog: kinds of part, the parts of a kind, and a part with its sources."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Request, Response
from starlette.convertors import Convertor, register_url_convertor

from app.catalog.query import OPERATORS
from app.surfaces.rest.catalog_models import (
    KindsAnswer,
    PageAnswer,
    PartAnswer,
    kinds_answer,
    part_answer,
    row_answer,
)
from app.surfaces.rest.catalog_query import fields_of, read_query
from app.surfaces.rest.conditional import conditional, content_etag, etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers, query_parameter
from app.surfaces.rest.paging import AFTER, LIMIT, LINK, page_answer
from app.surfaces.rest.parameters import given_parameters, only
from app.surfaces.rest.problem_types import INVALID_PARAMETER, NOT_FOUND, NOT_READY
from app.surfaces.rest.services import ServicesDep


class KindInAddress(Convertor[str]):
    """A kind in an address: any word but those that are addresses of their own, which know other methods."""

    regex = "(?!(?:export|imports|review)$)[^/]+"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


register_url_convertor("catalog_kind", KindInAddress())
router = APIRouter(prefix="/catalog", tags=["catalog"])

BASE = "/api/v1/catalog"
Kind = Annotated[str, Path(description="A kind, as /catalog lists them.", examples=["accelerators"])]
Key = Annotated[str, Path(description="A part, as its kind lists them.", examples=["nvidia_h100_sxm"])]

LISTING = [
    query_parameter("q", "Words that a row must all contain, whatever their case.", {"type": "string"}),
    query_parameter(
        "sort",
        "A field; with a minus in front from the largest. Rows where it is unknown come last.",
        {"type": "string", "default": "key"},
    ),
    LIMIT,
    AFTER,
    query_parameter(
        "filters",
        f"Conditions on fields, as `field__op=value` with op one of {', '.join(OPERATORS)}; `field=value` is "
        "short for eq. Numbers are in the unit that /catalog names, text is compared whatever its case, "
        "`in` takes values separated by commas. A row whose field is unknown passes no filter.",
        {"type": "object", "additionalProperties": {"type": "string"}},
        style="form",
        explode=True,
        example={"vendor": "NVIDIA", "memory_bytes__gte": "80e9"},
    ),
    IF_NONE_MATCH,
]
ANSWERS: dict[int | str, dict[str, Any]] = {
    304: NOT_MODIFIED,
    **problem_answers(INVALID_PARAMETER, NOT_READY),
}


@router.get(
    "",
    summary="List the kinds",
    response_model=KindsAnswer,
    response_description="Every kind.",
    responses={200: {"headers": ETAG}, **ANSWERS},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def list_kinds(request: Request, found: ServicesDep) -> Response:
    """Every kind of row, how many there are, and the fields they can be filtered and sorted by."""
    catalog = found.catalog()
    return conditional(request, etag(catalog.revision, "kinds"), lambda: (kinds_answer(catalog, BASE), {}))


@router.get(
    "/{kind:catalog_kind}",
    summary="Search the parts of a kind",
    response_model=PageAnswer,
    response_description="A page of rows.",
    responses={200: {"headers": ETAG | LINK}, **ANSWERS, **problem_answers(NOT_FOUND)},
    openapi_extra={"parameters": LISTING},
)
def list_parts(kind: Kind, request: Request, found: ServicesDep) -> Response:
    """Rows in order of their key, or of the field that sort names, one page at a time. The Link header leads to
    the next page; `after` keeps its meaning when rows come and go in between.
    """
    catalog = found.catalog()
    parts = catalog.parts(kind)
    given = given_parameters(request)
    query = read_query(given, fields_of(kind), found.limits)

    def page() -> tuple[dict[str, Any], dict[str, str]]:
        shown, following = query.page(parts)
        items = [row_answer(part, BASE) for part in shown]
        return page_answer(items, following.text() if following else None, f"{BASE}/{kind}", given)

    return conditional(request, etag(catalog.revision, kind, urlencode(sorted(given.items()))), page)


@router.get(
    "/{kind}/{key:path}",  # some keys of aliases have a slash
    summary="Read a part",
    response_model=PartAnswer,
    response_description="The part.",
    responses={200: {"headers": ETAG}, **ANSWERS, **problem_answers(NOT_FOUND)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_part(kind: Kind, key: Key, request: Request, found: ServicesDep) -> Response:
    """Every figure of a part: the value in SI, what its source prints, what kind of figure it is, its date,
    licence and confidence. Hardware comes with its prices.
    """
    catalog = found.catalog()
    content = part_answer(catalog, catalog.part(kind, key))  # also what If-Match of a change is compared with
    return conditional(request, content_etag(content), lambda: (content, {}))
