"""Answers as files that a page offers."""

from __future__ import annotations

from typing import TypeVar

from fastapi import Response
from fastapi.responses import StreamingResponse

from app.surfaces.files.file_name import content_disposition
from app.views.file_format import FileFormat

Answer = TypeVar("Answer")


def download(chosen: FileFormat[Answer], answer: Answer, title: str) -> Response:
    """An answer as a file, sent while it is written where that takes longer."""
    headers = {"content-disposition": content_disposition(title, chosen.suffix)}
    content = chosen.write(answer)
    if isinstance(content, bytes):
        return Response(content, headers=headers, media_type=chosen.media_type)
    return StreamingResponse(content, headers=headers, media_type=chosen.media_type)
