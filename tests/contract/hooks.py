"""What the API documents beside its schemas, told to schemathesis: SCHEMATHESIS_HOOKS=tests.contract.hooks.

A request that fits the schema may be refused where the answer says by its documented type that no schema could have
said so. Everything else that fits must be taken.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import RejectedPositiveData

BEYOND = {
    "beyond-schema",  # names nothing that is there, contradicts itself, or cannot be built
    "key-reused",  # the key came before, with another request
    "changed-meanwhile",  # the state that If-Match names is not the present one
    "unreadable-text",  # a character that is no text, in a name that an object may give freely or in the address
    "precondition-required",  # a row that exists is replaced, where a new one needs no If-Match
}
"""Types of problems that a request which fits the schema may be answered with."""
counted: Counter[str] = Counter()


@schemathesis.hook
def filter_failure(_context: Any, failure: Any, _case: Any, response: Any) -> bool:
    """Whether a failure is one. A batch answers each of its scenarios, and refuses one by a problem in its place."""
    if isinstance(failure, AcceptedNegativeData):
        return not _refuses_an_entry(response)
    if not isinstance(failure, RejectedPositiveData):
        return True
    slug = problem_of(response)
    counted[slug] += slug in BEYOND
    return slug not in BEYOND


def _refuses_an_entry(response: Any) -> bool:
    if not any("application/json" in value for value in response.headers.get("content-type", ())):
        return False
    answers = response.json()
    return isinstance(answers, list) and any("problem" in answer for answer in answers)


def problem_of(response: Any) -> str:
    """The slug of a problem, "" for any other answer."""
    if not any("problem+json" in value for value in response.headers.get("content-type", ())):
        return ""
    kind: str = response.json().get("type", "")
    return kind.rpartition("#")[2]
