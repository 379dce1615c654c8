"""Links that nothing carries: how long they are, how far the media go that may be taken, and what would do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.fabric.graph.graph import NONE, FabricGraph, Whole
from app.engine.fabric.media.cages import through_circuits
from app.engine.fabric.media.choice import choose_media
from app.engine.fabric.media.medium import (
    FAMILIES,
    Lengths,
    MediaRules,
    Medium,
    media_in_order,
    words_of_family,
)
from app.engine.problems import Fix, Problem

FIELD = "pod.fabric.media"


def media_problems(
    graph: FabricGraph,
    lengths_m: Lengths,
    chosen: Whole,
    *,
    media: Sequence[Medium],
    rules: MediaRules,
    network: str = "compute",
) -> list[Problem]:
    """One problem a tier in which links have no medium, and one a tier that is named and not there."""
    problems = [_no_such_tier(graph, tier, network) for tier in rules.families if tier not in graph.tiers]
    for number, tier in enumerate(graph.tiers):
        missing = np.flatnonzero((graph.links.tier == number) & (chosen == NONE))
        if missing.size:
            problems.append(_nothing_reaches(graph, lengths_m, missing, tier, media, rules, network))
    return problems


def _no_such_tier(graph: FabricGraph, tier: str, network: str) -> Problem:
    return Problem(
        kind="warning",
        field=f"{FIELD}.{tier}",
        constraint="tier",
        message=f"The {network.replace('_', '-')} network has no tier {tier}: its tiers are "
        f"{', '.join(graph.tiers)}.",
        affects=("fabric", "cost"),
    )


def _nothing_reaches(
    graph: FabricGraph,
    lengths_m: Lengths,
    missing: Whole,
    tier: str,
    media: Sequence[Medium],
    rules: MediaRules,
    network: str,
) -> Problem:
    family = rules.families.get(tier, rules.family)
    field = f"{FIELD}.{tier}" if tier in rules.families else FIELD
    length = float(np.max(lengths_m[missing]))
    who = f"{missing.size:,} {tier} links of the {network.replace('_', '-')} network"
    asked = [media[index] for index in media_in_order(media, rules, tier)]
    if (
        asked
        and through_circuits(graph)[missing].any()
        and not any(medium.family == "single_mode" for medium in asked)
    ):
        said = (
            f"{who} run through optical circuit switches, which pass single-mode fibre alone, and are to be of "
            f"{words_of_family(family)}"
        )
        return _problem(
            field, said, None, None, _nearest(graph, lengths_m, missing, media, rules, tier, family)
        )
    if not asked:
        said = (
            f"{who} are to be of {words_of_family(family)}, and none is known that fits their rate and ports"
        )
        return _problem(field, said, None, None, _nearest(graph, lengths_m, missing, media, rules, tier, ""))
    reach = float(np.nanmax([medium.reach_m for medium in asked]))
    most = max(asked, key=lambda medium: medium.reach_m)
    if length <= reach:  # long enough, but its cables need several links side by side
        said = (
            f"{who} are to be of {words_of_family(family)}, whose cables join {most.links} links of the same two "
            "devices, and these do not lie side by side in such numbers"
        )
    else:
        said = f"{who} are up to {length:,.4g} m long, and {most.name} reaches {reach:,.4g} m"
    return _problem(
        field, said, length, reach, _nearest(graph, lengths_m, missing, media, rules, tier, family)
    )


def _problem(
    field: str, said: str, length: float | None, reach: float | None, nearest: Medium | None
) -> Problem:
    way_out = f"{nearest.name} works: it reaches {nearest.reach_m:,.4g} m" if nearest else ""
    missed = length - reach if length is not None and reach is not None and length > reach else None
    return Problem(
        kind="warning",
        field=field,
        constraint="reach",
        message=f"{said}. {way_out or 'Nothing that fits reaches; bring the racks closer together'}.",
        value=length,
        limit=reach,
        missed_by=missed,
        unit="m",
        fix=Fix(field=field, value=nearest.family, message=f"Take {words_of_family(nearest.family)}.")
        if nearest
        else None,
        affects=("fabric", "cost"),
    )


def _nearest(
    graph: FabricGraph,
    lengths_m: Lengths,
    missing: Whole,
    media: Sequence[Medium],
    rules: MediaRules,
    tier: str,
    but: str,
) -> Medium | None:
    """Of the families that carry all these links, the medium of the longest of them that costs least."""
    found = []
    for family in FAMILIES:
        if family == but:
            continue
        own = MediaRules(least=rules.least, families={tier: family})
        taken = choose_media(graph, lengths_m, media=media, rules=own)[missing]
        if np.all(taken != NONE):
            longest = media[int(taken[np.argmax(lengths_m[missing])])]
            order = media_in_order(media, MediaRules(least=rules.least), tier)
            index = media.index(longest)
            found.append((order.index(index) if index in order else len(order), longest))
    return min(found, key=lambda one: one[0])[1] if found else None
