"""What a row says of an expert dispatch or combine, and how many copies of a token that makes."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives.expert_traffic import copies_sent, places_reached
from app.validation.collectives.place import Place
from app.validation.rows import Row, UnsupportedRowError

# Bytes of an element with its share of the block scales, the first word that is found.
ELEMENT_BYTES = {"nvfp4": 0.5625, "fp4": 0.5625, "fp8": 1.03125, "bfloat16": 2.0, "bf16": 2.0, "fp16": 2.0}
SIXTEEN_BIT = 2.0
HIDDEN = re.compile(r"hidden\D{0,3}(\d+)")
EXPERTS_PER_TOKEN = re.compile(r"top-?\s?k?\D{0,2}(\d+)")
DOMAINS_LIMIT = re.compile(r"(?:limited to|at most|top-?)\s?(\d+) (?:nodes|groups|domains)")


@dataclass(frozen=True)
class ExpertTraffic:
    """Of one rank's tokens: their number, the bytes of a copy, and the copies that cross each level."""

    tokens: float
    hidden: float
    copy_bytes: float
    experts_per_token: float
    scale_up_copies: float
    scale_out_copies: float
    assumed: tuple[str, ...]


def expert_traffic(row: Row, place: Place, *, combine: bool) -> ExpertTraffic:
    """The traffic of a row.

    Raises
    ------
    UnsupportedRowError : tokens, width or experts per token are not given
    """
    words = f"{row.text('algorithm_or_library')}; {row.text('notes')}".lower()
    hidden, used = HIDDEN.search(words), EXPERTS_PER_TOKEN.search(words)
    if hidden is None or used is None:
        raise UnsupportedRowError("notes give no hidden size or no experts per token (hidden 7168; top-8)")
    element, assumed = _element_bytes(words, combine)
    inside, outside = _copies(words, place, float(used[1]))
    return ExpertTraffic(
        tokens=row.needed("tokens_per_rank"),
        hidden=float(hidden[1]),
        copy_bytes=float(hidden[1]) * element,
        experts_per_token=float(used[1]),
        scale_up_copies=inside,
        scale_out_copies=outside,
        assumed=assumed,
    )


def _element_bytes(words: str, combine: bool) -> tuple[float, tuple[str, ...]]:
    """Results are combined in 16 bit; DeepEP dispatches in FP8 unless a row says otherwise."""
    if combine:
        return SIXTEEN_BIT, ()
    stated = [size for name, size in ELEMENT_BYTES.items() if name in words]
    if stated:
        return stated[0], ()
    if "deepep" in words:
        return ELEMENT_BYTES["fp8"], ("dispatch in FP8",)
    return SIXTEEN_BIT, ("dispatch in 16 bit",)


def _copies(words: str, place: Place, experts: float) -> tuple[float, float]:
    """Copies of one token over the scale-up link and over the NIC.

    Kernels for low latency send one to each expert. Others send one to each rank of the own domain and to
    each other domain that holds some of them, and spread it there.
    """
    ranks, domains = np.array([place.ranks]), np.array([place.domains])
    if "low latency" in words or "low-latency" in words:
        away = experts * (place.ranks - place.domain_ranks) / place.ranks
        return experts * (place.domain_ranks - 1) / place.ranks, away
    limit = DOMAINS_LIMIT.search(words)
    most = np.array([float(limit[1]) if limit else np.inf])
    drawn = np.array([experts])
    if "balanced" in words and "imbalanced" not in words:
        held = np.minimum(ranks, experts)
        reached = np.minimum(np.minimum(domains, experts), most)
    else:
        held = places_reached(places=ranks, experts_per_token=drawn, most=np.array([np.inf]))
        reached = places_reached(places=domains, experts_per_token=drawn, most=most)
    inside = held * (place.domain_ranks - 1) / place.domain_ranks
    return float(inside[0]), float(copies_sent(places=domains, copies=reached)[0])
