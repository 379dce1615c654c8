"""If-Match (RFC 9110): a change names the state that it is based on."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from fastapi import Request

from app.surfaces.rest.documented import header_parameter
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


KEY = re.compile(r"[\x21-\x7e]{1,200}")
IDEMPOTENCY_KEY = header_parameter(
    "Idempotency-Key",
    "Any text of the caller's own, such as a UUID. The same request with the same key is answered as it was "
    "the first time, for 24 hours, and makes nothing more.",
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
)
REPLAYED = {
    "Idempotency-Replayed": {
        "description": "true, where the answer is that of an earlier request with this key.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}


def idempotency_key(request: Request) -> str | None:
    """The key of a request, if it has one.

    Raises
    ------
    ProblemError : it is empty, too long, or has other characters than printable ASCII
    """
    key = request.headers.get("idempotency-key")
    if key is not None and not KEY.fullmatch(key):
        raise parameter_problem(
            "Idempotency-Key",
            "key",
            "Idempotency-Key is not 1 to 200 printable ASCII characters without spaces.",
            "A UUID will do.",
        )
    return key


def request_hash(request: Request, content: bytes) -> str:
    """Identity of a request: method, address, type and body."""
    kind = request.headers.get("content-type", "")
    head = f"{request.method}\0{request.url.path}\0{request.url.query}\0{kind}\0"
    return hashlib.sha256(head.encode("utf-8", "surrogatepass") + content).hexdigest()
