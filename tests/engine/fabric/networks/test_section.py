"""Figures and lines of the bill of the networks beside the compute fabric."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from app.engine.fabric.figures import Fabric
from app.engine.leaves import leaves
from app.engine.quantities import quantity_at
from app.engine.trace import Origin, Traced, traced_input
from tests.engine.fabric.networks.plans import pod, superpod_system
from tests.engine.fabric.pods import evaluate
from tests.engine.fabric.pods import pod as bare_pod


def superpod() -> Fabric:
    return evaluate(pod(127), superpod_system())


def test_networks_stand_beside_the_compute_fabric() -> None:
    fabric, alone = superpod(), evaluate(bare_pod(127, management_ports=4), superpod_system())
    assert [network.name for network in fabric.networks] == ["storage", "in_band", "out_of_band"]
    assert [float(network.switches[0]) for network in fabric.networks] == [14, 8, 8]
    assert fabric.switches_total == alone.switches_total
    assert fabric.links_total == alone.links_total
    assert alone.networks == ()


def test_power_and_price_of_the_storage_network_by_hand() -> None:
    """14 switches of 747 W; 306 links below and 244 between: 153 + 244 switch modules, 2 a node, of 16 W."""
    storage = superpod().networks[0]
    assert float(storage.modules[0]) == 153 + 244 + 254
    assert float(storage.power_w[0]) == pytest.approx(14 * 747 + 651 * 16)
    # spares of 2 %: 405 and 260 modules, 561 fibres
    assert float(storage.price_usd[0]) == pytest.approx(14 * 32000 + 405 * 1241 + 260 * 700 + 561 * 87)
    assert float(storage.node_bandwidth_bytes_per_s[0]) == 100e9


def test_power_and_price_of_the_out_of_band_network_by_hand() -> None:
    management = superpod().networks[2]
    assert float(management.power_w[0]) == 8 * 100 + 32 * 16
    # 326 + 7 copper cables, 32 + 1 modules, 16 + 1 fibres
    assert float(management.price_usd[0]) == 8 * 4200 + 333 * 5 + 33 * 1241 + 17 * 87
    assert [float(tier.links[0]) for tier in management.tiers] == [326, 16]


def test_the_bill_and_its_totals_hold_all_networks() -> None:
    fabric, alone = superpod(), evaluate(bare_pod(127, management_ports=4), superpod_system())
    for total, own in (("network_power_w", "power_w"), ("network_price_usd", "price_usd")):
        beside = sum(float(getattr(network, own)[0]) for network in fabric.networks)
        assert float(getattr(fabric, total)[0]) == pytest.approx(float(getattr(alone, total)[0]) + beside)
    items = [line.item for line in fabric.bill]
    assert len(items) == len(set(items))
    assert "Out-of-band network: copper cables" in items


def test_nics_are_bought_where_the_nodes_come_without() -> None:
    without = dataclasses.replace(superpod_system(), price_includes_nics=False)
    bill = {line.item: line for line in evaluate(pod(127), without).bill}
    assert float(bill["Storage network: NICs"].count[0]) == 254
    assert "Storage network: NICs" not in {line.item for line in superpod().bill}


def test_one_supernode_has_no_networks() -> None:
    fabric = evaluate(pod(1), superpod_system())
    assert fabric.networks == ()
    assert float(fabric.network_power_w[0]) == 0


def test_every_figure_is_declared_and_explained() -> None:
    origin = Origin(kind="scenario", label="given")

    def traced(item: object) -> object:
        if isinstance(item, np.ndarray):
            return traced_input("given", item, "1", origin)
        if dataclasses.is_dataclass(item) and not isinstance(item, type):
            names = [field.name for field in dataclasses.fields(item)]
            return dataclasses.replace(item, **{name: traced(getattr(item, name)) for name in names})
        return item

    fabric = evaluate(traced(pod(127)), traced(superpod_system()))  # type: ignore[arg-type]
    for path, figure in leaves(fabric.networks, "fabric.networks"):
        assert isinstance(figure, Traced), path
        assert quantity_at(path) is not None, path
        assert figure.node.quantity is quantity_at(path), path
