"""The tiers of a fabric as rows of a table, and their names and counts as people read them."""

from __future__ import annotations

from typing import Any

from app.charts.figure import Column, Row, get_path

TIER_COLUMNS = (
    Column.words("Tier"), Column("Switches"), Column("Links"), Column("Modules"), Column("Cables"),
)  # fmt: skip
COUNTS = ("switches", "links", "modules", "cables")


def tier_rows(fabric: dict[str, Any]) -> tuple[Row, ...]:
    """A row a tier, and their total."""
    rows = [
        Row(
            (tier_name(tier), *(count_text(tier.get(column)) for column in COUNTS)),
            path=f"fabric.tiers[{position}].{'switches' if tier.get('switches') else 'links'}",
        )
        for position, tier in enumerate(fabric["tiers"])
    ]
    total = Row(
        ("Total", *(count_text(fabric.get(f"{column}_total")) for column in COUNTS)),
        path="fabric.switches_total" if fabric.get("switches_total") else "fabric.links_total",
        total=True,
    )
    return (*rows, total)


def tier_name(tier: dict[str, Any]) -> str:
    """A tier as people call it."""
    return str(tier.get("name", "tier")).replace("_", " ").capitalize()


def in_a_sentence(title: str) -> str:
    """The title of a topology with its article.

    >>> in_a_sentence("Full mesh"), in_a_sentence("HyperX"), in_a_sentence("nD full mesh")
    ('a full mesh', 'a HyperX', 'an nD full mesh')
    """
    words = title if title[1:] != title[1:].lower() else title[0].lower() + title[1:]
    return f"{'an' if words[0] in 'aeioun' else 'a'} {words}"


def count_text(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def accelerator_word(evaluation: dict[str, Any]) -> str:
    """GPU or accelerator, as the vendor says."""
    return (
        "GPUs" if get_path(evaluation, "inputs.accelerator.vendor") in ("NVIDIA", "AMD") else "accelerators"
    )
