"""What the SuperNode buys: a scenario over sizes of its scale-up domain, as plain JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.explore.domain_sizes import DOMAINS, DomainSize, domain_sizes
from app.engine.leaves import plain_values
from app.engine.performance.generic_exchange import PATTERNS
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.space import USUAL
from app.scenarios.document.layout import layout_document
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_kind
from app.scenarios.resolve.layout import refuse_domain_part

FACTORS = (0.5, 1.0, 2.0)


def domain_study(scenario: EvaluatedScenario, factors: tuple[float, ...] = FACTORS) -> dict[str, Any]:
    """Step time, exposed communication, share of the peak and cost by domain size and bandwidth.

    Of training the best layout at each; a generic job has none, no MFU and no tokens. Of serving the step is one
    of decode, beside the output tokens a second of the whole pod.
    """
    design = scenario.resolved.design
    one_kind(design, "A study of domain sizes")
    refuse_domain_part(scenario.document.pod, "use whole domains in a study of their sizes.")
    own = int(np.median(design.supernode.scale_up_domain_accelerators))
    sizes = sorted({*DOMAINS, own})
    return {
        "name": scenario.document.name,
        "kind": scenario.document.workload.kind,
        "accelerators": int(np.median(design.pod.accelerators_used)),
        "domain_accelerators": own,
        "scale_up_bandwidth_bytes_per_s": plain_values(
            design.supernode.accelerator.scale_up_bandwidth_bytes_per_s
        ),
        "sizes": [
            _row(one)
            for one in domain_sizes(
                design,
                USUAL,
                domains=sizes,
                bandwidth_factors=factors,
                others=scenario.resolved.others,
            )
        ],
    }


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
    }
