"""The layout of a served model in the form: searched for, one kind of instance, or prefill and decode apart."""

from __future__ import annotations

from typing import Any

from app.surfaces.pages.studio.field import Field, control, number, select
from app.surfaces.pages.studio.values import MISSING, value_at, with_value

LAYOUT = "workload.layout"
INSTANCE, SPLIT = "instance", "split"
WORDS = (("auto", "Search"), (INSTANCE, "Aggregated"), (SPLIT, "Disaggregated"))
"""Prefill and decode on the same instances, or on instances of their own."""
DEGREES = {
    "tp": "tensor_parallel",
    "dp": "data_parallel",
    "pp": "pipeline_parallel",
    "cp": "context_parallel",
    "ep": "expert_parallel",
    "redundant_experts": "redundant_experts",
}
"""Degrees of an instance, and the names that the engine has for them."""
ON = {
    "auto": "Try every type",
    "main": "First type",
    "also_1": "Second type",
    "also_2": "Third type",
    "also_3": "Fourth type",
}
POOLS = ("", "prefill.", "decode.")


def layout_fields() -> tuple[Field, ...]:
    """The choice, then the degrees of each kind of instance; those of the layout at hand are shown."""
    return (
        control(LAYOUT, "segments", words=WORDS),
        *(field for pool in POOLS for field in _degrees(pool)),
    )


def _degrees(pool: str) -> tuple[Field, ...]:
    side = pool.rstrip(".") or "decode"
    return (
        *(
            number(f"{LAYOUT}.{pool}{name}", used=f"workload.plan.{side}.{used}")
            for name, used in DEGREES.items()
        ),
        number(f"{LAYOUT}.{pool}instances", used=f"workload.plan.{side}_instances"),
        select(f"{LAYOUT}.{pool}on", names=ON),
    )


def layout_word(layout: Any) -> str:
    """How a layout is stated.

    >>> layout_word({"decode": {"tp": 8}}), layout_word({"tp": 8}), layout_word("auto")
    ('split', 'instance', 'auto')
    """
    if not isinstance(layout, dict):
        return "auto"
    return SPLIT if {"prefill", "decode"} & set(layout) else INSTANCE


def is_of_layout(path: str, values: dict[str, Any]) -> bool:
    """Return whether the layout that is stated has this degree; a kind of SuperNode, where the pod has several."""
    if path.endswith(".on") and value_at(values, "pod.also") in (MISSING, [], ()):
        return False
    inside = path.removeprefix(f"{LAYOUT}.")
    word = layout_word(value_at(values, LAYOUT))
    return word == (SPLIT if inside.startswith(("prefill.", "decode.")) else INSTANCE)


def with_layout(values: dict[str, Any], word: str, found: dict[str, Any]) -> dict[str, Any]:
    """The scenario with its layout searched for or stated; as `found` by the engine at first."""
    if word == layout_word(value_at(values, LAYOUT)):
        return values
    return with_value(values, LAYOUT, found.get(word, MISSING))


def found_layouts(strategy: dict[str, Any]) -> dict[str, Any]:
    """The layout that runs, as either kind of layout would state it."""
    decode = _instance(strategy, "")
    prefill = _instance(strategy, "prefill_") if "prefill_tp" in strategy else decode
    groups = {name: _whole(strategy.get(f"{name}_instances")) or 1 for name in ("prefill", "decode")}
    return {
        INSTANCE: decode,
        SPLIT: {
            "prefill": {**prefill, "instances": groups["prefill"]},
            "decode": {**decode, "instances": groups["decode"]},
        },
    }


def _instance(strategy: dict[str, Any], before: str) -> dict[str, int]:
    degrees = {name: _whole(strategy.get(f"{before}{name}")) for name in DEGREES}
    return {name: value for name, value in degrees.items() if value and (name, value) != ("cp", 1)} or {
        "tp": 1
    }


def _whole(value: Any) -> int | None:
    return int(value) if isinstance(value, int | float) else None
