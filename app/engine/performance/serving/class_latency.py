"""Latencies of each class of requests, where several share a replica.

A request waits for others whatever its class is. Its own prompt is prefilled, and comes back from another tier, in its
own time, and its answer is as long as those of its class.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.engine.performance.serving.answers import Answers, answers_of
from app.engine.performance.serving.arrivals import instance_of, instance_of_class, mixed_pace
from app.engine.performance.serving.continuous import class_waits, requests_per_s
from app.engine.performance.serving.latency import Latency
from app.engine.performance.serving.offload import kv_return_s
from app.engine.performance.serving.percentiles import (
    end_to_end_s,
    end_to_end_spread_s,
    fixed_end_to_end_s,
    prefills_met,
    tpot_spread_s,
)
from app.engine.performance.serving.prefill import PassTimes
from app.engine.performance.serving.replica_load import (
    RANDOM,
    Replica,
    load_of,
    loaded_latency,
    only_class,
    prompt_of,
    random_work,
    reused,
)
from app.engine.performance.serving.setting import Setting
from app.engine.quantities import quantity
from app.engine.specs.serving import RequestClass
from app.engine.trace import Array, plain

_OWN = "definition: parts of the class in place of those of the mean request; waits are those of all requests"
TRANSFER, INTERFERENCE = "kv_transfer", "prefill_interference"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What one class, or all requests, have of their own; uncorrected."""

    own_s: Array  # of the time to the first token
    own_spread_s: Array
    tpot_s: Array  # mean over tokens
    pace_s: Array  # mean over requests
    pace_spread_s: Array
    mean_pace_spread_s: Array  # of answers of mean length


@quantity(unit="s", source=_OWN)
def class_mean_s(*, mean_s: Array, own_s: Array, mean_own_s: Array) -> Array:
    """Latency of a class: that of all requests, with what the class has of its own in place of the mean."""
    return mean_s - mean_own_s + own_s


@quantity(unit="s", source="definition: variances of independent parts add up")
def class_spread_s(*, spread_s: Array, own_spread_s: Array, mean_own_spread_s: Array) -> Array:
    """Standard deviation of a latency within a class: its own part in place of the mean one."""
    return np.sqrt(np.maximum(spread_s**2 - mean_own_spread_s**2, 0.0) + own_spread_s**2)


@quantity(unit="s", source="definition: derivative of sqrt((a + w)^2 + h^2) by the work a")
def prompt_spread_s(*, work_s: Array, weights_s: Array, host_s: Array, variation: Array) -> Array:
    """Standard deviation of the prefill of a prompt, by its length: the host takes as long for a short one."""
    whole = work_s + weights_s
    return work_s * variation * whole / np.sqrt(whole**2 + host_s**2)


def class_answers(
    setting: Setting, replica: Replica, concurrency: Array, limit: Array
) -> tuple[Answers, ...]:
    """What each class of the workload sees of a replica with so many requests in flight; none without classes.

    Of sessions the classes are requests whose context was found, first turns with them, and those whose context is recomputed.

    Works on bare values. `limit` as of `limit_of`.
    """
    if setting.workload.requests.sessions is not None:
        setting, _ = reused(setting, replica, concurrency, limit)
    classes = setting.workload.requests.classes
    if not classes:
        return ()
    latency = loaded_latency(setting, replica, concurrency, limit)
    of_all = answers_of(setting, latency)
    load = load_of(setting, replica, concurrency)
    if setting.workload.arrivals.kind == RANDOM and replica.prefill is None:
        seen = _seen_at_random(setting, replica, load.concurrency, limit, latency)
    else:
        seen = [_seen(setting, replica, latency, of_all, one) for one in _all_and_each(setting)]
    mean, *each = seen
    return tuple(_answers(setting, of_all, one, own, mean) for one, own in zip(classes, each, strict=True))


def _all_and_each(setting: Setting) -> list[Setting]:
    return [setting, *(only_class(setting, one) for one in setting.workload.requests.classes)]


def _own_s(setting: Setting, own: Setting, replica: Replica, latency: Latency) -> tuple[Array, PassTimes]:
    """Prefill and return of a prompt of some requests, and sending its keys and values, as far as not others' doing."""
    prompt = prompt_of(own, replica.prefilling, np.ones(1))
    back = kv_return_s(own, replica.prefilling)
    found = prompt.alone_s if back is None else prompt.alone_s + back
    sent = latency.ttft_parts_s.get(TRANSFER)
    if sent is not None:  # as many bytes as there are tokens beyond the shared ones
        found = found + sent * _sent_tokens(own) / _sent_tokens(setting)
    return found, prompt.passes


def _sent_tokens(setting: Setting) -> Array:
    asked = setting.workload.requests
    return asked.input_tokens - asked.shared_prefix_tokens


def _seen(setting: Setting, replica: Replica, latency: Latency, of_all: Answers, own: Setting) -> _Seen:
    """Where requests replace each other, or prefill has instances of its own."""
    asked = own.workload.requests
    mine, _ = _own_s(setting, own, replica, latency)
    prompt = prompt_of(own, replica.prefilling, np.ones(1)).alone_s
    back = kv_return_s(own, replica.prefilling)
    spread = tpot_spread_s(
        interference_s=latency.tpot_parts_s.get(INTERFERENCE, np.zeros(1)),
        prefills_met=prefills_met(
            requests_per_s=of_all.requests_per_s, tpot_s=of_all.tpot_s, output_tokens=asked.output_tokens
        ),
        prefill_variation=setting.workload.requests.input_variation,
    )
    return _Seen(
        own_s=mine,
        own_spread_s=(prompt if back is None else prompt + back) * asked.input_variation,
        tpot_s=latency.tpot_s,
        pace_s=latency.tpot_s,
        pace_spread_s=spread,
        mean_pace_spread_s=spread,
    )


def _seen_at_random(
    setting: Setting, replica: Replica, concurrency: Array, limit: Array, latency: Latency
) -> list[_Seen]:
    """Where requests come at random times to an instance that prefills and decodes."""
    work = random_work(
        setting, replica.decode, load_of(setting, replica, concurrency), np.maximum(limit, 1.0)
    )
    instance = instance_of(**work)
    rate, prompts = requests_per_s(instance, plain(work["load"].concurrency))
    per_token = 1 / plain(work["tokens_per_step"])
    found = []
    for own in _all_and_each(setting):
        asked = own.workload.requests
        mine, passes = _own_s(setting, own, replica, latency)
        alone = instance_of_class(instance, asked, passes, per_token)
        waits = class_waits(instance, rate, prompts, own=alone)
        found.append(
            _Seen(
                own_s=mine + waits.further_s,
                own_spread_s=instance.share
                * prompt_spread_s(
                    work_s=passes.own_s + passes.shared_s,
                    weights_s=passes.weights_s,
                    host_s=passes.host_s,
                    variation=asked.input_variation,
                ),
                tpot_s=waits.held_up_s * per_token,
                pace_s=waits.pace_s * per_token,
                pace_spread_s=waits.pace_spread_s * per_token,
                mean_pace_spread_s=waits.mean_pace_spread_s * per_token,
            )
        )
    mean, *each = found
    shares = [one.share for one in setting.workload.requests.classes]
    pace, spread = mixed_pace(shares, [one.pace_s for one in each], [one.pace_spread_s for one in each])
    return [replace(mean, pace_s=pace, pace_spread_s=spread), *each]


def _answers(setting: Setting, of_all: Answers, one: RequestClass, own: _Seen, mean: _Seen) -> Answers:
    """Answers of a class by those of all requests, with its own parts in place of the mean ones."""
    w = setting.workload
    first, longer = w.measured_over_predicted_ttft, w.measured_over_predicted_tpot
    ttft_s = class_mean_s(mean_s=of_all.ttft_s, own_s=first * own.own_s, mean_own_s=first * mean.own_s)
    tpot_s, pace_s = (
        class_mean_s(mean_s=whole, own_s=longer * part, mean_own_s=longer * of_mean)
        for whole, part, of_mean in (
            (of_all.tpot_s, own.tpot_s, mean.tpot_s),
            (of_all.tpot_of_requests_s, own.pace_s, mean.pace_s),
        )
    )
    ttft_spread = class_spread_s(
        spread_s=of_all.ttft_spread_s,
        own_spread_s=first * own.own_spread_s,
        mean_own_spread_s=first * mean.own_spread_s,
    )
    pace_spread, mean_spread = (
        class_spread_s(
            spread_s=of_all.tpot_spread_s,
            own_spread_s=longer * part,
            mean_own_spread_s=longer * mean.pace_spread_s,
        )
        for part in (own.pace_spread_s, own.mean_pace_spread_s)
    )
    answer = {"output_tokens": one.output_tokens, "output_variation": one.output_variation}
    return replace(
        of_all,
        ttft_s=ttft_s,
        tpot_s=tpot_s,
        tpot_of_requests_s=pace_s,
        end_to_end_s=end_to_end_s(ttft_s=ttft_s, tpot_s=tpot_s, output_tokens=one.output_tokens),
        ttft_spread_s=ttft_spread,
        tpot_spread_s=pace_spread,
        end_to_end_spread_s=end_to_end_spread_s(
            ttft_spread_s=ttft_spread, tpot_spread_s=mean_spread, tpot_s=tpot_s, **answer
        ),
        end_to_end_fixed_s=fixed_end_to_end_s(
            fixed_ttft_s=of_all.ttft_fixed_s, fixed_tpot_s=of_all.tpot_fixed_s, **answer
        ),
        requests_per_s=of_all.requests_per_s * one.share,
    )
