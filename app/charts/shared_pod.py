"""Workloads that share a pod, side by side: what each has, does, draws and pays, and what the pod comes to."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import get_path
from app.charts.format import Shown, show_at
from app.charts.workload_kind import WORDS
from app.engine.quantities import label_at

NOTHING = Shown("")
FIGURES = {
    "share": "",
    "supernodes": "inputs.pod.supernodes",
    "accelerators": "inputs.pod.accelerators_used",
    "working_hours_per_day": "",
    "switching_s_per_day": "",
    "performance.tokens_per_s": "",
    "tokens_per_s_mean": "",
    "performance.step_time_s": "",
    "performance.mfu": "",
    "performance.ttft_s": "",
    "performance.tpot_s": "",
    "performance.elapsed_time_s": "",
    "it_power_mean_w": "power.it_power_mean_w",
    "energy_kwh_per_year": "power.energy_utility_kwh_per_year",
    "energy_share": "",
    "energy_j_per_token": "",
    "cost.usd_per_year": "cost.annual_cost_usd_per_year",
    "cost.share": "",
    "cost.usd_per_accelerator_hour": "cost.usd_per_accelerator_hour",
    "cost.usd_per_run": "",
    "cost.usd_per_million_tokens": "",
    "cost.usd_per_million_input_tokens": "",
    "cost.usd_per_million_output_tokens": "",
}
"""Place in a workload, and place of the same of the whole pod where it has it."""


class Cell(NamedTuple):
    """`path` is the place of the figure; "" where there is none. `known` False: unknown, not inapplicable."""

    path: str
    shown: Shown
    known: bool


class Row(NamedTuple):
    label: str
    cells: tuple[Cell, ...]
    pod: Cell


class WorkloadTable(NamedTuple):
    by: str  # pod | day
    names: tuple[str, ...]
    what: tuple[str, ...]  # "Training, Llama 3.1 8B", one a workload
    rows: tuple[Row, ...]


def workload_table(evaluation: dict[str, Any]) -> WorkloadTable | None:
    """None where one workload has the pod to itself."""
    workloads = evaluation.get("workloads")
    if not workloads:
        return None
    by = get_path(evaluation, "inputs.sharing.by")
    missing = frozenset(evaluation.get("not_applicable", ()))
    rows = []
    for name, of_the_pod in FIGURES.items():
        cells = tuple(
            _cell(evaluation, f"workloads[{place}].{name}", get_path(one, name), missing)
            for place, one in enumerate(workloads)
        )
        if any(cell.path for cell in cells):
            pod = (
                _cell(evaluation, of_the_pod, get_path(evaluation, of_the_pod), missing)
                if of_the_pod
                else Cell("", NOTHING, True)
            )
            rows.append(Row(label_at(f"workloads[].{name}"), cells, pod))
    return WorkloadTable(
        by=by,
        names=tuple(one["name"] for one in workloads),
        what=tuple(f"{WORDS[one['kind']]}, {one['model']}" for one in workloads),
        rows=tuple(rows),
    )


def sharing_words(table: WorkloadTable) -> str:
    """Sharing of the pod, in a sentence.

    >>> sharing_words(WorkloadTable("pod", ("a", "b"), ("", ""), ()))
    'By pod: each workload has its own SuperNodes all the time, to the nearest whole one.'
    """
    if table.by == "pod":
        return "By pod: each workload has its own SuperNodes all the time, to the nearest whole one."
    return "By day: each workload has the whole pod for its hours; loading weights or a checkpoint is taken off them."


def _cell(evaluation: dict[str, Any], path: str, value: Any, missing: frozenset[str]) -> Cell:
    if path in missing or (value is None and not _has(evaluation, path)):
        return Cell("", NOTHING, True)
    words = show_at(path, value)
    return Cell("" if path.startswith("inputs.") else path, words, value is not None)


def _has(evaluation: dict[str, Any], path: str) -> bool:
    """Return whether the design has a figure at this place, known or not: kinds of workload differ in what they have."""
    place, _, name = path.partition("].")
    if not name:
        return True
    one: Any = evaluation["workloads"][int(place.partition("[")[2])]
    for part in name.split("."):
        if not isinstance(one, dict) or part not in one:
            return False
        one = one[part]
    return True
