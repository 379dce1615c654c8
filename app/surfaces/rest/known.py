"""The gate of the API: every route asks who is there, before it does anything."""

from __future__ import annotations

from fastapi import Request

from app.scenarios.errors import shorten
from app.scenarios.fields import matches
from app.surfaces.rest.handlers import storage_problem
from app.surfaces.rest.origin import SAFE_METHODS, refuse_foreign_site
from app.surfaces.rest.parameters import WORKSPACE_KEY, parameter_problem
from app.surfaces.rest.problem_types import NO_CSRF_TOKEN, SIGN_IN_REQUIRED
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.services import Services
from app.teams.asking import Asking
from app.teams.secrets import same

CSRF_HEADER = "x-csrf-token"


async def known(request: Request) -> None:
    """A dependency of the whole API.

    Raises
    ------
    ProblemError : nobody knows who asks, or a browser's cookie came without the token of its page
    """
    for key in request.query_params.getlist("workspace"):
        if not matches(WORKSPACE_KEY, key):
            raise parameter_problem(
                "workspace",
                "key_syntax",
                f"{shorten(key)} is not the key of a workspace: keys are lower-case letters, digits and hyphens.",
                "GET /api/v1/workspaces lists them.",
            )
    asking: Asking = getattr(request.state, "asking", Asking())
    if asking.actor.is_nobody:
        if (fault := getattr(request.state, "unknown", None)) is not None:
            services: Services = request.app.state.services
            raise storage_problem(fault, services.limits)
        detail = getattr(request.state, "refusal", "Send a token as Authorization: Bearer pwt_...")
        raise ProblemError(SIGN_IN_REQUIRED, detail, headers={"www-authenticate": 'Bearer realm="Podwright"'})
    if request.method in SAFE_METHODS or asking.by not in ("browser", "local"):
        return
    refuse_foreign_site(request)
    if asking.csrf and not same(asking.csrf, request.headers.get(CSRF_HEADER, "")):
        raise ProblemError(NO_CSRF_TOKEN, "The request has no X-CSRF-Token, or not that of this sign-in.")
