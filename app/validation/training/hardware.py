"""The hardware of a row as SuperNode and pod: by its accelerator's catalog key, and what the row says of the network."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog, Part
from app.validation.rows import Row, UnsupportedRowError

GBIT = 1e9 / 8  # bytes
WHOLE = ("server", "supernode", "rack", "pod")
"""Categories of systems in the order in which one is taken for an accelerator."""

# 8x400G, 4x HDR 200G, 8x NVIDIA ConnectX-7 IB NDR 400Gb/s: a count of NICs and the rate of one.
NICS = re.compile(r"(\d+)\s*x\s*(?:[A-Za-z][\w-]*\s+)*?(\d+)\s*G", re.IGNORECASE)
WHOLE_NODE = re.compile(r"(\d+)\s*Gb/s\b.*\bper node", re.IGNORECASE)
SLICES = re.compile(r"(\d+) slices")


class Cluster(NamedTuple):
    """The two parts of a scenario that say what it runs on."""

    supernode: dict[str, Any]
    pod: dict[str, Any]


def cluster(row: Row, catalog: Catalog) -> Cluster:
    """SuperNode and pod of a row.

    Raises
    ------
    UnsupportedRowError : the accelerator or the size of the cluster is not given or not known
    """
    key = row.text("accelerator_key")
    if key not in catalog.keys("accelerators"):
        raise UnsupportedRowError(f"the accelerator {key or row.text('hardware')!r} is not in the catalog")
    used = row.needed("n_accelerators")
    system = usual_system(catalog, key)
    node = row.count("gpus_per_node") or 8
    domain = _domain(row, system, node, used)
    bought = max(domain, 1)
    nics = _nic_bytes_per_s(row, node)
    override: dict[str, Any] = {
        "accelerators": bought,
        "scale_up_domain_accelerators": domain,
        "nodes": max(1, math.ceil(bought / node)),
    }
    if nics is not None:
        override |= {"scale_out_nics": bought, "scale_out_nic_bandwidth_bytes_per_s": nics}
    if system is not None:
        supernode: dict[str, Any] = {"system": system.key, "override": override}
    else:
        supernode = {"custom": _custom(row, key, override)}
    supernodes = math.ceil(used / bought)
    pod: dict[str, Any] = {"supernodes": supernodes}
    if supernodes * bought != used:
        pod["accelerators_used"] = used
    return Cluster(supernode, pod)


def usual_system(catalog: Catalog, accelerator: str) -> Part | None:
    """The usual system of an accelerator: the first of the smallest kind it is sold in."""
    found = [
        part for part in catalog.parts("systems") if part.attributes.get("accelerator_key") == accelerator
    ]
    for category in WHOLE:
        for part in found:
            if part.attributes.get("category") == category and "scale_up_domain_accelerators" in part.facts:
                return part
    return None


def _domain(row: Row, system: Part | None, node: int, used: int) -> int:
    """Accelerators of one scale-up domain: a slice of a torus, a rack, or the node."""
    slices = SLICES.search(row.text("scale_out"))
    if slices:
        return max(1, used // int(slices[1]))
    if system is None:
        return node
    domain = int(system.facts["scale_up_domain_accelerators"].value)
    if system.attributes.get("category") == "server":
        return node
    return min(domain, used) if system.attributes.get("category") == "pod" else domain


def _nic_bytes_per_s(row: Row, node: int) -> float | None:
    """Scale-out bandwidth of one accelerator, one way; None where the row does not say."""
    text = row.text("scale_out")
    compute = text.split("Compute:", 1)[-1]
    if found := NICS.search(compute):
        return int(found[1]) * int(found[2]) / node * GBIT
    if found := WHOLE_NODE.search(compute):
        return int(found[1]) / node * GBIT
    return None


def _custom(row: Row, key: str, override: dict[str, Any]) -> dict[str, Any]:
    rate = override.get("scale_out_nic_bandwidth_bytes_per_s")
    return {
        "name": row.text("hardware") or key,
        "accelerator": key,
        "accelerators": override["accelerators"],
        "nodes": override["nodes"],
        "scale_out_nics": override["accelerators"],
        "nic_gbit_s": 400.0 if rate is None else rate / GBIT,
    }
