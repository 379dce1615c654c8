"""Which terms each view shows, and explains at its foot."""

from __future__ import annotations

from app.catalog.glossary import Term, glossary

LAYOUT = (
    "tensor_parallel", "pipeline_parallel", "data_parallel", "context_parallel", "expert_parallel",
    "virtual_stages", "micro_batch", "zero", "sequence_parallel", "recompute",
)  # fmt: skip
SERVING_LAYOUT = ("tensor_parallel", "pipeline_parallel", "data_parallel", "expert_parallel")
ERRORS = ("median_error", "left_out", "interval")

VIEWS: dict[str, tuple[str, ...]] = {
    # sections of the studio
    "performance": (
        "supernode", "step_time", "mfu", "hfu", "flops", "exposed", "bubble", "straggler", "scale_up",
        "scale_out", "bandwidth_gap", "all_reduce", "all_to_all", "activations", *LAYOUT,
    ),
    "performance-serving": (
        "ttft", "tpot", "prefill", "decode", "disaggregated", "kv_cache", "service_level", "speculation",
        "supernode", "scale_up", "scale_out", "bandwidth_gap", "all_reduce", "all_to_all", "mfu", "interval",
        *SERVING_LAYOUT,
    ),
    "reliability-serving": ("mtbf", "spare", "service_level", "carbon", "embodied"),
    "fabric": (
        "superpod", "scale_out", "nic", "rail", "fat_tree", "tier", "oversubscription", "bisection", "transceiver",
    ),
    "power": (
        "it_power", "tdp", "pue", "wue", "cdu", "liquid_cooling", "free_cooling", "wet_bulb", "busbar", "ups",
        "redundancy",
    ),
    "cost": ("capex", "opex", "tco", "crf", "wacc", "utilisation"),
    "reliability": ("mtbf", "ettr", "goodput", "checkpoint", "spare", "carbon", "embodied"),
    # pages
    "home": ("supernode", "superpod", "accelerator", "mfu", "tco"),
    "start": (
        "supernode", "accelerator", "scale_up", "tokens", "mfu", "ttft", "tpot", "service_level", "pue", "capex", "interval",
    ),
    "explain": ("interval", "mfu", "roofline", "step_time", "tco"),
    "explore": (*LAYOUT, "step_time", "mfu", "pareto", "offload", "scale_up", "supernode"),
    "calibrate": ("step_time", "tokens", "interval", "left_out"),
    "calibrate-serving": ("ttft", "tpot", "tokens", "interval", "left_out"),
    "compare": ("supernode", "superpod", "step_time", "mfu", "pue", "tco", "mtbf", "ettr"),
    "catalog": (
        "accelerator", "supernode", "scale_up", "scale_out", "hbm", "tdp", "flops", "precision", "nic", "dpu",
        "transceiver", "pue", "wue", "wet_bulb",
    ),
    "validation-training": (
        *ERRORS, "tokens", "accelerator", "precision", "moe", "parameters", "tensor_parallel", "pipeline_parallel",
        "mfu",
    ),
    "validation-collectives": (
        *ERRORS, "collective", "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "expert_parallel",
        "bus_bandwidth", "latency", "in_switch", "scale_up", "scale_out",
    ),
    "validation-scaling": (
        "scaling_law", "loss", "compute_optimal", "isoflop", "over_training", "moe", "parameters", "tokens", "flops",
    ),
    "validation-serving": (
        *ERRORS, "latency", "tokens", "precision", "accelerator", "moe", "attention", "tensor_parallel",
        "data_parallel", "expert_parallel",
    ),
    "validation-fabric": (
        "superpod", "supernode", "scale_up", "scale_out", "nic", "transceiver", "torus",
    ),
    "validation-cost": (
        "median_error", "tco", "wacc", "accelerator", "tdp", "pue", "mfu", "tokens", "carbon", "embodied",
    ),
    "validation-reliability": ("median_error", "mtbf", "spare", "accelerator", "interval"),
    "validation-power": (
        "median_error", "pue", "wue", "tdp", "it_power", "free_cooling", "wet_bulb", "liquid_cooling", "ups",
        "redundancy",
    ),
    "scaling": (
        "scaling_law", "loss", "compute_optimal", "over_training", "isoflop", "parameters", "tokens", "flops",
        "moe", "precision", "interval",
    ),
    "growth": (
        "doubling_time", "moores_law", "flops", "precision", "hbm", "scale_up", "scale_out", "mfu", "interval",
    ),
    "claims": (
        "supernode", "superpod", "scale_up", "scale_out", "all_reduce", "all_to_all", "torus", "mfu", "flops",
        "precision", "pue", "ettr", "tco",
    ),
    "gallery": (
        "supernode", "superpod", "scale_up", "scale_out", "rail", "fat_tree", "torus", "nic", "liquid_cooling",
        "mfu", "attention", "dpu", "halo_exchange",
    ),
}  # fmt: skip


def terms_of(view: str) -> tuple[Term, ...]:
    """The terms of a view, in its order.

    Raises
    ------
    KeyError : no such view, or it names a term that the glossary lacks
    """
    known = glossary()
    return tuple(known[key] for key in VIEWS[view])


def terms_of_all(views: tuple[str, ...]) -> tuple[Term, ...]:
    """The terms of several views of one page, each once."""
    return tuple(dict.fromkeys(term for view in views for term in terms_of(view)))
