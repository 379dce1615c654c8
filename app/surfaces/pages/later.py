"""Sections that take seconds: a browser gets the workspace of the design first, and its script asks for the
section."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.responses import Response

from app.surfaces.pages.templating import Templates
from app.surfaces.pages.workspace import sections_of

if TYPE_CHECKING:  # its imports are not needed to start a server
    from app.surfaces.pages.opened import OpenedDesign

PART_HEADER = "podwright-part"
"""Header of a request for a section alone, from a page that has the rest."""
WHOLE = "whole"
"""Name in the query of an address that is answered in one piece, for browsers without scripts."""


class SectionComesLaterError(Exception):
    """A slow section is asked for by a browser that opens its page."""

    def __init__(self, opened: OpenedDesign) -> None:
        super().__init__()
        self.opened = opened


def comes_later(request: Request, room: str) -> bool:
    """Return whether a browser opens a page whose section is slow; programs, which say otherwise, get it
    whole."""
    opens = request.headers.get("sec-fetch-mode") == "navigate" and PART_HEADER not in request.headers
    page = request.url.path.rpartition("/")[2]
    slow = any(one.slow and one.place == f"{room}/{page}" for one in sections_of(room))
    return opens and slow and WHOLE not in request.query_params


def section_later(request: Request, error: Exception) -> Response:
    """The workspace of a design with the place of a section that its script asks for."""
    assert isinstance(error, SectionComesLaterError)
    pages: Templates = request.app.state.templates
    return pages.page(
        "later.html",
        opened=error.opened,
        here_tab=request.url.path.rpartition("/")[2],
        whole=request.url.include_query_params(**{WHOLE: "1"}),
    )
