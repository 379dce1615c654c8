"""Every claim with what the engine computes for it, and whether the verdict follows."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from app.catalog.lookup import Catalog
from app.scenarios.document.scenario import ScenarioDocument
from app.validation.claims.compare import Calculation, Compared, Topic
from app.validation.claims.inputs import Inputs
from app.validation.claims.ledger import Article, Claim, ledger
from app.validation.claims.rules import VERDICTS, Verdict, joint_verdict
from app.validation.claims.topics import (
    cost,
    network,
    parallelism,
    power,
    scaling,
    storage,
    systems,
    training_time,
)

TOPICS: tuple[Topic, ...] = (
    scaling.CLAIMS,
    training_time.CLAIMS,
    parallelism.CLAIMS,
    network.CLAIMS,
    systems.CLAIMS,
    storage.CLAIMS,
    power.CLAIMS,
    cost.CLAIMS,
)
CALCULATIONS: dict[str, Calculation] = {key: found for topic in TOPICS for key, found in topic.items()}
"""Claim id -> what computes it. The rest are judged by what their sources say."""


@dataclass(frozen=True)
class Judged:
    """A claim of the ledger beside what was computed for it just now."""

    claim: Claim
    article: Article
    figures: tuple[Compared, ...]
    example: str  # key of the worked example that was evaluated
    scenario: ScenarioDocument | None  # what was evaluated
    catalog_rows: tuple[str, ...]  # kind/key of what the figures come from, without those of whole designs

    @cached_property
    def computed_verdict(self) -> Verdict | None:
        """By the figures that decide; None where none does."""
        return joint_verdict(
            figure.verdict for figure in self.figures if figure.decides and figure.verdict is not None
        )


class Claims:
    """All claims of one catalog, each computed when it is first asked for."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._judged: dict[str, Judged] = {}
        self._lock = threading.RLock()

    def all(self) -> tuple[Judged, ...]:
        """Every claim, what is wrong first, else in the order of the ledger."""
        found = [self.one(key) for key in ledger().claims]
        return tuple(sorted(found, key=lambda one: VERDICTS.index(one.claim.verdict)))

    def one(self, key: str) -> Judged:
        """A claim by its id.

        Raises
        ------
        KeyError : there is no such claim
        """
        claim = ledger().claims[key]
        with self._lock:
            if key not in self._judged:
                self._judged[key] = judged(claim, self._catalog)
            return self._judged[key]


def judged(claim: Claim, catalog: Catalog) -> Judged:
    """A claim, computed."""
    article = ledger().articles[claim.article]
    inputs = Inputs(catalog, article)
    calculate = CALCULATIONS.get(claim.id)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        figures = tuple(calculate(inputs)) if calculate else ()
    scenario = inputs.design.document if inputs.design else None
    rows = () if scenario else _catalog_rows(figures, catalog)
    return Judged(claim, article, figures, inputs.example, scenario, rows)


def _catalog_rows(figures: Sequence[Compared], catalog: Catalog) -> tuple[str, ...]:
    """Rows of the catalog that figures come from, those that have a page."""
    named = (
        node.origin.catalog
        for figure in figures
        for node in figure.node.walk()
        if node.origin and node.origin.catalog
    )
    return tuple(row for row in dict.fromkeys(named) if _is_there(row, catalog))


def _is_there(row: str, catalog: Catalog) -> bool:
    kind, _, key = row.partition("/")
    return kind in catalog.kinds() and key in catalog.keys(kind)


_kept: dict[str, Claims] = {}


def claims_of(catalog: Catalog) -> Claims:
    """The claims computed with a catalog; those of its revision are kept, others are computed anew."""
    if catalog.revision not in _kept:
        _kept.clear()
        _kept[catalog.revision] = Claims(catalog)
    return _kept[catalog.revision]
