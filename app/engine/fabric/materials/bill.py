"""The detailed bill of materials of the networks of a pod."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.engine.fabric.graph.graph import Whole
from app.engine.fabric.materials.counting import Patched, TierCount, host_modules, patched, tier_counts
from app.engine.fabric.materials.parts import BillRules, MaterialLine, Network, Wanted, material_lines
from app.engine.fabric.media.cages import Cages, media_cages
from app.engine.fabric.media.choice import choose_media
from app.engine.fabric.media.medium import Piece
from app.engine.fabric.media.problems import media_problems
from app.engine.problems import Problem

UNKNOWN = Piece(key="", name="Nothing that may be taken reaches")


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialBill:
    """Lines of all networks; what their links are made of; and links that nothing carries."""

    lines: list[MaterialLine]
    chosen: Mapping[str, Whole]  # by network, (m,) index into its media
    counts: Mapping[str, list[TierCount]]  # by network
    problems: list[Problem]


def material_bill(networks: Mapping[str, Network], rules: BillRules) -> MaterialBill:
    """Every network in turn: its devices, what they take in nodes, and what its links are made of."""
    wanted: list[Wanted] = []
    chosen, counts = {}, {}
    problems: list[Problem] = []
    for name, network in networks.items():
        graph, parts = network.graph, network.parts
        cages = media_cages(graph, parts.media)
        taken = choose_media(graph, network.lengths_m, media=parts.media, rules=parts.rules, cages=cages)
        found = tier_counts(graph, network.lengths_m, taken, parts.media, parts.module_kinds, cages)
        wanted += [
            *_switches(name, network, rules),
            *_adapters(name, network, rules),
            *_modules(name, network, taken, found, rules, cages),
            *_cables(name, network, taken, found, rules),
        ]
        problems += media_problems(
            graph, network.lengths_m, taken, media=parts.media, rules=parts.rules, network=name
        )
        chosen[name], counts[name] = taken, found
    return MaterialBill(lines=material_lines(wanted), chosen=chosen, counts=counts, problems=problems)


def _switches(name: str, network: Network, rules: BillRules) -> list[Wanted]:
    lines = []
    devices = np.bincount(network.graph.devices.kind, minlength=len(network.graph.kinds))
    for kind, count in zip(network.graph.kinds, devices.tolist(), strict=True):
        parts = network.parts.switches.get(kind)
        if parts is None:
            continue
        spares, work = rules.spares.switches, rules.work.switch_s
        title = _title(kind.removesuffix("_switch"))
        lines.append(_wanted(name, "switch", kind, f"{title} switches", parts.switch, count, spares, work))
        if parts.line_card is not None:
            cards = count * parts.line_cards
            item = f"{title} switches: line cards"
            lines.append(
                _wanted(name, "line_card", kind, item, parts.line_card, cards, spares, rules.work.adapter_s)
            )
    return lines


def _adapters(name: str, network: Network, rules: BillRules) -> list[Wanted]:
    """Those delivered in their node are neither bought nor put in here."""
    return [
        _wanted(
            name,
            adapters.role,
            "",
            adapters.item,
            adapters.piece,
            adapters.count,
            0.0 if adapters.delivered else rules.spares.adapters,
            0.0 if adapters.delivered else rules.work.adapter_s,
        )
        for adapters in network.parts.adapters
    ]


def _modules(
    name: str,
    network: Network,
    taken: Whole,
    counts: list[TierCount],
    rules: BillRules,
    cages: Cages | None,
) -> list[Wanted]:
    lines = []
    for count in counts:
        medium = count.medium
        if medium is None or medium.captive:
            continue
        ends = [("switch modules", medium.switch_end, count.switch_modules)]
        if medium.tier and medium.node_end.key != medium.switch_end.key and count.lower_modules:
            ends = [
                ("lower switch modules", medium.node_end, count.lower_modules),
                ("switch modules", medium.switch_end, count.switch_modules - count.lower_modules),
            ]
        for words, piece, modules in ends:
            lines.append(
                _wanted(
                    name, "module", count.tier, f"{_title(count.tier)} links: {words}", piece,
                    modules, rules.spares.cabling, rules.work.module_s,
                )
            )  # fmt: skip
    for medium, modules in zip(
        network.parts.media, host_modules(network.graph, taken, network.parts.media, cages), strict=True
    ):
        if not medium.captive:
            lines.append(
                _wanted(
                    name, "module", "", "Node modules", medium.node_end,
                    modules, rules.spares.cabling, rules.work.module_s,
                )
            )  # fmt: skip
    return lines


def _cables(
    name: str, network: Network, taken: Whole, counts: list[TierCount], rules: BillRules
) -> list[Wanted]:
    spares, work, parts = rules.spares.cabling, rules.work, network.parts
    over = _patched(network, taken, rules)
    lines = []
    for count in counts:
        links, medium = f"{_title(count.tier)} links", count.medium
        if medium is None:
            lines.append(
                _wanted(name, "cable", count.tier, f"{links}: no medium", UNKNOWN, count.links, 0.0, 0.0)
            )
        elif medium.captive:
            item = f"{links}: cables"
            lines.append(
                _wanted(name, "cable", count.tier, item, medium.cable, count.cables, spares, work.cable_s)
            )
        else:
            place = network.graph.tiers.index(count.tier), parts.media.index(medium)
            jumpers = count.cables + (int(over.links[place]) if over else 0)
            item = f"{links}: fibres"
            lines.append(
                _wanted(name, "fibre", count.tier, item, medium.cable, jumpers, spares, work.cable_s)
            )
    if over:
        lines += [
            _wanted(name, "trunk", "", "Fibre trunks", parts.trunk, over.trunks, spares, work.cable_s),
            _wanted(name, "patch_panel", "", "Patch panels", parts.panel, over.panels, 0.0, work.panel_s),
        ]
    return lines


def _patched(network: Network, taken: Whole, rules: BillRules) -> Patched | None:
    if np.isnan(rules.patched_from_m) or network.device_rack is None:
        return None
    return patched(
        network.graph,
        network.lengths_m,
        taken,
        network.parts.media,
        network.device_rack,
        from_m=rules.patched_from_m,
        trunk_links=rules.trunk_links,
        panel_links=rules.panel_links,
    )


def _wanted(
    network: str,
    role: str,
    tier: str,
    item: str,
    piece: Piece,
    installed: float,
    spares: float,
    work_s: float,
) -> Wanted:
    return Wanted(
        network=network,
        role=role,
        tier=tier,
        item=item,
        piece=piece,
        installed=float(installed),
        spare_share=spares,
        piece_installation_s=work_s,
    )


def _title(tier: str) -> str:
    return tier.replace("_", " ").capitalize()
