"""What is left out of the report and the workbook of a study: own words of every candidate, and those of the study."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from app.catalog.view import CatalogView
from app.saved.team_catalog.rests_on import rests_on
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.study.document import StudyDocument
from app.surfaces.files.own_words import (
    Numbers,
    OwnWord,
    own_words,
    stated_words,
    words_of_places,
    words_of_rows,
)
from app.surfaces.files.redaction import Redaction, in_order, left_out_words
from app.views.study.report import StudyAnswer

USUAL_NETWORKS: frozenset[str] = frozenset(
    one.name for one in StudyDocument.model_fields["candidates"].default.networks
)


def study_redaction(
    document: StudyDocument,
    answer: StudyAnswer,
    keys: Iterable[str],
    evaluated: Callable[[str], EvaluatedScenario],
    catalog: CatalogView,
    kinds: Sequence[str],
    beside: Iterable[str] = (),
) -> Redaction:
    """What to leave out of the files of a study.

    Parameters
    ----------
    keys : of the columns of its board
    beside : further words of its authors, such as the note of a save
    """
    if not kinds:
        return Redaction()
    numbers = Numbers()
    found = [OwnWord(document.name, "Study", "study")]
    found += [OwnWord(one, "own description", "study") for one in _remarks(document, beside)]
    found += [one for one in stated_words(_as_stated(document), numbers) if one.word not in USUAL_NETWORKS]
    found += words_of_rows(None, catalog.today, numbers)
    for key in keys:
        try:
            scenario = evaluated(key)
        except (ScenarioError, KeyError):
            continue
        found += own_words(scenario, rests_on(scenario.document, catalog), catalog.today, numbers=numbers)
    found += words_of_places(set(_places(document, answer)))
    words = left_out_words((one for one in found if one.word.strip()), kinds)
    said = _said(kinds, len({row.site for row in answer.rows}))
    return Redaction(tuple(kinds), "prices" in kinds, in_order(words), tuple(said))


def _said(kinds: Sequence[str], sites: int) -> Iterator[str]:
    if "prices" in kinds:
        yield "Prices and costs: every amount of money, and the chapters that are about money."
    if "names" in kinds:
        yield "Own names: that of the study, its question and decision, and those of its columns, its model and own parts."
    if "sites" in kinds:
        yield f"Sites: the names of {sites} sites; figures that follow from their climate stay."


def _remarks(document: StudyDocument, beside: Iterable[str]) -> Iterator[str]:
    yield from (document.question, document.decision.text, *document.decision.text.splitlines())
    yield from beside


def _as_stated(document: StudyDocument) -> dict[str, Any]:
    """Without its own name, which stands for all of it."""
    return {name: value for name, value in document.as_dict().items() if name != "name"}


def _places(document: StudyDocument, answer: StudyAnswer) -> Iterator[str]:
    for row in answer.rows:
        yield from (one for one in (row.site, row.site_name) if one)
    sites = document.candidates.sites
    yield from (sites if isinstance(sites, tuple) else ())
    yield from document.limits.sites
    yield from (one.candidate.site for one in document.chosen if one.candidate is not None)
