"""One claim as a page: what the article says, our figures, and how each was computed."""

from __future__ import annotations

from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.charts.format import Shown
from app.surfaces.pages.claims.links import Link, links_of
from app.surfaces.pages.claims.page import MARKS, Line, line_of
from app.surfaces.pages.explain_page import Step, step_of
from app.validation.claims.inputs import Compared
from app.validation.claims.judge import Judged, ratio_text, shown_figure, theirs_text


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
        return "The figures stand beside the claim; its verdict rests on the source below."
    decisive = sum(figure.decides and figure.rule is not None for figure in one.figures)
    if decisive == 1:
        return "The verdict follows from the figure that is compared."
    return (
        f"The verdict follows from the {decisive} figures that are compared: right where all are, wrong where "
        "all are, else imprecise."
    )
