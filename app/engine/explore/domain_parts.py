"""The same job on fewer accelerators of each scale-up domain: which number runs it in least time."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

import numpy as np

from app.engine.design import performance_of
from app.engine.fabric.section import evaluate_fabric
from app.engine.mixed import all_kinds, blended
from app.engine.performance.section import Performance, layout_errors
from app.engine.specs import Design, TrainingWorkload

Key = TypeVar("Key", bound=Hashable)


def domain_parts(domain: int) -> list[int]:
    """All accelerators of a domain, and the largest power of two and three times a power of two below that.

    >>> domain_parts(72), domain_parts(8), domain_parts(1)
    ([72, 64, 48], [8, 6, 4], [1])
    """
    powers = [2**power for power in range(domain.bit_length())]
    fewer = [max((count for count in counts if count < domain), default=domain) for counts in
             (powers, [3 * power for power in powers])]  # fmt: skip
    return [domain, *sorted({*fewer} - {domain}, reverse=True)]


def fastest(designs: Mapping[Key, Design]) -> Key:
    """Which of some designs of one job runs it in least time; the first of equals.

    What does not fit the memory comes behind what does, and a stated layout that cannot be laid out last.
    """

    def order(key: Key) -> tuple[bool, float, float]:
        design = designs[key]
        assert isinstance(design.workload, TrainingWorkload)
        stated = design.layout
        if stated is not None and layout_errors(
            workload=design.workload,
            supernode=design.supernode,
            pod=design.pod,
            layout=stated,
            framework=design.framework,
        ):
            return (True, np.inf, np.inf)
        kinds = all_kinds(design)
        design = blended(design, kinds)
        with np.errstate(all="ignore"):
            fabric = evaluate_fabric(
                supernode=design.supernode, pod=design.pod, assumptions=design.assumptions.rooms["fabric"]
            )
            found = performance_of(design, fabric, kinds)
        assert isinstance(found, Performance)
        missing = float(np.median(found.memory_per_accelerator_bytes - found.memory_capacity_bytes))
        time = float(np.median(found.step_time_s))
        too_much = missing > 0 or not np.isfinite(time)
        return (too_much, float(np.nan_to_num(missing, nan=np.inf)) if too_much else 0.0, time)

    return min(designs, key=order)
