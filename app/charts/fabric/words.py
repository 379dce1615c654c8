"""Words for parts of a fabric, for shares of it, and for what a step loses."""

from __future__ import annotations

from app.charts.format import THIN_SPACE, TIMES

UNKNOWN = "unknown"
TIERS = {"scale_up": "Scale-up", "leaf": "Leaf", "spine": "Spine", "core": "Core"}
DEVICES = {
    "host": "Hosts",
    "management": "Management servers",
    "leaf": "Leaf switches",
    "spine": "Spine switches",
    "core": "Core switches",
}
TRAFFIC = {
    "tp": "Tensor parallelism",
    "cp": "Context parallelism",
    "ep": "Expert parallelism",
    "pp": "Pipeline parallelism",
    "dp": "Data parallelism",
    "halo_exchange": "Halo exchange",
    "all_to_all": "All-to-all",
    "all_reduce": "All-reduce",
}


def tier_name(tier: str) -> str:
    """A tier in words.

    >>> tier_name("leaf"), tier_name("dimension_1")
    ('Leaf', 'Dimension 1')
    """
    return TIERS.get(tier, tier.replace("_", " ").capitalize())


def device_name(kind: str) -> str:
    """A kind of device in words, many.

    >>> device_name("host"), device_name("leaf"), device_name("circuit_switch")
    ('Hosts', 'Leaf switches', 'Circuit switches')
    """
    if kind in DEVICES:
        return DEVICES[kind]
    words = kind.replace("_", " ").capitalize()
    return f"{words}es" if words.endswith("switch") else f"{words}s"


def part_name(part: str, tier: str) -> str:
    """A part that fails by itself.

    >>> part_name("link", "spine"), part_name("switch", "spine"), part_name("rail", "")
    ('Spine link', 'Spine switch', 'Rail')
    """
    return f"{tier_name(tier)} {part}" if tier else part.capitalize()


def share_text(share: float | None) -> str:
    """A share with as many digits as it takes to tell it from all and from nothing.

    >>> [share_text(share).replace(THIN_SPACE, " ") for share in (0.875, 0.99993, 0.999999, 1.0, None)]
    ['87.5 %', '99.99 %', 'nearly all', '100 %', 'unknown']
    """
    if share is None:
        return UNKNOWN
    if 0.99995 <= share < 1 - 1e-9:
        return "nearly all"
    if 0 < share < 0.00005:
        return "nearly none"
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + f"{THIN_SPACE}%"


def slower_text(slowdown: float | None) -> str:
    """How much longer something takes.

    >>> [slower_text(slowdown).replace(THIN_SPACE, " ") for slowdown in (1.0, 1.0032, 2.5, None)]
    ['no change', '+0.32 %', '2.5×', 'unknown']
    """
    if slowdown is None:
        return UNKNOWN
    if slowdown < 1.00005:
        return "no change"
    return f"+{100 * (slowdown - 1):.2g}{THIN_SPACE}%" if slowdown < 2 else f"{slowdown:.3g}{TIMES}"
