"""What the first visitor of a page would otherwise wait for, computed when a server starts."""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable

from sqlalchemy import Engine

from app.catalog.gallery import reference_designs
from app.catalog.lookup import Catalog
from app.scenarios.evaluation.service import evaluate_example
from app.scenarios.examples import list_examples
from app.validation.claims.judge import claims_of
from app.views.gallery.answer import reference_answer

logger = logging.getLogger(__name__)

PATIENCE_S = 5.0
"""For each design, of which there are about 40."""
PAUSE_S = 0.05


class WarmUp:
    """Evaluates examples, reference designs and claims in a background thread.

    Parameters
    ----------
    engine : gives the database, None where there is none yet
    requests : how many requests are under way; whoever waits for a page goes first
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


def _works(catalog: Catalog) -> list[Callable[[], object]]:
    def example(key: str) -> object:
        return evaluate_example(key, catalog).as_json

    examples = [functools.partial(example, one.key) for one in list_examples()]
    gallery = [functools.partial(reference_answer, catalog, key) for key in reference_designs()]
    return [*examples, *gallery, claims_of(catalog).all]  # the home page first
