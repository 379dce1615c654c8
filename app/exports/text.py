"""An evaluation and an explanation as text for a terminal."""

from __future__ import annotations

from typing import Any

from app.engine.quantities import quantity_at
from app.figures.format import percent, show

KEY_FIGURES = (
    "performance.step_time_s",
    "performance.tokens_per_s",
    "performance.tokens_per_s_per_accelerator",
    "performance.mfu",
    "performance.hfu",
    "performance.memory_per_accelerator_bytes",
    "performance.training_time_s",
    "performance.elapsed_time_s",
    "fabric.switches_total",
    "fabric.links_total",
    "fabric.cables_total",
    "fabric.scale_up_bandwidth_bytes_per_s",
    "fabric.scale_out_bandwidth_bytes_per_s",
    "fabric.bandwidth_gap",
    "power.it_power_mean_w",
    "power.utility_peak_w",
    "cooling.pue",
    "cooling.wue_l_per_kwh",
    "cooling.coolant_flow_l_per_min",
    "cost.capex_usd",
    "cost.opex_usd_per_year",
    "cost.tco_usd",
    "cost.usd_per_accelerator_hour",
    "cost.usd_per_run",
    "cost.usd_per_million_tokens",
    "reliability.mtbf_s",
    "reliability.checkpoint_interval_s",
    "reliability.ettr",
    "reliability.spare_supernodes",
    "carbon.operational_kg",
    "carbon.embodied_kg",
)
FRACTIONS = {"performance.mfu", "performance.hfu", "reliability.ettr"}
PROBLEM_WORDS = {"infeasible": "Does not work", "missing_input": "Unknown", "warning": "Mind"}


def evaluation_text(evaluation: dict[str, Any]) -> str:
    """Key figures in the order of the rooms, then what stands in the way."""
    strategy = evaluation["performance"]["strategy"]
    layout = ", ".join(f"{name} {value}" for name, value in strategy.items())
    verdict = "feasible" if evaluation["feasible"] else "infeasible"
    lines = [f"{evaluation['name']}: {verdict}", f"Layout: {layout}", ""]
    room = ""
    for path in KEY_FIGURES:
        if path.partition(".")[0] != room:
            room = path.partition(".")[0]
            lines.append(room.capitalize())
        lines.append(f"  {label(path):<52} {_shown(path, value_at(evaluation, path))}")
    for problem in evaluation["problems"]:
        lines.append(f"\n{PROBLEM_WORDS[problem['kind']]} [{problem['field']}]: {problem['message']}")
        if problem["fix"]:
            lines.append(f"  {problem['fix']['message']}")
    lines.append("\nEstimates are estimates. `podwright explain FILE QUANTITY` shows how each was computed.")
    return "\n".join(lines)


def explanation_text(tree: dict[str, Any]) -> str:
    """An explanation as an indented tree: value, formula and source of each step."""
    lines: list[str] = []
    _explain(tree, 0, lines)
    return "\n".join(lines)


def label(path: str) -> str:
    """What people call the figure at a place of the evaluation."""
    record = quantity_at(path)
    return record.label if record else path


def value_at(evaluation: dict[str, Any], path: str) -> Any:
    """The value at a place of the evaluation."""
    value: Any = evaluation
    for name in path.split("."):
        value = value[name]
    return value


def _shown(path: str, value: Any) -> str:
    record = quantity_at(path)
    text = percent(value).text if path in FRACTIONS else show(value, record.unit if record else "1").text
    return text


def _explain(node: dict[str, Any], depth: int, lines: list[str]) -> None:
    indent = "  " * depth
    role = f"{node['role']} = " if node.get("role") else ""
    name = node.get("label") or node.get("origin", {}).get("label") or node["name"]
    lines.append(f"{indent}{role}{_value(node)}  {name} [{node['name']}]")
    if "see" in node:
        lines[-1] += f" (see above, {node['see']})"
        return
    if "formula" in node:
        lines.extend(f"{indent}    | {line}" for line in node["formula"].splitlines())
        lines.append(f"{indent}    source: {node['source']}")
    if "origin" in node:
        lines.append(f"{indent}    {_origin(node['origin'])}")
    if "note" in node:
        lines.append(f"{indent}    {node['note']}")
    for child in node.get("inputs", []):
        _explain(child, depth + 1, lines)


def _value(node: dict[str, Any]) -> str:
    value, unit = node["value"], "" if node["unit"] == "1" else f" {node['unit']}"
    if isinstance(value, dict):
        return f"{value['low']:,.6g} to {value['high']:,.6g}{unit} (array of {value['shape']})"
    return "unknown" if value is None else f"{value:,.6g}{unit}"


def _origin(origin: dict[str, Any]) -> str:
    parts = [origin["kind"], origin.get("source", ""), origin.get("printed", ""), origin.get("date", "")]
    if "catalog" in origin:
        parts.append(f"catalog {origin['catalog']}")
    return "; ".join(part for part in parts if part)
