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
    "peer": "Peer accelerators",
    "nvme": "NVMe drives",
}
ARRIVALS = {
    "auto": "Auto",
    "random": "Random",
    "steady": "Closed loop",
    "burst": "Burst",
}
SHAPES = {key: shape.label for key, shape in demand_shapes().items()}
STOPPED = {"idle": "Idle", "off": "Powered off"}
DOMAINS = {"instance": "Instance", "node": "Node", "supernode": "SuperNode"}
HOST_PARTS = {"none": "None", "auto": "Auto", "layers": "Layers", "experts": "Routed experts"}
HOST_WAYS = {
    "auto": "Engine default",
    "stream": "Streamed to the accelerator",
    "compute": "Computed on the host",
}
MODES = {"auto": "Auto", "aggregated": "Aggregated", "disaggregated": "Disaggregated"}


def serving_fields(formats: dict[str, str]) -> tuple[Field, ...]:
    """Requests, concurrency, layout and service level."""
    return (
        select("workload.engine.name", names=ENGINES),
        requests_field(),
        number("workload.requests.input_tokens", slider=(16, 131_072),
               snap="power", used="workload.requests.input_tokens"),
        number("workload.requests.output_tokens", slider=(16, 32_768),
               snap="power", used="workload.requests.output_tokens"),
        *session_fields(),
        number("workload.concurrency", words=(("auto", "auto"),),
               used="workload.concurrency"),
        number("workload.demand.requests_per_s", empty="none"),
        number("workload.service_level.ttft_s",
               empty="none", used="workload.level.ttft_s"),
        number("workload.service_level.tpot_s",
               empty="none", used="workload.level.tpot_s"),
        segments("workload.mode", names=MODES),
        *layout_fields(),
    )  # fmt: skip


def serving_details(formats: dict[str, str]) -> tuple[Field, ...]:
    """Engine, request mix, adapters, speculation, demand and calibration."""
    return (
        text("workload.engine.version"),
        number("workload.engine.chunk_tokens",
               used="assumptions.serving.chunk_tokens", empty="engine default"),
        number("workload.engine.max_num_seqs", empty="limited by memory"),
        number("workload.engine.memory_share",
               used="assumptions.serving.memory_fraction", empty="engine default"),
        number("workload.requests.images"),
        number("workload.requests.image_pixels", empty="1,048,576"),
        number("workload.requests.image_tokens", empty="from the model"),
        number("workload.requests.video_frames"),
        number("workload.requests.audio_s"),
        segments("workload.host_weights.part", names=HOST_PARTS),
        number("workload.host_weights.share", words=(("auto", "minimum"),),
               used="workload.host_weights.share"),
        select("workload.host_weights.way", names=HOST_WAYS),
        number("workload.adapters.count"),
        number("workload.adapters.rank", used="workload.adapters.rank"),
        number("workload.adapters.max_loras", used="workload.adapters.slots", empty="all"),
        segments("workload.adapters.matrices", names={"all": "All matrices", "attention": "Attention"}),
        number("workload.adapters.share", used="workload.adapters.share"),
        number("workload.adapters.popularity",
               used="workload.adapters.popularity", empty="default"),
        number("workload.requests.cached_share",
               used="workload.requests.cached_share"),
        number("workload.requests.shared_prefix_tokens",
               used="workload.requests.shared_prefix_tokens"),
        select("workload.requests.cache_tier", names=TIERS),
        select("workload.arrivals", names=ARRIVALS),
        number("workload.burst_waves", used="workload.arrivals.waves"),
        number("workload.requests.input_variation",
               used="workload.requests.input_variation"),
        number("workload.requests.output_variation",
               used="workload.requests.output_variation"),
        *session_details(),
        number("workload.speculation.tokens",
               used="workload.speculation.tokens", words=(("auto", "optimal"),)),
        segments("workload.speculation.task", names={"mixed": "Mixed", "chat": "Chat", "code": "Code",
                                                                     "math": "Mathematics"}),
        choice("workload.speculation.draft_model", "models",
               words=(("", "None: module of the model"),)),
        number("workload.speculation.acceptance", empty="from the task",
               used="workload.speculation.acceptance"),
        optional("workload.parts.experts", names=formats, empty="Same as precision"),
        optional("workload.parts.outside_experts", names=formats,
                 empty="As in published checkpoints"),
        optional("workload.parts.head", names=formats, empty="16 bit"),
        optional("workload.parts.kv_cache", names=formats, empty="Engine default"),
        optional("workload.parts.exchange", names=formats, empty="Follows the precision"),
        number("workload.demand.tokens_per_day", empty="none"),
        number("workload.demand.peak_to_mean", used="workload.demand.peak_to_mean"),
        optional("workload.demand.shape", names=SHAPES, empty="Busiest hour only"),
        switch("workload.demand.autoscaling.enabled"),
        number("workload.demand.autoscaling.minimum_instances"),
        number("workload.demand.autoscaling.headroom", empty="automatic"),
        number("workload.demand.autoscaling.scale_down_delay_s"),
        segments("workload.demand.autoscaling.stopped", names=STOPPED),
        number("workload.demand.autoscaling.cold_start_s", empty="computed"),
        number("workload.demand.growth_per_year"),
        number("workload.demand.years"),
        number("workload.service_level.percentile",
               used="workload.level.percentile"),
        number("workload.service_level.availability",
               used="workload.level.availability"),
        number("workload.service_level.n_plus", used="workload.level.n_plus"),
        segments("workload.service_level.failure_domain", names=DOMAINS),
        number("workload.calibration.measured_tpot_over_predicted",
               used="workload.measured_over_predicted_tpot"),
        number("workload.calibration.measured_ttft_over_predicted",
               used="workload.measured_over_predicted_ttft"),
        text("workload.calibration.source"),
    )  # fmt: skip


SERVING = frozenset(field.path for field in (*serving_fields({}), *serving_details({})))
"""Fields of served models alone."""
ADVANCED = {
    "workload.requests.classes.": "classes of requests, a list",
    "workload.demand.regions.": "regions of the users, a list",
    "workload.demand.hourly_weights": "requests of each hour of a day or a week, a list",
}
"""Parts of it that are edited as YAML."""
