"""A study as the subject of a report: its answer, its board and the decision."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from app import __version__
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.study.document import StudyDocument
from app.service import Service
from app.surfaces.files.redaction import Redaction
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.report.blocks import Board, Chapter, Identity, KeyLine, Words, neutral, neutral_board
from app.surfaces.pages.report.study_board import KEY_FIGURES, board_of_study
from app.surfaces.pages.report.study_chapters import CHAPTERS, MONEY, StudyShown, figure_words
from app.surfaces.pages.report.study_redaction import study_redaction
from app.surfaces.pages.studies.adopting import scenario_of
from app.surfaces.pages.studies.board import BoardColumn, board_of
from app.surfaces.pages.studies.columns import with_columns
from app.views.study.columns import FIGURE
from app.views.study.report import StudyAnswer

LETTERS_OF_HASH = 16


class ReportedStudy(NamedTuple):
    """A study with its answer, on its way out.

    Parameters
    ----------
    designs : what its columns are evaluated with
    facts : its revision, and when that was saved
    review : where its review is, in sentences
    note : of the save, which is in the facts
    """

    document: StudyDocument
    answer: StudyAnswer
    designs: Designs
    facts: tuple[tuple[str, str], ...] = (("Revision", "not saved"),)
    review: tuple[str, ...] = ()
    note: str = ""

    def evaluated(self, key: str) -> EvaluatedScenario:
        """The evaluation of a column or a candidate.

        Raises
        ------
        ScenarioError : it is no scenario that can be
        """
        return self.designs.scenario(scenario_of(self.document, key, "", self.designs))


def reported(
    document: StudyDocument,
    answer: StudyAnswer,
    designs: Designs,
    facts: tuple[tuple[str, str], ...] = (("Revision", "not saved"),),
    review: tuple[str, ...] = (),
    note: str = "",
) -> ReportedStudy:
    """A study with a row for every column that is kept by hand."""
    return ReportedStudy(document, with_columns(answer, document, designs), designs, facts, review, note)


def reported_here(document: StudyDocument, answer: StudyAnswer, service: Service) -> ReportedStudy:
    """A study that no one has saved, with the catalog of a service."""
    return reported(document, answer, Designs(service))


class StudySubject:
    """The report of a study, with what is left out of it."""

    def __init__(self, study: ReportedStudy, without: Sequence[str] = ()) -> None:
        self._study = study
        self._board = board_of(study.answer, study.document, {})
        self._redaction = redaction_of(study, self._board.columns, without)
        self._shown = StudyShown(study.document, study.answer, self._board, self._redaction, study.evaluated)

    @property
    def identity(self) -> Identity:
        provenance = self._study.answer.provenance
        facts = (
            *self._study.facts,
            ("Podwright", __version__),
            ("Catalog", str(provenance.get("catalog_revision") or "unknown")),
            ("Hash of the study", study_hash(self._study)),
        )
        question = "" if "names" in self._redaction.kinds else self._study.document.question
        return Identity(self._study.document.name, question, facts, kind="study")

    @property
    def left_out(self) -> tuple[str, ...]:
        return self._redaction.said

    def shown(self, words: str) -> str:
        return self._redaction.markup(words)

    @cached_property
    def key_figures(self) -> tuple[KeyLine, ...]:
        """Of the winner, else of the nearest miss."""
        if not self._study.answer.rows:
            return ()
        row = self._study.answer.rows[0]
        kept = [FIGURE[key] for key in KEY_FIGURES if key in row.figures]
        kept = [one for one in kept if not (self._redaction.prices and one.unit == "USD")]
        known = [one for one in kept if math.isfinite(row.figures[one.key].value)][:6]
        return tuple(KeyLine(one.title, *figure_words(row.figures[one.key], one.unit)) for one in known)

    def board(self) -> Board:
        review = () if "names" in self._redaction.kinds else self._study.review  # it says who
        board = board_of_study(self._shown, review)
        return neutral_board(board, self._redaction)

    def chapter_titles(self) -> tuple[tuple[str, str], ...]:
        return tuple((key, one.title) for key, one in CHAPTERS.items())

    def chapters(self, keys: Sequence[str]) -> tuple[Chapter, ...]:
        found = []
        for key, one in CHAPTERS.items():
            if (keys and key not in keys) or (one.kind == MONEY and self._redaction.prices):
                continue
            try:
                blocks = one.make(self._shown)
            except ScenarioError as error:
                blocks = (Words((f"Not in this report: {error.errors[0].message}",)),)
            if blocks:
                found.append(Chapter(key, one.title, one.basis, neutral(blocks, self._redaction)))
        return tuple(found)


def redaction_of(study: ReportedStudy, columns: Sequence[BoardColumn], without: Sequence[str]) -> Redaction:
    """What is left out of the files of a study; `columns` are those of its board."""
    keys = [one.row.key for one in columns]
    return study_redaction(
        study.document,
        study.answer,
        keys,
        study.evaluated,
        study.designs.catalog(),
        tuple(without),
        (study.note,),
    )


def study_hash(study: ReportedStudy) -> str:
    """What the answer depends on, in one short string."""
    content = f"{study.document.model_dump_json()}{study.answer.provenance.get('catalog_revision')}"
    return hashlib.sha256(content.encode()).hexdigest()[:LETTERS_OF_HASH]
