"""The gallery as plain JSON: each design evaluated, its published figures beside ours with the difference."""

from __future__ import annotations

import functools
import logging
import math
import operator
import re
import threading
from typing import Any

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.gallery import PublishedFigure, ReferenceDesign, reference_designs
from app.catalog.lookup import Catalog
from app.catalog.view import CatalogView
from app.engine.economics.bills import EQUIPMENT
from app.engine.explore import headline
from app.engine.leaves import plain_values
from app.engine.mixed import all_kinds, blended
from app.engine.specs import SuperNode
from app.engine.trace import Array
from app.likeness import nearest_names
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import RENT_ONLY, EvaluatedScenario, evaluate_example
from app.scenarios.examples import example
from app.views.gallery.requirements import requirements

logger = logging.getLogger(__name__)

VERDICTS = ("agrees", "stated", "differs", "unknown")
"""Of a published figure: `stated` agrees too, but is an input of the design, which predicts nothing."""

SHOWN = {
    "accelerators": "headline.accelerators",
    "peak_bf16_flop_per_s": "headline.peak_bf16_flop_per_s",
    "mfu": "performance.mfu",
    "elapsed_time_s": "performance.elapsed_time_s",
    "utility_peak_w": "power.utility_peak_w",
    "capex_usd": "cost.capex_usd",
    "usd_per_run": "cost.usd_per_run",
    "usd_per_accelerator_hour": "cost.usd_per_accelerator_hour",
}
"""What lists say of every design."""
RENTED = {
    "usd_per_run": ("cost.usd_per_run_rented_on_demand", "cost.usd_per_run_rented_reserved"),
    "usd_per_accelerator_hour": (
        "inputs.economics.rental_on_demand_usd_per_accelerator_hour",
        "inputs.economics.rental_reserved_usd_per_accelerator_hour",
    ),
}
"""Cost of renting a design whose parts are rent only: on demand, else reserved."""


def gallery_answer(catalog: Catalog, patience_s: float = math.inf) -> dict[str, Any]:
    """Every design with its figures in brief.

    Parameters
    ----------
    patience_s : longest time to wait; designs that are not evaluated by then have no figures, and are
        evaluated in the background for the next answer
    """
    _BACKGROUND.work_out(catalog, patience_s)
    items = [
        _brief(kept[1]) if (kept := _kept.get(key)) and kept[0] == catalog.revision else _unknown_yet(design)
        for key, design in reference_designs().items()
    ]
    return {
        "catalog_revision": catalog.revision,
        "computing": sum(item["feasible"] is None for item in items),
        "items": items,
    }


def reference_answer(catalog: Catalog, key: str) -> dict[str, Any]:
    """One design with all its published figures.

    Raises
    ------
    ScenarioError : the gallery has no such design; the nearest keys are named
    """
    if key not in reference_designs():
        raise refuse(
            f"{key[:80]!r} is no design of the gallery.",
            rule="unknown_design",
            path="key",
            value=key[:80],
            hint=f"Nearest: {nearest_names(key[:80], reference_designs())}.",
        )
    return _whole(catalog, key)


def figure_at(evaluation: dict[str, Any], path: str) -> float | None:
    """The number at a place such as `fabric.tiers[0].switches`, None where there is none."""
    value: Any = evaluation
    for name in re.findall(r"[^.\[\]]+", path):
        if isinstance(value, list):
            value = value[int(name)] if int(name) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, int | float) else None


_kept: dict[str, tuple[str, dict[str, Any]]] = {}


def _whole(catalog: Catalog, key: str) -> dict[str, Any]:
    """A design worked out once for each revision of the catalog."""
    kept = _kept.get(key)
    if kept is None or kept[0] != catalog.revision:
        kept = _kept[key] = (catalog.revision, _worked_out(catalog, reference_designs()[key]))
    return kept[1]


class _Background:
    """Evaluates the designs in a single background thread of the process."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def work_out(self, catalog: Catalog, patience_s: float) -> None:
        """Returns when all are worked out, or after so many seconds."""
        if patience_s == math.inf:
            for key in reference_designs():
                _whole(catalog, key)
            return
        with self._turn:
            missing = [key for key in reference_designs() if _kept.get(key, ("",))[0] != catalog.revision]
            if missing and (self._thread is None or not self._thread.is_alive()):
                done = self._done = threading.Event()
                self._thread = threading.Thread(
                    target=_all_of, args=(catalog, missing, done), name="gallery", daemon=True
                )
                self._thread.start()
            done = self._done
        if missing:
            done.wait(patience_s)


PEAKS = {"bf16": "bf16_flop_per_s", "fp8": "fp8_flop_per_s", "fp4": "fp4_flop_per_s"}


def headline_figures(scenario: EvaluatedScenario, catalog: CatalogView) -> dict[str, Any]:
    """Sums over all accelerators and SuperNodes; None where a part of one is unknown."""
    design = scenario.resolved.design
    kinds = [(kind.supernode, kind.supernodes) for kind in all_kinds(design)]
    sums = [_of_kind(*kind, catalog) for kind in kinds or [(design.supernode, design.pod.supernodes)]]
    mean = blended(design, all_kinds(design)).supernode
    parts = scenario.evaluation.sections.cost.capex_breakdown_usd
    figures: dict[str, Array] = {
        **{name: functools.reduce(operator.add, [one[name] for one in sums]) for name in sums[0]},
        "scale_out_per_supernode_bytes_per_s": headline.scale_out_per_supernode_bytes_per_s(
            nics=mean.scale_out_nics,
            nic_bandwidth_bytes_per_s=mean.scale_out_nic_bandwidth_bytes_per_s,
        ),
        "hardware_usd": headline.hardware_usd(**{f"{name}_usd": parts[name] for name in EQUIPMENT}),
    }
    return {name: plain_values(value, f"headline.{name}") for name, value in figures.items()}


def _of_kind(supernode: SuperNode, pods: Array, catalog: CatalogView) -> dict[str, Array]:
    """What adds up over kinds of SuperNode."""
    chip = supernode.accelerator
    count = headline.accelerators(supernodes=pods, accelerators_per_supernode=supernode.accelerators)
    nics = headline.scale_out_per_supernode_bytes_per_s(
        nics=supernode.scale_out_nics,
        nic_bandwidth_bytes_per_s=supernode.scale_out_nic_bandwidth_bytes_per_s,
    )
    return {
        "accelerators": count,
        "peak_flop_per_s": headline.peak_flop_per_s(accelerators=count, peak_flop_per_s=chip.peak_flop_per_s),
        "peak_bf16_flop_per_s": headline.peak_bf16_flop_per_s(
            accelerators=count, peak_flop_per_s=chip.peak_16_bit_flop_per_s
        ),
        "peak_fp8_flop_per_s": headline.peak_fp8_flop_per_s(
            accelerators=count, peak_flop_per_s=_peak(catalog, chip.key, "fp8")
        ),
        "peak_fp4_flop_per_s": headline.peak_fp4_flop_per_s(
            accelerators=count, peak_flop_per_s=_peak(catalog, chip.key, "fp4")
        ),
        "memory_bytes": headline.memory_bytes(accelerators=count, memory_bytes=chip.memory_bytes),
        "memory_bandwidth_bytes_per_s": headline.memory_bandwidth_bytes_per_s(
            accelerators=count, memory_bandwidth_bytes_per_s=chip.memory_bandwidth_bytes_per_s
        ),
        "scale_up_both_ways_bytes_per_s": headline.scale_up_both_ways_bytes_per_s(
            accelerators=count, scale_up_bandwidth_bytes_per_s=chip.scale_up_bandwidth_bytes_per_s
        ),
        "scale_out_bytes_per_s": headline.scale_out_bytes_per_s(
            supernodes=pods, scale_out_per_supernode_bytes_per_s=nics
        ),
        "rated_power_w": headline.rated_power_w(supernodes=pods, max_power_w=supernode.max_power_w),
    }


def _peak(catalog: CatalogView, key: str, precision: str) -> Array:
    """Dense peak of an accelerator at one precision, unknown where no one printed it."""
    try:
        fact = catalog.part("accelerators", key).facts.get(PEAKS[precision])
    except CatalogLookupError:
        fact = None
    return np.full(1, np.nan if fact is None else fact.value)


_BACKGROUND = _Background()


def _all_of(catalog: Catalog, keys: list[str], done: threading.Event) -> None:
    try:
        for key in keys:
            _whole(catalog, key)
    except Exception:
        logger.exception("the gallery could not be worked out")  # the next who asks begins again
    finally:
        done.set()


def _unknown_yet(design: ReferenceDesign) -> dict[str, Any]:
    """A design in brief whose figures are not worked out yet: what it says itself, and null for the rest."""
    document = example(design.key).read()
    return {
        "key": design.key,
        "group": design.group,
        "name": design.name,
        "description": " ".join(document.description.split()),
        "illustrative": document.illustrative,
        **dict.fromkeys(("feasible", "system", "accelerator", "rent_only", *VERDICTS)),
        "rented": dict.fromkeys(RENTED),
        "figures": dict.fromkeys(SHOWN),
    }


def _worked_out(catalog: Catalog, design: ReferenceDesign) -> dict[str, Any]:
    scenario = evaluate_example(design.key, catalog)
    evaluation = scenario.as_json | {"headline": headline_figures(scenario, catalog)}
    return {
        "key": design.key,
        "group": design.group,
        "name": design.name,
        "description": _paragraph(scenario),
        "approximation": design.approximation,
        "illustrative": scenario.document.illustrative,
        "feasible": evaluation["feasible"],
        "system": evaluation["inputs"]["supernode"]["name"],
        "accelerator": evaluation["inputs"]["accelerator"]["name"],
        "figures": {name: figure_at(evaluation, path) for name, path in SHOWN.items()},
        **_rent(evaluation),
        "published": [compared(evaluation, figure) for figure in design.figures],
        "requirements": requirements(evaluation),
        "problems": [
            problem["message"] for problem in evaluation["problems"] if problem["kind"] == "infeasible"
        ],
        "provenance": evaluation["provenance"],
    }


def _rent(evaluation: dict[str, Any]) -> dict[str, Any]:
    """Whether a design cannot be bought, and what it costs to rent then."""
    rent_only = any(problem["constraint"] == RENT_ONLY for problem in evaluation["problems"])
    found = {
        name: next((value for path in paths if (value := figure_at(evaluation, path)) is not None), None)
        for name, paths in RENTED.items()
    }
    return {"rent_only": rent_only, "rented": found if rent_only else dict.fromkeys(RENTED)}


def compared(evaluation: dict[str, Any], figure: PublishedFigure) -> dict[str, Any]:
    """A published figure beside ours.

    `verdict` is agrees within the tolerance, stated where that is an input of the design, differs as the note
    explains, or unknown where one is missing.
    """
    ours = figure_at(evaluation, figure.figure) if figure.figure else None
    ratio = ours / figure.value if ours is not None and figure.value else None
    verdict = "unknown"
    if ratio is not None:
        agreed = "stated" if figure.stated else "agrees"
        verdict = agreed if _agrees(figure, ratio) else "differs"
    return {
        "label": figure.label,
        "figure": figure.figure,
        "compare": figure.compare,
        "published": figure.value,
        "ours": ours,
        "ratio": ratio,
        "unit": figure.unit,
        "tolerance": figure.tolerance,
        "verdict": verdict,
        "source": figure.source,
        "note": figure.note,
    }


def _agrees(figure: PublishedFigure, ratio: float) -> bool:
    room = figure.tolerance + 1e-9
    if figure.compare == "at_least":
        return ratio >= 1 - room
    return ratio <= 1 + room if figure.compare == "at_most" else abs(ratio - 1) <= room


def _brief(whole: dict[str, Any]) -> dict[str, Any]:
    counts = {verdict: sum(one["verdict"] == verdict for one in whole["published"]) for verdict in VERDICTS}
    left_out = ("published", "requirements", "problems", "provenance", "approximation")
    return {name: value for name, value in whole.items() if name not in left_out} | counts


def _paragraph(scenario: EvaluatedScenario) -> str:
    return " ".join(scenario.document.description.split())
