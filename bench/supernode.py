"""How quick the curve of SuperNode sizes is: forty sizes of a training job, and those that are usual of a served model."""

from __future__ import annotations

from collections.abc import Iterator

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.examples import example
from app.views.fabric.supernode_sizes import SERVING_SIZES, SuperNodeSizesOptions, supernode_sizes
from bench.timing import Measurement, timed

TRAINED, SERVED_MODEL = "llama_3_1_405b_on_gb200_nvl72", "deepseek_r1_on_gb200_nvl72"
FORTY = (
    *(2, 4, 6, 8, 10, 12, 16, 18, 20, 24, 28, 32, 36, 40, 48, 54, 56, 60, 64, 72),
    *(80, 96, 108, 112, 120, 128, 144, 160, 180, 192, 216, 240, 256, 288, 320, 384, 432, 512, 576, 1152),
)
AIM_S = 0.3


def supernode_measurements() -> Iterator[Measurement]:
    """After one run each, as the studio asks again with every change."""
    catalog = ready_catalog()
    for name, sizes, runs in ((TRAINED, FORTY, 5), (SERVED_MODEL, SERVING_SIZES, 1)):
        scenario = evaluate_scenario(example(name).read(), catalog)
        options = SuperNodeSizesOptions(sizes=sizes)
        kind = scenario.document.workload.kind
        supernode_sizes(scenario, catalog, options)
        yield timed(
            f"{len(sizes)} SuperNode sizes, {kind}",
            lambda scenario=scenario, options=options: supernode_sizes(scenario, catalog, options),  # type: ignore[misc]
            runs=runs,
            unit="s",
            aim=AIM_S,
        )
