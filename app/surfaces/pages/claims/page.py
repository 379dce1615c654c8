"""The claims of published reviews as pages: all with their verdicts, and one with what was computed for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from app.catalog.lookup import Catalog
from app.charts import Figure
from app.charts.claim_verdicts import claim_verdicts_figure
from app.charts.format import Shown
from app.likeness import most_like
from app.surfaces.pages.catalog.filters import Choice, Option
from app.surfaces.pages.catalog.sources import is_web_address
from app.surfaces.pages.catalog.tabs import catalog
from app.surfaces.pages.designs import NEW
from app.surfaces.pages.explain_page import Step, step_of
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import encode_state
from app.surfaces.pages.templating import TemplatesDep
from app.validation.claims.inputs import Compared
from app.validation.claims.judge import (
    SEARCH,
    Asked,
    Fault,
    Judged,
    claims_of,
    counts,
    facets,
    ratio_text,
    read_asked,
    shown_figure,
    summary,
    theirs_text,
)
from app.validation.claims.ledger import KINDS, TOPICS, OutOfScope, Verdict, ledger

OF_TOPIC = {
    "scaling": (("/scaling", "Project a model by a scaling law"),),
    "growth": (("/trends", "Growth of demand and hardware"),),
    "systems": (("/gallery", "The articles' systems as designs"),),
    "training_time": (("/validation/training", "Published training runs and the engine"),),
    "utilisation": (("/validation", "Accuracy of the engine"),),
}
"""Pages beside the calculation."""


class Link(NamedTuple):
    title: str
    href: str


def links_of(one: Judged, catalog: Catalog) -> tuple[Link, ...]:
    """The design that was evaluated, catalog rows, and pages of the topic."""
    found = [design] if (design := _design(one)) else []
    for row in one.catalog_rows:
        kind, _, key = row.partition("/")
        found.append(Link(catalog.part(kind, key).name, f"/catalog/{kind}/{quote(key, safe='')}"))
    found += [Link(title, path) for path, title in OF_TOPIC.get(one.claim.topic, ())]
    return tuple(found)


def _design(one: Judged) -> Link | None:
    """The studio with the scenario: a worked example by its key, any other carried by the address."""
    if one.scenario is None:
        return None
    if one.example:
        return Link(one.scenario.name, f"/designs/{one.example}")
    return Link(one.scenario.name, f"/designs/{NEW}?s={encode_state(stated_values(one.scenario))}")


class ExplainedFigure(NamedTuple):
    """Our figure beside the article's, with the tree of its calculation."""

    label: str
    ours: Shown
    theirs: str
    ratio: str
    verdict: str
    mark: str
    rule: str
    decides: bool
    step: Step


class ClaimPage(NamedTuple):
    line: Line
    article: str
    reason: str
    figures: tuple[ExplainedFigure, ...]
    follows: str
    links: tuple[Link, ...]


def claim_page(one: Judged, catalog: Catalog) -> ClaimPage:
    """Everything the page of a claim shows, in words."""
    return ClaimPage(
        line=line_of(one),
        article=one.article.title,
        reason=one.claim.reason,
        figures=tuple(_explained(figure) for figure in one.figures),
        follows=_follows(one),
        links=links_of(one, catalog),
    )


def _explained(figure: Compared) -> ExplainedFigure:
    verdict = figure.verdict
    return ExplainedFigure(
        label=figure.label,
        ours=shown_figure(figure),
        theirs=theirs_text(figure),
        ratio=ratio_text(figure),
        verdict=verdict.capitalize() if verdict else "",
        mark=MARKS[verdict] if verdict else "",
        rule=figure.rule.means if figure.rule else "",
        decides=figure.decides and figure.rule is not None,
        step=step_of(figure.explained()),
    )


def _follows(one: Judged) -> str:
    """By what the verdict was reached."""
    if not one.figures:
        return "Nothing is computed here: the verdict rests on the source below."
    if one.computed_verdict is None:
        return "The figures are shown next to the claim; its verdict rests on the source below."
    decisive = sum(figure.decides and figure.rule is not None for figure in one.figures)
    if decisive == 1:
        return "The verdict follows from the figure that is compared."
    return (
        f"The verdict follows from the {decisive} figures that are compared: right where all are, wrong where "
        "all are, else imprecise."
    )


PAGE = "/claims"
MARKS: dict[Verdict, str] = {"wrong": "bad", "imprecise": "warn", "right": "good", "unverifiable": "open"}
"""Class of a verdict's chip; its shape is drawn by the style sheet."""


class Filters(NamedTuple):
    """The form that narrows the claims, as it was filled in."""

    search: str
    choices: tuple[Choice, ...]
    kept: tuple[tuple[str, str], ...] = ()
    ranges: tuple[()] = ()
    ranges_used: int = 0


class FigureLine(NamedTuple):
    """Our figure in a cell, and what the article says of it."""

    label: str
    ours: Shown
    theirs: str


class Line(NamedTuple):
    """A claim in the table."""

    id: str
    link: str
    claim: str
    article: str
    topic: str
    kind: str
    verdict: str
    mark: str
    figures: tuple[FigureLine, ...]
    correction: str
    source: str
    url: str


class ClaimsPage(NamedTuple):
    lead: str
    chart: Figure
    filters: Filters
    faults: tuple[str, ...]
    count_text: str
    asked: str
    narrows: bool
    lines: tuple[Line, ...]
    scope: tuple[tuple[str, OutOfScope], ...]  # title of the article first


def claims_page(everything: Sequence[Judged], asked: Asked, raw: Mapping[str, str]) -> ClaimsPage:
    """Everything the page shows, in words."""
    found = [one for one in everything if asked.holds(one)]
    articles = ledger().articles
    by_article = {
        article.short: counts([one for one in everything if one.claim.article == key])
        for key, article in articles.items()
    }
    return ClaimsPage(
        lead=summary(everything),
        chart=claim_verdicts_figure(by_article),
        filters=Filters(raw.get(SEARCH, ""), tuple(_choice(name, everything, raw) for name in facets())),
        faults=tuple(str(fault) for fault in asked.faults),
        count_text=f"{len(found):,} of {len(everything):,} claims"
        if len(found) < len(everything)
        else f"{len(found):,} claims",
        asked=_asked_text(asked),
        narrows=asked.narrows,
        lines=tuple(line_of(one) for one in found),
        scope=tuple((articles[one.article].title, one) for one in ledger().out_of_scope),
    )


def line_of(one: Judged) -> Line:
    """A claim in words."""
    claim = one.claim
    return Line(
        id=claim.id,
        link=f"{PAGE}/{claim.id}",
        claim=claim.claim,
        article=one.article.short,
        topic=TOPICS[claim.topic],
        kind=KINDS[claim.kind],
        verdict=claim.verdict.capitalize(),
        mark=MARKS[claim.verdict],
        figures=tuple(figure_line(figure) for figure in one.figures),
        correction=claim.correction,
        source=claim.source,
        url=claim.url if is_web_address(claim.url) else "",
    )


def figure_line(figure: Compared) -> FigureLine:
    return FigureLine(figure.label, shown_figure(figure), theirs_text(figure))


def _choice(name: str, everything: Sequence[Judged], raw: Mapping[str, str]) -> Choice:
    """A filter, each word with how many of all claims it would leave."""
    labels = facets()[name]
    counted = Counter(getattr(one.claim, name) for one in everything)
    chosen = raw.get(name, "")
    options = [
        Option(word, f"{label} ({counted[word]})", word == chosen)
        for word, label in labels.items()
        if counted[word]
    ]
    if chosen and chosen not in labels:
        options.append(Option(chosen, f"{chosen[:40]} (unknown)", True))  # what was asked for stays
    return Choice(name, name.capitalize(), tuple(options), chosen)


def _asked_text(asked: Asked) -> str:
    labels = facets()
    said = [f"“{' '.join(asked.words)}”"] if asked.words else []
    return ", ".join(
        [*said, *(f"{name} {labels[name][word].lower()}" for name, word in asked.chosen.items())]
    )


router = APIRouter(prefix="/claims", include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422

CatalogDep = Annotated[Catalog, Depends(catalog)]


@router.get("")
def whole(request: Request, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    raw = dict(reversed(request.query_params.multi_items()))  # of what is given twice, the first holds
    asked = read_asked(raw)
    faults = (*asked.faults, *_unknown(raw))
    shown = claims_page(
        claims_of(found).all(), Asked(words=asked.words, chosen=asked.chosen, faults=faults), raw
    )
    status = UNPROCESSABLE if shown.faults else 200
    return page.page("claims/page.html", status=status, shown=shown)


@router.get("/{key}")
def one(key: str, found: CatalogDep, page: TemplatesDep) -> HTMLResponse:
    known = ledger().claims
    if key not in known:
        return page.page("claims/missing.html", status=404, asked=key, near=most_like(key, known))
    return page.page("claims/claim.html", shown=claim_page(claims_of(found).one(key), found))


def _unknown(raw: dict[str, str]) -> list[Fault]:
    """Parameters that narrow nothing."""
    known = (SEARCH, *facets())
    return [
        Fault(name=name, message=f"“{name[:60]}” is not something to filter claims by.", hint=f"Known: {', '.join(known)}.")
        for name in raw
        if name not in known
    ]  # fmt: skip
