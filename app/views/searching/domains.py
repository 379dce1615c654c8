"""Effect of scale-up domain size: a scenario over sizes of its scale-up domain, as plain JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.explore.domain_sizes import DOMAINS, DomainSize, domain_sizes
from app.engine.leaves import plain_values
from app.engine.performance.generic_exchange import PATTERNS
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.space import USUAL
from app.engine.specs import Design
from app.scenarios.document.layout import layout_document
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_kind
from app.scenarios.resolve import resolve
from app.scenarios.resolve.layout import refuse_domain_part
from app.views.fabric.sized_document import document_of_size, is_sized_by_parts

FACTORS = (0.5, 1.0, 2.0)


def domain_study(
    scenario: EvaluatedScenario, catalog: CatalogView, factors: tuple[float, ...] = FACTORS
) -> dict[str, Any]:
    """Step time, exposed communication, share of the peak, cost and power by domain size and bandwidth.

    SuperNodes of a catalog system are sized by their parts: as many accelerators in all, in SuperNodes of each size.
    Of one that the scenario describes itself only the domain changes. Sizes that its links cannot join say so.

    Of training the best layout at each; a generic job has none, no MFU and no tokens. Of serving the step is one
    of decode, beside the output tokens per second of the whole pod at its full rate, with the layout found at
    each size.
    """
    design = scenario.resolved.design
    one_kind(design, "A study of domain sizes")
    refuse_domain_part(scenario.document.pod, "use whole domains in a study of their sizes.")
    own = int(np.median(design.supernode.scale_up_domain_accelerators))
    used = int(np.median(design.pod.accelerators_used))
    sizes = [size for size in sorted({*DOMAINS, own}) if size <= max(used, own)]
    by_parts = is_sized_by_parts(scenario.document)
    sized: dict[int, tuple[Design, ...]] = {}
    refused: dict[int, str] = {}
    for size in sizes if by_parts else ():
        try:
            sized[size] = _of_size(scenario, catalog, size, own)
        except ScenarioError as error:
            refused[size] = error.errors[0].message
    found = domain_sizes(
        design,
        USUAL,
        domains=[size for size in sizes if size not in refused],
        bandwidth_factors=factors,
        others=scenario.resolved.others,
        sized=sized,
    )
    return {
        "name": scenario.document.name,
        "kind": scenario.document.workload.kind,
        "accelerators": used,
        "domain_accelerators": own,
        "scale_up_bandwidth_bytes_per_s": plain_values(
            design.supernode.accelerator.scale_up_bandwidth_bytes_per_s
        ),
        "sized_by_parts": by_parts,
        "sizes": [_row(one) for one in found],
        "refused": [{"domain_accelerators": size, "reason": reason} for size, reason in refused.items()],
    }


def _of_size(scenario: EvaluatedScenario, catalog: CatalogView, size: int, own: int) -> tuple[Design, ...]:
    """The design, and the same under other frameworks, with as many accelerators in SuperNodes of a size.

    Raises
    ------
    ScenarioError : the links of the system cannot join so many
    """
    resolved = scenario.resolved
    if size == own and scenario.document.workload.kind != "serving":
        return (resolved.design, *resolved.others)
    pod = resolved.design.pod
    bought = int(np.median(pod.supernodes * resolved.design.supernode.accelerators))
    used = int(np.median(pod.accelerators_used))
    found = resolve(document_of_size(scenario.document, size, bought=bought, used=used), catalog)
    return (found.design, *found.others)


def _row(one: DomainSize) -> dict[str, Any]:
    sections = one.evaluation.sections
    performance = plain_values(sections.performance, "performance")
    served = isinstance(sections.performance, ServingPerformance)
    return {
        "domain_accelerators": one.domain_accelerators,
        "bandwidth_factor": one.bandwidth_factor,
        "feasible": one.layout_found,
        "parallelism": layout_document(performance["strategy"]),
        "step_time_s": performance["step_time_s"],
        "exposed_exchange_s": plain_values(np.array([one.exposed_exchange_s])),
        "exposed_by_pattern_s": {
            name: seconds for name, seconds in performance["time_breakdown_s"].items() if name in PATTERNS
        },
        "mfu": performance["mfu"],
        "fraction_of_peak": performance.get("fraction_of_peak"),
        "elapsed_time_s": performance["elapsed_time_s"],
        "output_tokens_per_s": performance["tokens_per_s"] if served else None,
        "usd_per_million_output_tokens": plain_values(sections.cost.usd_per_million_output_tokens),
        "usd_per_million_tokens": plain_values(sections.cost.usd_per_million_tokens),
        "usd_per_run": plain_values(sections.cost.usd_per_run),
        "capex_usd": plain_values(sections.cost.capex_usd),
        "it_power_mean_w": plain_values(sections.power.it_power_mean_w),
        "ettr": plain_values(sections.reliability.ettr),
    }
