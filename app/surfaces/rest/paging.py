"""Pages of long lists: `limit` and `after`, the same for everything that is listed.

`after` is a token that names the last row seen, not a number of rows, so that nothing is shown twice or left
out when rows come and go in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from app.scenarios.errors import shorten
from app.surfaces.rest.documented import query_parameter
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.parameters import beyond_schema, parameter_problem
from app.surfaces.rest.problems import ProblemError

LIMIT = query_parameter(
    "limit",
    "Rows on a page.",
    {
        "type": "integer",
        "minimum": 1,
        "maximum": Limits().most_items,
        "default": Limits().usual_items,
    },
)
AFTER = query_parameter("after", "next of the page before.", {"type": "string"})
LINK = {"Link": {"description": "The next page, rel=next.", "schema": {"type": "string"}}}


def read_limit(given: Mapping[str, str], limits: Limits) -> int:
    """Maximum number of rows of a page.

    Raises
    ------
    ProblemError : it is not a whole number in range
    """
    text = given.get("limit")
    if text is None:
        return limits.usual_items
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= limits.most_items):
        message = f"{shorten(text)} is not a whole number from 1 to {limits.most_items}."
        raise parameter_problem("limit", "range", message)
    return int(text)


def bad_cursor() -> ProblemError:
    """The token of `after` was not given out for this list."""
    message = "after does not continue this listing."
    return beyond_schema("after", "cursor", message, "Take it from next of the page before.")


def page_answer(
    items: list[dict[str, Any]], token: str | None, address: str, given: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """A page as plain values, and the headers that lead to the next one."""
    content = {"items": items, "next": token}
    if token is None:
        return content, {}
    return content, {"link": f'<{address}?{urlencode({**given, "after": token})}>; rel="next"'}
