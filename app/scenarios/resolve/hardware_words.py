"""Words of data sheets as the few that the engine and the assumptions tell apart."""

from __future__ import annotations

import re

from app.catalog.lookup import Part


def cooling_kind(text: str) -> str:
    """air, liquid, hybrid or "" from the words of a data sheet.

    >>> cooling_kind("hybrid (DLC + air)"), cooling_kind("DLC (fully liquid)"), cooling_kind("not published")
    ('hybrid', 'liquid', '')
    """
    words = text.lower()
    if "hybrid" in words:
        return "hybrid"
    if "liquid" in words or "dlc" in words:
        return "liquid"
    return "air" if "air" in words else ""


def topology_kind(text: str) -> str:
    """switched, mesh or torus from the words of a data sheet.

    >>> topology_kind("NVSwitch all-to-all (4 switches)"), topology_kind("4x4x4 3D torus")
    ('switched', 'torus')
    """
    words = text.lower()
    if "torus" in words:
        return "torus"
    switched = "switch" in words.replace("no switch", "")
    return "mesh" if "mesh" in words and not switched else "switched"


def context_of(accelerator: Part) -> dict[str, str]:
    """The words of an accelerator that modelling assumptions are chosen by: line, chip, key and kind of link."""
    generation = str(accelerator.attributes.get("generation", ""))
    return {
        "generation": generation_family(generation),
        "chip": generation,
        "accelerator": accelerator.key,
        "link": link_kind(str(accelerator.attributes.get("scale_up_link", ""))),
    }


def generation_family(generation: str) -> str:
    """The line of hardware that modelling assumptions are stated for.

    >>> generation_family("tpu_v5p"), generation_family("blackwell_ultra"), generation_family("trainium2")
    ('tpu', 'blackwell', 'trainium')
    """
    found = re.match(r"[a-z]+", generation)
    return found[0] if found else generation


def link_kind(text: str) -> str:
    """nvlink, pcie or other from what a data sheet says of the scale-up link.

    >>> link_kind("NVLink 4 (18 links)"), link_kind("PCIe Gen5 x16 (optional NVLink bridge)"), link_kind("ICI")
    ('nvlink', 'pcie', 'other')
    """
    first = text.lower().split(" ")[0]
    return first if first in ("nvlink", "pcie") else "other"
