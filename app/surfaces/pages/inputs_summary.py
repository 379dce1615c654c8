"""The inputs of a design, read only, in a few lines."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import get_path
from app.charts.format import TIMES, number, show
from app.engine.fabric.topologies import TOPOLOGIES


class InputGroup(NamedTuple):
    title: str
    lines: tuple[str, ...]


def input_groups(evaluation: dict[str, Any]) -> tuple[InputGroup, ...]:
    """Workload, SuperNode, pod and site."""
    inputs = evaluation.get("inputs", {})
    workload = inputs.get("workload", {})
    groups = (
        InputGroup("Workload", _lines(*_workload_lines(workload))),
        InputGroup("SuperNode", _lines(
            get_path(inputs, "supernode.name"),
            _accelerators(inputs),
            _rate(get_path(inputs, "accelerator.memory_bandwidth_bytes_per_s"), "HBM"),
            _rate(get_path(evaluation, "fabric.scale_up_bandwidth_bytes_per_s"), "scale-up, one way"),
        )),
        InputGroup("Pod", _lines(
            _plain(get_path(inputs, "pod.supernodes"), "SuperNodes"),
            _plain(get_path(inputs, "pod.accelerators_used"), "accelerators used"),
            _topology(get_path(evaluation, "fabric.topology")),
        )),
        InputGroup("Site", _lines(get_path(inputs, "site.name"))),
    )  # fmt: skip
    return tuple(group for group in groups if group.lines)


def _workload_lines(workload: dict[str, Any]) -> tuple[str | None, ...]:
    precision = str(workload.get("precision") or "").upper()
    if workload.get("kind") == "generic":
        patterns = ", ".join(str(name).replace("_", " ") for name in dict.fromkeys(workload["patterns"]))
        return (
            workload.get("name"),
            f"{workload.get('scaling')} scaling",
            _plain(workload.get("steps"), "steps"),
            f"{_count(workload.get('flop_per_step'), 'FLOP')} a step",
            f"{_count(workload.get('memory_traffic_per_step_bytes'), 'B')} memory traffic a step",
            patterns or "no communication",
            precision,
        )
    if workload.get("kind") == "serving":
        return (
            workload.get("model"),
            f"{_count(workload.get('input_tokens'), 'tokens')} in, {_count(workload.get('output_tokens'), 'tokens')} out",
            None
            if workload.get("concurrency") is None
            else f"{number(workload['concurrency'])} requests in flight",
            None
            if workload.get("requests_per_s") is None
            else f"{number(workload['requests_per_s'])} requests a second asked for",
            workload.get("engine"),
            precision,
        )
    return (
        workload.get("model"),
        _count(workload.get("tokens"), "tokens"),
        _plain(workload.get("sequence_length"), "tokens a sequence"),
        _plain(workload.get("global_batch_sequences"), "sequences a step"),
        precision,
    )


def _lines(*lines: str | None) -> tuple[str, ...]:
    return tuple(line for line in lines if line)


def _count(value: float | None, unit: str) -> str | None:
    return None if value is None else show(value, unit).text


def _plain(value: float | None, words: str) -> str | None:
    if value == 1:
        words = words.removesuffix("s") if words == "SuperNodes" else words
    return None if value is None else f"{number(value)} {words}"


def _rate(value: float | None, words: str) -> str:
    return f"{show(value, 'B/s').text} {words}"


def _accelerators(inputs: dict[str, Any]) -> str | None:
    count, name = get_path(inputs, "supernode.accelerators"), get_path(inputs, "accelerator.name")
    return f"{number(count)} {TIMES} {name}" if count and name else None


def _topology(key: str | None) -> str | None:
    if key is None:
        return None
    return TOPOLOGIES[key].title if key in TOPOLOGIES else "No scale-out fabric"
