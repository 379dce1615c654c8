"""The pages of a report: one file that needs nothing else, without scripts."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app import paths
from app.catalog.glossary import Term, glossary
from app.charts.vector import plot_svg
from app.scenarios.errors import refuse, shorten
from app.surfaces.pages.report.blocks import Board, Chapter, Identity, KeyLine, Picture, Subject
from app.surfaces.pages.report.options import ReportOptions
from app.surfaces.pages.report.printing import page_number
from app.views.colours import in_colours

WHOLE, HALF = 672.0, 328.0
"""Pixels of a chart over the width of the sheet, and of one of two side by side."""
HALF_TALLEST = 330.0
GLOSSARY = ("glossary", "Glossary")
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"
)
"""Of the file itself: nothing runs in it, and it asks for nothing."""
TAGS = re.compile(r"<[^>]+>")
MOST_TERMS = 75
"""That fill a page: of more the first are shown."""


class Report(NamedTuple):
    """All that the template shows.

    `board` is None in the full version, where `chapters` are none in the other.
    """

    title: str
    identity: Identity
    key_figures: tuple[KeyLine, ...]
    options: ReportOptions
    logo: str
    board: Board | None
    chapters: tuple[Chapter, ...]
    left_out: tuple[str, ...]


def report_html(subject: Subject, options: ReportOptions, logo: str = "") -> str:
    """A report as one file.

    Raises
    ------
    ScenarioError : a chapter is asked for that there is not
    """
    _check_sections(subject, options)
    full = options.version == "full"
    report = Report(
        title=options.title or subject.identity.name,
        identity=subject.identity,
        key_figures=subject.key_figures,
        options=options,
        logo=logo,
        board=None if full else subject.board(),
        chapters=subject.chapters(options.sections) if full else (),
        left_out=subject.left_out,
    )
    text = _rendered(report, ())
    if full and (not options.sections or GLOSSARY[0] in options.sections):
        text = _rendered(report, terms_in(text))
    return subject.shown(text)


def chapters_of(subject: Subject) -> tuple[tuple[str, str], ...]:
    """Keys and titles of all chapters that may be chosen."""
    return (*subject.chapter_titles(), GLOSSARY)


def _check_sections(subject: Subject, options: ReportOptions) -> None:
    known = dict(chapters_of(subject))
    for one in options.sections:
        if one not in known:
            raise refuse(
                f"A report has no chapter {shorten(one)}.", rule="one_of", path="sections", value=one,
                hint=f"Chapters: {', '.join(known)}.", stated=False,
            )  # fmt: skip


def terms_in(html: str) -> tuple[Term, ...]:
    """The terms of the glossary that a report uses."""
    text = TAGS.sub(" ", html.partition("<body")[2])
    found = [term for term in glossary().values() if _is_used(term, text)]
    return tuple(found[:MOST_TERMS])


def _is_used(term: Term, text: str) -> bool:
    return any(
        re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in (term.term, *term.aliases) if word
    )


def _rendered(report: Report, terms: Iterable[Term]) -> str:
    template = _environment().get_template("report/document.html")
    return template.render(
        report=report, terms=tuple(terms), policy=CONTENT_SECURITY_POLICY, style=_style(report)
    )


def _style(report: Report) -> Markup:
    text = (paths.static() / "css" / "report.css").read_text(encoding="utf-8")
    title = re.sub(r"[\\\"<>\n\r]", " ", report.title)[:90]
    size = {"a4": "A4", "letter": "letter"}[report.options.paper]
    return Markup(text.replace("PAPER_SIZE", size).replace("RUNNING_TITLE", title))


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(paths.templates()), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.globals |= {"drawn": drawn, "page_number": page_number}
    return environment


def drawn(picture: Picture, name: str) -> Markup:
    """A chart as vector graphics in the light theme, as wide as its place; half as wide as small screens show
    it."""
    figure = picture.figure
    assert figure.plot is not None
    plot: dict[str, Any] = copy.deepcopy(figure.plot)
    if picture.half:
        for place, value in figure.narrow.items():
            _put(plot["layout"], place.split("."), value)
    height = picture.height or (min(float(plot["layout"]["height"]), HALF_TALLEST) if picture.half else 0.0)
    label = f"{figure.eyebrow}. {figure.takeaway}"
    width = HALF if picture.half else WHOLE
    return Markup(plot_svg(in_colours(plot, "light"), width, label=label, name=name, height=height))


def _put(part: dict[str, Any], names: list[str], value: Any) -> None:
    for name in names[:-1]:
        if not isinstance(part, dict) or not isinstance(part.get(name), dict):
            return
        part = part[name]
    part[names[-1]] = value
