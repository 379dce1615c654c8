"""Cables and modules of every link of a network."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.fabric.graph.graph import FabricGraph, Whole
from app.engine.fabric.media.cages import Cages, choose_by_cage, media_cages, through_circuits
from app.engine.fabric.media.medium import Lengths, MediaRules, Medium, choose_by_link


def choose_media(
    graph: FabricGraph,
    lengths_m: Lengths,
    *,
    media: Sequence[Medium],
    rules: MediaRules,
    cages: Cages | None = None,
) -> Whole:
    """(m,) index into `media` of every link, -1 where nothing that may be taken fits or reaches.

    Links that share a cage at either end are of one medium. `cages` are those of these media, where they are known.
    """
    shared = any(medium.links > 1 or medium.node_links > 1 for medium in media)
    if shared or (media and through_circuits(graph).any()):
        cages = cages or media_cages(graph, media)
        if cages is not None:
            return choose_by_cage(graph, lengths_m, cages, media=media, rules=rules)
    return choose_by_link(graph, lengths_m, media=media, rules=rules)
