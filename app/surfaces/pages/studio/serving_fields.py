"""Fields of the studio for a served model alone."""

from __future__ import annotations

from app.catalog.demand_shapes import demand_shapes
from app.catalog.serving_engines import serving_engines
from app.surfaces.pages.studio.field import Field, choice, number, optional, segments, select, switch, text
from app.surfaces.pages.studio.serving_layout import layout_fields
from app.surfaces.pages.studio.serving_requests import requests_field, session_details, session_fields

ENGINES = {"auto": "Auto"} | {key: engine.label for key, engine in serving_engines().items()}
TIERS = {
    "accelerator": "Accelerators",
    "host": "Host memory",
    "peer": "Other accelerators",
    "nvme": "NVMe drives",
}
ARRIVALS = {
    "auto": "Auto",
    "random": "At random times",
    "steady": "One as another ends",
    "burst": "All at once",
}
SHAPES = {key: shape.label for key, shape in demand_shapes().items()}
STOPPED = {"idle": "Stay on", "off": "Off or given back"}
DOMAINS = {"instance": "Instance", "node": "Node", "supernode": "SuperNode"}
HOST_PARTS = {"none": "None", "auto": "Auto", "layers": "Layers", "experts": "Routed experts"}
HOST_WAYS = {"auto": "As the engine does", "stream": "Fetched when used", "compute": "Multiplied by the host"}
MODES = {"auto": "Auto", "aggregated": "Aggregated", "disaggregated": "Disaggregated"}


def serving_fields(formats: dict[str, str]) -> tuple[Field, ...]:
    """What is asked, how much at once, how it is laid out, and what is promised."""
    return (
        select("workload.engine.name", "Engine", names=ENGINES),
        requests_field(),
        number("workload.requests.input_tokens", "Input tokens", unit="tokens_each", slider=(16, 131_072),
               snap="power", used="workload.requests.input_tokens"),
        number("workload.requests.output_tokens", "Output tokens", unit="tokens_each", slider=(16, 32_768),
               snap="power", used="workload.requests.output_tokens"),
        *session_fields(),
        number("workload.concurrency", "Requests in flight", unit="requests", words=(("auto", "auto"),),
               used="workload.concurrency"),
        number("workload.demand.requests_per_s", "Demand, mean", unit="req/s", empty="none"),
        number("workload.service_level.ttft_s", "Promised time to first token", unit="s_of_a_wait",
               empty="none", used="workload.level.ttft_s"),
        number("workload.service_level.tpot_s", "Promised time per token", unit="s_of_a_wait",
               empty="none", used="workload.level.tpot_s"),
        segments("workload.mode", "Prefill and decode", names=MODES),
        *layout_fields(),
    )  # fmt: skip


def serving_details(formats: dict[str, str]) -> tuple[Field, ...]:
    """What an engine does, how requests differ, how demand grows, and what was measured."""
    return (
        text("workload.engine.version", "Version of the engine"),
        number("workload.engine.chunk_tokens", "Prompt tokens of a pass", unit="tokens_each",
               used="assumptions.serving.chunk_tokens", empty="as usual"),
        number("workload.engine.max_num_seqs", "Sequences at once", empty="what memory holds"),
        number("workload.engine.memory_share", "Memory that the engine takes", percent=True,
               used="assumptions.serving.memory_fraction", empty="as usual"),
        number("workload.requests.images", "Images of a prompt"),
        number("workload.requests.image_pixels", "Pixels of an image", empty="1,048,576"),
        number("workload.requests.image_tokens", "Tokens of an image", empty="by the model"),
        number("workload.requests.video_frames", "Frames of video of a prompt"),
        number("workload.requests.audio_s", "Sound of a prompt", unit="s"),
        segments("workload.host_weights.part", "Weights in host memory", names=HOST_PARTS),
        number("workload.host_weights.share", "Share of them in the host", percent=True, words=(("auto", "least"),),
               used="workload.host_weights.share"),
        select("workload.host_weights.way", "Weights in the host are", names=HOST_WAYS),
        number("workload.adapters.count", "LoRA adapters"),
        number("workload.adapters.rank", "Rank of an adapter", used="workload.adapters.rank"),
        number("workload.adapters.max_loras", "Adapters in memory at once", used="workload.adapters.slots", empty="all"),
        segments("workload.adapters.matrices", "Adapters change", names={"all": "All matrices", "attention": "Attention"}),
        number("workload.adapters.share", "Requests with an adapter", percent=True, used="workload.adapters.share"),
        number("workload.adapters.popularity", "Popularity of adapters, Zipf exponent",
               used="workload.adapters.popularity", empty="as assumed"),
        number("workload.requests.cached_share", "Found in the prefix cache", percent=True,
               used="workload.requests.cached_share"),
        number("workload.requests.shared_prefix_tokens", "Prefix that all prompts share", unit="tokens_each",
               used="workload.requests.shared_prefix_tokens"),
        select("workload.requests.cache_tier", "Cached prompts wait in", names=TIERS),
        select("workload.arrivals", "Requests come", names=ARRIVALS),
        number("workload.burst_waves", "Requests for each of a burst", used="workload.arrivals.waves"),
        number("workload.requests.input_variation", "Input tokens, spread over mean",
               used="workload.requests.input_variation"),
        number("workload.requests.output_variation", "Output tokens, spread over mean",
               used="workload.requests.output_variation"),
        *session_details(),
        number("workload.speculation.tokens", "Guessed tokens a step", unit="tokens_each",
               used="workload.speculation.tokens", words=(("auto", "best"),)),
        segments("workload.speculation.task", "Guessed for", names={"mixed": "Mixed", "chat": "Chat", "code": "Code",
                                                                     "math": "Mathematics"}),
        choice("workload.speculation.draft_model", "Draft model", "models",
               words=(("", "None, a module of the model"),)),
        number("workload.speculation.acceptance", "Guesses that stand", percent=True, empty="by task",
               used="workload.speculation.acceptance"),
        optional("workload.parts.experts", "Routed experts", names=formats, empty="As the precision"),
        optional("workload.parts.outside_experts", "Outside the experts", names=formats,
                 empty="As checkpoints keep it"),
        optional("workload.parts.head", "Embedding and head", names=formats, empty="16 bit"),
        optional("workload.parts.kv_cache", "Keys and values", names=formats, empty="As the engine does"),
        optional("workload.parts.exchange", "Sent to experts", names=formats, empty="As the precision allows"),
        number("workload.demand.tokens_per_day", "Demand in tokens", unit="tokens_per_day", empty="none"),
        number("workload.demand.peak_to_mean", "Busiest hour over mean", used="workload.demand.peak_to_mean"),
        optional("workload.demand.shape", "Hours of the demand", names=SHAPES, empty="The busiest hour alone"),
        switch("workload.demand.autoscaling.enabled", "Instances follow the demand"),
        number("workload.demand.autoscaling.minimum_instances", "Instances at least"),
        number("workload.demand.autoscaling.headroom", "Headroom, capacity kept idle", percent=True, empty="as needed"),
        number("workload.demand.autoscaling.scale_down_delay_s", "Delay before stopping", unit="seconds"),
        segments("workload.demand.autoscaling.stopped", "Stopped nodes", names=STOPPED),
        number("workload.demand.autoscaling.cold_start_s", "Cold start", unit="seconds", empty="by its parts"),
        number("workload.demand.growth_per_year", "Growth a year", percent=True),
        number("workload.demand.years", "Years of growth", unit="years"),
        number("workload.service_level.percentile", "Requests within", percent=True,
               used="workload.level.percentile"),
        number("workload.service_level.availability", "Time in which demand is borne", percent=True,
               used="workload.level.availability"),
        number("workload.service_level.n_plus", "Failures borne at the peak (N+k)", used="workload.level.n_plus"),
        segments("workload.service_level.failure_domain", "Fails as a whole", names=DOMAINS),
        number("workload.calibration.measured_tpot_over_predicted", "Time per token over predicted",
               used="workload.measured_over_predicted_tpot"),
        number("workload.calibration.measured_ttft_over_predicted", "First token over predicted",
               used="workload.measured_over_predicted_ttft"),
        text("workload.calibration.source", "Own measurement"),
    )  # fmt: skip


SERVING = frozenset(field.path for field in (*serving_fields({}), *serving_details({})))
"""Fields of served models alone."""
ADVANCED = {
    "workload.requests.classes.": "classes of requests, a list",
    "workload.demand.regions.": "places that users are in, a list",
    "workload.demand.hourly_weights": "requests of each hour of a day or a week, a list",
}
"""Parts of it that are edited as YAML."""
