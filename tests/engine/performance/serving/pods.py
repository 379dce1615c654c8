"""Served models on pods, built by hand for the tests of the section."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from app.engine.fabric.collectives.shared_links import Block, SharedLinks, nothing_shared
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.evaluate import evaluate_serving
from app.engine.performance.serving.problems import serving_problems
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import setting_of
from app.engine.problems import Problem
from app.engine.specs import (
    Architecture,
    Demand,
    PartPrecision,
    Pod,
    Requests,
    ServiceLevel,
    ServingLayout,
    ServingPlan,
    ServingWorkload,
    Speculation,
)
from tests.support import assumptions, build, dgx_h100, llama_3_1_405b

UNKNOWN = float("nan")
WORDS = {"engine": "vllm", "era": "2026", "generation": "hopper", "precision": "fp8"}


def llama_8b(**changes: Any) -> Architecture:
    return build(
        Architecture, **{
            "key": "llama_3_1_8b", "name": "Llama 3.1 8B", "attention": "gqa",
            "layers": 32, "attention_layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "head_dim": 128,
            "vocabulary": 128256, "tied_embedding": 0, "feed_forward_hidden": 14336, "mlp_matrices": 3,
            "experts": 0, "experts_per_token": 0, "shared_experts": 0, "expert_hidden": 0, "expert_layers": 0,
            "latent_query_rank": 0, "latent_kv_rank": 0, "latent_nope_dim": 0, "latent_rope_dim": 0,
            "latent_value_dim": 0, "window_layers": 0, "window_tokens": 0, "published_parameters": 8.03e9,
        } | changes
    )  # fmt: skip


def parts(**changes: float) -> PartPrecision:
    """Eight bit, keys and values of 16, on H100."""
    values = {
        "dense_parameter_bytes": 1.0, "expert_parameter_bytes": 1.0, "head_parameter_bytes": 2.0,
        "kv_element_bytes": 2.0, "exchange_element_bytes": 1.0, "dense_peak_flop_per_s": 1978.9e12,
        "expert_peak_flop_per_s": 1978.9e12,
    }  # fmt: skip
    return build(PartPrecision, **(values | changes))


def instance(tp: float, *, dp: float = 1, ep: float = 1, pp: float = 1) -> ServingLayout:
    return build(
        ServingLayout, tensor_parallel=tp, data_parallel=dp, pipeline_parallel=pp, expert_parallel=ep
    )


def plan(decode: ServingLayout, prefill: ServingLayout | None = None, **instances: Any) -> ServingPlan:
    values: dict[str, Any] = {"decode_instances": None, "prefill_instances": None} | instances
    return build(ServingPlan, decode=decode, prefill=prefill, **values)


def level(**changes: float) -> ServiceLevel:
    values = {"ttft_s": UNKNOWN, "tpot_s": UNKNOWN, "percentile": 0.95, "availability": 0.999}
    return build(ServiceLevel, **(values | changes))


def demand(requests_per_s: float, **changes: float) -> Demand:
    values = {"peak_to_mean": 1.0, "growth_per_year": 0.0, "years": 0.0}
    return build(Demand, requests_per_s=requests_per_s, **(values | changes))


def workload(**changes: Any) -> ServingWorkload:
    values: dict[str, Any] = {
        "architecture": llama_8b(),
        "context_tokens": 131072,
        "engine": "vllm",
        "engine_year": 2026.3,
        "precision": "fp8",
        "parts": parts(),
        "requests": build(
            Requests,
            input_tokens=1024, output_tokens=1024, input_variation=0, output_variation=0, cached_share=0,
        ),
        "speculation": build(Speculation, tokens=0, acceptance=0.7),
        "mode": "auto",
        "concurrency": None,
        "plan": None,
        "level": level(),
        "demand": None,
        "measured_over_predicted_tpot": 1,
        "measured_over_predicted_ttft": 1,
    }  # fmt: skip
    return build(ServingWorkload, **(values | changes))


def pod(**changes: Any) -> dict[str, Any]:
    """One DGX H100 that serves Llama 3.1 8B."""
    values: dict[str, Any] = {
        "workload": workload(),
        "supernode": dgx_h100(),
        "pod": build(Pod, supernodes=1, accelerators_used=8, fabric=None),
        "fabric": SimpleNamespace(
            scale_out_bandwidth_bytes_per_s=np.array([50e9]),
            shared_links=nothing_shared(),
        ),
        "assumptions": assumptions("serving", ServingAssumptions, **WORDS),
        "of_chips": assumptions("performance", PerformanceAssumptions, generation="hopper", precision="fp8"),
    }
    return values | changes


def tapered(unit_accelerators: float, oversubscription: float) -> SharedLinks:
    """Leaves of so many accelerators with so many links down for each one up."""
    leaf = Block(
        accelerators=np.full(1, unit_accelerators), taper=np.full(1, oversubscription), others=np.zeros(1)
    )
    return SharedLinks(blocks=(leaf,), rails_apart=np.zeros(1), strain=np.ones(1))


def evaluate(of: Pod | None = None, **changes: Any) -> ServingPerformance:
    """The section of a workload whose fields are changed."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        return evaluate_serving(**_given(of, changes))


def problems(of: Pod | None = None, **changes: Any) -> list[Problem]:
    """Problems of a workload whose fields are changed."""
    given = _given(of, changes)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        found = evaluate_serving(**given)
        return serving_problems(setting=setting_of(**given), pod=given["pod"], performance=found)


def _given(of: Pod | None, changes: dict[str, Any]) -> dict[str, Any]:
    """A workload whose fields are changed, on a pod of DGX H100 other than one."""
    return pod(workload=workload(**changes)) | ({} if of is None else {"pod": of})


__all__ = ["evaluate", "llama_3_1_405b", "problems"]
