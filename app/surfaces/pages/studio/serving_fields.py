"""Fields of the studio for a served model alone."""

from __future__ import annotations

from typing import Any

from app.catalog.demand_shapes import demand_shapes
from app.catalog.serving_engines import serving_engines
from app.surfaces.pages.studio.field import (
    Field,
    choice,
    control,
    number,
    optional,
    segments,
    select,
    switch,
    text,
)
from app.surfaces.pages.studio.state import MISSING, value_at, with_value

ENGINES = {"auto": "Auto"} | {key: engine.label for key, engine in serving_engines().items()}
TIERS = {
    "accelerator": "Accelerators",
    "host": "Host memory",
    "peer": "Peer accelerators",
    "nvme": "NVMe drives",
    "pool": "Memory pool",
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


LAYOUT = "workload.layout"
INSTANCE, SPLIT = "instance", "split"
WORDS = (("auto", "Search"), (INSTANCE, "Aggregated"), (SPLIT, "Disaggregated"))
"""Prefill and decode on the same instances, or on instances of their own."""
DEGREES = {
    "tp": "tensor_parallel",
    "dp": "data_parallel",
    "pp": "pipeline_parallel",
    "cp": "context_parallel",
    "ep": "expert_parallel",
    "redundant_experts": "redundant_experts",
}
"""Degrees of an instance, and the names that the engine has for them."""
ON = {
    "auto": "Try every type",
    "main": "First type",
    "also_1": "Second type",
    "also_2": "Third type",
    "also_3": "Fourth type",
}
POOLS = ("", "prefill.", "decode.")


def layout_fields() -> tuple[Field, ...]:
    """The choice, then the degrees of each kind of instance; those of the layout at hand are shown."""
    return (
        control(LAYOUT, "segments", words=WORDS),
        *(field for pool in POOLS for field in _degrees(pool)),
    )


def _degrees(pool: str) -> tuple[Field, ...]:
    side = pool.rstrip(".") or "decode"
    return (
        *(
            number(f"{LAYOUT}.{pool}{name}", used=f"workload.plan.{side}.{used}")
            for name, used in DEGREES.items()
        ),
        number(f"{LAYOUT}.{pool}instances", used=f"workload.plan.{side}_instances"),
        select(f"{LAYOUT}.{pool}on", names=ON),
    )


def layout_word(layout: Any) -> str:
    """How a layout is stated.

    >>> layout_word({"decode": {"tp": 8}}), layout_word({"tp": 8}), layout_word("auto")
    ('split', 'instance', 'auto')
    """
    if not isinstance(layout, dict):
        return "auto"
    return SPLIT if {"prefill", "decode"} & set(layout) else INSTANCE


def is_of_layout(path: str, values: dict[str, Any]) -> bool:
    """Return whether the layout that is stated has this degree; a kind of SuperNode, where the pod has several."""
    if path.endswith(".on") and value_at(values, "pod.also") in (MISSING, [], ()):
        return False
    inside = path.removeprefix(f"{LAYOUT}.")
    word = layout_word(value_at(values, LAYOUT))
    return word == (SPLIT if inside.startswith(("prefill.", "decode.")) else INSTANCE)


def with_layout(values: dict[str, Any], word: str, found: dict[str, Any]) -> dict[str, Any]:
    """The scenario with its layout searched for or stated; as `found` by the engine at first."""
    if word == layout_word(value_at(values, LAYOUT)):
        return values
    return with_value(values, LAYOUT, found.get(word, MISSING))


def found_layouts(strategy: dict[str, Any]) -> dict[str, Any]:
    """The layout that runs, as either kind of layout would state it."""
    decode = _instance(strategy, "")
    prefill = _instance(strategy, "prefill_") if "prefill_tp" in strategy else decode
    groups = {name: _whole(strategy.get(f"{name}_instances")) or 1 for name in ("prefill", "decode")}
    return {
        INSTANCE: decode,
        SPLIT: {
            "prefill": {**prefill, "instances": groups["prefill"]},
            "decode": {**decode, "instances": groups["decode"]},
        },
    }


def _instance(strategy: dict[str, Any], before: str) -> dict[str, int]:
    degrees = {name: _whole(strategy.get(f"{before}{name}")) for name in DEGREES}
    return {name: value for name, value in degrees.items() if value and (name, value) != ("cp", 1)} or {
        "tp": 1
    }


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) else None


REQUESTS = "workload.requests"
PLAIN, CLASSES, SESSIONS = "plain", "classes", "sessions"
REQUEST_WORDS = ((PLAIN, "One kind"), (CLASSES, "Classes"), (SESSIONS, "Sessions"))
OF_ALL = ("cache_tier",)
"""Fields that requests have whatever they are."""
LENGTHS = ("input_tokens", "output_tokens", "input_variation", "output_variation", "cached_share", "shared_prefix_tokens")  # fmt: skip
FIRST_SESSION = {"turns": 4, "gap_s": 60}
"""Of a session to begin with, beside tokens like those of the requests at hand."""
MEANS = ("input_tokens", "output_tokens")
USUAL_TOKENS = 1024


def requests_field() -> Field:
    """The choice of what requests are; classes are written as YAML."""
    return control(REQUESTS, "segments", words=REQUEST_WORDS)


def session_fields() -> tuple[Field, ...]:
    """Turns, tokens and gaps of sessions."""
    return _of_sessions("turns", "system_tokens", "added_tokens", "answer_tokens", "gap_s")


def session_details() -> tuple[Field, ...]:
    """How sessions differ."""
    return _of_sessions("turns_variation", "variation", "gap_variation", "kept_share")


def _of_sessions(*names: str) -> tuple[Field, ...]:
    paths = (f"{REQUESTS}.{SESSIONS}.{name}" for name in names)
    return tuple(number(path, used=path) for path in paths)


def requests_word(requests: Any) -> str:
    """What requests are.

    >>> requests_word({"classes": []}), requests_word({"input_tokens": 8}), requests_word(None)
    ('classes', 'plain', 'plain')
    """
    if not isinstance(requests, dict):
        return PLAIN
    return next((word for word in (CLASSES, SESSIONS) if word in requests), PLAIN)


def is_of_requests(path: str, values: dict[str, Any]) -> bool:
    """Return whether requests as they are stated have this field."""
    inside = path.removeprefix(f"{REQUESTS}.")
    word = requests_word(value_at(values, REQUESTS))
    return inside in OF_ALL or word == (SESSIONS if inside.startswith(f"{SESSIONS}.") else PLAIN)


def with_requests(values: dict[str, Any], word: str) -> dict[str, Any]:
    """The scenario with requests of another kind, that begin like those it has."""
    if word == requests_word(value_at(values, REQUESTS)) or word not in dict(REQUEST_WORDS):
        return values
    begun = other_requests(values).get(word)
    return with_value(values, REQUESTS, begun or MISSING)


def other_requests(values: dict[str, Any]) -> dict[str, Any]:
    """Requests as each kind would state them, by the word of the kind."""
    found = value_at(values, REQUESTS)
    now: dict[str, Any] = found if isinstance(found, dict) else {}
    kept = {name: now[name] for name in OF_ALL if name in now}
    word, own = requests_word(now), {name: now[name] for name in LENGTHS if name in now}
    if word == CLASSES:
        own = _means(now.get(CLASSES))
    if word == SESSIONS:
        own = _turn(now.get(SESSIONS))
    half = [{"name": f"Class {place}", "share": 0.5, **own} for place in (1, 2)]
    session = FIRST_SESSION | {
        "system_tokens": own.get("shared_prefix_tokens", 0),
        "added_tokens": own.get("input_tokens", USUAL_TOKENS),
        "answer_tokens": own.get("output_tokens", USUAL_TOKENS),
    }
    begun = {PLAIN: own, CLASSES: {CLASSES: half}, SESSIONS: {SESSIONS: session}}
    return {kind: now if kind == word else {**requests, **kept} for kind, requests in begun.items()}


def _turn(session: Any) -> dict[str, Any]:
    """A turn of a session by itself, as far as its tokens are stated."""
    stated = session if isinstance(session, dict) else {}
    named = {"input_tokens": "added_tokens", "output_tokens": "answer_tokens"}
    return {name: stated[field] for name, field in named.items() if field in stated}


def _means(classes: Any) -> dict[str, Any]:
    """Mean lengths of classes, as far as these are numbers."""
    rows = [one for one in classes if isinstance(one, dict)] if isinstance(classes, list | tuple) else []
    shares = [one.get("share") for one in rows]
    if not rows or not all(isinstance(share, int | float) for share in shares):
        return {}
    found = {}
    for name in MEANS:
        tokens = [one.get(name, USUAL_TOKENS) for one in rows]
        if all(isinstance(one, int | float) for one in tokens):
            mean = sum(share * one for share, one in zip(shares, tokens, strict=True))
            found[name] = float(f"{mean:.6g}")
    return found


SERVING = frozenset(field.path for field in (*serving_fields({}), *serving_details({})))
"""Fields of served models alone."""
ADVANCED = {
    "workload.requests.classes.": "classes of requests, a list",
    "workload.demand.regions.": "regions of the users, a list",
    "workload.demand.hourly_weights": "requests of each hour of a day or a week, a list",
}
"""Parts of it that are edited as YAML."""
