"""Designs in which inputs matter: worked examples, and what few designs have."""

from __future__ import annotations

import copy
from typing import Any

from tests.support import read_example

MODEL = {
    "name": "Own", "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "vocabulary": 128_000,
    "feed_forward_hidden": 14336,
}  # fmt: skip
EXPERTS = MODEL | {"experts": 32, "experts_per_token": 4, "expert_hidden": 2048, "shared_experts": 1}
LATENT = EXPERTS | {
    "attention": "mla", "latent_query_rank": 1536, "latent_kv_rank": 512, "latent_nope_dim": 128,
    "latent_rope_dim": 64, "latent_value_dim": 128,
}  # fmt: skip
PARTS = {
    "name": "Rack", "accelerator": "nvidia_gb200", "accelerators": 72, "nic_gbit_s": 400, "scale_up": {},
    "parts": {"accelerators_per_tray": 4, "processors_per_tray": 2},
}  # fmt: skip
SERVER = {
    "name": "Server", "accelerator": "nvidia_h100_sxm", "accelerators": 8, "scale_out_nics": 8, "nic_gbit_s": 400,
    "scale_up": {"topology": "switched"}, "nodes": 1, "max_power_w": 10_200, "cooling": "air", "rack_units": 8,
    "price_usd": 300_000, "host_memory_bytes": 2e12,
}  # fmt: skip


def merged(values: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A document with parts of it changed, as deep as they go; whatever else it is stays."""
    found = copy.deepcopy(values)
    for name, value in changes.items():
        both = isinstance(value, dict) and isinstance(found.get(name), dict)
        found[name] = merged(found[name], value) if both else copy.deepcopy(value)
    return found


def designs() -> dict[str, dict[str, Any]]:
    """Designs by name, the plain ones first."""
    train, serve, fft, stencil, shared = (
        read_example(key).model_dump(mode="json", exclude_unset=True)
        for key in (
            "llama_3_1_405b_on_2048_dgx_h100", "deepseek_r1_on_8_h200", "fft_3d_on_512_dgx_a100",
            "seismic_stencil_on_8_gb200_nvl72", "training_and_serving_on_8_dgx_h200",
        )
    )  # fmt: skip
    split = read_example("deepseek_r1_on_cloudmatrix384").model_dump(mode="json", exclude_unset=True)
    networks = {name: {"carried_by": "own"} for name in ("storage", "in_band", "out_of_band")}
    small = {"workload": {"model": MODEL}, "pod": {"supernodes": 16}, "parallelism": "auto"}
    layout = {"tp": 8, "pp": 1, "micro_batch": 1}
    tight = merged(
        merged(train, small), {"parallelism": layout, "workload": {"global_batch_sequences": 1024}}
    )
    tight["pod"]["fabric"] = {"topology": "rail_fat_tree"}

    def of(base: dict[str, Any], **changes: Any) -> dict[str, Any]:
        return merged(base, changes)

    def apart(base: dict[str, Any], supernode: dict[str, Any], **changes: Any) -> dict[str, Any]:
        return merged(base, changes) | {"supernode": supernode}

    def with_workload(base: dict[str, Any], **parts: Any) -> dict[str, Any]:
        return base | {"workload": base["workload"] | parts}

    return {
        "training": train,
        "serving": serve,
        "fft": fft,
        "stencil": stencil,
        "small": tight,
        "own_tiers": of(tight, pod={"fabric": {"switch": "sn5600", "tiers": 3}}),
        "networks": of(tight, pod={"networks": networks}),
        "shared": shared,
        "split": split,
        "experts": of(tight, workload={"model": EXPERTS}, parallelism={"ep": 8}),
        "latent": of(tight, workload={"model": LATENT}, parallelism={"ep": 8}),
        "pipeline": of(tight, parallelism={"pp": 4, "vpp": 2}),
        "parts": apart(tight, {"custom": PARTS}, pod={"supernodes": 4}),
        "server": apart(tight, {"custom": SERVER}),
        "kinds": of(tight, pod={"also": [{"supernode": {"system": "dgx_h200"}, "supernodes": 8}]}),
        "kinds_own": of(tight, pod={"also": [{"supernode": {"custom": SERVER}, "supernodes": 8}]}),
        "kinds_parts": apart(
            tight, {"custom": PARTS},
            pod={"supernodes": 4, "also": [{"supernode": {"custom": PARTS | {"name": "Other"}}, "supernodes": 2}]},
        ),
        "pool": of(tight, supernode={"memory_pool": {"technology": "cxl", "bytes_per_accelerator": 1e11}}),
        "dragonfly": of(tight, pod={"fabric": {"topology": "dragonfly",
                                               "group": {"routers": 8, "endpoints": 16, "global_links": 4}}}),
        "torus": of(tight, pod={"fabric": {"topology": "torus_3d"}}),
        "tiers": of(tight, pod={"fabric": {"tiers": 3, "spine_oversubscription": 2}}),
        "planes": of(tight, pod={"supernodes": 64, "fabric": {"switch": "sn5600", "planes": 4, "switch_logical_ports": 512}}),
        "uneven": of(tight, pod={"supernodes": 125, "fabric": {"topology": "fat_tree", "oversubscription": 2,
                                                               "spine_spread": "even"}}),
        "finance": of(tight, economics={"finance": {"debt_share": 0.5, "debt_rate": 0.08, "debt_years": 4,
                                                    "tax_rate": 0.2, "prices": "nominal",
                                                    "price_usd_per_accelerator_hour": 3},
                                        "renting": {"egress_tb_per_month": 100, "egress_usd_per_tb": 50}}),
        "uncertain": of(tight, uncertainty={"samples": 64, "inputs": {
            "economics.wacc": {"low": 0.05, "typical": 0.08, "high": 0.12}}}),
        "own_serving": of(serve, workload={"model": MODEL, "precision": "bf16"}),
        "experts_serving": of(serve, workload={"model": EXPERTS, "precision": "bf16"}),
        "latent_serving": of(serve, workload={"model": LATENT, "precision": "bf16"}),
        "own_site": of(tight, facility={"site": {
            "name": "Own", "climate": "stockholm", "elevation_m": 100, "electricity_price_usd_per_kwh": 0.08,
            "carbon_intensity_kg_per_kwh": 0.1, "water_price_usd_per_m3": 2}}),
        "counted": of(tight, operations={"interruptions": {"count": 20, "node_days": 5000}}),
        "linear": of(tight, workload={"model": MODEL | {"linear_layers": 16, "linear_layer_parameters": 1e8,
                                                        "linear_state_elements": 1e6}}),
        "sparse": of(serve, workload={"model": LATENT | {"sparse_tokens": 2048, "index_elements": 128,
                                                         "index_heads": 32}, "precision": "bf16"}),
        "window": of(tight, workload={"model": MODEL | {"window_layers": 16, "window_tokens": 1024}}),
        "calibrated": of(tight, workload={"calibration": {"measured_over_predicted": 1.1, "low": 1.0, "high": 1.2}}),
        "offloaded": of(serve, workload={"host_weights": {"part": "experts", "share": 0.3}}),
        "adapters": of(serve, workload={"model": "llama_3_1_70b", "adapters": {"count": 64, "rank": 16}}),
        "mix": of(serve) | {"workload": serve["workload"] | {"requests": {"classes": [
            {"name": "Short", "share": 0.5, "input_tokens": 512, "output_tokens": 256, "cached_share": 0.2},
            {"name": "Long", "share": 0.5, "input_tokens": 4096, "output_tokens": 1024}]}}},
        "sessions": of(serve) | {"workload": serve["workload"] | {"requests": {"sessions": {
            "turns": 4, "system_tokens": 1000, "added_tokens": 300, "answer_tokens": 300, "gap_s": 30}}}},
        "demand": of(serve, pod={"supernodes": 8}, workload={"demand": {
            "requests_per_s": 4, "shape": "campus_day", "autoscaling": {"enabled": True, "minimum_instances": 1},
            "regions": [{"name": "Here", "share": 0.5, "round_trip_s": 0.02},
                        {"name": "There", "share": 0.5, "round_trip_s": 0.1}]}}),
        "drafted": of(serve, workload={"model": "llama_3_1_70b", "speculation": {
            "tokens": 4, "draft_model": "llama_3_1_8b"}}),
        "seeing": of(serve, workload={"model": "gemma_3_27b", "precision": "bf16", "requests": {"images": 2}}),
        "wide": of(serve, pod={"supernodes": 4, "fabric": {"topology": "auto"}}, workload={
            "layout": {"tp": 8, "instances": 2}}),
        "warm": of(tight, facility={"heat_reuse": {"share": 0.5, "supply_c": 70}}),
        "supplied": of(tight, facility={"site": "ashburn", "utility_limit_w": 1.2e5, "power_supply": {
            "grid_wait_years": 2, "market": "de_lu",
            "sources": [{"kind": "gas_turbine", "capacity_w": 1.5e5, "unit_w": 5e4, "spare_units": 1}],
            "battery": {"power_w": 5e4, "energy_wh": 2e5, "use": "price"},
            "purchases": [{"kind": "solar", "capacity_w": 1e5, "price_usd_per_kwh": 0.05}],
            "demand_response": {"hours_per_year": 100, "load_share": 0.2, "credit_usd_per_kw_year": 50}}}),
        "phased": of(tight, economics={"build_out": {"phases": [
            {"name": "One", "supernodes": 8, "start_month": 0, "construction_months": 12, "ramp_months": 6,
             "grid_month": 30, "grid_w": 2e5, "bridge": "gas_engine", "bridge_w": 1e5},
            {"name": "Two", "start_month": 12, "grid_month": 30}]}, "financing": {}}),
        "shares": of(tight, economics={"build_out": {"phases": [{"name": "One", "share": 0.5}, {"name": "Two"}]}}),
        "equal_phases": of(tight, economics={"build_out": {
            "phase_count": 2, "months_between": 12, "bridge": "gas_engine", "grid_month": 40}}),
        "colocated_phases": of(tight, economics={"financing": {"funding": "colocate", "cross_connects": 20}}),
        "colocation": of(tight, economics={"building": "colocation", "colocation_usd_per_kw_month": 150}),
        "fp8": of(tight, workload={"precision": "fp8"}),
        "sparse_training": of(tight, workload={"model": LATENT | {"sparse_tokens": 2048, "index_elements": 128,
                                                                  "index_heads": 32}, "sequence_length": 8192}),
        "linear_serving": of(serve, workload={"model": MODEL | {"linear_layers": 16, "linear_layer_parameters": 1e8,
                                                                "linear_state_elements": 1e6}, "precision": "bf16"}),
        "window_serving": of(serve, workload={"model": MODEL | {"window_layers": 16, "window_tokens": 512},
                                              "precision": "bf16"}),
        "seen_by_pixels": of(serve, workload={"model": "gemma_3_27b", "precision": "bf16",
                                              "requests": {"images": 2, "image_pixels": 1e6}}),
        "seen_by_tokens": of(serve, workload={"model": "gemma_3_27b", "precision": "bf16",
                                              "requests": {"images": 2, "image_tokens": 500}}),
        "tokens_of_a_day": with_workload(of(serve, pod={"supernodes": 8}), demand={
            "tokens_per_day": 1e9, "hourly_weights": [1.0] * 12 + [2.0] * 12}),
        "laid_out": with_workload(of(serve, pod={"supernodes": 4, "fabric": {"topology": "auto"}}), mode="auto", layout={
            "prefill": {"tp": 8, "instances": 1}, "decode": {"tp": 8, "instances": 1}}),
        "currency": of(tight, economics={"finance": {
            "currency": {"code": "EUR", "per_usd": 0.9, "as_of": "2026-01-01"}, "price_usd_per_accelerator_hour": 3}}),
        "towers": of(tight, facility={"cooling": "direct_liquid_tower"}, economics={"water_price_usd_per_m3": 2}),
        "own_water": of(tight, facility={"cooling": "direct_liquid_tower", "site": {
            "name": "Own", "climate": "stockholm", "elevation_m": 100, "electricity_price_usd_per_kwh": 0.08,
            "carbon_intensity_kg_per_kwh": 0.1, "water_price_usd_per_m3": 2}}),
        "mesh": apart(tight, {"custom": SERVER | {"scale_up": {"topology": "mesh"}}}),
        "torus_by_lengths": of(tight, pod={"fabric": {"topology": "torus_2d", "shape": [4, 4]}}),
        "cubes": of(tight, pod={"supernodes": 64, "fabric": {"topology": "torus_3d", "shape": [4, 4, 4]}}),
    }  # fmt: skip
