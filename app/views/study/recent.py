"""The studies answered last, so that a report or a workbook of what was just seen is made from the same
answer."""

from __future__ import annotations

from collections.abc import Iterator

from app.catalog.lookup import Catalog
from app.charts.unit_choice import in_units
from app.scenarios.answers import Answers, at_most
from app.scenarios.study.document import StudyDocument
from app.views.study.answer import StudyProgress, study_answer, study_steps
from app.views.study.report import StudyAnswer
from app.views.study.search import LONGEST_S

MOST = 12


class RecentStudies:
    """Answers by their document and the revision of the catalog; safe to share by threads.

    Parameters
    ----------
    longest_s : for which a search looks at further designs; its answer then has a gap
    """

    def __init__(self, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self._answers: Answers[StudyAnswer] = Answers(at_most(MOST))

    def answer(self, study: StudyDocument, catalog: Catalog) -> StudyAnswer:
        """A study answered; a caller that asks for what is being searched already waits for that one.

        Raises
        ------
        ScenarioError : a part is not in the catalog, or no candidate can be evaluated
        """

        def searched() -> StudyAnswer:
            with in_units():  # kept for every caller, in base units
                return study_answer(study, catalog, longest_s=self._longest_s)

        return self._answers.of(_key(study, catalog), searched)

    def steps(self, study: StudyDocument, catalog: Catalog) -> Iterator[StudyProgress | StudyAnswer]:
        """A study step by step, with rows as they are found, the answer last.

        Raises
        ------
        ScenarioError : a part is not in the catalog, or no candidate can be evaluated
        """
        return study_steps(study, catalog, longest_s=self._longest_s)

    def remember(self, study: StudyDocument, catalog: Catalog, answer: StudyAnswer) -> None:
        """Keep an answer that was made elsewhere, such as step by step for a page."""
        self._answers.of(_key(study, catalog), lambda: answer)


def _key(study: StudyDocument, catalog: Catalog) -> tuple[str, str]:
    return study.model_dump_json(), catalog.revision
