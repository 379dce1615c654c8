"""A design as the subject of a report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from app import __version__
from app.catalog.lookup import Catalog
from app.charts.economics.tornado import share_text
from app.charts.figure import get_path
from app.charts.format import show_at
from app.charts.workload_kind import kind_of
from app.scenarios.errors import ScenarioError
from app.surfaces.files.redaction import Redaction, redaction
from app.surfaces.files.work import Work
from app.surfaces.files.workbook.sources_sheet import Citations
from app.surfaces.pages.design_page import HEADLINES, input_groups
from app.surfaces.pages.economics.uncertainty_inputs import input_text
from app.surfaces.pages.economics.uncertainty_shown import chosen_path
from app.surfaces.pages.intervals import shown_interval
from app.surfaces.pages.labels import headline
from app.surfaces.pages.notes import notes
from app.surfaces.pages.report.blocks import (
    Block,
    Board,
    Chapter,
    Grid,
    Identity,
    KeyLine,
    Words,
    neutral,
    neutral_board,
)
from app.surfaces.pages.report.board import answer_lines, board_of, label_of_estimate
from app.surfaces.pages.report.rooms import CHAPTERS, MONEY, Room
from app.surfaces.pages.sections import sections
from app.views.economics.decision.answer import decision_answer
from app.views.economics.decision.report import Decision
from app.views.uncertainty.findings import spread_shares

SUMMARY, ASSUMPTIONS, SOURCES = "summary", "assumptions", "sources"
MOST_SOURCES, MOST_RANGES = 28, 24
SITE = "facility.site."


class DesignSubject:
    """The report of a design: an export on its way out, with what is left out of it."""

    def __init__(self, work: Work, catalog: Catalog, without: Sequence[str] = ()) -> None:
        self._work, self._catalog = work, catalog
        self._scenario = work.evaluated
        self._evaluation: dict[str, Any] = self._scenario.as_json
        self._redaction: Redaction = redaction(work, catalog, without)
        self._seen = self._redaction.evaluation(self._evaluation)

    @property
    def identity(self) -> Identity:
        provenance = self._evaluation["provenance"]
        facts = [
            (
                "Revision",
                f"{self._work.revision}{f', {self._work.note}' if self._work.note else ''}"
                if self._work.revision
                else "not saved",
            ),
            *([("Saved", f"{self._work.saved_at:%d %B %Y}")] if self._work.saved_at else []),
            ("Podwright", __version__),
            ("Catalog", provenance.get("catalog_revision") or "unknown"),
            ("Hash of the inputs", provenance.get("inputs_hash") or "unknown"),
        ]
        description = "" if "names" in self._redaction.kinds else self._work.document.description or ""
        return Identity(self._evaluation["name"], description, tuple(facts))

    @property
    def left_out(self) -> tuple[str, ...]:
        return self._redaction.said

    def shown(self, words: str) -> str:
        return self._redaction.markup(words)

    @cached_property
    def key_figures(self) -> tuple[KeyLine, ...]:
        found = []
        for path in HEADLINES[kind_of(self._evaluation)]:
            label, place = headline(self._evaluation, path)
            if self._redaction.prices and "usd" in place:
                continue
            value = get_path(self._seen, place)
            between = shown_interval(self._seen, place)
            found.append(KeyLine(label, show_at(place, value).text, between.ends if between else ""))
        return tuple(found)

    def board(self) -> Board:
        board = board_of(
            self._evaluation, notes(self._evaluation["problems"]), self._decision, self._redaction
        )
        return neutral_board(board, self._redaction)

    @cached_property
    def _decision(self) -> Decision | None:
        try:
            return decision_answer(self._scenario, self._catalog)
        except ScenarioError:
            return None  # it has no work that could be rented as well

    def chapter_titles(self) -> tuple[tuple[str, str], ...]:
        rooms = ((key, title) for key, (title, _, _) in CHAPTERS.items())
        return ((SUMMARY, "Summary"), *rooms, (ASSUMPTIONS, "Assumptions"), (SOURCES, "Sources"))

    def chapters(self, keys: Sequence[str]) -> tuple[Chapter, ...]:
        found = []
        for key, title in self.chapter_titles():
            if keys and key not in keys:
                continue
            basis, blocks = self._chapter(key)
            if blocks:
                found.append(Chapter(key, title, basis, neutral(blocks, self._redaction)))
        return tuple(found)

    def _chapter(self, key: str) -> tuple[str, tuple[Block, ...]]:
        if key == SUMMARY:
            return "", self._summary()
        if key == ASSUMPTIONS:
            return "inputs that were chosen, not published", self._assumptions()
        if key == SOURCES:
            return "of the inputs, by how often they are used", self._sources()
        _, kind, make = CHAPTERS[key]
        if kind == MONEY and self._redaction.prices:
            return "", ()
        basis = next((one.basis for one in sections(self._seen) if one.id == key), "")
        try:
            return basis, make(self._room)
        except ScenarioError as error:
            return basis, (Words((f"Not in this report: {error.errors[0].message}",)),)

    def _summary(self) -> tuple[Block, ...]:
        found = notes(self._evaluation["problems"])
        groups = tuple((group.title, "; ".join(group.lines)) for group in input_groups(self._seen)
                       if not (self._redaction.sites and group.title == "Site"))  # fmt: skip
        said = [f"{one.message} {one.remedy}".strip() for one in (*found.infeasible, *found.warnings)]
        kept = tuple(one for one in said if self._redaction.keeps(one))
        return (
            Words(answer_lines(self._evaluation, self._redaction)),
            Grid("", ("Design", ""), groups, words=(0, 1)),
            *((Words(kept, title="Limits and warnings", is_list=True),) if kept else ()),
        )

    def _assumptions(self) -> tuple[Block, ...]:
        said = [
            f"{label_of_estimate(one)}: {show_at(one['place'], one['value']).text}, accepted estimate: {one['rule']}."
            for one in self._evaluation["estimates"]
        ]
        said += [one["message"] for one in self._evaluation["decisions"]]
        kept = tuple(one for one in said if self._redaction.keeps(one))
        return (Words(kept, title="Chosen by Podwright or accepted", is_list=True), *self._ranges())

    def _ranges(self) -> tuple[Block, ...]:
        """The assumptions and inputs that move the figures most, with their ranges."""
        try:
            report = self._room.uncertainty
        except ScenarioError:
            return ()
        prices, sites = self._redaction.prices, self._redaction.sites
        path = chosen_path(report, "performance.elapsed_time_s" if prices else "")
        inputs = {one.place: one for one in report.inputs}
        rows = []
        for place, share in spread_shares(path, report.tornado, report.sobol):
            one = inputs.get(place)
            if one is None or (prices and "usd" in place) or (sites and place.startswith(SITE)):
                continue
            ends = (input_text(one, value) for value in (one.low, one.high))
            rows.append((one.label, *ends, share_text(share)))
        heads = ("Input", "Low", "High", "Share of the spread")
        return (Grid("Inputs that move the result most", heads, tuple(rows[:MOST_RANGES])),) if rows else ()

    @cached_property
    def _room(self) -> Room:
        return Room(self._scenario, self._catalog, self._redaction, self._seen)

    def _sources(self) -> tuple[Block, ...]:
        origins = self._scenario.resolved.origins
        kept = [one for path, one in origins.items() if not (self._redaction.sites and path.startswith(SITE))]
        listed = sorted(Citations(kept).listed(), key=lambda one: -len(one.uses))
        rows = tuple((one.text, str(len(one.uses))) for one in listed[:MOST_SOURCES])
        more = len(listed) - MOST_SOURCES
        said = (
            (Words((f"{more} further sources, used less often, are in the workbook of this design.",)),)
            if more > 0
            else ()
        )
        return (Grid("", ("Source", "Inputs"), rows), *said)
