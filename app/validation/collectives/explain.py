"""A measured collective computed once more with every input traced: how its prediction was made."""

from __future__ import annotations

from typing import Any

from app.catalog.lookup import Catalog
from app.engine.explain import explanation
from app.engine.trace import Origin, Traced, traced_input
from app.validation.collectives.accelerator import accelerator_of
from app.validation.collectives.batch import Batch
from app.validation.collectives.case import Case, case_of
from app.validation.collectives.constants import ASSUMPTIONS, room_of
from app.validation.rows import Row

UNITS = {
    "message_bytes": "B",
    "copy_bytes": "B",
    "scale_up_bandwidth_bytes_per_s": "B/s",
    "all_to_all_bandwidth_bytes_per_s": "B/s",
    "scale_out_bandwidth_bytes_per_s": "B/s",
    "memory_bandwidth_bytes_per_s": "B/s",
}
"""Units of what a row and its accelerator say; all others are counts and shares."""

OF_THE_ACCELERATOR = {
    "scale_up_bandwidth_bytes_per_s": "scale_up_bandwidth_bytes_per_s",
    "all_to_all_bandwidth_bytes_per_s": "scale_up_bandwidth_bytes_per_s",
    "memory_bandwidth_bytes_per_s": "memory_bandwidth_bytes_per_s",
}
"""Inputs that the catalog says of the accelerator, and the fact that does."""


def explained_time(row: Row, catalog: Catalog) -> dict[str, Any]:
    """The tree of a row's predicted time, in the shape of the explanations of a design.

    Raises
    ------
    UnsupportedRowError : the row cannot be predicted; the message says why
    """
    case = case_of(row, catalog)
    time = Batch([case], catalog).traced_time_s(
        lambda name, values: traced_input(
            name, values, _unit(name, case, catalog), _origin(name, case, catalog)
        )
    )
    return explanation("fabric.collective_time_s", _algorithm(time, ring_only=case.ring_only))


def _algorithm(time: Traced, *, ring_only: bool) -> Traced:
    """The quantity behind the choice between the ring alone and the best algorithm, where there is one."""
    if time.node.kind == "quantity":
        return time
    ring, best = (node for _, node in time.node.inputs)
    node = ring if ring_only else best
    return Traced(node.value, node)


def _unit(name: str, case: Case, catalog: Catalog) -> str:
    if name in ASSUMPTIONS:
        return catalog.assumption(room_of(name), name, case.place.context).unit
    return UNITS.get(name, "1")


def _origin(name: str, case: Case, catalog: Catalog) -> Origin:
    """Assumptions have their own source, bandwidths that of the accelerator; the rest the row says."""
    if name in ASSUMPTIONS:
        row = catalog.assumption(room_of(name), name, case.place.context)
        return Origin(kind=row.kind, source=row.source, date=row.as_of, low=row.low, high=row.high)
    part = accelerator_of(case.row, catalog)
    fact = part.facts.get(OF_THE_ACCELERATOR.get(name, ""))
    if fact is not None:
        return Origin(kind=fact.kind, source=fact.source, date=fact.date, catalog=f"{part.kind}/{part.key}")
    return Origin(kind="measured", source=case.row.text("source"))
