"""A layout of a served model in few words, from an answer as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ON = {
    "main": "the first kind",
    "also_1": "the second kind",
    "also_2": "the third kind",
    "also_3": "the fourth kind",
}
"""Kinds of SuperNode of a mixed pod, in the order of the scenario."""


def serving_layout_text(layout: Mapping[str, Any]) -> str:
    """The layout of one replica.

    >>> serving_layout_text({"tp": 1, "dp": 8, "pp": 1, "ep": 8, "redundant_experts": 0})
    'TP 1, DP 8, EP 8'
    >>> one = {"tp": 4, "dp": 1, "pp": 1, "ep": 1, "redundant_experts": 0}
    >>> serving_layout_text({"prefill": one | {"instances": 2}, "decode": one | {"instances": 1}})
    '2 x (TP 4) + 1 x (TP 4)'
    """
    if "decode" not in layout:
        return _degrees(layout)
    return " + ".join(
        f"{one['instances']} x ({_degrees(one)})" for one in (layout["prefill"], layout["decode"])
    )


def serving_replicas_text(option: Mapping[str, Any]) -> str:
    """All replicas of a pod: "9 x (TP 8)", "2 x [4 x (TP 4) + 1 x (TP 1, DP 20, EP 20)]"."""
    words = serving_layout_text(option["layout"])
    return (
        f"{option['replicas']:,} x [{words}]"
        if "decode" in option["layout"]
        else f"{option['replicas']:,} x ({words})"
    )


def pod_text(pod: Mapping[str, Any]) -> str:
    """Hardware and number format: "DGX H200, FP8"."""
    return f"{pod['name']}, {str(pod['precision']).upper()}"


def _degrees(degrees: Mapping[str, Any]) -> str:
    words = [f"TP {degrees['tp']}"]
    words += [
        f"{name.upper()} {degrees[name]}" for name in ("dp", "pp", "cp", "ep") if degrees.get(name, 1) != 1
    ]
    copies, on = degrees.get("redundant_experts", 0), degrees.get("on")
    words += [f"{copies} expert copies"] if copies else []
    return ", ".join(words) + (f" on {ON[on]}" if on else "")
