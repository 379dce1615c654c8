"""A generic workload: its amounts as stated, and its process grids laid out and checked."""

from __future__ import annotations

import math
from typing import Any

from app.engine.specs import Faces, GenericWorkload, Grid, Pattern, Pod, SuperNode
from app.engine.trace import Array
from app.engine.workload.generic import AXES
from app.engine.workload.process_grid import Sides, even_grid
from app.scenarios.document.generic import GenericDocument, HaloExchangeDocument, PatternDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs

Three = tuple[Array, Array, Array]


def generic_workload(
    inputs: Inputs, document: GenericDocument, supernode: SuperNode, pod: Pod
) -> GenericWorkload:
    """The workload of a generic scenario.

    Raises
    ------
    ScenarioError : a process grid does not have as many places as there are accelerators
    """
    stated = {
        name: inputs.scenario(f"workload.{name}", getattr(document, name))
        for name in (
            "flop_per_step", "memory_traffic_per_step_bytes", "memory_held_bytes", "steps",
            "load_imbalance", "checkpoint_held_share", "dataset_bytes",
        )
    }  # fmt: skip
    return GenericWorkload(
        name=document.name,
        precision=document.precision,
        strong=inputs.scenario("workload.strong", float(document.scaling == "strong"), "workload.scaling"),
        compute_efficiency=inputs.assumption(
            "workload.compute_efficiency",
            "scenario.compute_efficiency",
            given=document.compute_efficiency,
            scenario_field="workload.compute_efficiency",
        ),
        patterns=tuple(
            _pattern(inputs, place, pattern, supernode, pod)
            for place, pattern in enumerate(document.communication)
        ),
        **stated,
    )


def _pattern(inputs: Inputs, place: int, document: Any, supernode: SuperNode, pod: Pod) -> Pattern:
    path, field = f"workload.patterns[{place}]", f"workload.communication[{place}]"
    halo = exchanged = None
    if isinstance(document, HaloExchangeDocument):
        halo = _halo(inputs, document, path, field, _ranks(document, supernode, pod))
    else:
        exchanged = inputs.scenario(f"{path}.exchanged_bytes", document.bytes, f"{field}.bytes")
    return Pattern(
        name=document.pattern,
        within_supernode=inputs.scenario(
            f"{path}.within_supernode", float(document.group == "supernode"), f"{field}.group"
        ),
        per_step=inputs.scenario(f"{path}.per_step", document.per_step, f"{field}.per_step"),
        overlap=inputs.scenario(f"{path}.overlap", document.overlap, f"{field}.overlap"),
        exchanged_bytes=exchanged,
        halo=halo,
    )


def _ranks(document: PatternDocument, supernode: SuperNode, pod: Pod) -> int:
    used = float(pod.accelerators_used[0])
    return round(min(used, float(supernode.accelerators[0])) if document.group == "supernode" else used)


def _halo(inputs: Inputs, document: HaloExchangeDocument, path: str, field: str, ranks: int) -> Grid | Faces:
    grid = _process_grid(document, field, ranks)
    label = "process grid" if document.process_grid != "auto" else "process grid of least surface"
    source = (
        "as the scenario states" if document.process_grid != "auto" else f"{ranks:,} accelerators divided"
    )
    sides = tuple(
        inputs.derived(f"{path}.halo.ranks[{axis}]", grid[axis], f"{label}, {AXES[axis]}", source)
        for axis in range(3)
    )
    periodic = inputs.scenario(f"{path}.halo.periodic", float(document.periodic), f"{field}.periodic")
    if document.face_bytes is not None:
        faces = _three(inputs, f"{path}.halo.face_bytes", f"{field}.face_bytes", document.face_bytes, 0)
        return Faces(ranks=_as_three(sides), face_bytes=faces, periodic=periodic)
    assert document.grid_points is not None
    return Grid(
        ranks=_as_three(sides),
        points=_three(inputs, f"{path}.halo.points", f"{field}.grid_points", document.grid_points, 1),
        halo_width=inputs.scenario(f"{path}.halo.halo_width", document.halo_width, f"{field}.halo_width"),
        bytes_per_point=inputs.scenario(
            f"{path}.halo.bytes_per_point", document.bytes_per_point, f"{field}.bytes_per_point"
        ),
        periodic=periodic,
    )


def _process_grid(document: HaloExchangeDocument, field: str, ranks: int) -> Sides:
    """As stated, or of least surface."""
    points = (*(document.grid_points or ()), 1.0, 1.0, 1.0)[:3]
    even = even_grid(ranks, document.dimensions, (points[0], points[1], points[2]))
    if document.process_grid == "auto":
        return even
    stated = (*document.process_grid, 1, 1)[:3]
    if math.prod(stated) != ranks:
        written = " x ".join(str(side) for side in document.process_grid)
        raise refuse(
            f"{written} is {math.prod(stated):,} places, and {ranks:,} accelerators take part.",
            rule="process_grid",
            path=f"{field}.process_grid",
            value=written,
            hint=f"Nearest: {', '.join(str(side) for side in even[: document.dimensions])}, or auto.",
        )
    return Sides(*stated)


def _three(inputs: Inputs, path: str, field: str, stated: tuple[float, ...], none: float) -> Three:
    """Numbers along x, y and z; an axis that the job does not have counts as `none`."""
    values = [
        inputs.scenario(f"{path}[{axis}]", stated[axis], f"{field}[{axis}]")
        if axis < len(stated)
        else inputs.derived(f"{path}[{axis}]", none, f"{AXES[axis]} axis", "the job has no such axis")
        for axis in range(3)
    ]
    return _as_three(tuple(values))


def _as_three(values: tuple[Array, ...]) -> Three:
    x, y, z = values
    return x, y, z
