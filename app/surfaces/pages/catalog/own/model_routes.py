"""Routes of the form of an own model: new, from a known model, from a config.json, and its size while one types."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from app.catalog.model_config import MOST_BYTES, ModelConfig, read_model_config
from app.catalog.own.known import Known
from app.saved.team_catalog.errors import RefusedLinesError, RowChangedError
from app.saved.team_catalog.service import TeamCatalog, own_revision
from app.surfaces.pages.catalog.own.model import (
    INPUTS,
    KIND,
    LABELS,
    ModelForm,
    Start,
    entries_and_faults,
    faults_of,
    model_form,
    starting_values,
    stored_values,
    typed_values,
)
from app.surfaces.pages.catalog.own.page import TeamDep
from app.surfaces.pages.catalog.tabs import part_link
from app.surfaces.pages.designs import Designs, DesignsDep
from app.surfaces.pages.saved.forms import FormDep, version_of
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import decode_state, encode_state, with_value
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.uploads import Upload, read_upload

router = APIRouter(prefix="/model")

DESIGN = re.compile(r"[A-Za-z0-9_-]{1,200}")
UNPROCESSABLE = 422
MOST_FIELDS = len(INPUTS) + 12


@router.get("")
def form(
    found: TeamDep,
    page: TemplatesDep,
    key: str = "",
    begin: str = "",
    name: str = "",
    design: str = "",
    s: str = "",
) -> HTMLResponse:
    """The form: empty, with the values of the model `begin`, or of the own row `key`."""
    found.require("write")
    catalog = found.catalog()
    start = _start(design, s)
    if key:
        part = Known(catalog).part(KIND, key)
        if part is None or not part.own:
            raise HTTPException(404, "The workspace has no such model.")
        shown = model_form(stored_values(catalog, key), key=key, version=part.revision, start=start)
        return _page(page, shown)
    part = Known(catalog).part(KIND, begin) if begin else None
    if begin and part is None:
        raise HTTPException(404, f"The catalog has no model {begin[:60]!r}.")
    typed = starting_values(catalog, datetime.datetime.now(datetime.UTC).date(), begin, name)
    return _page(
        page, model_form(typed, start=start, begun_from=part.name if part else "", choices=_models(found))
    )


@router.post("")
async def send(request: Request, found: TeamDep, source: DesignsDep, page: TemplatesDep) -> Response:
    """Save the model, calculate its size, or fill the form from a config.json, by the button that was pressed."""
    found.require("write")
    sent = await read_upload(
        request, most_bytes=MOST_BYTES, most_fields=MOST_FIELDS, most_text_bytes=MOST_BYTES
    )
    return await run_in_threadpool(_answer, found, source, page, sent)


@router.post("/size")
def size(sent: FormDep, found: TeamDep, page: TemplatesDep) -> HTMLResponse:
    """Size of the model in the form, as a part of its page."""
    found.require("write")
    answer = page.page("catalog/own/model_size.html", form=model_form(typed_values(sent)))
    answer.headers["cache-control"] = "no-store"
    return answer


def _answer(found: TeamCatalog, source: Designs, page: Templates, sent: Upload) -> Response:
    typed, catalog = typed_values(sent.fields), found.catalog()
    key, version = sent.fields.get("of_key", ""), version_of(sent.fields) or 0
    start = _start(sent.fields.get("design", ""), sent.fields.get("s", ""))
    if key and not own_revision(catalog, KIND, key):
        raise HTTPException(404, "The workspace has no such model.")
    text = sent.fields.get("config", "")
    choices = () if key else _models(found)
    shown = model_form(typed, key=key, version=version, start=start, config_text=text, choices=choices)
    what = sent.fields.get("do", "save")
    if what == "read":
        config = _config(sent.content or text)
        read = model_form(_filled(typed, config))
        shown = replace(
            shown, typed=read.typed, sizes=read.sizes, derived=read.derived, attention=read.attention
        )
        return _page(page, replace(shown, config=config), UNPROCESSABLE if config.faults else 200)
    if what == "calculate":
        return _page(page, shown)
    entries, faults = entries_and_faults(catalog, key, typed)
    if not faults:
        try:
            found.put(entries, version)
        except RefusedLinesError as error:
            faults = faults_of(fault for line in error.lines for fault in line.faults)
        except RowChangedError:
            now = own_revision(found.catalog(), KIND, entries[0].key)
            return _page(page, replace(shown, moved=True, version=now), 409)
    if faults:
        return _page(page, replace(shown, faults=faults), UNPROCESSABLE)
    return RedirectResponse(_next(source, start, entries[0].key), 303)


def _config(content: str | bytes) -> ModelConfig:
    if not content.strip():
        return ModelConfig(faults=["Paste a configuration, or choose a file."])
    return read_model_config(content)


def _filled(typed: dict[str, str], config: ModelConfig) -> dict[str, str]:
    """The form with what a configuration states; fields of the shape that it does not state are emptied."""
    if config.faults or not config.values:
        return typed
    kept = {"name", "key", "source", "value_kind", "as_of", "url", "licence"}
    read = {name: str(value) for name, value in config.values.items() if name in LABELS}
    name = typed.get("name") or config.name
    return {**{one: typed.get(one, "") if one in kept else "" for one in INPUTS}, **read, "name": name}


def _start(design: str, state: str) -> Start:
    """Where the form was asked for; anything that is no design of this server counts as nowhere."""
    return Start(design=design, state=state) if DESIGN.fullmatch(design) else Start()


def _next(source: Designs, start: Start, key: str) -> str:
    """The design with the new model chosen; the page of the model where none asked for it."""
    if not start.design:
        return part_link(KIND, key)
    try:
        base = stated_values(source.evaluated(start.design).document)
    except KeyError:
        return part_link(KIND, key)
    values = decode_state(start.state) if start.state else None
    changed = with_value(base if values is None else values, "workload.model", key)
    return f"/designs/{start.design}?{urlencode({'s': encode_state(changed)})}"


def _models(found: TeamCatalog) -> tuple[tuple[str, str], ...]:
    return tuple((part.key, part.name) for part in found.catalog().parts(KIND))


def _page(page: Templates, shown: ModelForm, status: int = 200) -> HTMLResponse:
    answer = page.page("catalog/own/model.html", status=status, form=shown, labels=LABELS)
    answer.headers["cache-control"] = "no-store"
    return answer
