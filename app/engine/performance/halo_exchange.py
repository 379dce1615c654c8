"""Halo exchange: every rank passes the faces of its block to its neighbours, some in other domains.

The slowest rank counts: inside the grid it has a neighbour on either side of each axis, and at a corner of the
block that its scale-up domain holds one face of each axis leaves the domain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.fabric.collectives.network import Network, transfer_time_s, wire_time_s_per_byte
from app.engine.quantities import quantity
from app.engine.specs import Faces, Grid
from app.engine.trace import Array
from app.engine.workload.generic import AXES, faces_of
from app.engine.workload.process_grid import Sides, domain_block, faces_outside

_HALO = "[1] Kjolstad, Snir 2010, Ghost Cell Pattern, ParaPLoP (faces of a decomposed grid)"


@quantity(unit="1", source=_HALO)
def neighbours(*, ranks: Array, periodic: Array) -> Array:
    """Neighbours of a rank along one axis: two, one where there are only two ranks, none in a row of one."""
    return np.where(ranks <= 1, 0.0, np.where((ranks > 2) | (periodic > 0), 2.0, 1.0))


@quantity(unit="1", source=_HALO, leaf=True)
def faces_across(
    *,
    axis: str,
    ranks: tuple[Array, Array, Array],
    domain_accelerators: Array,
    faces: tuple[Array, ...],
    neighbours: Array,
) -> Array:
    """Faces along one axis that leave the scale-up domain, at a corner of the block that the domain holds.

    None where the domain holds the whole axis, all where it holds one rank of it, else one. The block is the
    part of the process grid that tiles it, fits into the domain and leaves the busiest rank least to send out.
    """
    grid = Sides(*(int(np.median(part)) for part in ranks))
    x, y, z = (float(np.median(face)) for face in faces)
    block = domain_block(grid, max(int(np.median(domain_accelerators)), 1), (x, y, z))
    along = AXES.index(axis)
    return np.minimum(neighbours, float(faces_outside(block[along], grid[along])))


@quantity(unit="B", source=_HALO)
def halo_scale_up_bytes(
    *, faces: tuple[Array, ...], neighbours: tuple[Array, ...], across: tuple[Array, ...]
) -> Array:
    """Bytes of one exchange that a rank sends inside its scale-up domain."""
    x, y, z = (face * (all_ - out) for face, all_, out in zip(faces, neighbours, across, strict=True))
    return x + y + z


@quantity(unit="B", source=_HALO)
def halo_scale_out_bytes(*, faces: tuple[Array, ...], across: tuple[Array, ...]) -> Array:
    """Bytes of one exchange that a rank sends to other scale-up domains."""
    x, y, z = (face * out for face, out in zip(faces, across, strict=True))
    return x + y + z


@quantity(unit="1", source="definition")
def halo_share(*, part_bytes: Array, other_bytes: Array) -> Array:
    """Share of the bytes of an exchange that goes over one level of the network."""
    total = part_bytes + other_bytes
    return np.where(total > 0, part_bytes / np.where(total > 0, total, 1.0), 0 * total)


@quantity(unit="s", source=_HALO)
def halo_fill_s(
    *, scale_up_bytes: Array, scale_out_bytes: Array, scale_up_hop_s: Array, scale_out_hop_s: Array
) -> Array:
    """Latency of one exchange: neighbours are one hop away, and all are served side by side."""
    inside = np.where(scale_up_bytes > 0, scale_up_hop_s, 0.0)
    return np.maximum(inside, np.where(scale_out_bytes > 0, scale_out_hop_s, 0.0))


def halo_bytes(*, halo: Grid | Faces, strong: Array, domain_accelerators: Array) -> tuple[Array, Array]:
    """Bytes of one exchange that the busiest rank sends inside its scale-up domain, and to others."""
    sides: Any = tuple(neighbours(ranks=ranks, periodic=halo.periodic) for ranks in halo.ranks)
    faces = faces_of(halo, strong)
    across: Any = tuple(
        faces_across(
            axis=axis,
            ranks=halo.ranks,
            domain_accelerators=domain_accelerators,
            faces=faces,
            neighbours=count,
        )
        for axis, count in zip(AXES, sides, strict=True)
    )
    return (
        halo_scale_up_bytes(faces=faces, neighbours=sides, across=across),
        halo_scale_out_bytes(faces=faces, across=across),
    )


def halo_exchange_time_s(
    *, halo: Grid | Faces, strong: Array, domain_accelerators: Array, network: Network
) -> Array:
    """Time of one exchange of all faces."""
    inside, outside = halo_bytes(halo=halo, strong=strong, domain_accelerators=domain_accelerators)
    share_inside = halo_share(part_bytes=inside, other_bytes=outside)
    share_outside = halo_share(part_bytes=outside, other_bytes=inside)
    return transfer_time_s(
        message_bytes=inside + outside,
        link_share=share_inside + share_outside,
        wire_time_s_per_byte=wire_time_s_per_byte(
            scale_up_share=share_inside,
            scale_out_share=share_outside,
            scale_up_bandwidth_bytes_per_s=network.scale_up_bandwidth_bytes_per_s,
            scale_out_bandwidth_bytes_per_s=network.scale_out_bandwidth_bytes_per_s,
            level_overlap=network.level_overlap,
        ),
        launch_s=network.launch_s,
        fill_s=halo_fill_s(
            scale_up_bytes=inside,
            scale_out_bytes=outside,
            scale_up_hop_s=network.scale_up_hop_s,
            scale_out_hop_s=network.scale_out_hop_s,
        ),
        full_pipeline_s=network.full_pipeline_s,
    )
