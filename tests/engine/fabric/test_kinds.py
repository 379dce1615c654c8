"""Kinds of fabric: which switches speak them, and that claims have a source."""

from __future__ import annotations

import pytest

from app.engine.fabric.kinds import KINDS, kind_of, spoken_kinds


@pytest.mark.parametrize(
    ("protocol", "kinds"),
    [
        ("InfiniBand XDR", ("infiniband",)),
        ("Ethernet", ("roce", "ultra_ethernet")),
        ("Ethernet (Spectrum-X)", ("roce", "ultra_ethernet")),
        ("Ethernet (scheduled, cell fabric)", ("scheduled_ethernet",)),
        ("Ethernet (VOQ)", ("scheduled_ethernet",)),
        ("NVLink", ()),
        ("", ()),
    ],
)
def test_a_switch_speaks_the_kinds_of_its_protocol(protocol: str, kinds: tuple[str, ...]) -> None:
    assert spoken_kinds(protocol) == kinds


def test_the_kind_is_asked_for_or_follows_the_switch() -> None:
    assert kind_of("auto", "InfiniBand NDR") == "infiniband"
    assert kind_of("ultra_ethernet", "Ethernet") == "ultra_ethernet"
    assert kind_of("auto", "UB") == ""


@pytest.mark.parametrize("key", KINDS)
def test_a_kind_says_what_it_implies_and_where_that_is_from(key: str) -> None:
    kind = KINDS[key]
    assert kind.key == key
    words = (kind.load_balancing, kind.lossless, kind.in_network_reduction, kind.failover, kind.buying)
    assert all(word.endswith(".") for word in words)
    assert kind.source
    assert all(0 < claim.share <= 1 and claim.source for claim in kind.line_rate)
