"""Prefill and decode on instances of their own, with keys and values sent from one to the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.performance.serving.aggregated import (
    instance_output_tokens_per_s,
    mean_tpot_s,
    mean_ttft_s,
    per_token_s,
)
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.decode import decode_step
from app.engine.performance.serving.kv_transfer import kv_transfer, transfer_wait_s
from app.engine.performance.serving.latency import Latency, Load
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.offload import with_return_s
from app.engine.performance.serving.population import bare, population
from app.engine.performance.serving.prefill import Prefill, prefill_over
from app.engine.performance.serving.served_model import ServedModel
from app.engine.performance.serving.speculation import step_tokens, tokens_gained
from app.engine.quantities import quantity
from app.engine.specs import PartPrecision, ServingLayout, Speculation
from app.engine.trace import Array, plain

_DISTSERVE = (
    "[1] Zhong et al. 2024, arXiv 2401.09670 (DistServe); [2] Qin et al. 2024, arXiv 2407.00079 (Mooncake)"
)
_FITTED = "constants fitted to measured runs"
_LITTLE = "[1] Little 1961, Operations Research 9 383-387 (L = lambda W), as a fixed point"

ALL_TAKEN = 0.999
"""Of the places that are said to be all taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What the instances of one side of a group run on."""

    machine: ServingMachine
    parts: PartPrecision
    assumptions: ServingAssumptions


@quantity(unit="s", source=_FITTED)
def prefill_only_s(*, prefill_s: Array, ratio: Array) -> Array:
    """Time of a prompt on an instance that does nothing else."""
    return prefill_s * ratio


@quantity(unit="1/s", source=_DISTSERVE)
def prefill_requests_per_s(*, instances: Array, prefill_s: Array) -> Array:
    """Requests that the prefill instances of a group can take."""
    return instances / prefill_s


@quantity(unit="1/s", source=_DISTSERVE)
def fed_requests_per_s(*, prefilled: Array, transferred: Array) -> Array:
    """Requests that decode instances of a group can be fed: as prefill takes them, and as links carry them."""
    return np.minimum(prefilled, transferred)


@quantity(unit="s", source="definition")
def transfer_part_s(*, exposed_s: Array, wait_s: Array) -> Array:
    """Keys and values on their way after the end of the prefill, with the wait for those of others."""
    return exposed_s + wait_s


@quantity(unit="s", source=_FITTED)
def group_burst_s(
    *, burst: Array, share: Array, concurrency: Array, instances: Array, prefill_s: Array
) -> Array:
    """Wait for the prefill of all that came at once."""
    return burst * share * concurrency / instances * prefill_s


@quantity(unit="s", source=_LITTLE)
def prefill_queue_s(
    *, concurrency: Array, prefill_requests_per_s: Array, output_tokens: Array, tpot_s: Array, served_s: Array
) -> Array:
    """Queue before prefill where it is what limits the group: what is left of the time a request takes."""
    return np.maximum(concurrency / prefill_requests_per_s - output_tokens * tpot_s - served_s, 0.0)


@quantity(unit="s", source=_LITTLE)
def decode_place_wait_s(
    *,
    concurrency: Array,
    requests_per_s: Array,
    output_tokens: Array,
    tpot_s: Array,
    served_s: Array,
    waited_s: Array,
    decoding: Array,
    places: Array,
) -> Array:
    """Wait for a place in the memory of a decode instance: what is left of the time that a request takes.

    Nothing where there are places left, to the exactness of those that are taken.
    """
    left = concurrency / requests_per_s - output_tokens * tpot_s - served_s - waited_s
    return np.where(decoding < ALL_TAKEN * places, 0.0, np.maximum(left, 0.0))


@quantity(unit="s", source=_FITTED)
def first_wait_s(*, burst_s: Array, queue_s: Array) -> Array:
    """Wait before prefill: sqrt(burst^2 + queue^2), nearly the longer of the two."""
    return np.sqrt(burst_s**2 + queue_s**2)


@quantity(unit="1", source=_LITTLE, leaf=True)
def decoding_sequences(
    *,
    found: Array,
    concurrency: Array,
    prefill_requests_per_s: Array,
    output_tokens: Array,
    decode_instances: Array,
) -> Array:
    """Sequences being decoded, over all decode instances of a group.

    Those that Little's law gives at the time per token of so many: requests in flight less those that wait for
    their first token, and no more than prefill and the links between can supply.
    """
    return found


@quantity(unit="1/s", source=_LITTLE)
def disaggregated_requests_per_s(*, decoding: Array, output_tokens: Array, tpot_s: Array) -> Array:
    """Requests that a group answers."""
    return decoding / (output_tokens * tpot_s)


@np.errstate(divide="ignore", invalid="ignore")  # without a link between instances nothing arrives
def disaggregated(
    *,
    model: ServedModel,
    parts: PartPrecision,
    machine: ServingMachine,
    prefill: ServingLayout,
    prefill_instances: Array,
    decode: ServingLayout,
    decode_instances: Array,
    load: Load,
    speculation: Speculation,
    batch_limit: Array,
    engine_year: Array,
    assumptions: ServingAssumptions,
    reading: Side | None = None,
) -> Latency:
    """Latencies of one group of prefill and decode instances, at a number of requests in flight on it.

    `batch_limit` is of one decode instance. Means over requests. `reading` is what prefill instances run on, where
    that is another kind of SuperNode; what a group adds to a request and what sends its keys and values is theirs.
    """
    m = model.architecture
    side = Side(machine=machine, parts=parts, assumptions=assumptions) if reading is None else reading
    a = side.assumptions
    prompt = prefill_over(
        load.classes,
        model=model,
        parts=side.parts,
        machine=side.machine,
        layout=prefill,
        input_tokens=load.input_tokens,
        cached_share=load.cached_share,
        waiting=1e9 + 0 * load.concurrency,  # prompts of a full queue share passes
        assumptions=a,
    )
    cost = prefill_only_s(prefill_s=prompt.cost_s, ratio=a.disaggregated_prefill_ratio)
    cost = with_return_s(cost, load, prefill)
    transfer = kv_transfer(
        architecture=m,
        parts=parts,
        machine=side.machine,
        received_on=None if reading is None else machine,
        prefill=prefill,
        prefill_instances=prefill_instances,
        decode=decode,
        decode_instances=decode_instances,
        input_tokens=load.input_tokens,
        cached_share=load.cached_share,
        shared_tokens=load.shared_tokens,
        prefill_s=prompt.alone_s,
        assumptions=a,
    )
    most = fed_requests_per_s(
        prefilled=prefill_requests_per_s(instances=prefill_instances, prefill_s=cost),
        transferred=transfer.requests_per_s,
    )
    served = a.disaggregated_overhead_s + prompt.alone_s + transfer.exposed_s
    served = sum((load.returned_s | prompt.before_s).values(), start=served)
    stepped: dict[str, Any] = {
        "model": model,
        "parts": parts,
        "machine": machine,
        "layout": decode,
        "context_tokens": load.context_tokens,
        "step_tokens": step_tokens(speculation),
        "speculation": speculation,
        "engine_year": engine_year,
        "assumptions": assumptions,
    }
    share = tokens_gained(speculation)
    decoding = decoding_sequences(
        found=population(
            {name: bare(value) for name, value in stepped.items()},
            load=bare(load),
            served_s=plain(served),
            most_per_s=plain(most),
            transfer=bare(transfer),
            instances=plain(decode_instances),
            limit=plain(batch_limit),
            share=plain(share),
        ),
        concurrency=load.concurrency,
        prefill_requests_per_s=most,
        output_tokens=load.output_tokens,
        decode_instances=decode_instances,
    )
    step = decode_step(sequences=decoding / decode_instances, **stepped)
    tpot_parts = {
        name: per_token_s(step_part_s=part, tokens_per_step=share) for name, part in step.parts_s.items()
    }
    tpot = mean_tpot_s(parts_s=tuple(tpot_parts.values()))
    rate = disaggregated_requests_per_s(decoding=decoding, output_tokens=load.output_tokens, tpot_s=tpot)
    wait = transfer_wait_s(
        requests_per_s=rate,
        requests_per_s_limit=transfer.requests_per_s,
        concurrency=load.concurrency,
        transfer_s=transfer.whole_s,
    )
    ttft_parts = _first_token(
        load,
        prompt,
        cost,
        most,
        rate,
        transfer_part_s(exposed_s=transfer.exposed_s, wait_s=wait),
        tpot,
        served + wait,
        prefill_instances,
        a,
        m.layers,
        decoding,
        batch_limit * decode_instances,
    )
    return Latency(
        ttft_s=mean_ttft_s(parts_s=tuple(ttft_parts.values())),
        tpot_s=tpot,
        ttft_parts_s=ttft_parts,
        tpot_parts_s=tpot_parts,
        decode_step_s=step.step_s,
        prefill_s=prompt.alone_s,
        prefill_cost_s=cost,
        running=decoding,
        requests_per_s=rate,
        output_tokens_per_s=instance_output_tokens_per_s(
            requests_per_s=rate, output_tokens=load.output_tokens
        ),
    )


def _first_token(
    load: Load,
    prompt: Prefill,
    cost: Array,
    most: Array,
    rate: Array,
    transfer: Array,
    tpot: Array,
    served: Array,
    instances: Array,
    a: ServingAssumptions,
    layers: Array,
    decoding: Array,
    places: Array,
) -> dict[str, Array]:
    wait = first_wait_s(
        burst_s=group_burst_s(
            burst=load.burst,
            share=a.disaggregated_burst,
            concurrency=load.concurrency,
            instances=instances,
            prefill_s=cost,
        ),
        queue_s=prefill_queue_s(
            concurrency=load.concurrency,
            prefill_requests_per_s=most,
            output_tokens=load.output_tokens,
            tpot_s=tpot,
            served_s=served,
        ),
    )
    return {
        "overhead": 1 * a.disaggregated_overhead_s + 0 * layers,
        **load.returned_s,
        **prompt.before_s,
        "prefill": prompt.alone_s,
        "kv_transfer": transfer,
        "prefill_wait": wait,
        "place_wait": decode_place_wait_s(
            concurrency=load.concurrency,
            requests_per_s=rate,
            output_tokens=load.output_tokens,
            tpot_s=tpot,
            served_s=served,
            waited_s=wait,
            decoding=decoding,
            places=places,
        ),
    }
