"""Columns that are kept by hand: each a row of the answer, whether the search came to it or not."""

from __future__ import annotations

from dataclasses import replace

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.study.candidates import ChosenDocument
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.scenarios import candidate_key
from app.surfaces.pages.designs import Designs
from app.views.study.evaluating import Candidates
from app.views.study.report import StudyAnswer, StudyRow


def keys_of(column: ChosenDocument, document: StudyDocument) -> frozenset[str]:
    """Keys by which an answer may have a column: choices that are left out are also written out."""
    candidate = column.candidate
    if candidate is None:
        return frozenset((column.name,))
    training = document.workload.training
    written = {
        "network": candidate.network or document.candidates.networks[0].name,
        "number_format": candidate.number_format or (training.precision if training else None),
    }
    partly = candidate.model_copy(update={"network": written["network"]})
    return frozenset(map(candidate_key, (candidate, partly, candidate.model_copy(update=written))))


def with_columns(answer: StudyAnswer, document: StudyDocument, designs: Designs) -> StudyAnswer:
    """The answer with a row for every column; one that cannot be evaluated is among the refusals."""
    there = {row.key for row in answer.rows}
    candidates = Candidates(document, designs.catalog(), designs.scenario)
    added: list[StudyRow] = []
    refusals = list(answer.refusals)
    for column in document.chosen:
        if keys_of(column, document) & there:
            continue
        try:
            added.append(_row(column, candidates, designs))
        except (ScenarioError, KeyError) as error:
            words = error.errors[0].words if isinstance(error, ScenarioError) else "There is no such design."
            refusals.append(f"{column.name}: {words}")
    return replace(answer, rows=(*answer.rows, *added), refusals=tuple(refusals))


def _row(column: ChosenDocument, candidates: Candidates, designs: Designs) -> StudyRow:
    if column.candidate is not None:
        return candidates.row(column.candidate)
    if isinstance(column.scenario, ScenarioDocument):
        return candidates.of_scenario(column.name, designs.scenario(column.scenario))
    own = designs.of(str(column.scenario))
    return candidates.of_scenario(column.name, own.scenario(own.evaluated(str(column.scenario)).document))
