"""Answers to the command palette while a person types."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.palette import finding
from app.surfaces.pages.palette.finding import Group
from app.surfaces.pages.saved.rights import ReadDep
from app.surfaces.pages.workspace import TABS

router = APIRouter(include_in_schema=False)

LONGEST_SEARCH = 100
LONGEST_KEY = 100


@router.get("/palette.json")
def palette(work: ReadDep, source: DesignsDep, q: str = "", design: str = "", s: str = "") -> JSONResponse:
    """Groups of entries that hold every word of `q`; `design` is the key of the design that is open, `s` what
    is not saved of it.

    A part comes before the designs that have it. Without words: the pages. Only what the caller may see is
    found.
    """
    search, key = q[:LONGEST_SEARCH].strip(), design[:LONGEST_KEY]
    found = _groups(work, source, search.lower().split(), search, key, s)
    return JSONResponse(
        {
            "groups": [
                {
                    "title": group.title,
                    "entries": [
                        {"name": one.name, "note": one.note, "address": one.address} for one in group.entries
                    ],
                }
                for group in found
                if group.entries
            ]
        },
        headers={"cache-control": "no-store"},
    )


def _groups(
    work: ReadDep, source: DesignsDep, words: list[str], search: str, key: str, state: str
) -> list[Group]:
    tabs = [(tab.title, one.title, one.address(key)) for tab in TABS for one in tab.sections if key]
    pages = tuple(finding.pages(key, tabs))
    if not words:
        return [Group("Pages", pages[len(tabs) :])]
    catalog = source.catalog()
    parts = catalog.made_once("palette", lambda _: finding.parts(catalog))
    designs = Group("Designs", finding.fitting(finding.designs(work, search), words))
    catalog_parts = Group("Catalog", finding.fitting(parts, words))
    return [
        Group("Figures", finding.fitting(finding.figures(source, key, state), words)),
        Group("Pages", finding.fitting(pages, words)),
        *((designs, catalog_parts) if designs.is_named(words) else (catalog_parts, designs)),
        Group("Help", finding.documents(search)),
        Group("Glossary", finding.fitting(finding.terms(), words)),
    ]
