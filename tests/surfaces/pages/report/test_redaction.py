"""No own word and no own price leaves in a pack or a report from which they are left out, whatever file holds it."""

from __future__ import annotations

import io
import itertools
import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pypdfium2
import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.catalog.own.entries import Entry, OwnSource
from app.catalog.ready import ready_catalog
from app.catalog.weather.year import About
from app.db.session import write_session
from app.db.tables import WorkspaceRow
from app.saved.access import Actor
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.service import evaluate_scenario, evaluated
from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.settings import Settings
from app.surfaces.files.redaction import Redaction, redaction
from app.surfaces.files.work import Work
from app.surfaces.pages.report.design import DesignSubject
from app.surfaces.pages.report.document import report_html
from app.surfaces.pages.report.options import ReportOptions
from app.surfaces.pages.report.pack import Pack
from tests.catalog.weather.files import as_bytes, epw_lines
from tests.databases import engine_in
from tests.scenarios.support import scenario

pytestmark = pytest.mark.slow

ALL = ("prices", "names", "sites")
OURS = OwnSource(
    citation="Quibbex memo 88", url="https://quibbex.example/88", as_of="2026-11", value_kind="measured"
)
QUOTED = OwnSource(
    citation="Offer Zorvane 4711", url="https://zorvane.example", as_of="2026-11", value_kind="vendor"
)
OWN_WORDS = (
    "Quibbex", "Zorvane", "Falkwerk", "Mirabolt", "Drovenna", "Kestrel", "Plinthos", "Vantorre", "Ulfheim",
    "wattlebury", "Brask", "Orsk",
)  # fmt: skip
"""Each own name, key, source, place and note has one of these in it."""
OWN_PRICES = (284_123.7, 61_937.3, 0.1137, 39_211.9, 7_713.4)


def row(kind: str, key: str, *lines: tuple[OwnSource, dict[str, str]]) -> tuple[Entry, ...]:
    return tuple(Entry(kind=kind, key=key, cells=cells, source=source) for source, cells in lines)


def rows() -> tuple[tuple[Entry, ...], ...]:
    return (
        row("models", "falkwerk_8b", (OURS, {
            "name": "Falkwerk 8B", "organisation": "Quibbex Labs", "family": "dense", "layers": "32", "hidden": "4096",
            "feed_forward_hidden": "14336", "heads": "32", "kv_heads": "8", "vocabulary": "128256"})),
        row("systems", "mirabolt_node", (OURS, {
            "name": "Mirabolt & Söhne node", "vendor": "Quibbex Labs", "category": "server", "year": "2026",
            "status": "shipping", "accelerator_key": "nvidia_h100_sxm", "accelerators": "8",
            "scale_up_domain_accelerators": "8", "max_power_kw": "10.3", "typical_power_kw": "8.1", "cooling": "air", "nodes": "1",
            "rack_units": "8", "weight_kg": "131.7", "scale_up_gb_s_bidir_per_accel": "900", "scale_out_nics": "8",
            "scale_out_nic_gbit_s": "400", "notes": "Mirabolt says 284,123.7 a node"})),
        row("switches", "drovenna_leaf", (OURS, {
            "model": "Drovenna leaf 64", "vendor": "Quibbex Labs", "protocol": "InfiniBand NDR", "ports": "64",
            "port_gbit_s": "400", "max_logical_ports": "128", "logical_port_gbit_s": "200",
            "capacity_tbit_s_one_way": "25.6", "latency_ns": "150", "power_typical_w": "747", "power_max_w": "1720",
            "height_u": "1"})),
        row("sites", "ulfheim_hall", (OURS, {
            "city": "Ulfheim Orsk", "country": "NO", "climate_key": "wattlebury_2023", "rankable": "yes",
            "elevation_m": "353", "carbon_g_per_kwh": "158.3"}), (QUOTED, {"electricity_usd_per_kwh": "0.1137"})),
        row("accelerators", "nvidia_h100_sxm", (OURS, {"tdp_w": "651.3"})),
        row("prices", "brask_price", (QUOTED, {
            "part_key": "mirabolt_node", "item": "Brask bundle", "unit": "USD/system", "condition": "quote",
            "typical": "284123.7", "note": "Brask says 284,123.70 each"})),
        row("prices", "brask_leaf", (QUOTED, {
            "part_key": "drovenna_leaf", "item": "Brask leaf", "unit": "USD/unit", "condition": "quote", "typical": "61937.3"})),
    )  # fmt: skip


@pytest.fixture(scope="module")
def team(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> TeamCatalog:
    engine: Engine = engine_in(shutil.copytree(seeded_data_dir, tmp_path_factory.mktemp("own") / "data"))
    with write_session(engine) as session:
        made = WorkspaceRow(key="kestrel", name="Kestrel Group", kind="team")
        session.add(made)
        session.flush()
        found = made.id or 0
    team = TeamCatalog(
        engine, lambda: Catalog.open(engine), found, Actor(name="Plinthos Jones", roles={found: "owner"})
    )
    team.put_climate(
        "wattlebury_2023", as_bytes(epw_lines()),
        About(source="Wattlebury airfield", year_kind="measured 2023", name="Wattlebury field 2023"), 0,
    )  # fmt: skip
    for entries in rows():
        team.put(entries, None)
    return team


def own_design(supernodes: int = 64) -> ScenarioDocument:
    return build_scenario(scenario(
        name="Vantorre One", description="Vantorre, the first hall of Kestrel", workload__model="falkwerk_8b",
        supernode={"system": "mirabolt_node"}, pod__supernodes=supernodes, pod__fabric__switch="drovenna_leaf",
        facility__site="ulfheim_hall",
    ))  # fmt: skip


def texts(name: str, content: bytes) -> Iterator[tuple[str, str]]:
    """Every text of a file, members of ZIPs, cells and properties of workbooks included."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for member in packed.namelist():
                yield f"{name}!", member
                yield from texts(f"{name}!{member}", packed.read(member))
        if name.endswith(".xlsx"):
            book = openpyxl.load_workbook(io.BytesIO(content))
            cells = (cell for sheet in book for line in sheet.iter_rows(values_only=True) for cell in line)
            yield name, "\n".join(str(cell) for cell in cells if cell is not None)
    elif content.startswith(b"%PDF"):
        document = pypdfium2.PdfDocument(content)
        yield name, "\n".join(page.get_textpage().get_text_bounded() for page in document)
        yield name, str(document.get_metadata_dict())
    else:
        text = content.decode("utf-8")
        yield name, text
        if "<" in text:  # words that tags are between
            yield name, re.sub(r"<[^>]*>", " ", text)


def printed(price: float) -> set[str]:
    """The forms in which a price could be printed: raw, rounded, with separators, in thousands."""
    forms = {f"{price}", f"{price:.0f}", f"{price:.1f}", f"{price:.2f}", f"{price:.4g}", f"{price:.5g}"}
    forms |= {f"{price:,.0f}", f"{price:,.1f}", f"{price:,.2f}"}
    forms |= {one.replace(",", mark) for one in tuple(forms) for mark in ("\u202f", "\u00a0", " ", "'")}
    if price > 1e4:
        forms |= {f"{price / 1e3:.1f} k", f"{price / 1e3:.4g} k", f"{price / 1e3:.1f}k"}
    return {one for one in forms if len(re.sub(r"\D", "", one).strip("0")) >= 4}


def holds(text: str, words: tuple[str, ...], prices: tuple[float, ...]) -> list[str]:
    small = text.casefold()
    found = [word for word in words if word.casefold() in small]
    for form in itertools.chain.from_iterable(map(printed, prices)):
        found += [form] if re.search(rf"(?<![\d.,]){re.escape(form)}(?![\d])", text) else []
    return found


def report(work: Work, catalog: Catalog, version: str) -> bytes:
    options = ReportOptions(version=version, without=ALL)  # type: ignore[arg-type]
    return report_html(DesignSubject(work, catalog, ALL), options).encode()


@pytest.fixture(scope="module")
def own_work(team: TeamCatalog) -> Work:
    document, catalog = own_design(), team.catalog()
    return Work(
        document, lambda: evaluate_scenario(document, catalog), view=lambda: catalog, note="Orsk note 12"
    )


def test_what_is_own_would_be_there_without_redaction(own_work: Work, team: TeamCatalog) -> None:
    """The test can fail: the same files hold the words where they are not left out."""
    found = dict(texts("pack", Pack(own_work, team.catalog()).written()))
    everything = "\n".join(found.values())
    for word in ("Mirabolt", "Drovenna", "Vantorre"):
        assert word in everything
    assert "DROVENNA-LEAF" in "\n".join(text for name, text in found.items() if "netbox" in name)


def test_no_own_word_and_no_own_price_is_in_any_file_of_a_pack(
    own_work: Work, team: TeamCatalog, chromium_path: str
) -> None:
    pack = Pack(own_work, team.catalog(), ALL, Settings(chromium=chromium_path))
    found = list(texts("pack", pack.written()))
    assert any("drawings.pdf" in name and len(text) > 100 for name, text in found)
    for name, text in found:
        assert not holds(text, OWN_WORDS, OWN_PRICES), name
    assert not holds(pack.name, OWN_WORDS, ())


@pytest.mark.parametrize("version", ["board", "full"])
def test_no_own_word_and_no_own_price_is_in_a_report(own_work: Work, team: TeamCatalog, version: str) -> None:
    for name, text in texts("report.html", report(own_work, team.catalog(), version)):
        assert not holds(text, OWN_WORDS, OWN_PRICES), name


def test_the_same_part_has_the_same_neutral_name_in_every_file(own_work: Work, team: TeamCatalog) -> None:
    with zipfile.ZipFile(io.BytesIO(Pack(own_work, team.catalog(), ("names",)).written())) as pack:
        book = openpyxl.load_workbook(io.BytesIO(pack.read("quote.xlsx")))
        parts = {line[1] for line in book["Quote"].iter_rows(values_only=True) if line[1]}
        with zipfile.ZipFile(io.BytesIO(pack.read("netbox.zip"))) as netbox:
            types = " ".join(netbox.namelist())
        readme = pack.read("README.txt").decode()
    assert "own system 1" in parts
    leaf = next(one for one in parts if re.fullmatch(r"own part \d+", str(one)))
    assert leaf.replace(" ", "-") in types
    assert "1 model" in readme
    assert "1 system" in readme


def test_names_of_built_in_rows_stay_where_a_team_only_states_a_value_of_them(
    own_work: Work, team: TeamCatalog
) -> None:
    found = redaction(own_work, team.catalog(), ("names",))
    assert found.key("nvidia_h100_sxm") == "nvidia_h100_sxm"
    assert found.key("mirabolt_node") == ""


def test_those_who_see_no_catalog_of_the_workspace_see_no_own_word_either(
    own_work: Work, team: TeamCatalog
) -> None:
    seen = Work(own_work.written, own_work.evaluate)
    text = report(seen, team.catalog(), "board").decode()
    assert not holds(text, ("Falkwerk", "Mirabolt", "Vantorre", "Ulfheim", "Quibbex", "Kestrel"), ())


@pytest.mark.parametrize("key", [one.key for one in list_examples()])
def test_no_name_of_an_example_leaves(key: str) -> None:
    document, catalog = example(key).read(), ready_catalog()
    found = evaluated(document, catalog)
    work = Work(document, lambda: found)
    site = (found.as_json["inputs"].get("site") or {}).get("name") or ""
    words = tuple(one for one in (document.name, document.description or "", site) if one)
    for name, text in texts("pack", Pack(work, catalog, ALL).written()):
        assert not [one for one in words if one in text], name
        if "quote" not in name:  # which asks for US dollars
            assert "USD" not in text, name
    assert not [one for one in words if one in report(work, catalog, "board").decode()]


@pytest.mark.parametrize(
    ("words", "text", "shown"),
    [
        ((("Our node", "own system 1"),), "1 x Our node, OUR-NODE and our_node", "1 x own system 1, own system 1 and own_system_1"),
        ((("X9", "own part 1"),), "X9 of x9 and AX9", "own part 1 of x9 and AX9"),
        ((("Style", "Design"),), "lifestyle style", "lifestyle Design"),
        ((("Mirabolt & Co node", "own system 1"),), "2 x Mirabolt & C…", "2 x own system 1…"),
        ((("Mirabolt node", "own system 1"),), "Mirabolt<br>node", "own system 1"),
        ((("Hall 4", "the site"), ("site", "Design")), "Hall 4", "the site"),
    ],
)  # fmt: skip
def test_words_are_found_however_they_are_joined(words: Any, text: str, shown: str) -> None:
    assert Redaction(words=words).text(text) == shown


def test_tags_of_a_page_stay_and_entities_are_read() -> None:
    page = '<p class="style" title="A & B &amp; Co">Style &amp; Sons</p><style>p{content:"Style"}</style>'
    found = Redaction(words=(("Style & Sons", "own 1"), ("Style", "own 2")))
    assert (
        found.markup(page)
        == '<p class="style" title="A & B &amp; Co">own 1</p><style>p{content:"own 2"}</style>'
    )


def test_a_design_named_after_a_common_word_keeps_its_pack_whole() -> None:
    document, catalog = example("edge_node").read(), ready_catalog()
    changed = build_scenario(document.as_dict() | {"name": "Compute"})
    work = Work(changed, lambda: evaluated(changed, catalog))
    with zipfile.ZipFile(io.BytesIO(Pack(work, catalog, ALL).written())) as pack:
        assert pack.testzip() is None
        assert b"power_w" in pack.read("racks.csv")
    assert json.dumps(report(work, catalog, "board").decode())
