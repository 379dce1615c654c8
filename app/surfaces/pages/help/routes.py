"""The help pages: the list of documents with its search, the methods of each tab, and each document."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse, HTMLResponse

from app import paths
from app.surfaces.pages.help.documents import DECISIONS, grouped
from app.surfaces.pages.help.methods import method_of
from app.surfaces.pages.help.rendering import FILES, help_page
from app.surfaces.pages.help.search import search
from app.surfaces.pages.templating import TemplatesDep
from app.surfaces.pages.workspace import TABS

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LONGEST_SEARCH = 200
DOWNLOADS = {address.rpartition("/")[2] for address in FILES.values() if address.startswith("/help/files/")}


@router.get("/help")
def help_index(page: TemplatesDep, q: str = "") -> HTMLResponse:
    """All documents in their groups, or the sections that a search finds."""
    return page.page("help/index.html", groups=grouped(), found=search(q[:LONGEST_SEARCH].strip()))


@router.get("/help/methods")
def methods(page: TemplatesDep) -> HTMLResponse:
    """Every section of a design with the part of a document that explains it."""
    tabs = [
        (tab.title, [(one.title, found) for one in tab.sections if (found := method_of(one.place))])
        for tab in TABS
    ]
    return page.page("help/methods.html", tabs=[(title, found) for title, found in tabs if found])


@router.get("/help/files/{name}")
def help_file(name: str) -> FileResponse:
    """A file that documents link to."""
    if name not in DOWNLOADS:
        raise HTTPException(404, f"There is no file {name}.")
    return FileResponse(paths.docs() / name)


@router.get("/help/{key}")
def document(key: str, page: TemplatesDep) -> HTMLResponse:
    """A document; a long one by its sections."""
    return _page(page, key)


@router.get("/help/{key}/{part}")
def document_part(key: str, part: str, page: TemplatesDep) -> HTMLResponse:
    """A decision, or a section of a long document."""
    return _page(page, f"{key}/{part}") if key == DECISIONS else _page(page, key, part)


def _page(page: TemplatesDep, key: str, chapter: str = "") -> HTMLResponse:
    try:
        return page.page("help/document.html", shown=help_page(key, chapter))
    except KeyError as error:
        raise HTTPException(404, f"There is no help page {key}{f'/{chapter}' if chapter else ''}.") from error
