"""The hardware, software and layout of a row, and what stands for what it leaves open."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog, Part
from app.validation.study import Row, UnsupportedRowError
from app.validation.training.architecture import sizes

# The hardware of a row as SuperNode and pod: by its accelerator's catalog key, and what the row says of the network.

GBIT = 1e9 / 8  # bytes
WHOLE = ("server", "supernode", "rack", "pod")
"""Categories of systems that a job runs on."""

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
    """The usual system of an accelerator: the first that the catalog lists."""
    return next(
        (
            part
            for part in catalog.parts("systems")
            if part.attributes.get("accelerator_key") == accelerator
            and part.attributes.get("category") in WHOLE
            and "scale_up_domain_accelerators" in part.facts
        ),
        None,
    )


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


# The software of a row: the framework it names, as it was on its date.

FRAMEWORKS = {
    "megatron": "megatron",
    "nemo": "megatron",
    "deepspeed": "deepspeed",
    "fsdp_composer": "fsdp",
    "torchtitan": "fsdp",
    "maxtext": "xla",
    "internevo": "internevo",
}
# Megatron-Core shards weights with Megatron-FSDP alone.
SHARDED_WEIGHTS = 3
# Megatron-Core with distributed optimizer, sequence parallelism and fused attention came with 2023.
BEFORE_CORE = "2023"
# cuDNN 9.6 made attention on Hopper half as fast again. A run without a date may be older.
BEFORE_FAST_CUDNN = "2024-12"
# Composer brought the first FlashAttention, later PyTorch its second.
FIRST_FLASH = ("fsdp_composer",)
# Megatron-Bridge captures whole iterations since its release of June 2026.
CAPTURED_FROM = "2026-06"


RECIPES = {
    "rowwise": "row_wise",
    "row-wise": "row_wise",
    "block": "block_wise",
    "-cs": "tensor_wise",
    "tensor": "tensor_wise",
}
"""Words of a printed precision that say how FP8 is scaled; Transformer Engine scales with delay where none does."""


def software(row: Row) -> dict[str, Any]:
    """The software section of a row's scenario."""
    named, date = row.text("framework"), row.text("software_date")
    framework = FRAMEWORKS.get(named, "auto")
    if framework == "megatron" and date and date < BEFORE_CORE:
        framework = "megatron_lm"
    if framework == "megatron" and row.number("zero_stage") == SHARDED_WEIGHTS:
        framework = "megatron_fsdp"
    stated: dict[str, Any] = {"framework": framework, "captured_graphs": "auto"}
    if not date or date < CAPTURED_FROM:
        stated["captured_graphs"] = "no"
    if named in FIRST_FLASH:
        stated["attention_kernel"] = "flash_1"
    elif (
        framework == "megatron"
        and "h100" in row.text("accelerator_key")
        and (not date or date < BEFORE_FAST_CUDNN)
    ):
        stated["attention_kernel"] = "vendor_2024"
    scaling = next(
        (recipe for word, recipe in RECIPES.items() if word in row.text("precision").lower()), None
    )
    if scaling:
        stated["recipe"] = scaling
    elif framework == "megatron":
        stated["recipe"] = "delayed"
    return stated


# The parallel layout of a row, and what stands for what it leaves open.
#
# Frameworks have defaults that their users do not write down: these are taken, and named beside the prediction.

# Recomputation, ZeRO stage and sequence parallelism where nothing is said, by the framework's documentation.
DEFAULTS: dict[str, dict[str, Any]] = {
    "megatron": {"recompute": "none", "zero_stage": 1, "sequence_parallel": True},
    "megatron_fsdp": {"recompute": "none", "zero_stage": 3, "sequence_parallel": True},
    "megatron_lm": {"recompute": "full", "zero_stage": 0, "sequence_parallel": False},
    "deepspeed": {"recompute": "full", "zero_stage": 1, "sequence_parallel": False},
    "fsdp": {"recompute": "selective", "zero_stage": 3, "sequence_parallel": True},
    "xla": {"recompute": "full", "zero_stage": 3, "sequence_parallel": True},
    "internevo": {"recompute": "none", "zero_stage": 1, "sequence_parallel": False},
    "auto": {"recompute": "none", "zero_stage": 1, "sequence_parallel": True},
}
DEGREES = ("tp", "pp", "cp", "ep")
RECOMPUTE = ("none", "selective", "full")
# Megatron-LM splits batches into micro-batches since it has pipelines.
MEGATRON_ACCUMULATES = "2020-12"
LARGE_BUBBLE = 0.1
"""Idle share of a plain pipeline from which its virtual stages are taken to be in use."""


class Plan(NamedTuple):
    """Parallelism of a scenario, or `auto`; what was assumed, and what recomputation may be."""

    parallelism: dict[str, Any] | str
    assumed: tuple[str, ...]
    recompute: tuple[str, ...]


def layout(row: Row, framework: str) -> Plan:
    """The layout of a row; `auto` where it gives neither tensor nor pipeline parallelism."""
    if row.count("tp") is None and row.count("pp") is None:
        return Plan("auto", ("layout: the best of the search",), ())
    assumed = []
    usual = DEFAULTS[framework]
    stated: dict[str, Any] = {name: row.count(name) or 1 for name in DEGREES}
    for name in ("zero_stage", "sequence_parallel"):
        text = row.text(name).lower()
        if not text:
            stated[name] = usual[name]
            assumed.append(f"{name} {usual[name]}")
        else:
            stated[name] = int(row.number(name) or 0) if name == "zero_stage" else text in ("yes", "true")
    stated["micro_batch"] = row.count("micro_batch") or _micro_batch(row, stated, framework)
    if row.count("micro_batch") is None:
        assumed.append(f"micro_batch {stated['micro_batch']}")
    stated["vpp"] = row.count("vpp") or _virtual_stages(row, stated, framework)
    if row.count("vpp") is None and stated["pp"] > 1:
        assumed.append(f"vpp {stated['vpp']}")
    assumed += _made_whole(row, stated)
    given = row.text("recompute").lower()
    allowed: tuple[str, ...] = (given,) if given in RECOMPUTE else ()
    # What is not said is the least that the memory has room for, from the framework's default on.
    allowed = allowed or RECOMPUTE[RECOMPUTE.index(usual["recompute"]) :]
    stated["recompute"] = allowed[0]
    return Plan(stated, tuple(assumed), allowed)


def _made_whole(row: Row, stated: dict[str, Any]) -> list[str]:
    """Degrees that printed numbers leave open: sequences split where there are fewer than
    replicas, and experts over no more ranks than a pipeline stage has."""
    assumed = []
    replicas, sequences = _replicas(row, stated), row.needed("global_batch_seqs")
    if sequences < replicas and replicas % sequences == 0:
        stated["cp"] = stated["cp"] * int(replicas) // sequences
        stated["micro_batch"] = 1
        assumed.append(f"cp {stated['cp']}, as there are fewer sequences than replicas")
    ranks = row.needed("n_accelerators") // stated["pp"]
    if stated["ep"] > 1 and ranks % stated["ep"]:
        stated["ep"] = math.gcd(ranks, stated["ep"])
        assumed.append(f"ep {stated['ep']}, which the ranks of a stage allow")
    return assumed


def _micro_batch(row: Row, stated: dict[str, Any], framework: str) -> int:
    """One sequence, or the whole share of a replica where the framework does not accumulate gradients."""
    accumulates = framework != "megatron_lm" or row.text("software_date") >= MEGATRON_ACCUMULATES
    if framework != "xla" and accumulates:
        return 1
    return max(1, round(row.needed("global_batch_seqs") / _replicas(row, stated)))


def _virtual_stages(row: Row, stated: dict[str, Any], framework: str) -> int:
    """As many as leave two layers each where a plain pipeline would be idle for long, else one."""
    stages = stated["pp"]
    layers = sizes(row)["layers"] / stages
    count = row.needed("global_batch_seqs") / _replicas(row, stated) / stated["micro_batch"]
    if framework not in ("megatron", "megatron_lm") or layers != int(layers) or count % stages:
        return 1
    if (stages - 1) / count <= LARGE_BUBBLE:
        return 1
    return max(v for v in range(1, int(layers) // 2 + 1) if layers % v == 0) if layers >= 2 else 1


def _replicas(row: Row, stated: dict[str, Any]) -> float:
    ranks: int = stated["tp"] * stated["pp"] * stated["cp"]
    return row.needed("n_accelerators") / ranks
