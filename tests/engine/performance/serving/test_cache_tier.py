"""Tiers that cached keys and values wait in: those that training offloads to, by the same names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.performance.serving.kv_cache import cache_tier, tiers_there
from tests.engine.performance.serving.pods import pod
from tests.support import dgx_h100, number

CHIPS = pod()["of_chips"]


def test_tiers_by_hand() -> None:
    """2 TB for eight accelerators behind PCI Express; a drive behind the same link; nothing of peers unless stated."""
    host, drives = (cache_tier(name, dgx_h100(), CHIPS) for name in ("host", "nvme"))
    assert host is not None
    assert drives is not None
    assert (host.capacity_bytes[0], host.link_bytes_per_s[0]) == (250e9, 50e9)
    assert (drives.capacity_bytes[0], drives.link_bytes_per_s[0]) == (3.84e12, 50e9)
    assert cache_tier("accelerator", dgx_h100(), CHIPS) is None


def test_which_tiers_there_are() -> None:
    assert tiers_there(dgx_h100(), CHIPS) == ("accelerator", "host", "nvme")
    spared = replace(CHIPS, peer_memory_bytes=number(20e9))
    assert "peer" in tiers_there(dgx_h100(), spared)
    assert "peer" not in tiers_there(replace(dgx_h100(), scale_up_domain_accelerators=number(1)), spared)
    unknown = replace(dgx_h100(), host_memory_bytes=number(np.nan))
    assert "host" in tiers_there(unknown, CHIPS)
