"""The cables of a file against those of a design, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from app.engine.fabric.cabling.compare import KINDS, CableList, Differences, compare_cables
from app.engine.fabric.cabling.decimals import Text, decimals
from app.engine.fabric.cabling.ports import canonical_port
from app.engine.fabric.cabling.schedule import NetworkCables
from app.engine.fabric.graph.graph import NONE
from app.views.fabric.cable_file import CableFile, read_cable_file

LISTED = 10_000
"""Differences in one answer; the CSV has all."""


class Difference(NamedTuple):
    """One difference. `line` 0 stands for a cable that the file does not have."""

    kind: str
    sheet: str
    line: int
    other_line: int  # of the cable it is swapped with, or of the row that has the port already
    network: str
    designed: str  # both ends, or part or length, as in the design
    listed: str  # the same, as in the file


@dataclass(frozen=True, kw_only=True)
class CableDiff:
    """Result of a comparison."""

    file: CableFile
    design: CableList
    networks: tuple[NetworkCables, ...]
    found: Differences

    @property
    def is_same(self) -> bool:
        return self.found.count == 0

    @property
    def counts(self) -> dict[str, int]:
        return {kind: self.found.count_of(kind) for kind in KINDS}

    def differences(self, most: int | None = None) -> Iterator[Difference]:
        """Differences one by one, up to a number of them."""
        stop = self.found.count if most is None else min(most, self.found.count)
        for place in range(stop):
            yield self._difference(place)

    def as_json(self, most: int = LISTED) -> dict[str, Any]:
        """The comparison as plain values."""
        return {
            "rows": self.file.rows,
            "links": int(self.design.a.size),
            "matched": self.found.matched,
            "same": self.is_same,
            "counts": self.counts,
            "unknown_columns": list(self.file.unknown_columns),
            "skipped_sheets": list(self.file.skipped_sheets),
            "differences": [difference._asdict() for difference in self.differences(most)],
            "left_out": max(self.found.count - most, 0),
        }

    def _difference(self, place: int) -> Difference:
        found = self.found
        kind = KINDS[int(found.kind[place])]
        designed, listed = int(found.designed[place]), int(found.listed[place])
        other_designed, other_listed = int(found.other_designed[place]), int(found.other_listed[place])
        if kind == "wrong_part":
            words = _plain(self.design.part[designed]), _plain(self.file.cables.part[listed])
        elif kind == "wrong_length":
            words = _metres(self.design.length_m[designed]), _metres(self.file.cables.length_m[listed])
        else:
            words = (
                "; ".join(_ends(self.design, one) for one in (designed, other_designed) if one != NONE),
                "; ".join(_ends(self.file.cables, one) for one in (listed, other_listed) if one != NONE),
            )
        return Difference(
            kind=kind,
            sheet=self.file.sheet[listed] if listed != NONE else "",
            line=self.file.line[listed] if listed != NONE else 0,
            other_line=self.file.line[other_listed] if other_listed != NONE else 0,
            network=self._network_of(designed),
            designed=words[0],
            listed=words[1],
        )

    def _network_of(self, designed: int) -> str:
        if designed == NONE:
            return ""
        for network in self.networks:
            if designed < network.graph.link_count:
                return network.network
            designed -= network.graph.link_count
        raise IndexError(designed)


def diff_cables(networks: Sequence[NetworkCables], content: bytes) -> CableDiff:
    """A point-to-point file against the cables of a design.

    Raises
    ------
    ScenarioError : the file cannot be read
    """
    file = read_cable_file(content)
    design = designed_cables(networks, numbered=file.numbered)
    return CableDiff(
        file=file, design=design, networks=tuple(networks), found=compare_cables(design, file.cables)
    )


def designed_cables(networks: Sequence[NetworkCables], *, numbered: bool = False) -> CableList:
    """The cables of a design by their ends, all networks one after the other.

    `numbered`: ports of switches by their number in the switch, as tools that discover a fabric count them.
    """
    ends: dict[str, list[Text]] = {"a": [], "z": []}
    parts = []
    for network in networks:
        links, words = network.graph.links, network.words
        ports = np.array([canonical_port(text.decode()).encode() for text in words.label.tolist()] or [b""])
        sides = {"a": (links.lower, links.lower_port), "z": (links.upper, links.upper_port)}
        for side, (devices, port) in sides.items():
            named = np.strings.add(network.names[devices], b"\t")
            label = words.of(devices, port, ports)
            if numbered:
                label = np.where(network.inside[devices], decimals(port + 1), label)
            ends[side].append(np.strings.add(named, label))
        parts.append(network.part_of(np.arange(network.graph.link_count)))
    nothing = np.empty(0, "S1")
    return CableList(
        a=np.concatenate([nothing, *ends["a"]]),
        z=np.concatenate([nothing, *ends["z"]]),
        part=np.concatenate([nothing, *parts]),
        length_m=np.concatenate([np.empty(0), *(network.length_m for network in networks)]),
    )


def _ends(cables: CableList, place: int) -> str:
    a, z = (_plain(end[place]).replace("\t", " ") for end in (cables.a, cables.z))
    return f"{a} to {z}"


def _plain(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _metres(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".") + " m"
