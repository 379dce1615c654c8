"""Links between prefill and decode instances that transfers of keys and values keep busy."""

from __future__ import annotations

from app.engine.performance.search import central
from app.engine.performance.serving.kv_transfer import kv_transfer
from app.engine.performance.serving.replica_memory import replica_of
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.words import figures
from app.engine.problems import Problem
from app.engine.trace import median_of

BUSY = 0.8
"""Of the time of the links, from which a transfer waits for twice its own time."""


def transfer_problems(setting: Setting, performance: ServingPerformance) -> list[Problem]:
    """Transfers that wait for one another most of the time. By the median of the samples."""
    bare: Setting = central(setting)
    replica, asked = replica_of(performance), bare.workload.requests
    if replica.prefill is None or replica.prefill_instances is None:
        return []
    most = median_of(
        kv_transfer(
            architecture=bare.workload.architecture,
            parts=bare.parts,
            machine=bare.prefilling.machine,
            received_on=None if bare.reading is None else bare.machine,
            prefill=replica.prefill,
            prefill_instances=replica.prefill_instances,
            decode=replica.decode,
            decode_instances=replica.decode_instances,
            input_tokens=asked.input_tokens,
            cached_share=asked.cached_share,
            shared_tokens=asked.shared_prefix_tokens,
            prefill_s=performance.prefill_s,
            assumptions=bare.prefilling.assumptions,
        ).requests_per_s
    )
    answered = median_of(performance.requests_per_s) / median_of(performance.replicas)
    if not answered > BUSY * most:
        return []
    return [
        Problem(
            kind="warning",
            field="workload.layout",
            constraint="kv_transfer",
            message=f"Keys and values keep the links from prefill to decode {answered / most:.0%} busy: a group answers "
            f"{figures(answered)} requests per second and its links carry {figures(most)}. More instances of the kind with fewer "
            "accelerators, groups within one scale-up domain, faster NICs or keys and values of 8 bit would relieve them.",
            value=answered,
            limit=most,
            missed_by=answered - BUSY * most,
            unit="1/s",
        )
    ]
