"""The parallel layout of a row, and what stands for what it leaves open.

Frameworks have defaults that their users do not write down: these are taken, and named beside the prediction.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from app.validation.rows import Row
from app.validation.training.architecture import sizes

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
    """Parallelism of a scenario, or `auto`; what was taken for granted, and what recomputation may be."""

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
    """Degrees that printed numbers leave open: sequences split where there are fewer of them than
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
