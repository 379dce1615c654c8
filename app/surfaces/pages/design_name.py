"""The count of machines in the name of a design, held against the design itself."""

from __future__ import annotations

import re
from typing import Any

from app.charts.figure import get_path
from app.charts.format import TIMES, number

COUNT = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(?![\w.]|,\d)\s+([\w-]+)")
MACHINES = frozenset(
    ("accelerators", "chips", "gpus", "hosts", "machines", "nodes", "npus", "servers", "supernodes", "tpus")
)
UNITS = re.compile(r"[kKMGTPE]?(?:B|W|Wh|iB|bit)?(?:[-/].*)?")
"""Of tokens, bytes and power, which a name may count too."""


def size_words(evaluation: dict[str, Any]) -> str:
    """The size of a pod: "1,024 x DGX H100"; empty where it has several kinds of SuperNode or is unknown."""
    count, name = (get_path(evaluation, f"inputs.{place}") for place in ("pod.supernodes", "supernode.name"))
    if count is None or not name or get_path(evaluation, "inputs.pod.kinds"):
        return ""
    return f"{number(count)} {TIMES} {name}"


def outdated(evaluation: dict[str, Any]) -> str:
    """What a design is, where its name counts machines and the design has another number of them; else
    empty."""
    size = size_words(evaluation)
    claimed = _claimed(str(evaluation.get("name", "")), evaluation)
    if not size or claimed is None or claimed in _counts(evaluation):
        return ""
    return f"now {size}"


def _claimed(name: str, evaluation: dict[str, Any]) -> int | None:
    """The number in a name that stands before hardware, or after "on" before a proper name."""
    hardware = {
        word
        for place in ("supernode.name", "accelerator.name")
        for word in str(get_path(evaluation, f"inputs.{place}") or "").casefold().split()
    }
    for found in COUNT.finditer(name):
        word = found[2]
        after_on = name[: found.start()].endswith(" on ") and word[:1].isupper() and not UNITS.fullmatch(word)
        if after_on or word.casefold() in hardware | MACHINES:
            return int(found[1].replace(",", ""))
    return None


def _counts(evaluation: dict[str, Any]) -> set[float]:
    pod, each, nodes, used = (
        get_path(evaluation, f"inputs.{place}")
        for place in ("pod.supernodes", "supernode.accelerators", "supernode.nodes", "pod.accelerators_used")
    )
    return {pod, used, *(count for one in (each, nodes) if one for count in (one, pod * one))}
