"""Effect of the scale-up domain size: the same job on as many accelerators, joined into other scale-up domains."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Generic, TypeVar

import numpy as np

from app.engine.design import Speed, evaluate, speed_of
from app.engine.evaluation import AnyPerformance, Evaluation
from app.engine.explore.layout_search import search_layouts
from app.engine.fabric.section import Fabric
from app.engine.performance.generic_exchange import PATTERNS
from app.engine.performance.section import Performance, layout_errors
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.space import Space
from app.engine.specs import Design, TrainingWorkload

DOMAINS = (1, 4, 8, 16, 32, 64, 72, 128, 256, 384, 576)
EXCHANGE = ("tp", "cp", "ep", "pp_transfer", "dp", "expert_exchange", *PATTERNS)
SERVING_EXCHANGE = ("all_reduce", "expert_exchange")


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainSize:
    """One size and bandwidth of the scale-up domain, with the best layout of the space."""

    domain_accelerators: int
    bandwidth_factor: float
    evaluation: Evaluation
    layout_found: bool

    @property
    def exposed_exchange_s(self) -> float:
        """Communication of a step that nothing hides [s]."""
        return exposed_exchange_s(self.evaluation.sections.performance)


def exposed_exchange_s(performance: AnyPerformance) -> float:
    """Communication of a step that nothing hides [s], of the median sample."""
    parts = performance.time_breakdown_s
    if isinstance(performance, ServingPerformance):  # its parts are of a token, some of a step
        if performance.tpot_s is None:  # no token is exchanged for
            return 0.0
        share = sum(np.median(parts[name]) for name in SERVING_EXCHANGE if name in parts) / np.median(
            performance.tpot_s
        )
        return float(share * np.median(performance.step_time_s))
    return float(sum(np.median(parts[name]) for name in EXCHANGE if name in parts))


def domain_sizes(
    design: Design,
    space: Space,
    *,
    domains: Sequence[int] = DOMAINS,
    bandwidth_factors: Sequence[float] = (1.0,),
    others: Sequence[Design] = (),
    sized: Mapping[int, Sequence[Design]] | None = None,
) -> list[DomainSize]:
    """Evaluate a design over sizes of its scale-up domain and multiples of its scale-up bandwidth.

    Parameters
    ----------
    design : of the job and its pod
    space : layouts to choose from
    domains : accelerators of a domain; those larger than the job are left out where no design of them is given [1]
    bandwidth_factors : of the scale-up bandwidth [1]
    others : the same design under other frameworks: each size has the best layout of all
    sized : the design and its others with SuperNodes of each size; of a size that is not there only the domain
        changes, while accelerators, NICs, power and price stay those of the design
    """
    used = float(np.median(design.pod.accelerators_used))
    known = sized or {}
    return [
        _domain_size(known.get(size) or _joined(size, (design, *others)), space, size, factor)
        for factor in bandwidth_factors
        for size in domains
        if size <= used or size in known
    ]


def _joined(size: int, designs: Sequence[Design]) -> list[Design]:
    """Designs whose accelerators are joined into domains of a size, without a description of the links."""
    domain = np.full(1, float(size))
    supernodes = [
        replace(one.supernode, scale_up_domain_accelerators=domain, scale_up=None) for one in designs
    ]
    return [replace(one, supernode=supernode) for one, supernode in zip(designs, supernodes, strict=True)]


def _domain_size(designs: Sequence[Design], space: Space, size: int, factor: float) -> DomainSize:
    joined, *beside = (replace(_faster(one, factor), layout=None) for one in designs)
    # A generic job has no layout, and a pod that serves finds its own: the domain holds what fits.
    if not isinstance(joined.workload, TrainingWorkload):
        return DomainSize(
            domain_accelerators=size,
            bandwidth_factor=factor,
            evaluation=(evaluation := evaluate(joined)),
            layout_found=evaluation.feasible,
        )
    found = search_layouts(joined, space, beside)
    chosen = next(iter(found.designs_at(found.best(1))), joined)
    return DomainSize(
        domain_accelerators=size,
        bandwidth_factor=factor,
        evaluation=evaluate(chosen),
        layout_found=bool(found.fastest.size),
    )


def _faster(design: Design, factor: float) -> Design:
    """A design with a multiple of its scale-up bandwidth, without a description of the links."""
    if factor == 1:
        return design
    chip = design.supernode.accelerator
    faster = replace(
        chip,
        scale_up_bandwidth_bytes_per_s=chip.scale_up_bandwidth_bytes_per_s * factor,
        scale_up_pair_bandwidth_bytes_per_s=chip.scale_up_pair_bandwidth_bytes_per_s * factor,
    )
    return replace(design, supernode=replace(design.supernode, accelerator=faster, scale_up=None))


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
