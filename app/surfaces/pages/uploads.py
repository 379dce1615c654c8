"""A file that a form sends, with the other fields of the form."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import HTTPException, Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException

from app.surfaces.pages.studio.requests import check_csrf, check_origin


class Upload(NamedTuple):
    """`content` is empty where no file was chosen; it is one byte too long where the file is too large."""

    content: bytes
    name: str
    fields: dict[str, str]


async def read_upload(request: Request, *, most_bytes: int, most_fields: int, most_text_bytes: int) -> Upload:
    """The form of a page of this server with at most one file.

    Raises
    ------
    HTTPException : another site sent it, or it cannot be read
    """
    check_origin(request)
    try:
        async with request.form(max_files=1, max_fields=most_fields, max_part_size=most_text_bytes) as form:
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
            file = form.get("file")
            content, name = b"", ""
            if isinstance(file, UploadFile):
                content, name = await file.read(most_bytes + 1), file.filename or ""
    except MultiPartException as error:
        raise HTTPException(400, f"The form cannot be read: {error.message}") from None
    check_csrf(request, fields.get("csrf", ""))
    return Upload(content, name, fields)
