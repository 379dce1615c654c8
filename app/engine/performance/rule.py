"""What a rule of layouts is, what it sees of a layout and its job, and the words of its advice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.engine.specs import Layout, Pod, TrainingWorkload
from app.engine.trace import Array, median_of

Holds = Any  # bools, of the shape that the layouts make together


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Layouts, and the job that they are of. Arrays that broadcast together; numbers where there is one layout."""

    tensor_parallel: Any
    pipeline_parallel: Any
    context_parallel: Any
    expert_parallel: Any
    expert_tensor_ranks: Any
    virtual_stages: Any
    micro_batch: Any
    zero_stage: Any
    sequence_parallel: Any
    recompute: Any
    selective_recompute: Any
    shard_ranks: Any
    optimizer_offload: Any
    activation_offload: Any
    offload_tier: Any
    schedule: Any
    context_exchange: Any
    layers: float
    heads: float
    kv_heads: float
    experts: float
    expert_hidden: float
    sequence: float
    batch: float
    used: float
    precision: str

    @property
    def group(self) -> Any:
        """Accelerators that share one copy of the model."""
        return self.tensor_parallel * self.pipeline_parallel * self.context_parallel

    @property
    def data_parallel(self) -> Any:
        return self.used / self.group

    @property
    def replicas(self) -> Any:
        """Ranks that have the same weights."""
        return self.data_parallel * self.context_parallel

    @property
    def micro_batches(self) -> Any:
        """Of a replica and step, the last one padded where it is not full."""
        return np.ceil(np.ceil(self.batch / self.data_parallel) / self.micro_batch)


LAYOUT_FIELDS = tuple(one.name for one in fields(Asked) if one.name in {own.name for own in fields(Layout)})
"""What of a layout the rules look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`by_degrees` holds or not for all choices of a way to split the job alike."""

    name: str
    field: str  # of the scenario
    holds: Callable[[Asked], Holds]
    says: Callable[[Asked], str]  # what is wrong, the limit and a way out
    by_degrees: bool = True


def job_numbers(workload: TrainingWorkload, accelerators_used: Array) -> dict[str, Any]:
    """What the rules look at of a job, as bare numbers of the median sample: the further fields of `Asked`."""
    m = workload.architecture
    heads = median_of(m.heads)
    return {
        "layers": median_of(m.layers),
        "heads": heads,
        "kv_heads": median_of(m.kv_heads) if m.attention != "mla" else heads,
        "experts": median_of(m.experts),
        "expert_hidden": median_of(m.expert_hidden),
        "sequence": median_of(workload.sequence_length),
        "batch": median_of(workload.global_batch_sequences),
        "used": median_of(accelerators_used),
        "precision": workload.precision,
    }


def asked_of(workload: TrainingWorkload, pod: Pod, layout: Layout) -> Asked:
    """One layout, every number of it bare."""
    numbers: dict[str, Any] = {name: median_of(getattr(layout, name)) for name in LAYOUT_FIELDS}
    return Asked(**numbers, **job_numbers(workload, pod.accelerators_used))


def runs(layouts: Asked, rules: tuple[Rule, ...]) -> NDArray[np.bool_]:
    """Which layouts break none of some rules."""
    found: NDArray[np.bool_] = np.ones(1, dtype=bool)
    for rule in rules:
        found = found & rule.holds(layouts)
    return found


def one_of(value: Any, allowed: Iterable[float]) -> Holds:
    """Which values are among a few numbers; `np.isin` takes 20 times as long for one value."""
    return reduce(or_, (value == number for number in allowed), np.False_)


# -- words of advice --------------------------------------------------------------------------------------------------


def formatted(value: float) -> str:
    """A number in a sentence: 1,024 or 0.5."""
    return f"{value:,.0f}" if value == np.floor(value) else f"{value:g}"


def nearest(value: float, number: float) -> str:
    """The divisors of `number` next to `value`, as advice."""
    numbers = np.arange(1, min(int(number), 100_000) + 1)
    divisors = numbers[int(number) % numbers == 0]
    below, above = divisors[divisors < value], divisors[divisors > value]
    return choices([*below[-1:], *above[:1]])


def multiples(value: float, unit: float) -> str:
    """The multiples of `unit` next to `value`, as advice."""
    below = np.floor(value / unit) * unit
    return choices([count for count in (below, below + unit) if count > 0])


def listed(words: tuple[object, ...]) -> str:
    """As a list in a sentence: 0, 1 and 3."""
    texts = [str(word) for word in words]
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def choices(near: list[float]) -> str:
    """Numbers as advice."""
    texts = [formatted(float(choice)) for choice in near]
    return f"Nearest choice{'s' if len(texts) > 1 else ''}: {' and '.join(texts)}."
