"""What pages send: forms of this server's own pages, and the answers that suit script and no script alike."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, HTTPException, Request, Response
from fastapi.responses import JSONResponse, RedirectResponse

from app.scenarios.reading.json_text import MOST_BYTES
from app.surfaces.pages.studio.requests import check_csrf, check_origin
from app.surfaces.pages.templating import Templates

MOST_FORM_BYTES = 3 * MOST_BYTES  # a scenario, every letter of it escaped
MOST_FIELDS = 200
KIND = "application/x-www-form-urlencoded"


async def own_form(request: Request) -> dict[str, str]:
    """The fields of a form that a page of this server sent; of fields with one name the last.

    Raises
    ------
    HTTPException : another site sent it, it is no form, or too large
    """
    check_origin(request)
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != KIND:
        raise HTTPException(415, f"Send {KIND}.")
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > MOST_FORM_BYTES:
            raise HTTPException(413, f"Send at most {MOST_FORM_BYTES:,} bytes.")
    try:
        fields = parse_qsl(
            content.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS
        )
    except ValueError:
        raise HTTPException(400, "The form cannot be read.") from None
    form = {name: text.replace("\r\n", "\n") for name, text in fields}
    check_csrf(request, form.pop("csrf", ""))
    return form


FormDep = Annotated[dict[str, str], Depends(own_form)]


def by_script(request: Request) -> bool:
    """Return whether a script of a page asks, rather than the browser for its next page."""
    return request.headers.get("accept", "").startswith("application/json")


def done(request: Request, address: str, **told: Any) -> Response:
    """The work is done: a script is told where to go next and what to say, a browser is sent there."""
    if by_script(request):
        return JSONResponse({"address": address, **told}, headers={"cache-control": "no-store"})
    return RedirectResponse(address, 303)


def asked_again(
    request: Request, pages: Templates, template: str, /, *, status: int = 422, **context: Any
) -> Response:
    """The form comes back with what is wrong and all that was typed.

    A script puts it into its dialog; that it was refused is a good answer, for browsers log any other
    status as an error.
    """
    if by_script(request):
        return JSONResponse({"form": pages.text(template, **context)}, headers={"cache-control": "no-store"})
    return pages.page(template, status=status, **context)


def tags_of(text: str) -> tuple[str, ...]:
    """Tags as typed, separated by commas, each once.

    >>> tags_of("phase 2, Q3,, phase 2")
    ('phase 2', 'Q3')
    """
    return tuple(dict.fromkeys(tag for part in text.split(",") if (tag := " ".join(part.split()))))


def version_of(form: dict[str, str]) -> int | None:
    """The version that a form was made from, None where it names none."""
    text = form.get("version", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
