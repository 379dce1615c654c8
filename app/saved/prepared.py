"""Everything that a save writes, computed before the database is touched."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from app import __version__
from app.catalog.lookup import Catalog
from app.saved.documents import PodDesign, SuperNodeDesign, build_saved
from app.saved.expand import DesignUse, FindSaved, expanded
from app.saved.fleets import fleet_summary
from app.saved.packing import packed, unpacked
from app.saved.projections import projected, projection_summary
from app.saved.records import Kind
from app.saved.studies import study_summary
from app.saved.summaries import pod_summary, scenario_summary, supernode_summary
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import evaluated, inputs_hash
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.load import build_scenario
from app.scenarios.study.document import StudyDocument
from app.views.projecting.options import ProjectionDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A checked document, and for a scenario or a projection what it comes to with the catalog of today.

    `expanded` is the document with saved designs put in, None where it names none. `snapshot` gives
    the kept catalog values compressed, which is only needed where they are not stored yet.
    """

    kind: Kind
    name: str
    document: dict[str, Any]
    summary: dict[str, Any]
    catalog_revision: str
    engine_version: str = __version__
    schema_version: int = 1
    expanded: dict[str, Any] | None = None
    results: bytes | None = None
    snapshot_hash: str | None = None
    snapshot: Callable[[], bytes] | None = None
    uses: tuple[DesignUse, ...] = ()


def prepared(kind: Kind, document: dict[str, Any], catalog: Catalog, find: FindSaved) -> Prepared:
    """Check a document and compute what is kept with it.

    Raises
    ------
    ScenarioError : it cannot be saved; one message a fault
    """
    checked = build_saved(kind, document)
    # a copy: the caller may go on changing the document
    written = json.loads(json.dumps(document, allow_nan=False))
    if isinstance(checked, ScenarioDocument):
        return _scenario(checked, written, catalog, find)
    if isinstance(checked, ProjectionDocument):
        return _projection(checked, written, catalog, find)
    if isinstance(checked, StudyDocument):
        summary = study_summary(checked)  # its search takes long: an answer is kept where one is asked for
    elif isinstance(checked, FleetDocument):
        summary = fleet_summary(checked)  # a job runs it: its answer is kept where one is asked for
    elif isinstance(checked, SuperNodeDesign):
        summary = supernode_summary(checked, catalog)
    else:
        assert isinstance(checked, PodDesign)
        summary = pod_summary(checked, catalog)
    return Prepared(
        kind=kind,
        name=checked.name,
        document=written,
        summary=summary,
        catalog_revision=catalog.revision,
    )


def answered(before: Prepared, answer: dict[str, Any]) -> Prepared:
    """The same study or fleet with its answer."""
    checked = build_saved(before.kind, before.document)
    if isinstance(checked, FleetDocument):
        summary = fleet_summary(checked, answer)
    else:
        assert isinstance(checked, StudyDocument)
        summary = study_summary(checked, answer)
    return replace(before, summary=summary, results=packed(answer))


def renamed(before: Prepared, name: str) -> Prepared:
    """The same under another name: nothing is computed again, so no figure moves.

    Raises
    ------
    ScenarioError : it cannot have this name
    """
    document = {**before.document, "name": name}
    build_saved(before.kind, document)
    full = None if before.expanded is None else {**before.expanded, "name": name}
    results = before.results
    if results is not None and before.kind == "scenario":
        figures = unpacked(results)
        figures["name"] = name
        named = build_scenario(full or document)
        figures["provenance"]["inputs_hash"] = inputs_hash(named, before.catalog_revision)
        results = packed(figures)
    return replace(before, name=name, document=document, expanded=full, results=results)


def _scenario(
    checked: ScenarioDocument, written: dict[str, Any], catalog: Catalog, find: FindSaved
) -> Prepared:
    full = expanded(written, find)
    found = evaluated(build_scenario(full.document) if full.uses else checked, catalog)
    assert found.snapshot is not None
    notes = found.snapshot

    def snapshot() -> bytes:
        return notes.packed()[1]()

    return Prepared(
        kind="scenario",
        name=checked.name,
        document=written,
        summary=scenario_summary(found),
        catalog_revision=catalog.revision,
        expanded=full.document if full.uses else None,
        results=packed(found.as_json),
        snapshot_hash=found.snapshot_hash,
        snapshot=snapshot,
        uses=full.uses,
    )


def _projection(
    checked: ProjectionDocument, written: dict[str, Any], catalog: Catalog, find: FindSaved
) -> Prepared:
    answer = projected(checked, catalog, find)
    return Prepared(
        kind="projection",
        name=checked.name,
        document=written,
        summary=projection_summary(answer),
        catalog_revision=catalog.revision,
        results=packed(answer),
    )
