"""Filters of lists of saved work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, get_args

from app.likeness import nearest_names
from app.saved.listing import Sort
from app.saved.records import Kind, Listed, Page, Saved
from app.scenarios.errors import shorten
from app.surfaces.rest.documented import query_parameter
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.paging import read_limit
from app.surfaces.rest.parameters import beyond_schema, parameter_problem
from app.surfaces.rest.services import Services

TEXT: dict[str, Any] = {"type": "string"}
FLAG: dict[str, Any] = {"type": "boolean"}
FLAGS = {"true": True, "false": False}
COMMON = (
    query_parameter("q", "Words that name, tags or summary must all contain, whatever their case.", TEXT),
    query_parameter("tag", "Required tag.", TEXT),
    query_parameter(
        "sort",
        "updated: the last changed first; name: in alphabetical order.",
        {"type": "string", "enum": list(get_args(Sort)), "default": "updated"},
    ),
    query_parameter("deleted", "true lists what was deleted instead.", {**FLAG, "default": False}),
    query_parameter("template", "Whether it is offered as a template.", FLAG),
    query_parameter(
        "shared",
        "true lists what other workspaces share with the caller's teams or by links instead. The first page begins "
        "with the single revisions that links show, on top of limit. Goes with q, tag and sort.",
        {**FLAG, "default": False},
    ),
)
"""Filters of scenarios and designs alike."""

WITH_SHARED = {"shared", "q", "tag", "sort", "limit", "after", "kind"}

OF_SCENARIOS = (
    query_parameter("model", "The catalog key of its model, or the name of a model of its own.", TEXT),
    query_parameter("system", "The catalog key of its system, or the name of a SuperNode of its own.", TEXT),
    query_parameter("feasible", "Whether it could be built when it was saved.", FLAG),
)

OF_DESIGNS = (
    query_parameter(
        "kind", "supernode or pod; without it both.", {"type": "string", "enum": ["supernode", "pod"]}
    ),
)


class CommonFilters(TypedDict):
    """Arguments of `SavedWork.listed` that every list takes."""

    limit: int
    after: str | None
    search: str
    tag: str | None
    template: bool | None
    deleted: bool
    sort: Sort


def common_filters(given: Mapping[str, str], limits: Limits) -> CommonFilters:
    """Filters of any list from the parameters of a request.

    Raises
    ------
    ProblemError : a value cannot be used
    """
    sort = choice(given, "sort", get_args(Sort)) or "updated"
    return {
        "limit": read_limit(given, limits),
        "after": given.get("after"),
        "search": given.get("q", ""),
        "tag": given.get("tag"),
        "template": flag(given, "template"),
        "deleted": flag(given, "deleted") or False,
        "sort": "name" if sort == "name" else "updated",
    }


def shared_page(
    found: Services, kinds: Sequence[Kind], kind: Listed, given: Mapping[str, str]
) -> Page[Saved] | None:
    """Items shared by others, on request: `kind` is listed, which is one of `kinds` or all.

    Raises
    ------
    ProblemError : a value cannot be used, or does not go with shared
    """
    if not flag(given, "shared"):
        return None
    for name in given:
        if name not in WITH_SHARED:
            hint = f"It goes with {', '.join(sorted(WITH_SHARED - {'shared'}))}."
            raise beyond_schema(name, "together", f"shared does not go with {name}.", hint)
    asked = common_filters(given, found.limits)
    page = found.saved.shared(
        kind,
        limit=asked["limit"],
        after=asked["after"],
        search=asked["search"],
        tag=asked["tag"],
        sort=asked["sort"],
    )
    if asked["after"] or asked["search"] or asked["tag"]:
        return page
    wanted = kinds if kind == "design" else (kind,)
    pinned = [saved for each in wanted for saved in found.saved.pinned(each)]
    return Page(items=(*pinned, *page.items), next=page.next)


def flag(given: Mapping[str, str], name: str) -> bool | None:
    """A parameter that is true or false; None where it is not given."""
    found = choice(given, name, tuple(FLAGS))
    return None if found is None else FLAGS[found]


def choice(given: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str | None:
    """A parameter that is one of a few words; None where it is not given."""
    text = given.get(name)
    if text is None or text in choices:
        return text
    near = nearest_names(text[:80], choices, count=1)
    hint = (f"Did you mean {near}? " if near else "") + f"Known here: {', '.join(choices)}."
    raise parameter_problem(name, "one_of", f"{shorten(text)} is not a value of {name}.", hint)
