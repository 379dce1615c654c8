"""If-Match (RFC 9110): whoever changes something says which state of it they have seen."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastapi import Request

from app.surfaces.rest.parameters import parameter_problem
from app.surfaces.rest.problem_types import CHANGED_MEANWHILE, PRECONDITION_REQUIRED
from app.surfaces.rest.problems import ProblemError

ENTITY_TAG = r'(?:W/)?"[!#-~\x80-\xff]*"'
ENTITY_TAGS = rf"{ENTITY_TAG}(?:[ \t]*,[ \t]*{ENTITY_TAG})*"
IF_MATCH_PATTERN = rf"^(?:\*|{ENTITY_TAGS})$"


@dataclass(frozen=True, slots=True)
class Precondition:
    """The strong tags of an If-Match header. Weak ones are left out: they never match."""

    tags: frozenset[str]
    anything: bool  # If-Match: *

    def check(self, *current: str, advice: str = "") -> None:
        """Nothing, if one of the tags that something has now is among those asked for.

        `advice` is another way to go on.

        Raises
        ------
        ProblemError : it has changed meanwhile; the answer names its tag of now, the first of `current`
        """
        if not self.anything and self.tags.isdisjoint(current):
            words = "None of the tags in If-Match is that of the present state. Nothing was changed."
            raise changed_meanwhile(current[0], f"{words} {advice}".strip())


def changed_meanwhile(tag: str, detail: str) -> ProblemError:
    """412 with the tag of the present state, in the header and in the problem."""
    return ProblemError(CHANGED_MEANWHILE, detail, headers={"etag": tag}, members={"etag": tag})


def required_precondition(request: Request) -> Precondition:
    """The If-Match header of a request that must have one.

    Raises
    ------
    ProblemError : there is none (428), or it is no list of entity tags (400)
    """
    lines = request.headers.getlist("if-match")
    if not lines:
        raise ProblemError(
            PRECONDITION_REQUIRED,
            "A change needs the header If-Match with the ETag of what it changes. Read it first; "
            "If-Match: * changes it whatever its state.",
        )
    text = ",".join(lines).strip()
    if text == "*":
        return Precondition(frozenset(), anything=True)
    if not re.fullmatch(ENTITY_TAGS, text):
        raise parameter_problem(
            "If-Match",
            "entity_tag",
            "If-Match is not a list of entity tags.",
            "Send an ETag as it was received, its double quotes included, or *.",
        )
    tags = re.findall(ENTITY_TAG, text)
    return Precondition(frozenset(tag for tag in tags if not tag.startswith("W/")), anything=False)
