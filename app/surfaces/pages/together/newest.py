"""What an open page asks when someone else has saved: the newest revision, and what is new in it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException
from fastapi.responses import JSONResponse

from app.saved.errors import NotSavedError
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.saved.rights import ReadDep, saved_key
from app.surfaces.pages.saved.words import differences, in_brief
from app.surfaces.pages.studio.form import stated_values

router = APIRouter(include_in_schema=False)


@router.get("/designs/{key}/newest")
def newest(key: str, work: ReadDep, source: DesignsDep, since: int = 0) -> JSONResponse:
    """The newest revision as the studio takes it over; `since` is the one that the page shows."""
    named = saved_key(key)
    if named is None:
        raise HTTPException(404, f"{key} has no revisions: it is an example.")
    saved = work.get("scenario", named.id)
    told: dict[str, Any] = {"revision": saved.revision, "version": saved.version, "name": saved.name}
    if since and saved.revision != since:
        try:
            before = work.revision("scenario", named.id, since)
            now = work.revision("scenario", named.id, saved.revision)
            told["values"] = stated_values(build_scenario(saved.document))
        except (NotSavedError, ScenarioError) as error:
            raise HTTPException(422, str(error)) from None
        changed = differences(before.document, saved.document, source.choices())
        you = work.actor.is_local or now.created_by == work.actor.account_id
        told |= {
            "by": now.author,
            "you": you,
            "note": now.note,
            "changed": len(changed),
            "brief": in_brief(changed),
        }
    return JSONResponse(told, headers={"cache-control": "no-store"})
