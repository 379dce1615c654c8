"""The cable schedule as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.engine.fabric.cabling.schedule import COLUMNS, NetworkCables
from app.surfaces.files.cables.text import csv_cell, each, joined_rows


def cables_csv(networks: Sequence[NetworkCables]) -> Iterator[bytes]:
    """Header and rows in blocks, network by network; only one block is held."""
    yield ",".join(COLUMNS).encode() + b"\r\n"
    for network in networks:
        safe = replace(
            network, parts=each(network.parts, csv_cell), rack_names=each(network.rack_names, csv_cell)
        )
        for links in safe.blocks():
            cells = list(safe.text(links).values())
            parts = [part for cell in cells for part in (cell, b",")]
            yield joined_rows([*parts[:-1], b"\r\n"], links.size)
