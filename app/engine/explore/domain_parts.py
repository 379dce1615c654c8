"""The same job on fewer accelerators of each scale-up domain: which number runs it in least time."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, fields
from typing import Generic, TypeVar

import numpy as np

from app.engine.design import Speed, speed_of
from app.engine.fabric.section import Fabric
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


@dataclass(frozen=True, slots=True)
class Fastest(Generic[Key]):
    """Which of some designs runs its job in least time, and its speed; None where its layout cannot be laid out."""

    key: Key
    speed: Speed | None


def fastest(
    designs: Mapping[Key, Design],
    speed: Callable[[Design, Fabric | None], Speed] = speed_of,
    *,
    laid_out: bool = False,
) -> Fastest[Key]:
    """Which of some designs of one job runs it in least time; the first of equals.

    What does not fit the memory comes behind what does, and a stated layout that cannot be laid out last. `speed`
    gives that of a design, whose fabric may be known; `laid_out` says that every stated layout was found possible.
    """
    speeds: dict[Key, Speed] = {}

    def order(key: Key) -> tuple[bool, float, float]:
        design = designs[key]
        assert isinstance(design.workload, TrainingWorkload)
        stated = design.layout
        if not (stated is None or laid_out) and layout_errors(
            workload=design.workload,
            supernode=design.supernode,
            pod=design.pod,
            layout=stated,
            framework=design.framework,
        ):
            return (True, np.inf, np.inf)
        known = next((one.fabric for one in speeds.values() if _same_fabric(one.design, design)), None)
        with np.errstate(all="ignore"):
            found = speeds.setdefault(key, speed(design, known)).performance
        assert isinstance(found, Performance)
        missing = float(np.median(found.memory_per_accelerator_bytes - found.memory_capacity_bytes))
        time = float(np.median(found.step_time_s))
        too_much = missing > 0 or not np.isfinite(time)
        return (too_much, float(np.nan_to_num(missing, nan=np.inf)) if too_much else 0.0, time)

    best = min(designs, key=order)
    return Fastest(best, speeds.get(best))


def _same_fabric(one: Design, other: Design) -> bool:
    """Return whether two designs have the same pod of the same SuperNodes, and the same assumptions of its fabric."""
    if one.kinds or other.kinds or one.supernode is not other.supernode or one.pod is not other.pod:
        return False
    first, second = one.assumptions.rooms["fabric"], other.assumptions.rooms["fabric"]
    return first is second or all(
        np.array_equal(getattr(first, name.name), getattr(second, name.name), equal_nan=True)
        for name in fields(first)
    )
