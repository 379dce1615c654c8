"""Any chart or drawing of a design as a picture for slides: 1920 by 1080, with its takeaway as title and a
line of its source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal
from xml.sax.saxutils import escape, quoteattr

from app.catalog.lookup import Catalog
from app.charts import FIGURES, STUDY_FIGURES
from app.charts.figure import Figure
from app.charts.floor_plan import KIND, floor_plan_figure
from app.charts.rack_elevation import rack_elevation_figure
from app.charts.slide import FACE, text_width
from app.charts.vector import plot_svg
from app.engine.fabric.floor.elevation import FullRack
from app.likeness import nearest_names
from app.scenarios.errors import refuse, shorten
from app.surfaces.files.redaction import redaction
from app.surfaces.files.work import Work
from app.surfaces.pages.fabric.floor import drawn_floor, plant_of
from app.surfaces.pages.report.blocks import Picture
from app.surfaces.pages.report.design import DesignSubject
from app.views.colours import colours, in_colours
from app.views.fabric.floor import FloorAnswer, FloorOptions, floor_answer
from app.views.plain import report_json
from app.views.searching.domains import domain_study
from app.views.timeline import timeline_view

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
WIDE, HIGH = 1920, 1080
ROOM, HALF_HIGH, MARGIN = 960.0, 540.0, 36.0
"""Drawn at half the size of a slide: text of 12 px is 24 px on it."""
TITLE, TITLE_LINE, TITLE_TOP, MOST_LINES = 22.0, 28.0, 50.0, 2
SOURCE, SOURCE_LINE, GAP = 11.0, 15.0, 14.0
LEGEND, LEGEND_LINE, SWATCH = 12.0, 18.0, 9.0
SIZE = re.compile(r'<svg (.*?) width="[\d.]+" height="[\d.]+"')
MOST_OPERATIONS = 6_000
DRAWINGS = ("floor", "rack")
QUICK = (*FIGURES, *STUDY_FIGURES, *DRAWINGS)
"""Charts that are made one by one; those of a room are made together."""


class Pictures:
    """The charts of a design by name: those of its overview, its studies, its drawings, and those of every
    room, as `cash.cash_flow`, which are made when one of the room is asked for.
    """

    def __init__(self, work: Work, catalog: Catalog, without: Iterable[str] = ()) -> None:
        self._work, self._catalog = work, catalog
        self._redaction = redaction(work, catalog, without)
        self._without = tuple(without)

    def names(self) -> tuple[str, ...]:
        """Names of all charts of this design, of which something is known; those of rooms begin with that of
        the room."""
        rooms = (f"{key}.{figure.name}" for key in self._rooms for figure in self._of_room(key))
        return tuple(dict.fromkeys((*QUICK, *rooms)))

    @property
    def _rooms(self) -> tuple[str, ...]:
        return tuple(key for key, _ in self._subject.chapter_titles())

    @cached_property
    def _subject(self) -> DesignSubject:
        return DesignSubject(self._work, self._catalog, self._without)

    def svg(self, name: str, theme: Theme) -> str:
        """One chart as a slide.

        Raises
        ------
        ScenarioError : there is no such chart, or what it would show is unknown
        """
        figure = self._redaction.figure(self._figure(name))
        if figure.plot is None:
            raise refuse(
                f"{figure.eyebrow}: {figure.takeaway}", rule="unknown", path="name", value=name, stated=False
            )
        design = self._redaction.text(self._work.evaluated.document.name)
        return self._redaction.markup(slide_of(figure, design, theme))

    def _figure(self, name: str) -> Figure:
        scenario = self._work.evaluated
        seen = self._redaction.evaluation(scenario.as_json)
        made: dict[str, Callable[[], Figure]] = {
            **{key: lambda make=make: make(seen) for key, make in FIGURES.items()},  # type: ignore[misc]
            "domain_sizes": lambda: STUDY_FIGURES["domain_sizes"](domain_study(scenario, self._catalog)),
            "step_timeline": lambda: STUDY_FIGURES["step_timeline"](
                report_json(timeline_view(scenario, MOST_OPERATIONS))
            ),
            "floor": lambda: floor_plan_figure(
                drawn_floor(floor_answer(scenario, FloorOptions()), plant_of(scenario)), KIND
            ),
            "rack": lambda: rack_elevation_figure(_example_rack(floor_answer(scenario, FloorOptions()))),
        }
        if name in made:
            return made[name]()
        room, _, inner = name.partition(".")
        charts = {figure.name: figure for figure in self._of_room(room)} if room in self._rooms else {}
        if inner not in charts:
            names = [f"{room}.{one}" for one in charts] or [*QUICK, *(f"{one}.NAME" for one in self._rooms)]
            raise refuse(
                f"There is no chart {shorten(name)} of this design.", rule="one_of", path="name", value=name,
                hint=f"Nearest: {nearest_names(name[:80], names)}. All: {', '.join(names)}.", stated=False,
            )  # fmt: skip
        return charts[inner]

    def _of_room(self, key: str) -> Iterator[Figure]:
        for chapter in self._subject.chapters((key,)):
            yield from (block.figure for block in chapter.blocks if isinstance(block, Picture))


def read_theme(name: str) -> Theme:
    """The theme of that name.

    Raises
    ------
    ScenarioError : there is none
    """
    for theme in THEMES:
        if theme == name:
            return theme
    raise refuse(
        f"{shorten(name)} is not a theme.", rule="one_of", path="theme", value=name, hint="Themes: light, dark.", stated=False
    )  # fmt: skip


def slide_of(figure: Figure, design: str, theme: Theme) -> str:
    """A chart with its title and the line of its source, as an SVG that needs nothing else."""
    assert figure.plot is not None
    found = colours(theme)
    title = _lines(figure.takeaway or figure.eyebrow, TITLE, 600)
    said = (
        design,
        figure.eyebrow,
        "Podwright, planning estimates",
        figure.caption,
    )  # what is cut is at the end
    source = _lines(" ".join(f"{part.strip().rstrip('.')}." for part in said if part.strip()), SOURCE, 400)
    top = TITLE_TOP + (len(title) - 1) * TITLE_LINE + GAP
    legend, top = _legend(figure, top, found)
    foot = HALF_HIGH - MARGIN - (len(source) - 1) * SOURCE_LINE
    wide, high = ROOM - 2 * MARGIN, foot - SOURCE - GAP - top
    plot: dict[str, Any] = in_colours(figure.plot, theme)
    smaller = min(
        high / float(plot["layout"]["height"]), 1.0
    )  # a taller chart is drawn whole, and then made smaller
    drawn = plot_svg(
        plot,
        wide / smaller,
        label=f"{figure.eyebrow}. {figure.takeaway}",
        name=figure.name,
        height=high / smaller,
    )
    placed = SIZE.sub(
        lambda match: f'<svg x="{MARGIN:g}" y="{top:g}" {match[1]} width="{wide:g}" height="{high:g}"',
        drawn,
        count=1,
    )
    lines = [
        _text(line, TITLE_TOP + at * TITLE_LINE, TITLE, found["text"], 600) for at, line in enumerate(title)
    ]
    lines += [*legend, placed]
    lines += [
        _text(line, foot + at * SOURCE_LINE, SOURCE, found["text-3"], 400) for at, line in enumerate(source)
    ]
    body = "\n".join(lines)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {ROOM:g} {HALF_HIGH:g}" '
        f'width="{WIDE}" height="{HIGH}" role="img" aria-label={quoteattr(" ".join(title))}>\n'
        f'<title>{escape(" ".join(title))}</title>\n<rect width="{ROOM:g}" height="{HALF_HIGH:g}" fill="{found["bg"]}"/>\n'
        f"{body}\n</svg>\n"
    )


def _example_rack(floor: FloorAnswer) -> FullRack:
    """A rack of SuperNodes, where there is one."""
    return next((one for one in floor.examples if one.kind == "compute"), floor.examples[0])


def _legend(figure: Figure, top: float, found: Mapping[str, str]) -> tuple[list[str], float]:
    """Swatches above the chart, and where the chart begins."""
    marks = [(mark.slot, f"{mark.label} {mark.value}".strip()) for mark in figure.legend]
    marks += [(row.slot, row.cells[0]) for row in figure.legend_rows if row.slot]
    if not marks:
        return [], top
    lines, x, y = [], MARGIN, top + LEGEND
    for slot, words in marks:
        wide = SWATCH + 6 + text_width(words, LEGEND) + 16
        if x > MARGIN and x + wide > ROOM - MARGIN:
            x, y = MARGIN, y + LEGEND_LINE
        lines.append(
            f'<rect x="{x:.1f}" y="{y - SWATCH:.1f}" width="{SWATCH:g}" height="{SWATCH:g}" rx="2" fill="{found[slot]}"/>'
        )
        lines.append(_text(words, y, LEGEND, found["text-2"], 400, x + SWATCH + 6))
        x += wide
    return lines, y + GAP


def _lines(words: str, size: float, weight: int) -> list[str]:
    """Words in at most two lines, the rest cut; widths are estimates from above."""
    room = ROOM - 2 * MARGIN
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size, weight=weight) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    if len(lines) <= MOST_LINES:
        return lines
    last = lines[MOST_LINES - 1]
    while last and text_width(f"{last}…", size, weight=weight) > room:
        last = last[:-1]
    return [*lines[: MOST_LINES - 1], f"{last.rstrip()}…"]


def _text(words: str, y: float, size: float, colour: str, weight: int, x: float = MARGIN) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="{FACE}" font-size="{size:g}" font-weight="{weight}" fill="{colour}">'
        f"{escape(words)}</text>"
    )
