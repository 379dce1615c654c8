"""Which layouts are possible at all: the rules, said in the scenario's field names.

A layout that breaks one is bad input; whether a possible layout fits the memory is another question.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.context_exchange import CONTEXT_EXCHANGES, ULYSSES
from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.schedules import SCHEDULES, possible_schedules
from app.engine.specs import Layout, Pod, SuperNode, TrainingWorkload
from app.engine.trace import plain

_FIELDS = {
    "tensor_parallel": "tp",
    "pipeline_parallel": "pp",
    "context_parallel": "cp",
    "expert_parallel": "ep",
    "virtual_stages": "vpp",
    "micro_batch": "micro_batch",
}


def layout_errors(
    *, workload: TrainingWorkload, supernode: SuperNode, pod: Pod, layout: Layout
) -> list[tuple[str, str]]:
    """What is impossible about a layout: (scenario field, message) pairs, empty when it can run.

    A message says what is wrong and ends in a way out.
    """
    m = workload.architecture
    size = {name: _whole(getattr(layout, name)) for name in _FIELDS}
    errors = [
        (f"parallelism.{_FIELDS[name]}", f"{_FIELDS[name]} is {_said(value)}. Give a whole number from 1 up.")
        for name, value in size.items()
        if value < 1 or value != np.floor(value)
    ]
    errors += _range_errors(layout)
    if errors:
        return errors
    tp, pp, cp, ep = (size[name] for name in list(_FIELDS)[:4])
    sequence = _whole(workload.sequence_length)
    errors += _tensor_errors(workload, tp)
    errors += _pipeline_errors(_whole(m.layers), pp, size["virtual_stages"])
    if sequence % cp:
        message = f"cp {_said(cp)} does not divide the sequence of {_said(sequence)} tokens. {_nearest(cp, sequence)}"
        errors.append(("parallelism.cp", message))
    errors += _context_errors(workload, layout, cp, tp)
    errors += _shard_errors(_whole(layout.shard_ranks), _whole(pod.accelerators_used) / (tp * pp))
    errors += _expert_errors(ep, _whole(m.experts))
    etp = _whole(layout.expert_tensor_ranks)
    errors += _split_expert_errors(etp, _whole(m.expert_hidden), _whole(m.experts))
    if errors:  # what follows from a wrong degree is no fault of its own
        return errors
    group, used = tp * pp * cp, _whole(pod.accelerators_used)
    if used % group:
        message = (
            f"tp {_said(tp)} x pp {_said(pp)} x cp {_said(cp)} = {_said(group)} does not divide the "
            f"{_said(used)} accelerators used. {_nearest(group, used)}"
        )
        return [("parallelism.pp", message)]
    errors = _batch_errors(workload, used / group, tp * cp, ep * max(etp, 1))
    return errors or _schedule_errors(layout, np.ceil(_whole(workload.global_batch_sequences) * group / used))


def _range_errors(layout: Layout) -> list[tuple[str, str]]:
    errors = []
    zero, recompute = _whole(layout.zero_stage), _whole(layout.recompute)
    if zero not in (0, 1, 2, 3):
        errors.append(("parallelism.zero_stage", f"zero_stage is {_said(zero)}. Choose 0, 1, 2 or 3."))
    if not 0 <= recompute <= 1 or _whole(layout.selective_recompute) not in (0, 1):
        errors.append(
            (
                "parallelism.recompute",
                f"recompute is {_said(recompute)}. Choose none, selective, full, or a share from 0 to 1.",
            )
        )
    if _whole(layout.context_exchange) not in CONTEXT_EXCHANGES:
        words = ", ".join(CONTEXT_EXCHANGES.values())
        errors.append(
            ("parallelism.context", f"context is {_said(_whole(layout.context_exchange))}. Choose {words}.")
        )
    if _whole(layout.schedule) not in SCHEDULES:
        keys = ", ".join(schedule.key for schedule in SCHEDULES.values())
        errors.append(
            ("parallelism.schedule", f"schedule is {_said(_whole(layout.schedule))}. Choose {keys}.")
        )
    if _whole(layout.offload_tier) not in TIERS:
        message = f"offload_to is {_said(_whole(layout.offload_tier))}. Choose host, peer or nvme."
        errors.append(("parallelism.offload_to", message))
    if _whole(layout.sequence_parallel) not in (0, 1):
        errors.append(
            (
                "parallelism.sequence_parallel",
                f"sequence_parallel is {_said(_whole(layout.sequence_parallel))}. Choose true or false.",
            )
        )
    return errors


def _tensor_errors(workload: TrainingWorkload, tp: float) -> list[tuple[str, str]]:
    m = workload.architecture
    heads = _whole(m.heads)
    kv_heads = _whole(m.kv_heads) if m.attention != "mla" else heads
    if heads % tp:
        message = f"tp {_said(tp)} does not divide the {_said(heads)} heads. {_nearest(tp, heads)}"
        return [("parallelism.tp", message)]
    if kv_heads and kv_heads % tp and tp % kv_heads:
        message = (
            f"tp {_said(tp)} neither divides the {_said(kv_heads)} key-value heads nor is a multiple of them. "
            f"{_nearest(tp, kv_heads)}"
        )
        return [("parallelism.tp", message)]
    return []


def _pipeline_errors(layers: float, pp: float, vpp: float) -> list[tuple[str, str]]:
    errors = []
    if pp > layers:
        message = (
            f"pp {_said(pp)} is more than the {_said(layers)} layers. Choose pp {_said(layers)} or less."
        )
        errors.append(("parallelism.pp", message))
    # The embedding and the head may stand as chunks of their own: Meta ran 126 layers on 16 x 8 chunks.
    elif vpp * pp > layers + 2:
        message = (
            f"vpp {_said(vpp)} x pp {_said(pp)} is more than the {_said(layers)} layers with embedding and "
            f"head. Choose vpp {_said(np.floor((layers + 2) / pp))} or less."
        )
        errors.append(("parallelism.vpp", message))
    if vpp > 1 and pp == 1:
        message = f"vpp {_said(vpp)} needs a pipeline and pp is 1. Set vpp 1, or pp above 1."
        errors.append(("parallelism.vpp", message))
    return errors


def _context_errors(
    workload: TrainingWorkload, layout: Layout, cp: float, tp: float
) -> list[tuple[str, str]]:
    heads = _whole(workload.architecture.heads) / tp
    if _whole(layout.context_exchange) == ULYSSES and heads % cp:
        message = (
            f"context ulysses moves whole heads, and cp {_said(cp)} does not divide the {_said(heads)} heads of a "
            f"tensor-parallel rank. {_nearest(cp, heads)} Or set context ring."
        )
        return [("parallelism.context", message)]
    return []


def _shard_errors(shard_ranks: float, replicas: float) -> list[tuple[str, str]]:
    if shard_ranks < 0 or shard_ranks != np.floor(shard_ranks):
        message = f"shard_group is {_said(shard_ranks)}. Give all, or a whole number from 1 up."
        return [("parallelism.shard_group", message)]
    if shard_ranks and replicas == np.floor(replicas) and replicas % shard_ranks:
        message = (
            f"shard_group {_said(shard_ranks)} does not divide the {_said(replicas)} replicas. "
            f"{_nearest(shard_ranks, replicas)}"
        )
        return [("parallelism.shard_group", message)]
    return []


def _schedule_errors(layout: Layout, replica_sequences: float) -> list[tuple[str, str]]:
    schedule = SCHEDULES[_whole(layout.schedule)]
    possible = possible_schedules(
        pipeline_parallel=np.full(1, _whole(layout.pipeline_parallel)),
        virtual_stages=np.full(1, _whole(layout.virtual_stages)),
        expert_parallel=np.full(1, _whole(layout.expert_parallel)),
        micro_batches=np.ceil(np.full(1, replica_sequences) / _whole(layout.micro_batch)),
    )
    if possible[list(SCHEDULES).index(_whole(layout.schedule)), 0]:
        return []
    message = f"schedule {schedule.key} needs {schedule.needs}. Change that, or set schedule 1f1b."
    return [("parallelism.schedule", message)]


def _expert_errors(ep: float, experts: float) -> list[tuple[str, str]]:
    if ep > 1 and not experts:
        return [("parallelism.ep", f"ep {_said(ep)} is for a model without experts. Set ep 1.")]
    if experts and experts % ep:
        message = f"ep {_said(ep)} does not divide the {_said(experts)} experts. {_nearest(ep, experts)}"
        return [("parallelism.ep", message)]
    return []


def _split_expert_errors(etp: float, width: float, experts: float) -> list[tuple[str, str]]:
    if etp < 0 or etp != np.floor(etp):
        return [("parallelism.etp", f"etp is {_said(etp)}. Give auto, or a whole number from 1 up.")]
    if etp > 1 and not experts:
        return [("parallelism.etp", f"etp {_said(etp)} is for a model without experts. Set etp auto.")]
    if etp > 1 and width % etp:
        message = f"etp {_said(etp)} does not divide the {_said(width)} columns of an expert. {_nearest(etp, width)}"
        return [("parallelism.etp", message)]
    return []


def _batch_errors(
    workload: TrainingWorkload, replicas: float, inner: float, ep: float
) -> list[tuple[str, str]]:
    errors = []
    batch = _whole(workload.global_batch_sequences)
    if batch < replicas:  # what does not divide is padded, but no replica computes padding alone
        message = (
            f"{_said(batch)} sequences a step leave some of {_said(replicas)} data-parallel replicas without "
            f"any. {_choices([replicas])}"
        )
        errors.append(("workload.global_batch_sequences", message))
    if ep > 1 and (replicas * inner) % ep:
        message = (
            f"ep x etp {_said(ep)} does not divide the {_said(replicas * inner)} ranks of a pipeline stage. "
            f"{_nearest(ep, replicas * inner)}"
        )
        errors.append(("parallelism.ep", message))
    return errors


def _whole(value: object) -> float:
    return float(np.median(np.asarray(plain(value), dtype=float)))


def _said(value: float) -> str:
    return f"{value:,.0f}" if value == np.floor(value) else f"{value:g}"


def _nearest(value: float, whole: float) -> str:
    """The divisors of `whole` next to `value`, as advice."""
    numbers = np.arange(1, min(int(whole), 100_000) + 1)
    divisors = numbers[int(whole) % numbers == 0]
    below, above = divisors[divisors < value], divisors[divisors > value]
    return _choices([*below[-1:], *above[:1]])


def _choices(near: list[float]) -> str:
    said = [_said(float(choice)) for choice in near]
    return f"Nearest choice{'s' if len(said) > 1 else ''}: {' and '.join(said)}."
