"""Every kind of problem that the API answers with, and what helps. `/docs/problems` shows them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemType:
    """A kind of problem; its address is `/docs/problems#<slug>`."""

    slug: str
    status: int
    title: str
    meaning: str
    way_out: str

    @property
    def uri(self) -> str:
        return f"/docs/problems#{self.slug}"


MALFORMED_BODY = ProblemType(
    slug="malformed-body",
    status=400,
    title="The body cannot be read",
    meaning="The body is not JSON or YAML text, is empty, names a key twice, or is nested too deeply.",
    way_out="errors gives the line and column of the fault.",
)
UNREADABLE_TEXT = ProblemType(
    slug="unreadable-text",
    status=400,
    title="A text cannot be kept",
    meaning="A text of the address or body holds the character NUL or half of a surrogate pair, which no database keeps.",
    way_out="errors names the field; leave the character out.",
)
INVALID_PARAMETER = ProblemType(
    slug="invalid-parameter",
    status=400,
    title="A parameter cannot be used",
    meaning="The address or a header has a parameter, field, operator or value that is not known here.",
    way_out="errors names the parameter, and the nearest known one.",
)
NOT_FOUND = ProblemType(
    slug="not-found",
    status=404,
    title="There is nothing at this address",
    meaning="No such route, kind of part, part, figure, example, saved scenario, design or revision.",
    way_out="detail names the nearest, or how to bring back what was deleted.",
)
FOREIGN_SITE = ProblemType(
    slug="foreign-site",
    status=403,
    title="Another site asked for a change",
    meaning="A browser says that the request comes from a page of another site.",
    way_out="Programs send neither Origin nor Sec-Fetch-Site; pages must be those of this server.",
)
SIGN_IN_REQUIRED = ProblemType(
    slug="sign-in-required",
    status=401,
    title="Authenticate the request",
    meaning="This server answers only to those it knows, and the request names no one, or with a token that "
    "is not known or no longer valid.",
    way_out="Send a token of your account as Authorization: Bearer pwt_...; Account, Tokens makes one.",
)
FORBIDDEN = ProblemType(
    slug="forbidden",
    status=403,
    title="You may not do this",
    meaning="You may see it, but your role, or the scopes of the token, do not allow what was asked.",
    way_out="detail names the role or scope that is needed; an owner of the workspace can give it.",
)
NO_CSRF_TOKEN = ProblemType(
    slug="no-csrf-token",
    status=403,
    title="The request does not come from a page of this server",
    meaning="A browser that is signed in must send the X-CSRF-Token of its page with every change.",
    way_out="Reload the page. Programs use a token of their own in place of a browser's cookie.",
)
METHOD_NOT_ALLOWED = ProblemType(
    slug="method-not-allowed",
    status=405,
    title="This address cannot be used that way",
    meaning="The address exists, but not for this method.",
    way_out="The Allow header names the methods.",
)
KEY_IN_FLIGHT = ProblemType(
    slug="key-in-flight",
    status=409,
    title="The first request with this key is still under way",
    meaning="Another request with the same Idempotency-Key has not been answered yet.",
    way_out="Send the same again after the seconds that the Retry-After header gives.",
)
BODY_TOO_SLOW = ProblemType(
    slug="body-too-slow",
    status=408,
    title="The body came too slowly",
    meaning="A body is waited for while it comes at 10,000 bytes per second or more, after 10 s to begin with.",
    way_out="Send it again over a better connection. Nothing was changed.",
)
MERGE_CONFLICT = ProblemType(
    slug="merge-conflict",
    status=409,
    title="Both changed the same field",
    meaning="A save in the meantime changes the same fields, each to another value. Nothing was written.",
    way_out="Send it again with choices, mine or theirs for the path of each of conflicts, and revision as seen_revision.",
)
CHANGED_MEANWHILE = ProblemType(
    slug="changed-meanwhile",
    status=412,
    title="It was changed meanwhile",
    meaning="If-Match names a state that is no longer the present one. Nothing was changed.",
    way_out="Read it again and retry; etag and the ETag header give the tag of the present state.",
)
BODY_TOO_LARGE = ProblemType(
    slug="body-too-large",
    status=413,
    title="The body is too large",
    meaning="A body may have 1,000,000 bytes, a batch of scenarios as JSON 8,000,000, however it is sent.",
    way_out="A scenario has a few thousand; send it without what does not belong to it.",
)
UNSUPPORTED_MEDIA_TYPE = ProblemType(
    slug="unsupported-media-type",
    status=415,
    title="The content type of the body is not supported",
    meaning="Bodies are application/json or application/yaml, in UTF-8 and not compressed.",
    way_out="Set the Content-Type header.",
)
INVALID_SCENARIO = ProblemType(
    slug="invalid-scenario",
    status=422,
    title="The scenario cannot be used",
    meaning="The body was read, but a field is unknown, missing, out of range or names nothing in the catalog.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
INVALID_DESIGN = ProblemType(
    slug="invalid-design",
    status=422,
    title="The design cannot be used",
    meaning="The body was read, but a field is unknown, missing, out of range or names nothing in the catalog.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
INVALID_PROJECTION = ProblemType(
    slug="invalid-projection",
    status=422,
    title="The projection cannot be used",
    meaning="The body was read, but a field is unknown, missing or out of range, or the law has no such model.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
INVALID_SWEEP = ProblemType(
    slug="invalid-sweep",
    status=422,
    title="The sweep cannot be used",
    meaning="The body was read, but a field is unknown, a value does not fit its field, the scenario cannot be "
    "used, or there are too many designs or waiting jobs.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
INVALID_STUDY = ProblemType(
    slug="invalid-study",
    status=422,
    title="The study cannot be used",
    meaning="The body was read, but a field is unknown, a value does not fit its field, a part is not in the catalog, or "
    "the limits leave none of the candidates; or the review is in another state.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
INVALID_FLEET = ProblemType(
    slug="invalid-fleet",
    status=422,
    title="The fleet cannot be used",
    meaning="The body was read, but a field is unknown or out of range, a pod or class lacks a number, a row of the "
    "trace cannot be used, or too many jobs wait.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
INVALID_CATALOG_ROW = ProblemType(
    slug="invalid-catalog-row",
    status=422,
    title="A row of the catalog cannot be used",
    meaning="The body was read, but a line names no known column or key, a value is out of range or has no source, "
    "or it contradicts other figures. Nothing was written.",
    way_out="errors has one entry a fault with its line and column; skip_refused=true imports the others.",
)
INVALID_INPUT = ProblemType(
    slug="invalid-input",
    status=422,
    title="Invalid request",
    meaning="The body was read, but a field is unknown, missing or out of range, or what it asks for cannot be done.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
BEYOND_SCHEMA = ProblemType(
    slug="beyond-schema",
    status=422,
    title="It fits the schema, but cannot be used",
    meaning="Each value alone is as the schema says, but one names nothing that is there, values contradict one "
    "another, what they describe cannot be built, or what is saved is in another state.",
    way_out="errors has one entry a fault: the field or parameter, what is wrong and a way out.",
)
KEY_REUSED = ProblemType(
    slug="key-reused",
    status=422,
    title="The key was used for another request",
    meaning="The Idempotency-Key came before, with another address or another body.",
    way_out="Use a new key for a new request; the same request may come with its key again.",
)
PRECONDITION_REQUIRED = ProblemType(
    slug="precondition-required",
    status=428,
    title="The header If-Match is missing",
    meaning="A change of saved work must name the state that it changes, so that no work is lost.",
    way_out="Send the ETag of the last answer as If-Match.",
)
TOO_MANY_REQUESTS = ProblemType(
    slug="too-many-requests",
    status=429,
    title="Too many requests came from you",
    meaning="A caller may send so many requests a minute; RateLimit-Policy says how many, RateLimit what is left.",
    way_out="Wait the seconds that the Retry-After header gives, and then send them more slowly.",
)
TOO_MUCH_COMPUTING = ProblemType(
    slug="too-much-computing",
    status=429,
    title="Too much was computed for you",
    meaning="A caller may have so many seconds a minute computed, and so many heavy requests wait: imports, searches, "
    "studies and batches.",
    way_out="Wait the seconds that the Retry-After header gives.",
)
OUT_OF_MEMORY = ProblemType(
    slug="out-of-memory",
    status=503,
    title="The request needs too much memory",
    meaning="Its computation needs more memory than one request may use.",
    way_out="Ask for less at once; PODWRIGHT_HEAVY_MEMORY_MB is the limit.",
)
TOO_MANY_STREAMS = ProblemType(
    slug="too-many-streams",
    status=429,
    title="Too many streams are open",
    meaning="A server, and each caller, may have so many streams of events open at a time.",
    way_out="Close some, or try again after the seconds that the Retry-After header gives.",
)
INVALID_COMMENT = ProblemType(
    slug="invalid-comment",
    status=422,
    title="The comment cannot be used",
    meaning="The body was read, but the text is empty or too long, or what it is about is not there.",
    way_out="errors has one entry a fault: where it stands, what is wrong and a way out.",
)
INTERNAL_ERROR = ProblemType(
    slug="internal-error",
    status=500,
    title="Something went wrong on our side",
    meaning="A defect of Podwright. Nothing was changed.",
    way_out="The server log says why, under the request_id of the answer.",
)
TOO_BUSY = ProblemType(
    slug="too-busy",
    status=503,
    title="The server is busy",
    meaning="More evaluations, or larger bodies, are under way than the server takes at once.",
    way_out="Try again after the seconds that the Retry-After header gives.",
)
TOOK_TOO_LONG = ProblemType(
    slug="took-too-long",
    status=503,
    title="The evaluation took too long",
    meaning="It was given up at the time limit, as the server is busy or the scenario is unusually large.",
    way_out="Try again after the seconds that the Retry-After header gives, or with a smaller scenario.",
)
NOT_READY = ProblemType(
    slug="not-ready",
    status=503,
    title="The server is not ready",
    meaning="The database or its catalog cannot be read.",
    way_out="podwright seed fills an empty database; the server log says what is wrong with another.",
)
NO_PDF = ProblemType(
    slug="no-pdf",
    status=503,
    title="This server makes no PDF",
    meaning="There is no Chromium on the server, or it did not print in time.",
    way_out="Ask for html, which prints the same from any browser; PODWRIGHT_CHROMIUM names a Chromium.",
)
DATABASE_BUSY = ProblemType(
    slug="database-busy",
    status=503,
    title="The database is busy",
    meaning="Others are writing, and it did not get its turn in time. Nothing was changed.",
    way_out="Try again after the seconds that the Retry-After header gives.",
)
READ_ONLY = ProblemType(
    slug="read-only",
    status=503,
    title="The database cannot be written",
    meaning="Its file or folder is read-only for the server. Nothing was changed; reading still works.",
    way_out="detail names the file; give the server the right to write it and its folder.",
)
GAVE_UP = ProblemType(
    slug="gave-up",
    status=504,
    title="The request took too long",
    meaning="There was no answer within the time that a request may take, and it was given up.",
    way_out="Try again later; what was to be saved may have been, so look before you save it again.",
)
STORAGE_FULL = ProblemType(
    slug="storage-full",
    status=507,
    title="There is no room left",
    meaning="The disk or the database is full. Nothing was changed; reading still works.",
    way_out="Make room where the database is, then send the same again.",
)

PROBLEM_TYPES = (
    MALFORMED_BODY,
    UNREADABLE_TEXT,
    INVALID_PARAMETER,
    SIGN_IN_REQUIRED,
    FORBIDDEN,
    NO_CSRF_TOKEN,
    FOREIGN_SITE,
    NOT_FOUND,
    METHOD_NOT_ALLOWED,
    BODY_TOO_SLOW,
    KEY_IN_FLIGHT,
    MERGE_CONFLICT,
    CHANGED_MEANWHILE,
    BODY_TOO_LARGE,
    UNSUPPORTED_MEDIA_TYPE,
    INVALID_SCENARIO,
    INVALID_DESIGN,
    INVALID_PROJECTION,
    INVALID_STUDY,
    INVALID_SWEEP,
    INVALID_FLEET,
    INVALID_COMMENT,
    INVALID_CATALOG_ROW,
    INVALID_INPUT,
    BEYOND_SCHEMA,
    KEY_REUSED,
    PRECONDITION_REQUIRED,
    TOO_MANY_REQUESTS,
    TOO_MUCH_COMPUTING,
    OUT_OF_MEMORY,
    TOO_MANY_STREAMS,
    INTERNAL_ERROR,
    TOO_BUSY,
    TOOK_TOO_LONG,
    NOT_READY,
    NO_PDF,
    DATABASE_BUSY,
    READ_ONLY,
    GAVE_UP,
    STORAGE_FULL,
)
