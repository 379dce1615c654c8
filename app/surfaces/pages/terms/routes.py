"""The page of all terms, narrowed by words."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from rapidfuzz import fuzz, process

from app.catalog.glossary import Term, glossary
from app.surfaces.pages.templating import TemplatesDep

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

LONGEST_SEARCH = 200
NEAR, LIKE = 3, 60


class TermsPage(NamedTuple):
    """`near` are the terms most like a search that finds none."""

    search: str
    terms: tuple[Term, ...]
    everything: int
    near: tuple[Term, ...]


@router.get("/terms")
def terms(page: TemplatesDep, q: str = "") -> HTMLResponse:
    """All terms, or those in which every word of a search stands."""
    return page.page("terms.html", shown=terms_page(q[:LONGEST_SEARCH]))


def terms_page(search: str) -> TermsPage:
    """Everything the page shows."""
    everything = tuple(glossary().values())
    words = search.lower().split()
    found = tuple(term for term in everything if all(word in _text(term) for word in words))
    near: tuple[Term, ...] = ()
    if not found:
        names = {term.key: " ".join((term.term, *term.aliases)) for term in everything}
        like = process.extract(
            search, names, scorer=fuzz.WRatio, processor=str.lower, limit=NEAR, score_cutoff=LIKE
        )
        near = tuple(glossary()[key] for _, _, key in like)
    return TermsPage(search, found, len(everything), near)


def _text(term: Term) -> str:
    return " ".join((term.term, *term.aliases, *term.sentences)).lower()
