"""The detailed bill: one scalable unit by hand, agreement with the evaluation, and what may never happen."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.fabric.materials.bill import MaterialBill, material_bill
from app.engine.fabric.materials.parts import Adapters, MaterialLine, SwitchParts, totals_of
from app.engine.fabric.media.medium import FREE, MediaRules, Piece, PriceRange
from tests.engine.fabric.materials.networks import MODULE, SWITCH, bill, graph_of, network, rules
from tests.engine.fabric.media.media import DAC, SR4, price
from tests.engine.fabric.pods import evaluate, nvl72, pod


def line(found: MaterialBill, item: str) -> MaterialLine:
    (one,) = (line for line in found.lines if line.item == item)
    return one


def pieces(found: MaterialBill, role: str) -> list[float]:
    return [line.installed for line in found.lines if line.role == role]


def test_one_scalable_unit_of_h100_by_hand() -> None:
    """31 nodes and 4 managers: 252 + 256 links, 31 or 32 a leaf: 8 x 16 + 256 modules in switches, 4 a node, 508 fibres."""
    found = bill(31, management_ports=4)
    assert [count.links for count in found.counts["compute"]] == [252, 256]
    assert pieces(found, "switch") == [8, 4]
    assert pieces(found, "module") == [128, 256, 4 * 31]
    assert pieces(found, "fibre") == [252, 256]
    assert line(found, "Leaf links: switch modules").bought == 131  # 128 x 1.02 = 130.6
    assert line(found, "Node modules").bought == 127
    assert line(found, "Spine links: fibres").spare == 6
    totals = totals_of(found.lines)
    assert totals.price.typical == 12 * 32000 + (131 + 262 + 127) * 1241 + (258 + 262) * 87
    assert totals.price.low == pytest.approx(12 * 22000 + 0.8 * (520 * 1241 + 520 * 87))
    assert totals.power_w == 12 * 747 + 508 * 16
    assert totals.rack_units == 12
    assert totals.installation_s == 12 * 2700 + 508 * 60 + 508 * 600


@pytest.mark.parametrize("supernodes", [31, 127, 600])
def test_money_and_power_agree_with_the_evaluation_where_media_do(supernodes: int) -> None:
    found = totals_of(bill(supernodes, management_ports=4).lines)
    fabric = evaluate(pod(supernodes, management_ports=4))
    assert found.price.typical == pytest.approx(float(fabric.network_price_usd[0]))
    assert found.power_w == pytest.approx(float(fabric.network_power_w[0]))


def test_modules_of_a_tray_with_one_link_are_not_shared_between_trays() -> None:
    """An NVL72 of 18 trays with four NICs each: two twin-port modules a tray; with one NIC, one each."""
    four = material_bill({"compute": network(graph_of(4, nvl72()))}, rules())
    assert line(four, "Node modules").installed == 4 * 18 * 2
    one = dataclasses.replace(nvl72(), scale_out_nics=np.array([18.0]))
    assert (
        line(material_bill({"compute": network(graph_of(4, one))}, rules()), "Node modules").installed == 72
    )


def test_cables_with_fixed_ends_carry_two_links_and_need_no_modules() -> None:
    """Eight links between a leaf and each of four spines, 1.5 m long: four copper cables."""
    graph = graph_of(31)
    lengths = np.where(graph.links.tier == 1, 1.5, 20.0)
    found = material_bill({"compute": network(graph, lengths, media=(DAC, SR4))}, rules(cabling=0))
    cables = line(found, "Spine links: cables")
    assert cables.installed == 128
    assert cables.power_w == pytest.approx(128 * 0.2)
    assert pieces(found, "module") == [128, 124]  # 31 links of each of eight leaves
    assert pieces(found, "fibre") == [248]


def test_media_may_differ_within_a_tier() -> None:
    graph = graph_of(31)
    lengths = np.where(np.arange(graph.link_count) < 100, 20.0, 70.0)
    found = material_bill({"compute": network(graph, lengths, media=(SR4, MODULE))}, rules(cabling=0))
    assert [
        (count.tier, count.medium.key, count.links) for count in found.counts["compute"] if count.medium
    ] == [
        ("leaf", "sr4", 96),
        ("leaf", "dr4", 152),  # what shares a cage with a longer link, at either end, goes with it
        ("spine", "dr4", 256),
    ]


def test_patched_fibres_take_a_jumper_more_panels_by_rack_and_trunks_by_pair_of_racks() -> None:
    """One scalable unit, every device in a rack of its own."""
    graph = graph_of(31)
    laid = dataclasses.replace(network(graph), device_rack=np.arange(graph.device_count))
    straight = material_bill({"compute": laid}, rules(cabling=0))
    over = material_bill({"compute": laid}, rules(cabling=0, patched_from_m=10))
    assert pieces(straight, "patch_panel") == pieces(straight, "trunk") == []
    assert pieces(over, "fibre") == [2 * each for each in pieces(straight, "fibre")]
    # a host has one link to each of eight leaves, a leaf eight to each of four spines
    assert pieces(over, "trunk") == [31 * 8 * 1 + 8 * 4 * 4]
    # 31 hosts of 8 links: one panel each; leaves of 31 + 32: two each; spines of 64: two each
    assert pieces(over, "patch_panel") == [31 + 8 * 2 + 4 * 2]
    assert math.isnan(line(over, "Patch panels").price.typical)
    assert pieces(material_bill({"compute": laid}, rules(patched_from_m=30)), "patch_panel") == []


def test_links_that_nothing_carries_are_a_line_of_unknown_price_and_a_problem() -> None:
    found = material_bill({"compute": network(graph_of(31), 150.0)}, rules())
    assert line(found, "Leaf links: no medium").installed == 248
    assert math.isnan(totals_of(found.lines).price.typical)
    assert [problem.limit for problem in found.problems] == [100, 100]


def test_line_cards_fill_a_chassis() -> None:
    card = Piece(key="card", name="36 x 400G", price=price(90000), power_w=900)
    laid = network(graph_of(31))
    chassis = {"spine": SwitchParts(switch=SWITCH, line_card=card, line_cards=16)}
    parts = dataclasses.replace(laid.parts, switches=chassis | {"leaf": SwitchParts(switch=SWITCH)})
    found = material_bill({"compute": dataclasses.replace(laid, parts=parts)}, rules())
    assert line(found, "Spine switches: line cards").installed == 64


def test_cards_delivered_in_their_node_are_counted_and_cost_nothing() -> None:
    def nics(*, delivered: bool) -> MaterialLine:
        worth = FREE if delivered else price(1900)
        piece = Piece(key="cx7", name="CX-7", price=worth, power_w=0.0)
        adapters = Adapters(role="nic", item="Compute NICs", piece=piece, count=248, delivered=delivered)
        laid = network(graph_of(31), adapters=(adapters,))
        return line(material_bill({"compute": laid}, rules(adapters=0.05)), "Compute NICs")

    assert (nics(delivered=True).bought, nics(delivered=True).price.typical) == (248, 0)
    assert nics(delivered=True).installation_s == 0
    assert (nics(delivered=False).bought, nics(delivered=False).price.typical) == (261, 261 * 1900)


def test_several_networks_stand_one_after_another() -> None:
    one = network(graph_of(31))
    found = material_bill({"compute": one, "storage": one}, rules())
    assert [line.network for line in found.lines] == ["compute"] * 7 + ["storage"] * 7


def test_a_pod_without_a_fabric_needs_nothing() -> None:
    found = material_bill({"compute": network(graph_of(1))}, rules())
    assert found.lines == []
    assert totals_of(found.lines).price.typical == 0


SHARES = st.floats(0, 0.2)
FEW = settings(max_examples=20, deadline=None)


@pytest.mark.slow
@FEW
@given(st.integers(2, 80), SHARES, SHARES)
def test_more_spares_are_never_fewer_pieces(supernodes: int, share: float, more: float) -> None:
    laid = {"compute": network(graph_of(supernodes))}
    few = material_bill(laid, rules(cabling=min(share, more), switches=min(share, more))).lines
    many = material_bill(laid, rules(cabling=max(share, more), switches=max(share, more))).lines
    for one, other in zip(few, many, strict=True):
        assert one.installed <= one.bought <= other.bought
        assert one.bought == one.installed + one.spare
        assert float(one.bought).is_integer()


@pytest.mark.slow
@FEW
@given(
    st.integers(2, 80),
    st.lists(st.sampled_from([1.5, 30.0, 80.0, 3000.0]), min_size=1, max_size=5),
    st.randoms(),
)
def test_counts_conserve_links_and_money_adds_up(supernodes: int, lengths: list[float], random: Any) -> None:
    graph = graph_of(supernodes)
    every = np.array([random.choice(lengths) for _ in range(graph.link_count)])
    found = material_bill(
        {"compute": network(graph, every, media=(DAC, SR4, MODULE), rules=MediaRules())}, rules()
    )
    counts = found.counts["compute"]
    assert sum(count.links for count in counts) == graph.link_count
    assert sum(count.length_m for count in counts) == pytest.approx(every.sum())
    for each in found.lines:
        unit: PriceRange = each.piece.price
        for name in ("low", "typical", "high"):
            assert getattr(each.price, name) == pytest.approx(each.bought * getattr(unit, name), nan_ok=True)
    totals = totals_of(found.lines)
    known = [each.price.typical for each in found.lines if not math.isnan(each.price.typical)]
    assert totals.priced_usd == pytest.approx(sum(known))
    assert totals.unpriced_lines == len(found.lines) - len(known)
