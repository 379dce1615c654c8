"""What is to be served, how it is asked for, and how the accelerators share it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.specs.workload import Architecture
from app.engine.trace import Array, plain

INSTANCE, NODE, SUPERNODE = "instance", "node", "supernode"
"""Failure domain: a replica by itself, a host with all that runs on it, or a SuperNode."""
ACCELERATOR = "accelerator"
"""The tier of memory of what never left the accelerators."""


def _none() -> Array:
    return np.zeros(1)


def _one() -> Array:
    return np.ones(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartPrecision:
    """Bytes and rates of the parts of a model, which need not have one number format."""

    dense_parameter_bytes: Array  # attention, dense feed-forward, shared experts, router
    expert_parameter_bytes: Array  # routed experts
    head_parameter_bytes: Array  # input embedding and output head
    kv_element_bytes: Array
    exchange_element_bytes: Array  # activations sent to the experts; they return in 16 bit
    dense_peak_flop_per_s: Array  # of an accelerator, dense, at the format of the part
    expert_peak_flop_per_s: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestClass:
    """One class of the requests, with means and variations of its own."""

    name: str
    share: Array  # of the requests
    input_tokens: Array
    output_tokens: Array
    input_variation: Array
    output_variation: Array
    cached_share: Array  # of the input of the class; those of its shared prefix at least
    shared_prefix_tokens: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningSequence:
    """A running sequence where requests are not all of one kind, mean over the time in which answers are decoded."""

    tokens: Array
    shared_tokens: Array  # of these, that stand at the start of other prompts too
    prefix_tokens: Array  # of all prefixes that prompts share, each held once


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """Sessions of several turns, each prompt of which is everything before it. Means; a variation is spread over mean."""

    turns: Array
    turns_variation: Array
    system_tokens: Array  # at the start of all sessions alike: system prompt and tools
    added_tokens: Array  # that a user or a tool adds each turn
    answer_tokens: Array  # of the model, each turn
    variation: Array  # of the tokens of a turn
    gap_s: Array  # between an answer and the next prompt
    gap_variation: Array
    kept_share: Array  # of the later turns, that go to the replica that answered before


@dataclass(frozen=True, slots=True, kw_only=True)
class Requests:
    """What a request is. Means over requests; variation is the standard deviation over the mean."""

    input_tokens: Array
    output_tokens: Array
    input_variation: Array
    output_variation: Array
    cached_share: Array  # of the input, found in the prefix cache; those of the shared prefix at least
    shared_prefix_tokens: Array = field(
        default_factory=_none
    )  # at the start of all prompts alike, in the accelerators' memory once
    cache_tier: str = ACCELERATOR  # where the rest of what is cached waits: there, host | peer | nvme
    classes: tuple[RequestClass, ...] = ()  # of which the above is the mean; none: all are of one kind
    running: RunningSequence | None = None  # None: its input and half of its output
    sessions: Sessions | None = None  # whose turns they are; what is found in the cache follows from the load

    @property
    def pooled(self) -> bool:
        """Return whether prompts are read and not answered, as for embeddings."""
        return not np.any(plain(self.output_tokens) > 0)


def _ten() -> Array:
    return np.full(1, 10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """When requests come: steady, one as another ends; random, independent of the others; or burst, all at
    once."""

    kind: str = "steady"
    waves: Array = field(default_factory=_ten)  # requests for each that starts at once; of a burst


@dataclass(frozen=True, slots=True, kw_only=True)
class Speculation:
    """Tokens guessed ahead and checked together: a draft model, or a module of multi-token prediction."""

    tokens: Array  # guessed a step; 0 none
    acceptance: Array  # chance that a guessed token stands, given those before it do
    draft: Architecture | None = None  # that guesses; None: a module of one layer of the model itself
    auto: bool = False  # the length is to be found; `tokens` is where the search begins


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder:
    """An encoder of images, video or sound beside a language model, and its work on one prompt."""

    layers: Array
    hidden: Array
    inner: Array
    matrices: Array  # of a feed-forward block
    windowed_layers: Array  # whose positions see a window alone
    window_positions: Array
    projector_parameters: Array
    spans: Array  # of attention in a prompt: images, tiles, pairs of frames, clips
    positions: Array  # of a span
    tokens: Array  # of the prompt that come of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """LoRA adapters that requests are answered with."""

    count: Array
    rank: Array
    slots: Array  # that a replica of attention has at once
    share: Array  # of the requests that use one
    popularity: Array  # exponent of the Zipf law by which they choose
    everywhere: bool  # all matrices of the layers; else those of attention alone


@dataclass(frozen=True, slots=True, kw_only=True)
class HostWay:
    """What an engine can have in the memory of the host, and who multiplies it."""

    part: str  # layers: all weights of a layer; experts: its routed experts
    computed: bool  # the host multiplies them; else they cross the link whenever they are used
    prefill_crosses: bool  # prompts fetch weights that the host computes, where that is quicker


@dataclass(frozen=True, slots=True, kw_only=True)
class HostWeights:
    """Weights of a model that lie in the memory of the host."""

    way: HostWay
    share: Array  # of that part of the model
    auto: bool = False  # the share is to be found; `share` is where the search begins


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingLayout:
    """How the accelerators of one instance share a model.

    Attention and everything outside the routed experts is cut over `tensor_parallel` ranks and held
    `data_parallel` times; routed experts are spread over all tensor x data x context ranks, whole ones over
    `expert_parallel` of them, each cut over the rest. Prompts are cut over `context_parallel` ranks, each of which has
    all weights outside the experts.
    """

    tensor_parallel: Array
    data_parallel: Array  # attention replicas that share their experts; 1: none
    pipeline_parallel: Array
    expert_parallel: Array
    redundant_experts: Array = field(default_factory=_none)  # redundant experts, beside those of the model
    context_parallel: Array = field(default_factory=_one)

    @property
    def accelerators(self) -> Array:
        return self.tensor_parallel * self.data_parallel * self.pipeline_parallel * self.context_parallel


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingPlan:
    """A layout as the scenario states it. Aggregated: `prefill` is None and `decode` does both.

    `decode_on` and `prefill_on` are kinds of SuperNode of a mixed pod: 0 the first, n the n-th of its further ones,
    None where that is left open.
    """

    decode: ServingLayout
    decode_instances: Array | None  # None: as many as the pod holds; of one group where disaggregated
    prefill: ServingLayout | None
    prefill_instances: Array | None
    decode_on: int | None = None
    prefill_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLevel:
    """Service level; NaN without an SLO."""

    ttft_s: Array
    tpot_s: Array
    percentile: Array  # of requests that must be within, 0.95 for 95 %
    availability: Array  # 0: no target is set
    n_plus: Array = field(default_factory=_none)  # failure domains that may be lost in the busiest hour
    failure_domain: str = INSTANCE  # | node | supernode


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Users of one place, and how far the pod is from them."""

    name: str
    share: Array  # of the requests
    round_trip_s: Array  # of the network between user and pod
    latency_budget_s: Array  # from the question to the first token; not a number: none
    clock_offset_h: float = 0.0  # that clocks there are ahead of the clock of the shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Autoscaling:
    """Instances that follow the demand by the hour. What is not a number follows from the rest."""

    minimum_instances: Array
    headroom: Array  # share of what runs that stays idle for what grows; not a number: as much as it needs
    scale_down_delay_s: Array
    cold_start_s: Array  # from the order to the first answer; not a number: by its parts
    node_boot_s: Array
    engine_start_s: Array
    burst: Array  # of the busiest minute of an hour over its mean, less 1
    stopped: str = "idle"  # nodes of instances that are stopped: stay on | off, given back or powered down


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """How much is asked for."""

    requests_per_s: (
        Array  # mean over a year, or over the hours of a workload that has the pod for some of the day
    )
    peak_to_mean: Array
    growth_per_year: Array
    years: Array  # that the pod must last for
    regions: tuple[Region, ...] = ()
    of_the_day: bool = False  # stated as an amount of the day, which fewer hours must bear too
    shape: str = ""  # what the hours are called; "": no shape is stated
    hours: tuple[
        float, ...
    ] = ()  # requests of each hour over the mean, of all places; as many as the shape has
    autoscaling: Autoscaling | None = None  # None: all instances run in all hours


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingWorkload:
    """A model that answers requests."""

    architecture: Architecture
    context_tokens: Array  # the longest sequence that the model takes
    engine: str  # tensorrt_llm | sglang | vllm
    engine_year: Array  # its date, as a year
    most_sequences: Array | None = None  # that a replica of attention runs at once; None: what memory holds
    cuts_prompts: bool = False  # whether the engine has context parallelism of prompts
    adapters: Adapters | None = None  # None: the model alone
    encoder: Encoder | None = None  # None: prompts are text
    bidirectional: bool = False  # tokens of a prompt see all others, and nothing is kept of them
    host_weights: HostWeights | None = None  # None: all weights lie in the accelerators' memory
    host_way: HostWay | None = None  # what the engine could have in the host; None: nothing
    precision: str  # of the matrix products outside the experts
    parts: PartPrecision
    dequantised: str = ""  # parts whose weights are multiplied in 16 bit for want of units, in words
    requests: Requests
    speculation: Speculation
    arrivals: Arrivals = field(default_factory=Arrivals)
    mode: str  # aggregated | disaggregated | auto
    concurrency: Array | None  # requests in flight on the pod; None: the most that meet the service level
    plan: ServingPlan | None  # None: search
    level: ServiceLevel
    demand: Demand | None
    measured_over_predicted_tpot: Array  # of own measurements; 1 without any
    measured_over_predicted_ttft: Array
