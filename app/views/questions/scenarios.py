"""Scenarios of the questions: workloads as published runs have them, and a fabric that reaches every
SuperNode."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from app.catalog.view import CatalogView
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario
from app.views.serving.other_hardware import accelerators_of
from app.views.view import Resources

SEQUENCE_TOKENS, BATCH_SEQUENCES = 8_192, 2_048
"""As Llama 3.1 405B was trained for most of its run (arXiv 2407.21783, table 4)."""
USUAL_TOKENS = 15e12
"""Tokens of a run whose length is not asked for: about those of Llama 3."""
INPUT_TOKENS, OUTPUT_TOKENS = 4_096, 1_024
FORMATS = ("fp8", "int8", "bf16")
"""Of a served model: the first that the system computes in."""
PLAIN_FABRIC = {"topology": "fat_tree"}

TRAINING_WORDS = (
    f"BF16, sequences of {SEQUENCE_TOKENS:,} tokens, {BATCH_SEQUENCES:,} sequences a batch "
    f"({SEQUENCE_TOKENS * BATCH_SEQUENCES / 1e6:.3g} M tokens), as Llama 3.1 405B was trained; the fastest layout found."
)
SERVING_WORDS = (
    f"Prompts of {INPUT_TOKENS:,} and answers of {OUTPUT_TOKENS:,} tokens; SLOs hold for 95 % of the requests; the best "
    "layout found."
)


def training(model: str, tokens: float = USUAL_TOKENS) -> dict[str, Any]:
    """The training of a model."""
    return {
        "kind": "training",
        "model": model,
        "tokens": tokens,
        "sequence_length": SEQUENCE_TOKENS,
        "global_batch_sequences": BATCH_SEQUENCES,
        "precision": "bf16",
    }


def serving(
    model: str, precision: str, *, requests_per_s: float | None = None, tpot_s: float | None = None
) -> dict[str, Any]:
    """The serving of a model: of a demand, or as much as the pod can answer."""
    workload: dict[str, Any] = {
        "kind": "serving",
        "model": model,
        "precision": precision,
        "requests": {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS},
    }
    if requests_per_s is not None:
        workload["demand"] = {"requests_per_s": requests_per_s}
    if tpot_s is not None:
        workload["service_level"] = {"tpot_s": tpot_s}
    return workload


def on(
    name: str, workload: dict[str, Any], supernode: dict[str, Any], supernodes: int, **parts: Any
) -> dict[str, Any]:
    """A scenario as plain values."""
    pod = {"supernodes": supernodes}
    return {"name": name, "workload": workload, "supernode": supernode, "pod": pod, **parts}


def joined(values: dict[str, Any], resources: Resources) -> EvaluatedScenario:
    """A scenario evaluated; where the usual fabric does not reach every SuperNode, on a plain fat tree.

    Raises
    ------
    ScenarioError : it cannot be evaluated
    """
    usual = resources.evaluated(build_scenario(values))
    barriers = (problem.field or "" for problem in usual.evaluation.problems if problem.kind == "infeasible")
    if not any(field.startswith("pod.") for field in barriers):
        return usual
    other = resources.evaluated(build_scenario(values | {"pod": values["pod"] | {"fabric": PLAIN_FABRIC}}))
    return other if other.evaluation.feasible else usual


def formats_tried(values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The scenario of a served model in each format."""
    for precision in FORMATS:
        yield values | {"workload": values["workload"] | {"precision": precision}}


def served(values: dict[str, Any], resources: Resources) -> EvaluatedScenario:
    """A served model in the first format that its system computes in.

    Raises
    ------
    ScenarioError : no format is left, or something else is wrong
    """
    for tried in formats_tried(values):
        try:
            return joined(tried, resources)
        except ScenarioError as error:
            refusal = error
            if any(fault.path != "workload.precision" for fault in error.errors):
                raise
    raise refusal


def name_of(catalog: CatalogView, kind: str, key: str) -> str:
    """The name of a part; its key where the catalog has none of that key, which the evaluation refuses."""
    return catalog.part(kind, key).name if key in catalog.keys(kind) else key


def per_supernode(catalog: CatalogView, system: str) -> int:
    """Accelerators of a system; 1 where it is not published."""
    known = system in catalog.keys("systems")
    return (accelerators_of(catalog, system) if known else None) or 1


def whole_supernodes(accelerators: int, each: int) -> int:
    """SuperNodes that hold so many accelerators."""
    return max(math.ceil(accelerators / each), 1)


def count_words(supernodes: float, system: str) -> str:
    """Such as "48 x GB200 NVL72"."""
    return f"{supernodes:,.0f} \u00d7 {system}"
