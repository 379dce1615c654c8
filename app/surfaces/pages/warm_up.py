"""What the first visitor of a page would otherwise wait for, computed when a server starts."""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable, Iterator

from sqlalchemy import Engine

from app.catalog.gallery import reference_designs
from app.catalog.lookup import Catalog
from app.scenarios.evaluation.service import evaluate_example, evaluated
from app.scenarios.examples import list_examples
from app.validation.claims.judge import claims_of
from app.views.gallery.answer import reference_answer
from app.views.questions.words import QUESTION_WORDS

logger = logging.getLogger(__name__)

PATIENCE_S = 5.0
"""For each design, of which there are about 40."""
PAUSE_S = 0.05


class WarmUp:
    """Evaluates examples, questions, reference designs and claims in a background thread.

    Parameters
    ----------
    engine : gives the database, None where there is none yet
    requests : number of requests under way, which go first
    """

    def __init__(
        self, engine: Callable[[], Engine | None], requests: Callable[[], float] = lambda: 0
    ) -> None:
        self._engine = engine
        self._requests = requests
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="warm-up", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends after the design at hand."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            engine = self._engine()
            if engine is None:
                return
            catalog = Catalog.open(engine)
            for work in _works(catalog):
                self._give_way()
                if self._stopping.is_set():
                    return
                work()
        except Exception:
            # The pages compute it themselves, and say what is wrong.
            logger.warning("warm-up ended early", exc_info=True)

    def _give_way(self) -> None:
        """Waits while requests are answered, but not for ever: a busy server is to get warm as well."""
        until = time.monotonic() + PATIENCE_S
        while self._requests() > 0 and time.monotonic() < until:
            if self._stopping.wait(PAUSE_S):
                return


def _questions(catalog: Catalog) -> Iterator[Callable[[], object]]:
    """The answers that the questions open with; what they import takes a while, and is imported when it is
    their turn."""
    for words in QUESTION_WORDS:
        yield functools.partial(_answer, words.key, catalog)


def _answer(key: str, catalog: Catalog) -> None:
    from app.views.questions.declared import BY_KEY
    from app.views.questions.question import ANSWERS
    from app.views.searching.recent import RecentSearches
    from app.views.view import Resources

    question = BY_KEY[key]
    resources = Resources(
        catalog=catalog,
        evaluated=lambda document: evaluated(document, catalog),
        searches=RecentSearches(),
    )
    ANSWERS.of(question, question.options(), resources)


def _works(catalog: Catalog) -> list[Callable[[], object]]:
    def example(key: str) -> object:
        return evaluate_example(key, catalog).as_json

    examples = [functools.partial(example, one.key) for one in list_examples()]
    gallery = [functools.partial(reference_answer, catalog, key) for key in reference_designs()]
    return [*examples, *_questions(catalog), *gallery, claims_of(catalog).all]  # the home page first
