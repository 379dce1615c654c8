"""The layout of a served model in the form: searched for, one kind of instance, or prefill and decode apart."""

from __future__ import annotations

from typing import Any

from app.surfaces.pages.studio.field import Field, field_info, number, select
from app.surfaces.pages.studio.values import MISSING, value_at, with_value

LAYOUT = "workload.layout"
INSTANCE, SPLIT = "instance", "split"
WORDS = (("auto", "Search"), (INSTANCE, "Together"), (SPLIT, "Apart"))
"""Prefill and decode on the same instances, or on instances of their own."""
DEGREES = {
    "tp": ("Tensor parallel", "tensor_parallel"),
    "dp": ("Attention replicas", "data_parallel"),
    "pp": ("Pipeline stages", "pipeline_parallel"),
    "cp": ("Context parallel", "context_parallel"),
    "ep": ("Expert parallel", "expert_parallel"),
    "redundant_experts": ("Copies of experts", "redundant_experts"),
}
ON = {
    "auto": "Every kind is tried",
    "main": "The first kind",
    "also_1": "First further kind",
    "also_2": "Second further kind",
    "also_3": "Third further kind",
}
POOLS = {"": "", "prefill.": "Prefill: ", "decode.": "Decode: "}


def layout_fields() -> tuple[Field, ...]:
    """The choice, then the degrees of each kind of instance; those of the layout at hand are shown."""
    chosen = Field(
        path=LAYOUT, label="Layout", control="segments", words=WORDS,
        description=field_info(LAYOUT).description or "",
    )  # fmt: skip
    return (chosen, *(field for pool in POOLS for field in _degrees(pool)))


def _degrees(pool: str) -> tuple[Field, ...]:
    side = pool.rstrip(".") or "decode"
    named = POOLS[pool]
    return (
        *(
            number(
                f"{LAYOUT}.{pool}{name}",
                f"{named}{label[0].lower()}{label[1:]}" if named else label,
                used=f"workload.plan.{side}.{used}",
            )
            for name, (label, used) in DEGREES.items()
        ),
        number(
            f"{LAYOUT}.{pool}instances",
            f"{named}instances" if named else "Instances",
            used=f"workload.plan.{side}_instances",
        ),
        select(f"{LAYOUT}.{pool}on", f"{named}kind of SuperNode" if named else "Kind of SuperNode", names=ON),
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
    """Whether the layout that is stated has this degree; a kind of SuperNode, where the pod has several."""
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
