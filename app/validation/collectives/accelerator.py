"""The accelerator of a row, by whichever of its names the row uses."""

from __future__ import annotations

import re

from app.catalog.lookup import Catalog, Part
from app.validation.rows import Row, UnsupportedRowError

NAMES_OFFERED = 3
# Words of the vendor, the form and the memory: they do not tell chips apart here.
BESIDE = re.compile(r"nvidia|amd|instinct|google|aws|intel|huawei|gpus?|\d*gb|hbm\d?e?|die|oam")


def accelerator_of(row: Row, catalog: Catalog) -> Part:
    """The accelerator that a row names: by its key, a known name, or all of the name's words.

    Raises
    ------
    UnsupportedRowError : no accelerator of that name, or several that are not joined alike
    """
    name = row.text("accelerator_key") or row.text("accelerator")
    if not name:
        raise UnsupportedRowError("accelerator is not given")
    asked = _words(name)
    for known in (name, " ".join(asked)):
        key = catalog.find("accelerators", known)
        if key is not None:
            return catalog.part("accelerators", key)
    found = [part for part in catalog.parts("accelerators") if asked and set(asked) <= _part_words(part)]
    on_pcie = "pcie" in asked or "pcie" in row.text("domain").lower()
    found = [part for part in found if _links(part)[0].startswith("PCIe") == on_pcie] or found
    if len({_links(part) for part in found}) == 1:
        return found[0]
    near = ", ".join(part.key for part in found) or ", ".join(
        catalog.nearest("accelerators", name, NAMES_OFFERED)
    )
    raise UnsupportedRowError(f"no one accelerator of the catalog is called {name!r}; the nearest are {near}")


def _words(name: str) -> list[str]:
    """Words with the number that follows them: ["gaudi3"], ["rtx", "pro6000"], ["a100", "sxm"]."""
    joined = re.sub(r"\b([a-z]+)[ _-]+(\d+)\b", r"\1\2", name.lower())
    words = (re.sub(r"^(sxm)\d$", r"\1", word) for word in re.findall(r"[a-z0-9]+", joined))
    return [word for word in words if not BESIDE.fullmatch(word)]


def _part_words(part: Part) -> set[str]:
    return {*_words(part.name), *_words(part.key.replace("_", " "))}


def _links(part: Part) -> tuple[str, ...]:
    """What joins an accelerator to others: parts that agree in it are one for a collective."""
    facts = ("scale_up_bandwidth_bytes_per_s", "scale_up_domain_max_accelerators")
    values = (str(part.facts[name].value) if name in part.facts else "" for name in facts)
    return (
        str(part.attributes.get("scale_up_link", "")).split(" ")[0],
        str(part.attributes.get("generation", "")),
        *values,
    )
