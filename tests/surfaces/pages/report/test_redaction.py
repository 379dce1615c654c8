"""No own word and no own price leaves in a pack or a report from which they are left out, whatever file holds it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.evaluation.service import evaluated
from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.settings import Settings
from app.surfaces.files.redaction import Redaction, redaction
from app.surfaces.files.work import Work
from app.surfaces.pages.report.design import DesignSubject
from app.surfaces.pages.report.document import report_html
from app.surfaces.pages.report.options import ReportOptions
from app.surfaces.pages.report.pack import Pack
from tests.surfaces.pages.report.own_rows import ALL, OWN, holds, team_of, texts, work_of

pytestmark = pytest.mark.slow

OWN_WORDS = (
    "Quibbex", "Zorvane", "Falkwerk", "Mirabolt", "Drovenna", "Kestrel", "Plinthos", "Vantorre", "Ulfheim",
    "wattlebury", "Brask", "Orsk",
)  # fmt: skip
"""Each own name, key, source, place and note has one of these in it."""


@pytest.fixture(scope="module")
def team(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> TeamCatalog:
    return team_of(OWN, seeded_data_dir, tmp_path_factory.mktemp("own"))


def report(work: Work, catalog: Catalog, version: str) -> bytes:
    options = ReportOptions(version=version, without=ALL)  # type: ignore[arg-type]
    return report_html(DesignSubject(work, catalog, ALL), options).encode()


@pytest.fixture(scope="module")
def own_work(team: TeamCatalog) -> Work:
    return work_of(OWN, team)


def test_every_own_name_has_one_of_the_words() -> None:
    assert [one for one in OWN.names if not holds(one, OWN_WORDS, ())] == []


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
        assert not holds(text, OWN_WORDS, OWN.prices), name
    assert not holds(pack.name, OWN_WORDS, ())


@pytest.mark.parametrize("version", ["board", "full"])
def test_no_own_word_and_no_own_price_is_in_a_report(own_work: Work, team: TeamCatalog, version: str) -> None:
    for name, text in texts("report.html", report(own_work, team.catalog(), version)):
        assert not holds(text, OWN_WORDS, OWN.prices), name


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
