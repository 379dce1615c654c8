"""Own rows that travel with a scenario: found, sent with or without prices, and received in a fresh database."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.catalog.own.entries import Entry, OwnSource
from app.catalog.pinned import PinnedCatalog, RecordingCatalog
from app.catalog.snapshot import Snapshot
from app.catalog.weather.year import About
from app.db.session import write_session
from app.db.tables import WorkspaceRow
from app.saved.access import Actor
from app.saved.team_catalog.own_rows import own_rows_of
from app.saved.team_catalog.received import CONFLICTS, split_own_rows
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.document.scenario import OWN_ROWS as SECTION
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from tests.catalog.weather.files import as_bytes, epw_lines
from tests.databases import engine_in
from tests.saved.team_catalog.conftest import NewTeam
from tests.scenarios.support import scenario
from tests.support import part_of

MEASURED = OwnSource(citation="Measured in our hall", as_of="2026-11", value_kind="measured")
QUOTE = OwnSource(
    citation="Quote 4711", url="https://example.org/4711", as_of="2026-05-01", value_kind="vendor"
)
SUBSETS = part_of(range(24))

Row = tuple[Entry, ...]
_numbers = itertools.count(1)


def row(kind: str, key: str, *lines: tuple[OwnSource, dict[str, str]]) -> Row:
    return tuple(Entry(kind=kind, key=key, cells=cells, source=source) for source, cells in lines)


MODEL = {"name": "Ours 8B", "organisation": "Acme", "family": "dense", "layers": "32", "hidden": "4096",
         "feed_forward_hidden": "14336", "heads": "32", "kv_heads": "8", "vocabulary": "128256"}  # fmt: skip
SYSTEM = {
    "name": "Our node", "vendor": "Acme", "category": "server", "year": "2026", "status": "shipping",
    "accelerator_key": "nvidia_h100_sxm", "accelerators": "8", "scale_up_domain_accelerators": "8",
    "max_power_kw": "10.3", "typical_power_kw": "8.1", "cooling": "air", "rack_units": "8", "weight_kg": "131.7",
    "scale_up_gb_s_bidir_per_accel": "900", "scale_out_nics": "8", "scale_out_nic_gbit_s": "400",
}  # fmt: skip
SITE = {
    "city": "Graz", "country": "AT", "climate_key": "graz_2023", "rankable": "yes", "elevation_m": "353",
    "carbon_g_per_kwh": "158.3",
}  # fmt: skip
ROWS: tuple[Row, ...] = (
    row("models", "ours_8b", (MEASURED, MODEL)),
    row("systems", "our_node", (MEASURED, SYSTEM)),
    row("sites", "our_graz", (MEASURED, SITE), (QUOTE, {"electricity_usd_per_kwh": "0.1137"})),
    row("accelerators", "nvidia_h100_sxm", (MEASURED, {"tdp_w": "651.3", "memory_gb": "81.7"})),
    row("systems", "dgx_h100", (MEASURED, {"typical_power_kw": "7.313"})),
    row("prices", "our_dgx", (QUOTE, {"part_key": "dgx_h100", "item": "As quoted", "unit": "USD/system",
                                      "condition": "quote", "typical": "284123.7", "note": "delivered"})),
    row("prices", "our_node_price", (QUOTE, {"part_key": "our_node", "item": "Node", "unit": "USD/system",
                                             "condition": "quote", "low": "250000.3", "high": "310000.7"})),
    row("rentals", "our_rent", (QUOTE, {"provider": "Cloudy", "accelerator": "H100", "kind": "on_demand",
                                        "accelerator_key": "nvidia_h100_sxm", "usd_per_accel_hour": "2.317"})),
    row("assumptions", "economics.server_price_ratio", (MEASURED, {
        "room": "economics", "name": "server_price_ratio", "unit": "1", "value": "1.537", "low": "1.5", "high": "1.6",
        "description": "Ratio of our quotes"})),
)  # fmt: skip


@functools.cache
def weather() -> bytes:
    return as_bytes(epw_lines())


@pytest.fixture(scope="session")
def fresh_database(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return engine_in(shutil.copytree(seeded_data_dir, tmp_path_factory.mktemp("fresh") / "data"))


@pytest.fixture
def new_receiver(fresh_database: Engine) -> NewTeam:
    """Makes a team in another database."""

    def make() -> TeamCatalog:
        with write_session(fresh_database) as session:
            made = WorkspaceRow(key=f"receiver-{next(_numbers)}", name="Beta", kind="team")
            session.add(made)
            session.flush()
            found = made.id or 0
        actor = Actor(name="Bea", roles={found: "owner"})
        return TeamCatalog(fresh_database, lambda: Catalog.open(fresh_database), found, actor)

    return make


def with_rows(team: TeamCatalog, rows: Sequence[Row] = ROWS) -> TeamCatalog:
    keys = {entries[0].key for entries in rows}
    if "our_graz" in keys:
        team.put_climate("graz_2023", weather(), About(source="Own station", year_kind="measured 2023"), 0)
    for entries in rows:
        if entries[0].key != "our_node_price" or "our_node" in keys:
            team.put(entries, None)
    return team


def design(keys: set[str]) -> ScenarioDocument:
    """A design that names the rows of its own that are there."""
    changes: dict[str, Any] = {
        "supernode": {"system": "our_node" if "our_node" in keys else "dgx_h100"},
        "workload__model": "ours_8b" if "ours_8b" in keys else "llama_3_1_8b",
    }
    if "our_graz" in keys:
        changes["facility__site"] = "our_graz"
    return build_scenario(scenario(name="Ours", **changes))


def figures(document: ScenarioDocument, catalog: Catalog) -> dict[str, Any]:
    found = dict(evaluate_scenario(document, catalog).as_json)
    found.pop("provenance")
    return found


def sent(document: ScenarioDocument, team: TeamCatalog, *, prices: bool = True) -> dict[str, Any]:
    """The file as plain values, after it was text."""
    rows = own_rows_of(document, team.catalog(), prices=prices)
    content = document.as_dict() | ({SECTION: rows.as_dict()} if rows else {})
    found: dict[str, Any] = json.loads(json.dumps(content))
    return found


def test_everything_arrives_and_figures_are_the_same_to_the_last_bit(
    team: TeamCatalog, new_receiver: NewTeam
) -> None:
    with_rows(team)
    document = design({"our_graz", "ours_8b"})
    values, rows = split_own_rows(sent(document, team))
    assert rows is not None
    assert rows.prices == "included"
    assert set(rows.keys) == {
        "models/ours_8b", "sites/our_graz", "climate/graz_2023", "accelerators/nvidia_h100_sxm", "systems/dgx_h100",
        "prices/our_dgx", "rentals/our_rent", "assumptions/economics.server_price_ratio",
    }  # fmt: skip
    receiver = new_receiver()
    received = receiver.receive(rows, values)
    assert set(received.added) == set(rows.keys)
    assert set(received.overriding) == {
        "accelerators/nvidia_h100_sxm", "systems/dgx_h100", "assumptions/economics.server_price_ratio",
    }  # fmt: skip
    assert received.differing == ()
    assert figures(build_scenario(received.document), receiver.catalog()) == figures(document, team.catalog())
    again = receiver.receive(rows, values)
    assert (set(again.same), again.added, again.plan.writes) == (set(rows.keys), (), ())


@pytest.mark.slow
def test_any_subset_of_own_rows_travels_whole(new_team: NewTeam, new_receiver: NewTeam) -> None:
    texts = ("284123.7", "1e5", "0.1", "333333.3333333333", "123456789.12345679")
    for number in SUBSETS:
        chance = random.Random(f"19 {number}")
        rows = [
            tuple(
                dataclasses.replace(entry, cells={**entry.cells, "typical": chance.choice(texts)})
                if entry.cells.get("typical")
                else entry
                for entry in entries
            )
            for entries in chance.sample(ROWS, chance.randint(0, len(ROWS)))
        ]
        rows.sort(key=lambda entries: entries[0].kind in ("prices", "rentals"))
        team, keys = with_rows(new_team(), rows), {entries[0].key for entries in rows}
        document, prices = design(keys), chance.random() < 0.7
        values, carried = split_own_rows(sent(document, team, prices=prices))
        receiver = new_receiver()
        if carried is not None:
            received = receiver.receive(carried, values)
            assert received.differing == (), number
            assert {f"{part.kind}/{part.key}" for part in receiver.rows()} == set(carried.keys), number
        there, here = figures(document, team.catalog()), figures(build_scenario(values), receiver.catalog())
        if prices or not carried or not carried.left_out:
            assert here == there, number
        else:
            assert {name: here[name] for name in ("performance", "power", "carbon")} == {
                name: there[name] for name in ("performance", "power", "carbon")
            }, number
            stated = [fact for part in receiver.rows() for fact in part.facts.values() if fact.own]
            assert not any("USD" in fact.unit for fact in stated), number


def test_figures_stated_in_other_units_keep_their_last_bit(team: TeamCatalog, new_receiver: NewTeam) -> None:
    lines = ["key,field,value,unit,source,as_of,value_kind"]
    stated = ("0.6513", "0.70000000001", "1e-1", "0.3333333333333333")
    for number, text in enumerate(stated):
        lines[1:] = [f"nvidia_h100_sxm,tdp_w,{text},kW,Ours,2026,measured"]
        team.import_file("\n".join(lines).encode(), dry_run=False)
        receiver = new_receiver()
        values, rows = split_own_rows(sent(design(set()), team))
        receiver.receive(rows, values)
        facts = [
            one.catalog().part("accelerators", "nvidia_h100_sxm").facts["tdp_w"] for one in (team, receiver)
        ]
        assert facts[0].value == facts[1].value, number


def test_without_prices_costs_come_from_the_catalog_and_that_is_said(
    team: TeamCatalog, new_receiver: NewTeam
) -> None:
    with_rows(team)
    document = design({"our_graz", "our_node"})
    values, rows = split_own_rows(sent(document, team, prices=False))
    assert rows is not None
    assert rows.prices == "left out"
    assert set(rows.left_out) == {
        "price of our_node", "rental of nvidia_h100_sxm", "electricity_price_usd_per_kwh of sites/our_graz",
    }  # fmt: skip
    assert "284123" not in json.dumps(values) + rows.model_dump_json()
    assert "0.1137" not in rows.model_dump_json()
    receiver = new_receiver()
    received = receiver.receive(rows, values)
    assert received.left_out == rows.left_out
    assert "Own prices were left out" in " ".join(received.sentences)
    here = figures(build_scenario(received.document), receiver.catalog())["cost"]["supernode_price_usd"]
    assert here not in (None, figures(document, team.catalog())["cost"]["supernode_price_usd"])


def test_other_values_under_a_key_are_said_and_never_overwritten(
    team: TeamCatalog, new_receiver: NewTeam
) -> None:
    with_rows(team, ROWS[:1])
    document = design({"ours_8b"})
    values, rows = split_own_rows(sent(document, team))
    receiver = with_rows(new_receiver(), [row("models", "ours_8b", (MEASURED, {**MODEL, "layers": "24"}))])
    theirs = receiver.catalog().part("models", "ours_8b")
    with pytest.raises(ScenarioError) as caught:
        receiver.receive(rows, values)
    (fault,) = caught.value.errors
    assert (fault.path, fault.value, fault.rule) == ("own_rows.tables.models", "ours_8b", "own_row_differs")
    assert "layers 24 here, 32 in the file" in fault.message
    kept = receiver.receive(rows, values, conflicts="keep")
    assert (kept.kept, kept.differing) == (("models/ours_8b",), ("models/ours_8b",))
    for _ in range(2):  # a second import finds what the first one added
        renamed = receiver.receive(rows, values, conflicts="rename")
        assert renamed.renamed == {"models/ours_8b": "models/ours_8b_imported"}
        assert renamed.document["workload"]["model"] == "ours_8b_imported"
        assert len(receiver.rows()) == 2
    assert receiver.catalog().part("models", "ours_8b") == theirs
    there = figures(document, team.catalog())
    assert figures(build_scenario(renamed.document), receiver.catalog()) == {**there, "name": there["name"]}


@pytest.mark.parametrize("conflicts", CONFLICTS)
def test_own_values_over_a_builtin_row_are_kept(
    team: TeamCatalog, new_receiver: NewTeam, conflicts: Any
) -> None:
    with_rows(team, [ROWS[3]])
    values, rows = split_own_rows(sent(design(set()), team))
    receiver = with_rows(
        new_receiver(), [row("accelerators", "nvidia_h100_sxm", (MEASURED, {"tdp_w": "600"}))]
    )
    if conflicts == "keep":
        received = receiver.receive(rows, values, conflicts=conflicts)
        assert received.differing == ("accelerators/nvidia_h100_sxm",)
        assert "Figures may differ" in " ".join(received.sentences)
    else:
        with pytest.raises(ScenarioError, match="stands over a built-in row"):
            receiver.receive(rows, values, conflicts=conflicts)
    assert receiver.catalog().part("accelerators", "nvidia_h100_sxm").facts["tdp_w"].value == 600


def test_own_rows_that_count_here_and_did_not_travel_are_named(
    team: TeamCatalog, new_receiver: NewTeam
) -> None:
    with_rows(team, ROWS[:1])
    values, rows = split_own_rows(sent(design({"ours_8b"}), team))
    receiver = with_rows(new_receiver(), [ROWS[5]])
    assert receiver.receive(rows, values).differing == ("prices/our_dgx",)


def test_rows_that_cannot_be_used_have_a_message_a_field(team: TeamCatalog, new_receiver: NewTeam) -> None:
    with_rows(team, ROWS[:1])
    values = sent(design({"ours_8b"}), team)
    cells = values[SECTION]["tables"]["models"][0]["cells"]
    cells |= {"layers": "-3", "hidden": "many"}
    rest, rows = split_own_rows(values)
    receiver = new_receiver()
    with pytest.raises(ScenarioError) as caught:
        receiver.receive(rows, rest)
    assert {fault.path for fault in caught.value.errors} == {
        "own_rows.tables.models[0].layers", "own_rows.tables.models[0].hidden",
    }  # fmt: skip
    assert receiver.rows() == ()


@pytest.mark.parametrize(
    ("section", "path"),
    [
        ("rows", "own_rows"),
        ({}, "own_rows.prices"),
        ({"prices": "included", "tables": {"models": "x"}}, "own_rows.tables.models"),
        ({"prices": "included", "more": 1}, "own_rows.more"),
        (
            {"prices": "included", "tables": {"models": [{"cells": {"key": 3}}]}},
            "own_rows.tables.models[0].cells.key",
        ),
    ],
)
def test_a_section_that_cannot_be_read_is_told_by_field(section: Any, path: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        split_own_rows({**scenario(), SECTION: section})
    assert [fault.path for fault in caught.value.errors] == [path]


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ({"tables": {"nonsense": [{"cells": {"key": "a"}}]}}, "There is no kind"),
        ({"tables": {"climate": [{"cells": {"key": "a"}}]}}, "Climate years cannot be imported here"),
        ({"tables": {"accelerators": [{"cells": {"key": "a", "tdp_w": "1"}, "units": {"tdp_w": "km"}}]}}, "cannot be stated in"),
    ],
)  # fmt: skip
def test_tables_and_units_that_are_unknown_are_refused(team: TeamCatalog, section: Any, words: str) -> None:
    rest, rows = split_own_rows({**scenario(), SECTION: {"prices": "included", **section}})
    with pytest.raises(ScenarioError, match=words):
        team.receive(rows, rest)


def test_hours_that_were_changed_are_refused(team: TeamCatalog, new_receiver: NewTeam) -> None:
    with_rows(team, [ROWS[2]])
    values = sent(design({"our_graz"}), team)
    hours = values[SECTION]["climate"][0]["hours"]
    values[SECTION]["climate"][0]["hours"] = hours[:-1]
    rest, rows = split_own_rows(values)
    with pytest.raises(ScenarioError, match="The hours are not 8,760"):
        new_receiver().receive(rows, rest)


def test_a_scenario_is_refused_by_what_is_no_import() -> None:
    with pytest.raises(ScenarioError, match="which only an import reads"):
        build_scenario({**scenario(), SECTION: {"prices": "included"}})


def test_a_revision_sends_the_rows_of_its_time(team: TeamCatalog, new_receiver: NewTeam) -> None:
    with_rows(team)
    document = design({"our_graz", "ours_8b"})
    recording = RecordingCatalog(team.catalog())
    then = dict(evaluate_scenario(document, recording).as_json)
    then.pop("provenance")
    stored = Snapshot.unpacked(recording.snapshot.packed()[1]())
    team.put([dataclasses.replace(ROWS[5][0], cells={**ROWS[5][0].cells, "typical": "1"})], None)
    team.put([dataclasses.replace(ROWS[3][0], cells={"tdp_w": "100"})], None)
    pinned = PinnedCatalog(team.catalog(), stored, "then")
    rows = own_rows_of(document, pinned, prices=True)
    assert rows is not None
    receiver = new_receiver()
    receiver.receive(rows, document.as_dict())
    assert figures(document, receiver.catalog()) == then


def test_what_rests_on_no_own_row_carries_none(team: TeamCatalog) -> None:
    assert own_rows_of(design(set()), team.catalog(), prices=True) is None
    with_rows(team, ROWS[:1])  # a model that the design does not name
    assert own_rows_of(design(set()), team.catalog(), prices=True) is None
