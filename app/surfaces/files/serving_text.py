"""What stands above the figures of a served model: its replicas, the load, and times by share of the requests."""

from __future__ import annotations

from typing import Any

from app.charts.figure import get_path
from app.charts.format import number, show

DEGREES = {"tp": "TP", "dp": "DP", "pp": "PP", "cp": "CP", "ep": "EP"}
TIMES = {
    "ttft": "Time to first token",
    "tpot": "Time per output token",
    "end_to_end": "First to last token",
}


def serving_lines(evaluation: dict[str, Any]) -> list[str]:
    """Replicas on accelerators, requests in flight and how many fit, then percentiles."""
    return [
        f"Layout: {replicas_text(evaluation)}",
        *_load(evaluation),
        *_host(evaluation),
        "",
        *_percentiles(evaluation),
    ]


def replicas_text(evaluation: dict[str, Any]) -> str:
    """How replicas and accelerators come together: "2 replicas of TP 8 on 16 accelerators"."""
    performance = evaluation["performance"]
    replicas, size = performance["replicas"], performance["accelerators_per_replica"]
    layout = _layout(
        performance["strategy"], [kind["name"] for kind in get_path(evaluation, "inputs.pod.kinds") or []]
    )
    if replicas is None or size is None:
        return layout
    plural = "replica" if replicas == 1 else "replicas"
    many = "accelerator" if replicas * size == 1 else "accelerators"
    return f"{number(replicas)} {plural} of {layout} on {number(replicas * size)} {many}"


def _layout(strategy: dict[str, Any], kinds: list[str]) -> str:
    """Instances with their degrees, and the kind of SuperNode of each in a mixed pod."""

    def instance(before: str, on: str) -> str:
        place = strategy.get(on)
        return _instance(strategy, before) + (f" on {kinds[int(place)]}" if place is not None else "")

    if "prefill_tp" not in strategy:
        return instance("", "decode_on")
    counts = (strategy[f"{name}_instances"] for name in ("prefill", "decode"))
    prefill, decode = (number(count) for count in counts)
    return f"{prefill} prefill ({instance('prefill_', 'prefill_on')}) and {decode} decode ({instance('', 'decode_on')})"


def _instance(strategy: dict[str, Any], before: str) -> str:
    """Degrees that are not 1."""
    degrees = {words: strategy.get(f"{before}{name}") for name, words in DEGREES.items()}
    shown = [f"{words} {number(value)}" for words, value in degrees.items() if value not in (None, 1)]
    return ", ".join(shown) or "one accelerator"


def _load(evaluation: dict[str, Any]) -> list[str]:
    flight, batch, limit = (
        get_path(evaluation, f"performance.{name}") for name in ("concurrency", "batch", "batch_limit")
    )
    if flight is None or batch is None or limit is None:
        return []
    does = "reads" if "performance.tpot_s" in evaluation.get("not_applicable", ()) else "decodes"
    return [
        f"Load: {flight:,.4g} requests in flight; an instance {does} {batch:,.4g} at once, and memory holds {limit:,.0f}"
    ]


def _host(evaluation: dict[str, Any]) -> list[str]:
    """What lies in the memory of the host, where something does."""
    used, share = (
        get_path(evaluation, f"performance.{name}")
        for name in ("offloaded_per_accelerator_bytes", "strategy.host_share")
    )
    if used is None or not share:
        return []
    return [
        f"Host memory: {share:.0%} of the layers or routed experts, {show(used, 'B').text} for each accelerator"
    ]


def _percentiles(evaluation: dict[str, Any]) -> list[str]:
    """Within what time a share of the requests is, a line a time."""
    found = {
        words: get_path(evaluation, f"performance.{name}_percentiles_s") or {}
        for name, words in TIMES.items()
    }
    shares = next((tuple(times) for times in found.values() if times), ())
    if not shares:
        return []
    heads = "".join(f"{share.removeprefix('p')} %".rjust(12) for share in shares)
    lines = [f"  {'Share of the requests within':<40}{heads}"]
    for words, times in found.items():
        if not times:
            continue
        cells = "".join(show(times.get(share), "s").text.rjust(12) for share in shares)
        lines.append(f"  {words:<40}{cells}")
    return [*lines, ""]
