"""Inputs that count beside others alone: a design with what goes with each, and what it is turned to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.scenarios.every_input.designs import LATENT, SERVER

LATENTS = {name: value for name, value in LATENT.items() if name.startswith("latent_")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An input of a design, turned."""

    of: str  # a design of designs.py
    to: Any
    stated: dict[str, Any] = field(default_factory=dict)  # by path, in both documents
    along: dict[str, Any] = field(default_factory=dict)  # by path, in the second alone: what has to follow


SERVED = {"pod.supernodes": 4, "pod.fabric.topology": "auto", "workload.layout": {"tp": 8}}
MIXED = SERVED | {"pod.also": [{"supernode": {"system": "dgx_b200"}, "supernodes": 4}]}
SPLIT = {
    "mode": "auto",
    "layout": {"prefill": {"tp": 8, "instances": 1}, "decode": {"tp": 8, "instances": 1}},
}
SPLIT_MIXED = MIXED | {f"workload.{name}": value for name, value in SPLIT.items()}
SPARSE = LATENT | {"sparse_tokens": 2048, "index_elements": 128, "index_heads": 32}
POOL = {"technology": "cxl", "bytes_per_accelerator": 1e12}
SMALL_POOL = {
    "technology": "cxl", "bytes_per_accelerator": 1e11, "bandwidth_bytes_per_s": 5e10, "latency_s": 1e-6,
}  # fmt: skip
POOLED = {
    "supernode.memory_pool": POOL, "workload.requests.cache_tier": "pool", "workload.requests.cached_share": 0.5,
}  # fmt: skip
RACKS = {
    "name": "Racks", "accelerator": "nvidia_gb200", "accelerators": 576, "nic_gbit_s": 400,
    "scale_up": {"fabric": "nvlink5_576"}, "parts": {"accelerators_per_tray": 4, "processors_per_tray": 2},
}  # fmt: skip
HALO = {"pattern": "halo_exchange", "process_grid": [12, 8, 6], "halo_width": 4, "bytes_per_point": 4}
CLASSES = [
    {"name": "Short", "share": 0.5, "input_tokens": 512, "output_tokens": 256},
    {"name": "Long", "share": 0.5, "input_tokens": 4096, "output_tokens": 1024},
]
REGIONS = [
    {"name": "Here", "share": 0.5, "round_trip_s": 0.02},
    {"name": "There", "share": 0.5, "round_trip_s": 0.1, "clock_offset_h": 8},
]
SEEING = {"workload.model": "qwen3_8b", "workload.precision": "bf16"}
SCALED = {
    "workload.model": "llama_3_1_8b", "pod.supernodes": 8, "pod.fabric.topology": "auto", "workload.layout": {"tp": 1},
    "workload.demand": {"requests_per_s": 300, "shape": "campus_day", "autoscaling": {"enabled": True}},
}  # fmt: skip


def _scaled(to: Any, **stated: Any) -> Turn:
    named = {f"workload.demand.autoscaling.{name}": value for name, value in stated.items()}
    return Turn(of="serving", stated=SCALED | named, to=to)


TURNS: dict[str, Turn] = {
    "serving:workload.demand.autoscaling.enabled": _scaled(False),
    "serving:workload.demand.autoscaling.minimum_instances": _scaled(40),
    "serving:workload.demand.autoscaling.headroom": _scaled(0.5),
    "serving:workload.demand.autoscaling.scale_down_delay_s": _scaled(36_000),
    "serving:workload.demand.autoscaling.stopped": _scaled("off"),
    "serving:workload.demand.autoscaling.cold_start_s": _scaled(3_000),
    "serving:workload.demand.regions.share": Turn(
        of="serving",
        stated=SCALED | {"workload.demand.regions": REGIONS},
        to=0.9,
        along={"workload.demand.regions": [REGIONS[0] | {"share": 0.9}, REGIONS[1] | {"share": 0.1}]},
    ),
    "economics.water_price_usd_per_m3": Turn(
        of="small",
        stated={"facility.cooling": "air_tower", "facility.site": "phoenix", "economics.water_price_usd_per_m3": 2},
        to=8,
    ),
    "facility.site.water_price_usd_per_m3": Turn(of="own_water", stated={"facility.cooling": "air_tower"}, to=8),
    "facility.site": Turn(of="small", to="stockholm"),
    "facility.cdu": Turn(
        of="parts", stated={"facility.cooling": "direct_liquid_dry", "facility.cdu": "coolit_chx2000"}, to="motivair_mcdu_70"
    ),
    "facility.busway": Turn(of="small", to="starline_t5"),
    "facility.rectifier": Turn(of="small", stated={"facility.distribution": "dc_800"}, to="delta_sst"),
    "facility.rack_converter": Turn(of="small", stated={"facility.distribution": "dc_800"}, to="navitas_dc_dc_10"),
    "operations.storage": Turn(of="small", stated={"operations.storage": "ddn_ai400x2"}, to="weka_wekapod_nitro_8"),
    "pod.fabric.group.global_links": Turn(of="dragonfly", stated={"pod.supernodes": 64}, to=8),
    "pod.fabric.media": Turn(of="small", to="single_mode"),
    "pod.fabric.optical_circuit_switches": Turn(of="cubes", to=True),
    "supernode.custom.host_memory_bytes": Turn(
        of="serving",
        stated={"supernode": {"custom": SERVER}, "workload.host_weights": {"part": "experts", "share": 0.3}},
        to=4e12,
    ),
    "supernode.custom.parts.processor": Turn(of="parts", to="cpu_epyc_9654"),
    "supernode.custom.scale_up.topology": Turn(
        of="server", stated={"supernode.custom.scale_up.pair_bandwidth_bytes_per_s": 6e10}, to="mesh"
    ),
    "supernode.custom.scale_up.oversubscription": Turn(of="parts", stated={"supernode.custom": RACKS}, to=2),
    "supernode.custom.scale_up.medium": Turn(of="parts", stated={"supernode.custom": RACKS}, to="co_packaged"),
    "supernode.override.accelerator.scale_up_pair_bandwidth_bytes_per_s": Turn(of="mesh", to=1e10),
    "supernode.memory_pool.technology": Turn(of="serving", stated=POOLED | {"supernode.memory_pool": SMALL_POOL}, to="host_memory"),
    "supernode.memory_pool.bandwidth_bytes_per_s": Turn(of="serving", stated=POOLED, to=1e9),
    "supernode.memory_pool.latency_s": Turn(of="serving", stated=POOLED, to=1),
    "serving:workload.burst_waves": Turn(of="serving", stated={"workload.arrivals": "burst"}, to=1),
    "serving:workload.host_weights.way": Turn(of="offloaded", stated={"workload.host_weights.part": "auto"}, to="stream"),
    "serving:workload.mode": Turn(
        of="serving", stated=SERVED | {"workload.layout": "auto", "workload.mode": "aggregated"}, to="disaggregated"
    ),
    "serving:workload.layout.instances": Turn(of="serving", stated=SERVED | {"workload.layout.instances": 4}, to=2),
    "serving:workload.layout.on": Turn(of="serving", stated=MIXED | {"workload.layout.on": "main"}, to="also_1"),
    "serving:workload.layout.prefill.on": Turn(
        of="serving", stated=SPLIT_MIXED | {"workload.layout.prefill.on": "main"}, to="also_1"
    ),
    "serving:workload.layout.decode.on": Turn(
        of="serving", stated=SPLIT_MIXED | {"workload.layout.decode.on": "main"}, to="also_1"
    ),
    "serving:workload.requests.image_pixels": Turn(
        of="serving", stated=SEEING | {"workload.requests.images": 2, "workload.requests.image_pixels": 1e6}, to=4e6
    ),
    "serving:workload.requests.video_frames": Turn(of="serving", stated=SEEING, to=64),
    "serving:workload.requests.audio_s": Turn(
        of="serving", stated={"workload.model": "qwen2_audio_7b", "workload.precision": "bf16"}, to=30
    ),
    "serving:workload.requests.classes.share": Turn(
        of="serving",
        stated={"workload.requests": {"classes": CLASSES}},
        to=0.8,
        along={"workload.requests.classes": [CLASSES[0] | {"share": 0.8}, CLASSES[1] | {"share": 0.2}]},
    ),
    "training:workload.model.attention": Turn(
        of="small", to="mla", along={f"workload.model.{name}": value for name, value in LATENTS.items()}
    ),
    "serving:workload.model.attention": Turn(
        of="own_serving", to="mla", along={f"workload.model.{name}": value for name, value in LATENTS.items()}
    ),
    "training:workload.model.query_key_norm": Turn(of="small", to=True),
    "serving:workload.model.query_key_norm": Turn(of="own_serving", to=True),
    **{
        f"{kind}:workload.model.{name}": Turn(of=design, stated={"workload.model": SPARSE}, to=to)
        for kind, design in (("training", "sparse_training"), ("serving", "sparse"))
        for name, to in (("sparse_tokens", 512), ("index_elements", 256), ("index_heads", 64))
    },
    "training:workload.software.recipe": Turn(of="fp8", to="block_wise"),
    "generic:workload.communication.face_bytes": Turn(
        of="stencil", stated={"workload.communication": [HALO | {"face_bytes": [1e6, 1e6, 1e6]}]}, to=[1e9, 1e9, 1e9]
    ),
    "generic:workload.communication.periodic": Turn(
        of="stencil",
        stated={"workload.communication": [HALO | {"process_grid": [2, 12, 24], "grid_points": [7776, 7776, 5184]}]},
        to=True,
    ),
}  # fmt: skip
