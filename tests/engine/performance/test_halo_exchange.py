"""Halo exchange: faces of blocks, neighbours, and which of them lie behind the scale-out fabric."""

import numpy as np
import pytest

from app.engine.fabric.collectives.network import Network
from app.engine.performance.halo_exchange import faces_across, halo_exchange_time_s, neighbours
from app.engine.specs import Faces, Grid
from app.engine.workload.generic import AXES, faces_of


def one(value):
    return np.full(1, float(value))


def three(*values):
    return tuple(one(value) for value in values)


def network(up=100e9, out=10e9, launch=0.0, hop=0.0):
    return Network(
        scale_up_bandwidth_bytes_per_s=one(up), scale_out_bandwidth_bytes_per_s=one(out),
        in_switch_efficiency=one(0), in_switch_ranks=one(1), launch_s=one(launch), dimensions=one(1),
        scale_up_hop_s=one(hop), scale_out_hop_s=one(2 * hop), full_pipeline_s=one(1e-3), own_part=one(0.5),
        domain_nics=one(8), level_overlap=one(1),
    )  # fmt: skip


def grid(ranks, points=(512, 512, 512), width=2, each=8, periodic=0):
    return Grid(
        ranks=three(*ranks), points=three(*points), halo_width=one(width), bytes_per_point=one(each),
        periodic=one(periodic),
    )  # fmt: skip


def time_s(halo, domain, strong=1, **changes):
    return float(
        halo_exchange_time_s(
            halo=halo, strong=one(strong), domain_accelerators=one(domain), network=network(**changes)
        )[0]
    )


def test_faces_by_hand():
    """512 cubed on 4 x 4 x 4: blocks of 128 cubed, faces 128 x 128, two points deep, 8 bytes each."""
    assert [float(face[0]) for face in faces_of(grid((4, 4, 4)), one(1))] == [128 * 128 * 2 * 8] * 3
    assert [float(face[0]) for face in faces_of(grid((4, 4, 4)), one(0))] == [512 * 512 * 2 * 8] * 3


@pytest.mark.parametrize(
    ("ranks", "periodic", "count"), [(1, 0, 0), (1, 1, 0), (2, 0, 1), (2, 1, 2), (3, 0, 2), (64, 1, 2)]
)
def test_neighbours(ranks, periodic, count):
    assert neighbours(ranks=one(ranks), periodic=one(periodic))[0] == count


@pytest.mark.parametrize(
    ("domain", "across"),
    [(1, (2, 2, 2)), (2, (2, 2, 1)), (8, (1, 1, 1)), (16, (1, 1, 0)), (64, (0, 0, 0)), (100, (0, 0, 0))],
)
def test_faces_that_leave_the_domain(domain, across):
    """4 x 4 x 4: a domain of 8 holds 2 x 2 x 2, whose corner has one face of each axis outside."""
    found = [
        faces_across(
            axis=axis,
            ranks=three(4, 4, 4),
            domain_accelerators=one(domain),
            faces=three(1, 1, 1),
            neighbours=one(2),
        )[0]
        for axis in AXES
    ]
    assert tuple(found) == across


def test_time_by_hand():
    """Domain of 8: three faces of 262,144 B inside at 100 GB/s and three outside at 10 GB/s, side by side."""
    face = 128 * 128 * 2 * 8
    assert time_s(grid((4, 4, 4)), 8) == pytest.approx(3 * face / 10e9)
    assert time_s(grid((4, 4, 4)), 64) == pytest.approx(6 * face / 100e9)
    assert time_s(grid((4, 4, 4)), 1) == pytest.approx(6 * face / 10e9)


def test_latency_is_that_of_one_hop():
    faces = Faces(ranks=three(4, 1, 1), face_bytes=three(1e-9, 0, 0), periodic=one(0))
    assert time_s(faces, 4, launch=5e-6, hop=1e-6) == pytest.approx(6e-6, rel=1e-3)
    assert time_s(faces, 1, launch=5e-6, hop=1e-6) == pytest.approx(7e-6, rel=1e-3)


def test_one_rank_exchanges_nothing():
    assert time_s(grid((1, 1, 1)), 8, launch=1e-5, hop=1e-5) == 0


def test_surface_to_volume():
    """Eight times the ranks under strong scaling: a quarter of the face, so more of it for each point."""
    few, many = time_s(grid((2, 2, 2), periodic=1), 1), time_s(grid((4, 4, 4), periodic=1), 1)
    assert many / few == pytest.approx(1 / 4)
