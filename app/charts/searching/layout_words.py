"""A layout in few words, and how a chart names one that is to be adopted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.engine.performance.schedules import CODES, SCHEDULES

Adopt = Callable[[Mapping[str, Any]], str]
"""From a layout, as a scenario states it, to the text by which a page adopts it."""

DEGREES = (("tp", "TP"), ("pp", "PP"), ("cp", "CP"), ("ep", "EP"))


def degrees_text(layout: Mapping[str, Any], dp: float | None = None) -> str:
    """The degrees that are not one, tensor and pipeline parallelism always.

    >>> degrees_text({"tp": 8, "pp": 16, "cp": 1, "ep": 1}, 128)
    'TP 8, PP 16, DP 128'
    """
    words = [
        f"{word} {layout[name]}"
        for name, word in DEGREES
        if name in layout and (layout[name] != 1 or name in ("tp", "pp"))
    ]
    return ", ".join([*words, *([] if dp is None else [f"DP {dp:.0f}"])])


def details_text(layout: Mapping[str, Any]) -> str:
    """The rest of a layout, what is usual left out."""
    stages = layout.get("vpp", 1)
    words = [
        f"micro-batch {layout.get('micro_batch')}",
        *([f"{stages} virtual stages"] if stages != 1 else []),
        f"ZeRO {layout.get('zero_stage')}",
        {"none": "no recompute", "full": "full recompute"}.get(
            str(layout.get("recompute")), f"{layout.get('recompute')} recompute"
        ),
    ]
    if layout.get("tp", 1) != 1 and not layout.get("sequence_parallel"):
        words.append("no sequence parallel")
    if layout.get("inside") == "pipeline":
        words.append("stages inside the domain")
    if layout.get("cp", 1) != 1 and layout.get("context", "ring") != "ring":
        words.append(f"{layout['context'].replace('_', '-')} context exchange")
    if layout.get("schedule", "1f1b") != "1f1b":
        words.append(SCHEDULES[CODES[layout["schedule"]]].name)
    for name, word in (("tensor_overlap", "no tensor overlap"), ("data_overlap", "no data overlap")):
        if layout.get(name) is False:
            words.append(word)
    words += asked_for(layout)
    return ", ".join(words)


def asked_for(layout: Mapping[str, Any]) -> list[str]:
    """What a layout has that is looked at only where somebody asks for it: offload and groups of shards.

    >>> asked_for({"offload": "both", "offload_to": "nvme", "shard_group": 8})
    ['optimizer and activations offloaded to NVMe', 'shard groups of 8']
    """
    words = []
    if layout.get("offload", "none") != "none":
        away = {"both": "optimizer and activations"}.get(layout["offload"], layout["offload"])
        to = {"peer": " to other accelerators", "nvme": " to NVMe"}.get(layout.get("offload_to", "host"), "")
        words.append(f"{away} offloaded{to}")
    if layout.get("etp", "auto") != "auto":
        words.append(f"experts over {layout['etp']} tensor-parallel ranks")
    if layout.get("shard_group", "all") != "all":
        words.append(f"shard groups of {layout['shard_group']}")
    return words


def variants_text(row: Mapping[str, Any]) -> str:
    """How the variants of an answer differ from it, and how many more there are.

    >>> one, other = {"tp": 8, "cp": 1, "data_overlap": True}, {"tp": 8, "cp": 2, "data_overlap": False}
    >>> variants_text({"parallelism": one, "dp": 128, "variant_count": 3,
    ...                "variants": [{"parallelism": other, "dp": 64}]})
    'cp 2, dp 64, data overlap off; 2 more'
    """
    shown = row.get("variants", [])
    own = _choices(row) if shown else {}
    words = [
        ", ".join(f"{name} {value}" for name, value in _choices(variant).items() if own.get(name) != value)
        for variant in shown
    ]
    more = row.get("variant_count", 0) - len(shown)
    return "; ".join([*words, *([f"{more:,} more"] if more else [])])


def _choices(row: Mapping[str, Any]) -> dict[str, str]:
    """Each choice of a layout in words, its replicas behind its degrees."""
    layout = row["parallelism"]
    degrees = {name: layout[name] for name, _ in DEGREES if name in layout}
    # The name, as only answers say from which release on.
    runs = {"framework": row["framework"].partition(",")[0]} if row.get("framework") else {}
    said = {True: "on", False: "off"}
    return {
        name.replace("_", " "): said[value] if isinstance(value, bool) else f"{value}"
        for name, value in {**degrees, "dp": row["dp"], **layout, **runs}.items()
    }
