"""The workbook of a study: its columns with their evaluations and plans."""

from __future__ import annotations

from collections.abc import Sequence

from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_document
from app.scenarios.study.candidates import CandidateDocument
from app.surfaces.files.workbook.compared import Compared, Comparison
from app.surfaces.files.workbook.comparison import comparison_xlsx
from app.surfaces.pages.report.study import ReportedStudy, redaction_of
from app.surfaces.pages.studies.adopting import choices_of
from app.surfaces.pages.studies.board import BoardColumn, board_of
from app.surfaces.pages.studies.columns import keys_of
from app.views.study.evaluating import Candidates
from app.views.study.late import served_by
from app.views.study.report import StudyTiming
from app.views.study.timing import timing


def study_xlsx(study: ReportedStudy, without: Sequence[str] = ()) -> bytes:
    """The candidates of the board as a workbook; `without` are kinds of content to leave out.

    Raises
    ------
    ScenarioError : there is no candidate to compare
    """
    return comparison_xlsx(comparison_of(study, without))


def workbook_name(name: str, without: Sequence[str]) -> str:
    """What the file of a workbook is called: after the study, unless names are left out."""
    return "Study workbook" if "names" in without else name


def comparison_of(study: ReportedStudy, without: Sequence[str] = ()) -> Comparison:
    """What the workbook of a study is made from."""
    board = board_of(study.answer, study.document, {})
    candidates = Candidates(study.document, study.designs.catalog(), study.designs.scenario)
    columns = tuple(
        Compared(
            letter=one.letter,
            name=one.name,
            is_base=one.is_base,
            row=one.row,
            choices=tuple(line.cells[place].shown.text for line in board.choices),
            found=_evaluated(study, one),
            timing=_timing(study, candidates, one),
        )
        for place, one in enumerate(board.columns)
    )
    return Comparison(
        study.document,
        study.answer,
        columns,
        tuple(line.title for line in board.choices),
        redaction_of(study, board.columns, without),
    )


def _evaluated(study: ReportedStudy, column: BoardColumn) -> EvaluatedScenario | None:
    try:
        return study.evaluated(column.row.key)
    except (ScenarioError, KeyError):
        return None


def _timing(study: ReportedStudy, candidates: Candidates, column: BoardColumn) -> StudyTiming | None:
    """The plan of a candidate; a column that is a scenario of its own has none, and neither has serving
    alone."""
    candidate = _candidate(study, column.row.key)
    if candidate is None or study.document.workload.training is None:
        return None
    try:
        return timing(candidates, candidate, served_by(candidates, candidate))
    except ScenarioError:
        return None


def _candidate(study: ReportedStudy, key: str) -> CandidateDocument | None:
    for one in study.document.chosen:
        if key in keys_of(one, study.document):
            return one.candidate
    values = choices_of(key)
    return build_document(CandidateDocument, values) if values else None
