"""Latencies that users see of one replica: means corrected by own measurements, their spread, and percentiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.performance.serving import figures
from app.engine.performance.serving.latency import RETURN, Latency
from app.engine.performance.serving.percentiles import (
    corrected_spread_s,
    end_to_end_s,
    end_to_end_spread_s,
    fixed_end_to_end_s,
    fixed_tpot_s,
    fixed_ttft_s,
    prefills_met,
    tpot_of_requests_s,
    tpot_spread_s,
    ttft_spread_s,
    within_promise_share,
)
from app.engine.performance.serving.queueing import MOST_UTILISED, burst_spread_s, wave_spread_s
from app.engine.performance.serving.setting import Setting
from app.engine.performance.serving.slo import pod_tpot_s, pod_ttft_s
from app.engine.quantities import alias
from app.engine.trace import Array, plain

WAITS, BURST, PLACE = ("prefill_wait", "decode_wait"), ("burst_wait",), ("place_wait",)
"""Parts of the time to first token: waits for others at random times, for all that started at once, and in a line."""

OVERHEAD = "overhead"
"""The part of the time to first token that is the same for all requests."""
INTERFERENCE = "prefill_interference"
"""The part of the time per output token in which prompts of other requests are prefilled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Of one replica. Spreads are standard deviations between requests; what is fixed is the same for all."""

    ttft_s: Array
    tpot_s: Array
    end_to_end_s: Array
    ttft_breakdown_s: dict[str, Array]
    tpot_breakdown_s: dict[str, Array]
    ttft_spread_s: Array
    tpot_spread_s: Array
    tpot_of_requests_s: Array  # mean over requests, which percentiles are of; the other means are over tokens
    end_to_end_spread_s: Array
    ttft_fixed_s: Array
    tpot_fixed_s: Array
    end_to_end_fixed_s: Array
    requests_per_s: Array
    busy: dict[str, Array]  # utilisation of what random arrivals queue for, by name
    margin: Array  # by which percentiles are kept below a promise


def answers_of(setting: Setting, latency: Latency) -> Answers:
    """What users see of a replica with these latencies."""
    asked, w = setting.workload.requests, setting.workload
    if latency.reuse is not None:
        asked = latency.reuse.requests
    longer_ttft = figures.ttft_calibration_s(
        predicted_s=latency.ttft_s, measured_over_predicted=w.measured_over_predicted_ttft
    )
    longer_tpot = figures.tpot_calibration_s(
        predicted_s=latency.tpot_s, measured_over_predicted=w.measured_over_predicted_tpot
    )
    ttft = figures.time_to_first_token_s(predicted_s=latency.ttft_s, calibration_s=longer_ttft)
    tpot = figures.time_per_output_token_s(predicted_s=latency.tpot_s, calibration_s=longer_tpot)
    whole = end_to_end_s(ttft_s=ttft, tpot_s=tpot, output_tokens=asked.output_tokens)
    rate = figures.replica_requests_per_s(
        predicted_requests_per_s=latency.requests_per_s,
        predicted_end_to_end_s=end_to_end_s(
            ttft_s=latency.ttft_s, tpot_s=latency.tpot_s, output_tokens=asked.output_tokens
        ),
        end_to_end_s=whole,
    )
    varied = latency.spreads
    first = corrected_spread_s(
        measured_over_predicted=w.measured_over_predicted_ttft,
        predicted_s=varied.ttft_s
        if varied is not None
        else ttft_spread_s(
            prefill_s=sum(_parts(latency.ttft_parts_s, (RETURN,)), start=latency.prefill_s),
            prefill_variation=asked.input_variation,
            waits_spread_s=(
                figures.random_wait_spread_s(waits_s=_parts(latency.ttft_parts_s, WAITS)),
                wave_spread_s(span_s=figures.line_span_s(waits_s=_parts(latency.ttft_parts_s, PLACE))),
                burst_spread_s(wait_s=_parts(latency.ttft_parts_s, BURST)[-1], waves=w.arrivals.waves),
                latency.queue_spread_s,
            ),
        ),
    )
    interference = latency.tpot_parts_s.get(INTERFERENCE, np.zeros(1))
    between = tpot_spread_s(
        interference_s=interference,
        prefills_met=prefills_met(requests_per_s=rate, tpot_s=tpot, output_tokens=asked.output_tokens),
        prefill_variation=asked.input_variation,
    )
    longer = {"measured_over_predicted": w.measured_over_predicted_tpot}
    pace = corrected_spread_s(predicted_s=between if varied is None else varied.tpot_s, **longer)
    mean_answer = corrected_spread_s(
        predicted_s=between if varied is None else varied.mean_answer_s, **longer
    )
    first_fixed = fixed_ttft_s(
        overhead_s=latency.ttft_parts_s.get(OVERHEAD, np.zeros(1)),
        measured_over_predicted=w.measured_over_predicted_ttft,
    )
    pace_fixed = fixed_tpot_s(
        interference_s=interference,
        predicted_s=latency.tpot_s,
        measured_over_predicted=w.measured_over_predicted_tpot,
    )
    typical = tpot
    if varied is not None:
        typical = tpot_of_requests_s(fixed_s=pace_fixed, interference_s=varied.interference_s, **longer)
    return Answers(
        ttft_s=ttft,
        tpot_s=tpot,
        end_to_end_s=whole,
        ttft_breakdown_s={
            **shown_parts(latency.ttft_parts_s, TO_THE_FIRST_TOKEN),
            "calibration": longer_ttft,
        },
        tpot_breakdown_s={**shown_parts(latency.tpot_parts_s, OF_A_TOKEN), "calibration": longer_tpot},
        ttft_spread_s=first,
        tpot_spread_s=pace,
        tpot_of_requests_s=typical,
        end_to_end_spread_s=end_to_end_spread_s(
            ttft_spread_s=first,
            tpot_spread_s=mean_answer,
            tpot_s=tpot,
            output_tokens=asked.output_tokens,
            output_variation=asked.output_variation,
        ),
        ttft_fixed_s=first_fixed,
        tpot_fixed_s=pace_fixed,
        end_to_end_fixed_s=fixed_end_to_end_s(
            fixed_ttft_s=first_fixed,
            fixed_tpot_s=pace_fixed,
            output_tokens=asked.output_tokens,
            output_variation=asked.output_variation,
        ),
        requests_per_s=rate,
        busy=latency.busy,
        margin=np.ones(1) if varied is None else setting.assumptions.promise_margin,
    )


def promised_percentiles_s(setting: Setting, answers: Answers) -> tuple[Array, Array]:
    """Time to first token and time per token at the SLO percentile."""
    share = setting.workload.level.percentile
    return (
        figures.ttft_within_s(
            mean_s=answers.ttft_s, spread_s=answers.ttft_spread_s, fixed_s=answers.ttft_fixed_s, share=share
        ),
        figures.tpot_within_s(
            mean_s=answers.tpot_of_requests_s,
            spread_s=answers.tpot_spread_s,
            fixed_s=answers.tpot_fixed_s,
            share=share,
        ),
    )


def kept_share(setting: Setting, answers: Answers) -> Array | None:
    """Share of the requests within the SLO; None where nothing is."""
    first, pace = pod_ttft_s(setting.workload), pod_tpot_s(setting.workload)
    if np.isnan(plain(first)).all() and np.isnan(plain(pace)).all():
        return None
    return within_promise_share(
        ttft_s=answers.ttft_s,
        ttft_spread_s=answers.ttft_spread_s,
        ttft_fixed_s=answers.ttft_fixed_s,
        promised_ttft_s=first,
        tpot_s=answers.tpot_of_requests_s,
        tpot_spread_s=answers.tpot_spread_s,
        tpot_fixed_s=answers.tpot_fixed_s,
        promised_tpot_s=pace,
    )


def over_promise(setting: Setting, answers: Answers) -> Array:
    """Latency over the SLO, the worse of the two; 0 without an SLO.

    Also above 1 where requests come at random times and faster than they go: no queue before them would end.
    """
    promised_ttft, promised_tpot = pod_ttft_s(setting.workload), pod_tpot_s(setting.workload)
    ttft, tpot = promised_percentiles_s(setting, answers)
    margin = plain(answers.margin)
    ttft, tpot = ttft * margin, tpot * margin
    over = np.fmax(ttft / promised_ttft, tpot / promised_tpot)
    over = np.where(np.isnan(promised_ttft) & np.isnan(promised_tpot), 0.0, over)
    for busy in answers.busy.values():
        over = np.maximum(over, np.where(busy > MOST_UTILISED, busy / MOST_UTILISED, 0.0))
    return over


def _parts(parts_s: dict[str, Array], names: tuple[str, ...]) -> tuple[Array, ...]:
    """Those parts that there are, and one that is nothing."""
    return (np.zeros(1), *(parts_s[name] for name in names if name in parts_s))


OF_A_TOKEN_LABELS = {
    "dense_matmul": "Matrix products outside the routed experts",
    "output_head": "Output head",
    "experts": "Routed experts",
    "attention": "Attention, KV-cache reads",
    "launch": "Kernel launch",
    "all_reduce": "All-reduce",
    "expert_exchange": "Expert dispatch and combine",
    "step_overhead": "Scheduling per step",
    "sequence_overhead": "Sampling and detokenisation per sequence",
    "guessing": "Speculative drafting",
    "stage_exchange": "Transfer between pipeline stages",
    "stage_wait": "Wait for the slowest pipeline stage",
    "host_weights": "Weights in host memory",
    "adapters": "LoRA adapters",
    "prefill_interference": "Prefill interference",
}
TO_THE_FIRST_TOKEN_LABELS = {
    "overhead": "Request handling",
    "kv_return": "KV-cache reload",
    "adapter_load": "Adapter loading",
    "encoder": "Encoding of images, video or audio",
    "prefill": "Prefill",
    "decode_wait": "Decode steps before and after prefill",
    "prefill_wait": "Wait for other prefills",
    "burst_wait": "Burst queue",
    "place_wait": "Wait for KV-cache space",
    "queue_wait": "Queue",
    "kv_transfer": "KV-cache transfer to decode",
}
OF_TRAINING = ("attention", "launch", "all_reduce")
"""Parts whose places in `time_breakdown_s` are those of a training or generic job."""


def _of_a_token(name: str, label: str) -> Callable[..., Any]:
    place, own = f"performance.time_breakdown_s.{name}", f"{name}_of_a_token_s"
    if name in OF_TRAINING:
        return alias(own, label, of="part_s", at=f"performance.{own}", unit="s", also_at=place)
    return alias(own, label, of="part_s", at=place, unit="s")


def _to_the_first_token(name: str, label: str) -> Callable[..., Any]:
    own = f"{name}_to_the_first_token_s"
    return alias(own, label, of="part_s", at=f"performance.ttft_breakdown_s.{name}", unit="s")


OF_A_TOKEN = {name: _of_a_token(name, label) for name, label in OF_A_TOKEN_LABELS.items()}
TO_THE_FIRST_TOKEN = {
    name: _to_the_first_token(name, label) for name, label in TO_THE_FIRST_TOKEN_LABELS.items()
}


def shown_parts(parts_s: Mapping[str, Array], places: Mapping[str, Callable[..., Any]]) -> dict[str, Array]:
    """Every part at its place.

    Raises
    ------
    KeyError : a part has no place
    """
    return {name: places[name](part_s=part) for name, part in parts_s.items()}
