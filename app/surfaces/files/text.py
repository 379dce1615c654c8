"""An evaluation and an explanation as text for a terminal."""

from __future__ import annotations

from typing import Any

from app.charts.figure import estimated_words, get_path
from app.charts.format import number, share_text, show, show_at, signed_percent, span
from app.charts.key_figures import key_figures, show_figure
from app.charts.mixed import kinds_text, slowest_text
from app.charts.searching.layout_axes import degrees_text, details_text
from app.charts.shared_pod import sharing_words, workload_table
from app.charts.workload_kind import is_generic, is_serving
from app.engine.quantities import label_at
from app.scenarios.document.layout import layout_document

PROBLEM_WORDS = {"infeasible": "Infeasible", "missing_input": "Unknown", "warning": "Warning"}


def problem_word(problem: dict[str, Any]) -> str:
    """What kind of problem it is, in a word or two."""
    return "Rent only" if problem["constraint"] == "rent_only" else PROBLEM_WORDS[problem["kind"]]


def _layout_text(evaluation: dict[str, Any]) -> str:
    """The layout in words, what is usual left out; of a generic job its grid."""
    strategy = evaluation["performance"]["strategy"]
    if is_generic(evaluation):
        return "Placement: " + ", ".join(f"{name} {value}" for name, value in strategy.items())
    if strategy["tp"] is None:
        return "Layout: none"
    layout = layout_document(strategy)
    return (
        f"Layout: {degrees_text(layout, strategy['dp'])}, {strategy['micro_batches']:,.0f} micro-batches; "
        f"{details_text(layout)}"
    )


def evaluation_text(evaluation: dict[str, Any]) -> str:
    """Key figures in the order of the rooms, then what stands in the way."""
    verdict = "feasible" if evaluation["feasible"] else "infeasible"
    above = serving_lines(evaluation) if is_serving(evaluation) else [_layout_text(evaluation)]
    lines = [f"{evaluation['name']}: {verdict}", *above]
    if framework := evaluation["performance"].get("framework"):
        lines.append(f"Framework: {framework}")
    if kinds := kinds_text(evaluation):
        lines.append(f"SuperNodes: {kinds}. {slowest_text(evaluation)}".rstrip())
    if lines[-1]:
        lines.append("")
    room = ""
    for path in key_figures(evaluation):
        if path.partition(".")[0] != room:
            room = path.partition(".")[0]
            lines.append(room.capitalize())
        value, bounds = value_at(evaluation, path), interval_text(evaluation, path)
        words = show_figure(evaluation, path).text
        mark = "  estimate" if value is not None and estimated_words(evaluation, path) else ""
        lines.append(f"  {label_at(path):<52} {words:<22}{bounds}{mark}".rstrip())
    lines += workloads_lines(evaluation)
    lines += _estimate_lines(evaluation)
    if decisions := evaluation.get("decisions"):
        lines.append("\nChosen automatically")
        lines += [f"  {decision['message']} [{decision['field']}]" for decision in decisions]
    for problem in evaluation["problems"]:
        lines.append(f"\n{problem_word(problem)} [{problem['field']}]: {problem['message']}")
        if problem["fix"]:
            lines.append(f"  {problem['fix']['message']}")
    if "intervals" in evaluation:
        lines.append(f"\n{evaluation['intervals']['likeness']} {said_of(evaluation['intervals'])}".rstrip())
    lines.append(
        "\nPlanning estimates, not guarantees. `podwright explain FILE QUANTITY` shows how each was computed."
    )
    return "\n".join(lines)


def _estimate_lines(evaluation: dict[str, Any]) -> list[str]:
    """Accepted estimates with range and rule; figures that rest on them are marked."""
    accepted = evaluation.get("estimates", ())
    return ["\nAccepted estimates, in the figures marked so"] * bool(accepted) + [
        f"  {one['label']}: {show(one['value'], one['unit']).text}, range "
        f"{span(show(one['low'], one['unit']), show(one['high'], one['unit']))} ({one['rule']})"
        for one in accepted
    ]


def explanation_text(tree: dict[str, Any]) -> str:
    """An explanation as an indented tree: value, formula and source of each step; then what it may be off."""
    lines: list[str] = []
    _explain(tree, 0, lines)
    if "interval" in tree:
        lines += ["", *_interval_lines(tree["interval"], tree["path"])]
    return "\n".join(lines)


def interval_text(evaluation: dict[str, Any], path: str) -> str:
    """The interval of a figure: "38.1 to 49.4 %"; "" where it has none."""
    room, _, name = path.partition(".")
    bounds = evaluation.get("intervals", {}).get(room, {}).get(name)
    if bounds is None or bounds["low"] is None:
        return ""
    return _bounds(path, bounds)


def said_of(intervals: dict[str, Any]) -> str:
    """What the bounds of an interval mean; nothing where there are none."""
    if not intervals["runs"]:
        return ""
    share = share_text(intervals["probability"])
    return f"Bounds are the {share} interval from comparable runs; speed varies in it, and failures where time elapses."


def _interval_lines(interval: dict[str, Any], path: str) -> list[str]:
    return [
        f"{_bounds(path, interval)}: {said_of(interval)}".rstrip(": "),
        interval["likeness"],
        *(
            (
                "Nearest measured runs (error of the prediction; with source and accelerator left out of the fit):",
            )
            if interval["nearest"]
            else ()
        ),
        *(
            f"  {run['id']:<10} {run['model']}, {run['accelerators']:,} x {run['accelerator']}: "
            f"{signed_percent(run['error'])}; {signed_percent(run['left_out_error'])}; "
            f"distance {run['distance']:.2f}; {run['source']}"
            for run in interval["nearest"]
        ),
    ]


def value_at(evaluation: dict[str, Any], path: str) -> Any:
    """The value at a place of the evaluation."""
    value: Any = evaluation
    for name in path.split("."):
        value = value[name]
    return value


def _bounds(path: str, interval: dict[str, Any]) -> str:
    return span(show_at(path, interval["low"]), show_at(path, interval["high"]))


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
    if "own" in origin:
        parts.append(f"own value of {origin['own']}")
    if "catalog" in origin:
        parts.append(f"catalog {origin['catalog']}")
    return "; ".join(part for part in parts if part)


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
    """Contents of host memory, where it is used."""
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


LABEL_WIDTH = 38
LEAST_WIDTH = 16


def workloads_lines(evaluation: dict[str, Any]) -> list[str]:
    """A table with a column a workload, and one of the pod; nothing where one workload has the pod to itself."""
    table = workload_table(evaluation)
    if table is None:
        return []
    columns = [
        [name, what, *(row.cells[place].shown.text for row in table.rows)]
        for place, (name, what) in enumerate(zip(table.names, table.what, strict=True))
    ]
    columns.append(["Pod", "", *(row.pod.shown.text for row in table.rows)])
    widths = [max(LEAST_WIDTH, *map(len, column)) for column in columns]
    labels = ["", "", *(row.label for row in table.rows)]
    lines = ["", f"Workloads. {sharing_words(table)}"]
    for label, *cells in zip(labels, *columns, strict=True):
        padded = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        lines.append(f"  {label:<{LABEL_WIDTH}}{padded}".rstrip())
    return lines
