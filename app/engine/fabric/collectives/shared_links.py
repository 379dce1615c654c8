"""How much an exchange is slowed down by links that hosts share, by what it is and where its members lie.

Of every exchange the busiest link is looked for, in units of a host's own ports: a load of 1 is what the ports of
a host put in at full rate. Below 1 the ports bind, so nothing is slowed down; above, everybody waits for that link.
All groups of a job exchange at the same time, and each member is a scale-up domain that sends by all of its ports.

Ranks lie in order. Members of a group are `stride` accelerators apart, so a stretch of `stride` x members holds as
many groups as lie between two members, side by side. What leaves a block of hosts of length a is

    ring        min(stride, a, stretch - a)                  one stream for each group that the block cuts
    all-to-all  sum over groups of n (k - n) / (k - 1)       n of its k members inside

Both are concave in a and 0 for the whole stretch, so a block that cuts two stretches is worst where both parts are
equal. A tier above spreads what leaves over all its links (adaptive routing). Bundles between blocks carry what is
for that block; where they are overrun, traffic takes a way over a third block and loads all bundles twice (Valiant).
On lattices rings run along every dimension that a group spans, both ways where they close.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.engine.quantities import quantity
from app.engine.trace import Array

Pattern = Literal["ring", "all_to_all"]
Kind = Literal["torus", "mesh", "hyperx", "boards"]

_SOURCE = (
    "[1] Leiserson, IEEE Trans. Comput. C-34 (1985) 892-901 (load of the cuts of a tree); "
    "[2] Dally, Towles 2004, Principles and Practices of Interconnection Networks, chapters 3 and 5 (channel load); "
    "[3] Valiant, SIAM J. Comput. 11 (1982) 350-361 (two random phases); "
    "[4] Jouppi et al. 2023, arXiv 2304.01433 (rings along the dimensions of a torus)"
)
NEAR = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Neighbouring hosts behind links that they share to get beyond: a leaf, a group of leaves, routers or groups."""

    accelerators: Array  # of a full block
    taper: Array  # bandwidth of its hosts over that of all its links out
    others: Array  # blocks that it has a bundle of its own to; 0 where its links go to a tier that spreads


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """Places in lines along every dimension, the first outermost."""

    kind: Kind
    lengths: tuple[Array, ...]
    place_accelerators: Array
    places: Array  # that are filled
    bundle_ratio: Array  # bandwidth of all ports at a place over that of one bundle of its links


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedLinks:
    """What of a fabric its hosts share: blocks from the inside out, or a lattice."""

    blocks: tuple[Block, ...] = ()
    lattice: Lattice | None = None
    rails_apart: Array  # 1 where ranks of different rails meet in their scale-up domain alone
    strain: Array  # load beyond the blocks over that of the whole fabric: more where links have failed


def nothing_shared() -> SharedLinks:
    """A fabric that never gets in the way."""
    return SharedLinks(rails_apart=np.zeros(1), strain=np.ones(1))


def slowdown(
    pattern: Pattern,
    links: SharedLinks,
    *,
    members: Array,
    inner_ranks: Array,
    domain_accelerators: Array,
    accelerators_used: Array,
) -> Array:
    """How many times longer an exchange between scale-up domains takes than the ports of hosts need for it.

    Parameters
    ----------
    members : scale-up domains of a group [1]
    inner_ranks : accelerators from one rank of a group to the next [1]
    domain_accelerators : of a scale-up domain [1]
    accelerators_used : by the job [1]
    """
    where = {
        "members": members,
        "inner_ranks": inner_ranks,
        "domain_accelerators": domain_accelerators,
        "accelerators_used": accelerators_used,
        "strain": links.strain,
    }
    if links.lattice is not None:
        return lattice_slowdown(
            pattern=pattern,
            kind=links.lattice.kind,
            lengths=links.lattice.lengths,
            place_accelerators=links.lattice.place_accelerators,
            places=links.lattice.places,
            bundle_ratio=links.lattice.bundle_ratio,
            **where,
        )
    return block_slowdown(
        pattern=pattern,
        accelerators=tuple(block.accelerators for block in links.blocks),
        tapers=tuple(block.taper for block in links.blocks),
        others=tuple(block.others for block in links.blocks),
        **where,
    )


@quantity(unit="1", source=_SOURCE, leaf=True)
def block_slowdown(
    *,
    pattern: Pattern,
    members: Array,
    inner_ranks: Array,
    domain_accelerators: Array,
    accelerators_used: Array,
    accelerators: tuple[Array, ...],
    tapers: tuple[Array, ...],
    others: tuple[Array, ...],
    strain: Array,
) -> Array:
    """Slowdown of an exchange by the links that blocks of hosts share.

    Largest, over nested blocks, of the share of traffic that leaves the block times its taper; 1 at least. Where a
    block has a bundle to every other one: times the others over those that the traffic is for, at most twice.

    Parameters
    ----------
    members : scale-up domains of a group [1]
    inner_ranks : accelerators from one rank of a group to the next [1]
    accelerators : of a block of each level, from the inside out [1]
    tapers : bandwidth of its hosts over that of its links out [1]
    others : blocks that it has a bundle of its own to, 0 where a tier above spreads [1]
    strain : load beyond the blocks over that of the whole fabric [1]
    """
    stride = np.maximum(inner_ranks, domain_accelerators)
    found = np.ones(1) + 0 * (members + stride + accelerators_used)
    beyond = np.zeros(1)  # share that leaves the next larger block, and passes this one again on its way in
    for size, taper, joined in zip(reversed(accelerators), reversed(tapers), reversed(others), strict=True):
        if np.all(accelerators_used <= size):
            continue  # nothing leaves it
        leaving = _leaving(pattern, size, stride, members, accelerators_used)
        share = leaving / size
        direct = joined > 0
        carried = (share + np.where(direct, beyond, 0.0)) * taper
        apart = np.clip(_reached(pattern, size, stride, members), 1.0, np.maximum(joined, 1.0))
        one_way = carried * np.maximum(joined, 1.0) / apart
        if pattern == "ring":  # a bundle carries the streams of one crossing
            crossing = np.minimum(np.minimum(stride, size), leaving) / size
            one_way = (crossing + np.where(direct, beyond, 0.0)) * taper * np.maximum(joined, 1.0)
        # the intermediate block is any of joined + 1, its own included: joined / (joined + 1) of the traffic crosses bundles
        around = 2 * carried * joined / (joined + 1)
        load = np.where(direct, np.minimum(one_way, around), carried)
        found = np.maximum(found, np.where(share > 0, load * strain, 1.0))
        beyond = share
    # Of blocks that are unknown nothing can be said, except where a group never leaves its domain.
    unknown = np.isnan(
        sum((size * taper for size, taper in zip(accelerators, tapers, strict=True)), 0 * strain)
    )
    slower: Array = np.where(members <= 1, 1.0, np.where(unknown, np.nan, found))
    return slower


def _leaving(pattern: Pattern, size: Array, stride: Array, members: Array, used: Array) -> Array:
    """Of the hosts of the block with most of it: what leaves, in accelerators that send at full rate."""

    def cut(part: Array) -> Array:
        inside = np.clip(part, 0.0, stretch)
        if pattern == "ring":
            return np.minimum(np.minimum(stride, inside), stretch - inside)
        whole = np.floor(inside / stride + NEAR)
        more = np.maximum(inside - whole * stride, 0.0)
        pairs = more * (whole + 1) * (members - whole - 1) + (stride - more) * whole * (members - whole)
        out: Array = np.maximum(pairs, 0.0) / np.maximum(members - 1, 1.0)
        return out

    stretch = stride * members
    left_over = size - stretch * np.floor(size / stretch + NEAR)
    both = 2 * cut(np.minimum(left_over, size) / 2)
    uneven = np.where(size > stretch, np.maximum(both, 2 * cut((left_over + stretch) / 2)), both)
    uneven = np.where(size > stretch, uneven, 2 * cut(size / 2))
    in_step = _divides(size, stretch) | (stretch >= used - NEAR)
    whole_blocks = _divides(stretch, size)
    apart = np.where(whole_blocks, 0.0, np.where(in_step, cut(np.minimum(size, stretch)), uneven))
    return np.where((used <= size) | (members <= 1), 0.0, np.minimum(apart, size))


def _divides(part: Array, whole: Array) -> NDArray[np.bool_]:
    times = whole / part
    even: NDArray[np.bool_] = (times > 1 - NEAR) & (
        np.abs(times - np.round(times)) < NEAR * np.maximum(times, 1)
    )
    return even


def _reached(pattern: Pattern, size: Array, stride: Array, members: Array) -> Array:
    """Other blocks that the traffic of a block is for."""
    if pattern == "ring":
        return np.ones(1)
    blocks: Array = np.ceil(stride * members / size - NEAR)
    return np.minimum(members - 1, blocks - 1)


@quantity(unit="1", source=_SOURCE, leaf=True)
def lattice_slowdown(
    *,
    pattern: Pattern,
    kind: Kind,
    members: Array,
    inner_ranks: Array,
    domain_accelerators: Array,
    accelerators_used: Array,
    lengths: tuple[Array, ...],
    place_accelerators: Array,
    places: Array,
    bundle_ratio: Array,
    strain: Array,
) -> Array:
    """Slowdown of an exchange by the links of a lattice.

    Rings use the links of every dimension that the group spans: bundles of a place over those that they use. An
    all-to-all waits for the middle of the longest line that it spans, in a mesh for the link of the most pairs.

    Parameters
    ----------
    kind : torus, mesh (each place joined to all others of its lines), hyperx (of switches) or boards (of a HammingMesh)
    members : scale-up domains of a group [1]
    inner_ranks : accelerators from one rank of a group to the next [1]
    lengths : places of a line of each dimension, the first outermost [1]
    place_accelerators : of one place [1]
    places : that are filled [1]
    bundle_ratio : bandwidth of all ports at a place over that of one bundle of its links [1]
    strain : load over that of the whole fabric [1]
    """
    stride = np.maximum(inner_ranks, domain_accelerators)
    stretch = stride * members
    share = _leaving(pattern, place_accelerators, stride, members, accelerators_used) / place_accelerators
    spread = np.where(stride >= place_accelerators, members, np.maximum(stretch / place_accelerators, 1.0))
    pairs = share * spread / np.maximum(spread - 1, 1.0)
    spans = _spans(lengths, place_accelerators, places, stride, stretch)
    everywhere = _spans(lengths, place_accelerators, places, place_accelerators, places * place_accelerators)
    uniform = _of_all(kind, everywhere, lengths, bundle_ratio, places / np.maximum(places - 1, 1.0))
    if pattern == "all_to_all":
        load = _of_all(kind, spans, lengths, bundle_ratio, pairs)
    else:
        used = _ring_bundles(kind, spans, lengths)
        load = np.where(used > 0, share * bundle_ratio / np.where(used > 0, used, 1.0), 0.0)
    load = np.minimum(load, 2 * np.maximum(uniform, 1.0))  # over any third place instead
    found = np.maximum(np.where(share > 0, load * strain, 1.0), 1.0)
    return np.where(members <= 1, 1.0, found + 0 * accelerators_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """A group along one dimension."""

    places: Array  # of the group in a line, 1 where it does not go along it
    apart: Array  # places from one to the next: as many groups share the line
    closed: NDArray[np.bool_]  # all of the line


def _spans(
    lengths: tuple[Array, ...], place: Array, places: Array, stride: Array, stretch: Array
) -> list[_Span]:
    """Along every dimension, in the order of `lengths`."""
    found, inner = [], np.ones(1)
    for length in reversed(lengths):
        filled = np.minimum(length, np.ceil(places / inner - NEAR))
        step = inner * place
        line = step * filled
        first = np.maximum(stride, step)
        last = np.minimum(stretch, line)
        count = np.where(last > first, np.maximum(last / first, 1.0), 1.0)
        found.append(
            _Span(places=count, apart=np.maximum(first / step, 1.0), closed=stretch >= line * (1 - NEAR))
        )
        inner = inner * length
    return found[::-1]


def _of_all(
    kind: Kind, spans: list[_Span], lengths: tuple[Array, ...], bundle_ratio: Array, pairs: Array
) -> Array:
    """Load of the busiest link of an all-to-all; `pairs` is what a place sends out times n / (n - 1)."""
    load = np.zeros(1)
    if kind == "boards":
        for board, across, on_board in ((2, 0, lengths[2]), (3, 1, lengths[3])):
            inside, beyond = spans[board], spans[across]
            leaves = on_board * (1 - 1 / beyond.places) / 2
            stays = _middle(inside.places) * inside.apart
            load = np.maximum(load, bundle_ratio * np.where(beyond.places > 1, leaves, stays))
        return load * pairs
    for span in spans:
        if kind in ("mesh", "hyperx"):
            one = np.where(span.places > 1, bundle_ratio / span.places, 0.0)
        else:
            ways = np.where(span.closed, 2.0, 1.0)
            one = bundle_ratio * span.apart * _middle(span.places) / ways
        load = np.maximum(load, one)
    return load * pairs


def _middle(places: Array) -> Array:
    """Mean way along a closed ring of so many places: (n / 2)^2 / n, of odd n less."""
    near = np.round(places)
    whole = np.abs(places - near) < NEAR
    return np.where(whole, np.floor(near**2 / 4) / np.maximum(near, 1.0), places / 4)


def _ring_bundles(kind: Kind, spans: list[_Span], lengths: tuple[Array, ...]) -> Array:
    """Bundles of a place that rings use in full; a host on a switch sees one ring, over one bundle at a time."""
    used = np.zeros(1)
    if kind == "hyperx":
        return np.where(sum((span.places > 1 for span in spans), np.zeros(1)) > 0, 1.0, used)
    if kind == "boards":
        for board, across, on_board in ((2, 0, lengths[2]), (3, 1, lengths[3])):
            inside, beyond = spans[board], spans[across]
            sharing = np.where(inside.places > 1, 1.0, on_board)
            leaves = np.where(beyond.places > 1, 2 / sharing, 0.0)
            used = used + np.where(
                beyond.places > 1, leaves, np.where(inside.places > 1, 1 / inside.apart, 0.0)
            )
        return used
    for span in spans:
        if kind == "mesh":
            used = used + np.where(span.places > 1, np.maximum(span.places - 1, 1.0), 0.0)
        else:
            used = used + np.where(span.places > 1, np.where(span.closed, 2.0, 1.0) / span.apart, 0.0)
    return used
