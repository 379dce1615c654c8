"""Links, cables, fibres and modules have one count each, wherever a design shows them."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest
from openpyxl import load_workbook

from app.catalog.ready import ready_catalog
from app.engine.fabric.cabling.schedule import cable_counts
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_document
from app.surfaces.files.cables.formats import cables_csv
from app.surfaces.files.workbook.room_sheet import NAME as BILL_SHEET
from app.surfaces.files.workbook.room_sheet import TIER_COLUMNS
from app.views.fabric.cables import cables_of
from app.views.fabric.floor import FloorOptions, floor_answer
from app.views.fabric.materials import BillOptions, fabric_bill
from app.views.fabric.networks import pod_networks
from tests.scenarios.support import document, scenario

pytestmark = pytest.mark.slow

OWN = {"carried_by": "own"}
DESIGNS: dict[str, dict[str, Any]] = {
    "superpod": {"pod__supernodes": 33},
    "split ports": {"pod__supernodes": 40, "pod__fabric": {"switch": "sn5600"}},
    "two planes": {"pod__supernodes": 40, "pod__fabric": {"switch": "sn5600", "planes": 2}},
    "three tiers": {"pod__supernodes": 33, "pod__fabric": {"tiers": 3}},
    "tapered": {"pod__supernodes": 70, "pod__fabric": {"oversubscription": 3}},
    "copper": {"pod__supernodes": 8, "pod__fabric": {"topology": "fat_tree", "media": "copper"}},
    "dragonfly": {"pod__supernodes": 40, "pod__fabric": {"topology": "dragonfly"}},
    "torus": {"pod__supernodes": 27, "pod__fabric": {"topology": "torus_3d"}},
    "four networks": {"pod__supernodes": 33, "pod__networks": {"storage": OWN, "in_band": OWN, "out_of_band": OWN}},
}  # fmt: skip


@pytest.mark.parametrize("name", DESIGNS)
def test_every_place_has_the_same_count(seeded_data_dir, name: str) -> None:
    catalog = ready_catalog()
    evaluated = evaluate_scenario(document(**DESIGNS[name]), catalog)
    fabric = evaluated.as_json["fabric"]
    assert fabric["cables_total"] == fabric["fibres_total"] == fabric["links_total"]
    assert all(tier["cables"] == tier["links"] for tier in fabric["tiers"])
    schedule = cables_of(evaluated, catalog)
    bill = fabric_bill(evaluated, catalog, build_document(BillOptions, {}))
    floor = floor_answer(evaluated, build_document(FloorOptions, {}))
    rows = {row.name: row for row in pod_networks(evaluated, catalog).networks}
    listed = [*csv.DictReader(io.StringIO(b"".join(cables_csv(schedule)).decode()))]
    for network in schedule:
        key = network.network
        links = network.graph.link_count
        if key != "out_of_band":  # a link of it may run in the in-band network too
            assert rows[key].links == rows[key].cables == links
        assert sum(one.links for one in floor.cables if one.network == key) == links
        mine = [row for row in listed if row["Network"] == key]
        assert len(mine) == links
        cables = network.cable_count
        assert (
            len({row["Cable"] for row in mine}) == cables == sum(one.cables for one in cable_counts(network))
        )
        bought = [line for line in bill.lines if line.network == key and line.role in ("cable", "fibre")]
        assert sum(line.installed for line in bought) == cables
        # a cable with fixed ends may carry several links; nothing else makes cables fewer than links
        carried = np.append(network.cable_links, 1)[network.part]
        assert cables == links if (carried == 1).all() else cables < links
        assert cables >= round(float((1 / carried).sum()))  # the last cable of a switch may be half full


def test_the_workbook_and_the_rest_answer_say_the_same(seeded_data_dir, asgi_client) -> None:
    values = scenario(**DESIGNS["split ports"])
    found = asgi_client.post("/api/v1/evaluations", json=values)
    assert found.status_code == 200, found.text
    fabric = found.json()["evaluation"]["fabric"] if "evaluation" in found.json() else found.json()["fabric"]
    assert fabric["links_total"] == fabric["cables_total"] == 40 * 8 + 8 * 2 * 32
    assert [tier["cabled_ports"] for tier in fabric["tiers"]] == [160, 256]  # two links a port of 800 Gbit/s
    networks = asgi_client.post("/api/v1/fabric/networks", json={"scenario": values}).json()
    assert networks["networks"][0]["cables"] == fabric["cables_total"]
    assert TIER_COLUMNS["cables"] == "Cables"
    book = asgi_client.post("/api/v1/exports/xlsx", json=values)
    assert book.status_code == 200, book.text
    sheet = load_workbook(io.BytesIO(book.content))[BILL_SHEET]
    heads = [[cell.value for cell in row] for row in sheet.iter_rows()]
    at = next(row for row in heads if row and row[0] == "Tier")
    first = heads[heads.index(at) + 1]
    assert first[at.index("Links below")] == first[at.index("Cables")] == 40 * 8
