"""An old revision with the catalog values of its time, and what has moved since."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.catalog.pinned import LatestCatalog, PinnedCatalog
from app.catalog.snapshot import Snapshot
from app.engine.units import unit_of
from app.saved.diff import result_changes
from app.saved.expand import DesignUse
from app.saved.records import WORDS, Moved, Reopened, Revision, Saved
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve import Resolved, resolve


def reopened(
    revision: Revision,
    document: dict[str, Any],
    *,
    snapshot: Snapshot,
    results: dict[str, Any] | None,
    uses: Iterable[tuple[DesignUse, Saved]],
    catalog: Catalog,
) -> Reopened:
    """Evaluate a revision as it was.

    Parameters
    ----------
    document : with saved designs put in as they were
    results : what was computed at the save, None where nothing was kept
    uses : the designs that were put in, with what they are now

    Raises
    ------
    ScenarioError : today's engine refuses the document
    """
    scenario = build_scenario(document)
    pinned = PinnedCatalog(catalog, snapshot, revision.catalog_revision)
    evaluated = evaluate_scenario(scenario, pinned)
    latest = LatestCatalog(catalog, snapshot)
    today = resolve(scenario, latest)
    designs = [moved for use, now in uses if (moved := _moved_design(use, now))]
    return Reopened(
        revision=revision,
        evaluated=evaluated,
        moved=(*designs, *_moved_values(evaluated.resolved, today, frozenset(latest.gone))),
        engine_moved=result_changes(results, evaluated.as_json) if results is not None else (),
        from_today=pinned.from_today,
    )


def _moved_values(then: Resolved, today: Resolved, gone: frozenset[str]) -> Iterable[Moved]:
    for path in dict.fromkeys([*then.values, *today.values]):
        before, after = _number(then, path), _number(today, path)
        origin = today.origins.get(path) or then.origins[path]
        if origin.catalog in gone:
            after = None
        if before == after:
            continue
        yield Moved(
            path=path,
            label=origin.label,
            before=before,
            after=after,
            unit=unit_of(path),
            catalog=origin.catalog or then.origins.get(path, origin).catalog,
            source=origin.source,
        )


def _moved_design(use: DesignUse, now: Saved) -> Moved | None:
    if now.deleted_at is None and now.revision == use.revision:
        return None
    return Moved(
        path=f"{use.field}.design",
        label=f"{WORDS[use.field]} {now.name}" + (", deleted since" if now.deleted_at else ""),
        before=use.revision,
        after=None if now.deleted_at else now.revision,
        unit="revision",
        catalog=f"designs/{use.id}",
        source="",
    )


def _number(resolved: Resolved, path: str) -> float | None:
    """A value of one number; an hourly year counts as unknown, as its digest tells whether it moved."""
    array = resolved.values.get(path)
    if array is None or np.size(array) != 1:
        return None
    number = float(array[0])
    return number if math.isfinite(number) else None
