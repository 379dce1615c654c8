"""Runs built by hand for the tests of this room."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any, cast

from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.operations.section import Reliability, evaluate_reliability
from app.engine.specs import FabricPlan, Operations, Pod, Storage
from app.engine.trace import Array, Origin, traced_input
from app.engine.units import unit_of
from tests.support import assumptions, build, dgx_h100, llama_405b_training, number

UNKNOWN = float("nan")


def meta_run(**changes: Any) -> dict[str, Any]:
    """Llama 3.1 405B on 2,048 DGX H100, a step of 10 s and 70 productive days."""
    run: dict[str, Any] = {
        "workload": llama_405b_training(),
        "supernode": dgx_h100(),
        "pod": pod(supernodes=2048, accelerators_used=16384),
        "operations": operations(),
        "performance": SimpleNamespace(
            parameters=number(405.85e9),
            prediction_parameters=number(0),
            step_time_s=number(10),
            training_time_s=number(70 * 86400),
            strategy={"dp": number(128), "tp": number(8), "cp": number(1), "ep": number(1), "pp": number(16)},
        ),
        "assumptions": assumptions("operations", OperationsAssumptions),
    }
    return run | changes


def pod(*, supernodes: float, accelerators_used: float) -> Pod:
    plan = cast(FabricPlan, None)  # this room reads nothing of the fabric
    return build(Pod, supernodes=supernodes, accelerators_used=accelerators_used, fabric=plan)


def operations(
    *,
    checkpoint: str = "two_level",
    spares: float | None = None,
    write: float = UNKNOWN,
    read: float = UNKNOWN,
) -> Operations:
    disks = build(
        Storage,
        read_bandwidth_bytes_per_s=read,
        write_bandwidth_bytes_per_s=write,
        price_usd_per_tb=UNKNOWN,
    )
    return Operations(
        checkpoint=checkpoint,
        spare_units=None if spares is None else number(spares),
        storage=disks,
    )


def evaluate(**changes: Any) -> Reliability:
    return evaluate_reliability(**meta_run(**changes))


def with_assumptions(**values: float) -> OperationsAssumptions:
    record = assumptions("operations", OperationsAssumptions)
    return dataclasses.replace(record, **{name: number(value) for name, value in values.items()})


def traced(item: Any, path: str = "") -> Any:
    """The same record with every number wrapped as an input."""
    if isinstance(item, SimpleNamespace):
        return SimpleNamespace(**{k: traced(v, f"{path}.{k}") for k, v in vars(item).items()})
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        names = [field.name for field in dataclasses.fields(item)]
        return dataclasses.replace(item, **{n: traced(getattr(item, n), f"{path}.{n}") for n in names})
    if isinstance(item, dict):
        return {k: traced(v, f"{path}.{k}".lstrip(".")) for k, v in item.items()}
    if hasattr(item, "dtype"):
        array: Array = item
        return traced_input(path, array, unit_of(path), Origin(kind="scenario", source="test"))
    return item
