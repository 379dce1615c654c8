"""The sections of a design page: which figures and tables each holds."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts import FIGURES
from app.charts.figure import Figure, at
from app.charts.format import Shown, number, show
from app.charts.workload_kind import figures_for, is_generic, is_serving
from app.surfaces.pages.intervals import shown_interval
from app.surfaces.pages.labels import Fact, fact

POWER = (
    "power.it_power_mean_w", "power.it_power_peak_w", "power.utility_peak_w", "cooling.pue",
    "cooling.wue_l_per_kwh", "cooling.coolant_flow_l_per_min",
)  # fmt: skip
COST = (
    "cost.capex_usd", "cost.opex_usd_per_year", "cost.tco_usd", "cost.usd_per_accelerator_hour",
    "cost.usd_per_run", "cost.usd_per_million_tokens", "cost.usd_per_million_input_tokens",
    "cost.usd_per_million_output_tokens",
)  # fmt: skip
SPEED = (
    "performance.step_time_s", "performance.tokens_per_s", "performance.tokens_per_s_per_accelerator",
    "performance.mfu", "performance.hfu", "performance.training_time_s", "performance.elapsed_time_s",
)  # fmt: skip
GENERIC_SPEED = (
    "performance.step_time_s", "performance.steps_per_s", "performance.flop_per_s",
    "performance.fraction_of_peak", "performance.fraction_of_memory_bandwidth",
    "performance.scaling_efficiency", "performance.run_time_s", "performance.elapsed_time_s",
)  # fmt: skip
SERVING_SPEED = (
    "performance.ttft_s", "performance.tpot_s", "performance.end_to_end_s", "performance.ttft_within_s",
    "performance.tpot_within_s", "performance.within_promise_share", "performance.tokens_per_s",
    "performance.output_tokens_per_s_per_accelerator",
    "performance.tokens_per_s_per_user", "performance.requests_per_s", "performance.requests_per_s_limit",
    "performance.concurrency", "performance.replicas", "performance.accelerators_per_replica", "performance.batch", "performance.batch_limit", "performance.mfu",
    "performance.memory_bandwidth_share", "performance.kv_transfer_s",
    "performance.offloaded_sequences", "performance.saved_by_return_s", "performance.offloaded_per_accelerator_bytes",
    "performance.offload_capacity_bytes", "performance.adapter_hit_share",
    "performance.prefix_hit_share", "performance.context_hit_share", "performance.cache_time_s",
    "performance.sessions_alive", "performance.supernodes_needed",
    "performance.supernodes_needed_with_headroom",
)  # fmt: skip
PLACEMENT_LABELS = {
    "ranks": "Ranks, one on each accelerator", "domain_ranks": "Ranks in a scale-up domain",
    "domains": "Scale-up domains", "grid_x": "Process grid, x", "grid_y": "Process grid, y",
    "grid_z": "Process grid, z",
}  # fmt: skip
RELIABILITY = (
    "reliability.mtbf_s", "reliability.checkpoint_interval_s", "reliability.ettr",
    "reliability.spare_supernodes", "reliability.replica_availability", "reliability.weights_bytes",
    "reliability.weights_load_s",
)  # fmt: skip
STRATEGY_LABELS = {
    "tp": "Tensor parallel", "pp": "Pipeline parallel", "cp": "Context parallel", "ep": "Expert parallel",
    "dp": "Data parallel", "vpp": "Virtual stages", "micro_batch": "Micro-batch", "zero_stage": "ZeRO stage",
    "sequence_parallel": "Sequence parallel", "recompute": "Recompute, share of the forward pass",
    "redundant_experts": "Copies of busy experts", "decode_instances": "Decode instances",
    "prefill_instances": "Prefill instances", "prefill_tp": "Tensor parallel, prefill",
    "prefill_pp": "Pipeline parallel, prefill", "prefill_dp": "Data parallel, prefill",
    "prefill_ep": "Expert parallel, prefill", "prefill_cp": "Context parallel, prefill",
    "prefill_redundant_experts": "Copies of busy experts, prefill",
    "host_share": "Share of layers or routed experts in host memory", "guessed_tokens": "Tokens guessed a step",
}  # fmt: skip
CARBON = (
    "carbon.operational_kg", "carbon.operational_market_kg", "carbon.embodied_kg",
    "carbon.operational_kg_per_million_tokens", "carbon.embodied_kg_per_million_tokens",
)  # fmt: skip

SERVING_ALONE = frozenset({
    "cost.usd_per_million_input_tokens", "cost.usd_per_million_output_tokens", "reliability.replica_availability",
    "reliability.weights_bytes", "reliability.weights_load_s", "carbon.operational_kg_per_million_tokens",
    "carbon.embodied_kg_per_million_tokens",
})  # fmt: skip


SERVING_LAYOUT_LABELS = {"dp": "Attention replicas", "prefill_dp": "Attention replicas, prefill"}
KIND_LABELS = {"decode_on": "SuperNodes that decode", "prefill_on": "SuperNodes that prefill"}
DECODE_LABELS = {
    "tp": "Tensor parallel, decode", "pp": "Pipeline parallel, decode", "dp": "Attention replicas, decode",
    "ep": "Expert parallel, decode", "redundant_experts": "Copies of busy experts, decode",
}  # fmt: skip


class Table(NamedTuple):
    title: str
    rows: tuple[Fact, ...]


class Section(NamedTuple):
    id: str
    title: str
    basis: str
    figures: tuple[tuple[str, Figure], ...]  # width class and figure
    tables: tuple[tuple[str, Table], ...] = ()


def sections(evaluation: dict[str, Any]) -> tuple[Section, ...]:
    """Performance, fabric, power and cooling, cost, reliability."""
    drawn = {name: draw(evaluation) for name, draw in FIGURES.items()}
    generic = is_generic(evaluation)
    step_tokens = _product(
        at(evaluation, "inputs.workload.global_batch_sequences"),
        at(evaluation, "inputs.workload.sequence_length"),
    )
    basis = f"one optimiser step, {show(step_tokens, 'tokens').text}" if step_tokens else "one optimiser step"
    serving = is_serving(evaluation)
    if generic:
        basis = _generic_basis(evaluation)
    if serving:
        basis = _serving_basis(evaluation)
    speed = SERVING_SPEED if serving else GENERIC_SPEED if generic else SPEED
    return (
        Section(
            "performance", "Performance", basis,
            _placed(drawn, ("whole", "step_time"), ("half", "bandwidth"), ("half", "memory")),
            (("half", Table("Speed", _facts(evaluation, speed))),
             ("half", Table("Placement" if generic else "Parallel layout", _strategy(evaluation)))),
        ),
        Section("fabric", "Fabric", _fabric_basis(evaluation), _placed(drawn, ("whole", "topology"))),
        Section(
            "power", "Power and cooling", "mean over a typical year unless it says peak",
            _placed(drawn, ("whole", "power_flow"), ("wide", "pue_hours")),
            (("narrow", Table("Power and cooling", _facts(evaluation, POWER))),),
        ),
        Section("cost", "Cost", _cost_basis(evaluation),
                _placed(drawn, ("half", "tco"), ("half", "own_or_rent")),
                (("half", Table("Cost", _facts(evaluation, COST))),)),
        Section(
            "reliability", "Reliability and carbon", "replicas and their tokens" if serving else "one run", _placed(drawn, *(() if serving else (("whole", "goodput"),))),
            (("half", Table("Reliability", _facts(evaluation, RELIABILITY))),
             ("half", Table("Carbon", _facts(evaluation, CARBON)))),
        ),
    )  # fmt: skip


def _placed(drawn: dict[str, Figure], *places: tuple[str, str]) -> tuple[tuple[str, Figure], ...]:
    return tuple((span, drawn[name]) for span, name in places)


def _facts(evaluation: dict[str, Any], paths: tuple[str, ...]) -> tuple[Fact, ...]:
    """Those that a design of this kind has; what is stated nowhere is left as it was before there were kinds."""
    return tuple(_fact(evaluation, path) for path in _of_kind(evaluation, paths))


def _of_kind(evaluation: dict[str, Any], paths: tuple[str, ...]) -> tuple[str, ...]:
    kept = figures_for(evaluation, *paths) if is_serving(evaluation) else paths
    return tuple(path for path in kept if path not in SERVING_ALONE or is_serving(evaluation))


def _fact(evaluation: dict[str, Any], path: str) -> Fact:
    interval = shown_interval(evaluation, path)
    found = fact(evaluation, path)
    return found._replace(between=interval.ends, meaning=interval.meaning) if interval else found


def _strategy(evaluation: dict[str, Any]) -> tuple[Fact, ...]:
    strategy = at(evaluation, "performance.strategy") or {}
    labels = STRATEGY_LABELS | PLACEMENT_LABELS | KIND_LABELS
    if is_serving(evaluation):
        labels = labels | SERVING_LAYOUT_LABELS | (DECODE_LABELS if "prefill_tp" in strategy else {})
    kinds = [kind["name"] for kind in at(evaluation, "inputs.pod.kinds") or []]

    def line(name: str, value: float) -> Fact:
        found = fact(evaluation, f"performance.strategy.{name}", labels.get(name, ""))
        named = name in KIND_LABELS and kinds
        return found._replace(shown=Shown(kinds[int(value)])) if named else found

    return tuple(line(name, value) for name, value in strategy.items() if isinstance(value, int | float))


def _fabric_basis(evaluation: dict[str, Any]) -> str:
    tiers = at(evaluation, "fabric.tiers") or []
    switches, cables = at(evaluation, "fabric.switches_total"), at(evaluation, "fabric.cables_total")
    if not tiers:
        return "one SuperNode, no scale-out fabric"
    words = {1: "one tier", 2: "two tiers", 3: "three tiers"}
    counts = [words.get(len(tiers), f"{len(tiers)} tiers")]
    if switches is not None:
        counts.append(f"{number(switches)} switches")
    if cables is not None:
        counts.append(f"{number(cables)} cables")
    return ", ".join(counts)


def _cost_basis(evaluation: dict[str, Any]) -> str:
    years = at(evaluation, "inputs.economics.life_years")
    wacc = at(evaluation, "inputs.economics.wacc")
    use = at(evaluation, "inputs.economics.utilisation")
    words = [f"{number(years)} years"] if years else []
    words += [f"{100 * wacc:.3g}\u202f% WACC"] if wacc is not None else []
    words += [f"{100 * use:.3g}\u202f% utilisation"] if use is not None else []
    return ", ".join(words) or "bought and run over its life"


def _generic_basis(evaluation: dict[str, Any]) -> str:
    """What a step does, and that nothing measured stands behind its speed."""
    steps = show(at(evaluation, "inputs.workload.steps"), "1").text
    return f"one of {steps} steps; no measured runs of generic jobs, so no interval is given"


def _serving_basis(evaluation: dict[str, Any]) -> str:
    """What a request is, and the requests in flight."""
    asked, answered = (at(evaluation, f"inputs.workload.{name}_tokens") for name in ("input", "output"))
    flight = at(evaluation, "performance.concurrency")
    words = f"requests of {number(asked)} tokens in and {number(answered)} out"
    return words if flight is None else f"{words}, {number(round(flight, 1))} in flight"


def _product(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one * other
