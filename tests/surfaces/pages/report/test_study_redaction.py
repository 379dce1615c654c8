"""No own word and no own price leaves in the workbook or the report of a study from which they are left out."""

from __future__ import annotations

import functools
import io
import re
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

from app.catalog.lookup import Catalog
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.load import build_document
from app.scenarios.reading.yaml_text import write_yaml
from app.scenarios.study.document import StudyDocument
from app.service import Service
from app.settings import get_settings
from app.surfaces.cli import app as command_line
from app.surfaces.files.redaction import KINDS
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.report.document import report_html
from app.surfaces.pages.report.options import report_options
from app.surfaces.pages.report.study import ReportedStudy, StudySubject, reported
from app.surfaces.pages.report.study_workbook import study_xlsx
from app.surfaces.pages.studio.state import encode_state
from app.views.study.answer import study_answer
from tests.asgi import AsgiClient
from tests.surfaces.files.spreadsheet import Spreadsheet
from tests.surfaces.pages.report.own_rows import ALL, OWN, design_of, holds, team_of, texts
from tests.surfaces.pages.report.studies import STUDIES, TRAINED, study

pytestmark = pytest.mark.slow

STUDY_NAME, QUESTION, SHORT = "Which Vantorre", "Does Ulfheim suit Kestrel?", "Zq"
OWN_WORDS = (
    "Quibbex", "Zorvane", "Falkwerk", "Mirabolt", "Drovenna", "Kestrel", "Plinthos", "Vantorre", "Ulfheim",
    "wattlebury", "Brask", "Orsk", "Tamsin", "Hollin", "Dallas",
)  # fmt: skip
OWN_LIMIT = 37_719_411.0
OWN_STUDY = {
    "name": STUDY_NAME,
    "question": QUESTION,
    "workload": {"training": {**TRAINED, "model": OWN.key_model}},
    "limits": {"finish_within_days": 90, "capex_usd": OWN_LIMIT},
    "candidates": {
        "systems": [OWN.key_system, "dgx_h100"],
        "supernodes": [8],
        "sites": [OWN.key_site, "dallas"],
        "networks": [{"name": "Hollin net", "fabric": {"switch": OWN.key_switch}}],
    },
    "chosen": [
        {"name": "Tamsin hall", "candidate": {"system": OWN.key_system, "supernodes": 8, "site": OWN.key_site}},
        {"name": SHORT, "candidate": {"system": "dgx_h100", "supernodes": 8, "site": "dallas"}},
        {"name": "Tamsin two", "scenario": design_of(supernodes=8).as_dict()},
    ],
    "base": "Tamsin hall",
    "decision": {"text": "Tamsin hall, says Plinthos.\nOffer Zorvane 4711 stands.", "chosen": "Tamsin hall"},
    "timing": {"order_date": "2027-01-15"},
}  # fmt: skip


class WithCatalog(Designs):
    """Designs of one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        super().__init__(Service(get_settings()))
        self._catalog = catalog


@pytest.fixture(scope="module")
def team(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> TeamCatalog:
    return team_of(OWN, seeded_data_dir, tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def own_study(team: TeamCatalog) -> ReportedStudy:
    document, catalog = build_document(StudyDocument, OWN_STUDY), team.catalog()
    facts = (("Revision", f"3, {OWN.note}"), ("Saved", "12 March 2027"))
    review = (f"Revision 3 was approved, by {OWN.member} on 14 March 2027.",)
    answer = study_answer(document, catalog)
    return reported(document, answer, WithCatalog(catalog), facts, review, OWN.note)


@functools.cache
def workbook(name: str, *without: str) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(study_xlsx(study(name), without)))


def test_what_is_own_would_be_there_without_redaction(own_study: ReportedStudy) -> None:
    """The test can fail: the same files hold each of the words and prices where they are not left out."""
    found = "\n".join(text for _, text in texts("study.xlsx", study_xlsx(own_study)))
    missing = {word for word in OWN_WORDS if not holds(found, (word,), ())}
    assert missing <= {"Orsk", "Brask", "Kestrel"}  # of notes and rows that no candidate shows
    assert holds(found, (), (OWN.system_usd,))
    assert holds(found, (), (OWN.electricity_usd,))
    assert holds(found, (), (OWN_LIMIT,))
    assert re.search(rf"\b{SHORT}\b", found)


def test_no_own_word_and_no_own_price_is_in_any_part_of_a_workbook(own_study: ReportedStudy) -> None:
    parts = list(texts("study.xlsx", study_xlsx(own_study, ALL)))
    names = {name for name, _ in parts}
    for part in ("xl/sharedStrings.xml", "xl/workbook.xml", "docProps/core.xml", "docProps/app.xml"):
        assert f"study.xlsx!{part}" in names
    for name, text in parts:
        assert not holds(text, OWN_WORDS, (*OWN.prices, OWN_LIMIT)), name
        assert not re.search(rf"\b{SHORT}\b", text), name
        assert not re.search(r"\bUSD\b", text), name


@pytest.mark.parametrize("version", ["board", "full"])
def test_no_own_word_and_no_own_price_is_in_a_report(own_study: ReportedStudy, version: str) -> None:
    subject = StudySubject(own_study, ALL)
    html = report_html(subject, report_options({"version": version, "without": ",".join(ALL)}))
    for name, text in texts("report.html", html.encode()):
        assert not holds(text, OWN_WORDS, (*OWN.prices, OWN_LIMIT)), name
        assert not re.search(rf"\b{SHORT}\b", text), name


def test_each_kind_alone(own_study: ReportedStudy) -> None:
    for kind in KINDS:
        found = "\n".join(text for _, text in texts("study.xlsx", study_xlsx(own_study, (kind,))))
        left = set(holds(found, OWN_WORDS, OWN.prices))
        assert bool({"Mirabolt", "Falkwerk", "Tamsin"} & left) == (kind != "names"), kind
        assert ("Ulfheim" in left) == (kind != "sites"), kind
        assert bool(holds(found, (), (OWN.system_usd,))) == (kind != "prices"), kind


def test_a_row_has_the_same_neutral_name_in_every_column(own_study: ReportedStudy) -> None:
    book = openpyxl.load_workbook(io.BytesIO(study_xlsx(own_study, ("names",))))
    heads = [cell.value for cell in book["Summary"][1]][2:]
    assert len(set(heads)) == len(heads)
    choices = next(row for row in book["Summary"].iter_rows(values_only=True) if row[0] == "System")
    assert sorted(choices[2:5]) == ["DGX H100", "own system 1", "own system 1"]


def test_without_prices_there_is_no_sheet_of_money_and_figures_stay() -> None:
    whole, left = workbook("ranked"), workbook("ranked", "prices")
    assert set(whole.sheetnames) - set(left.sheetnames) == {"Cost", "Cash flow", "Study"}
    assert not left.defined_names
    figures = [
        {row[0]: row[2:] for row in book["Time"].iter_rows(values_only=True)} for book in (whole, left)
    ]
    assert figures[0] == figures[1]
    assert len(figures[0]) > 10
    assert not [row[0] for row in left["Inputs"].iter_rows(values_only=True) if "usd" in str(row).lower()]
    book = Spreadsheet(study_xlsx(study("ranked"), ("prices",)))
    for sheet, address in book.formulas():
        assert book.computed(sheet, address) == pytest.approx(book.as_exported(sheet, address), nan_ok=True)


def test_the_workbook_lists_what_was_left_out() -> None:
    for kind, said in (("prices", "every amount of money"), ("names", "Own names"), ("sites", "Sites:")):
        about = list(workbook("kept", kind)["About"].iter_rows(values_only=True))
        assert [row[1] for row in about if row[0] == "Left out" and said in row[1]], kind
    assert "Left out" not in {row[0] for row in workbook("kept")["About"].iter_rows(values_only=True)}


def test_by_every_way_to_ask(reading_client: AsgiClient, tmp_path: Path) -> None:
    asked = {
        **STUDIES["kept"],
        "candidates": {"systems": ["dgx_h100"], "supernodes": [8], "sites": ["dallas"]},
    }
    state = encode_state(asked)
    answers = [
        reading_client.post("/api/v1/study/workbook?without=names,prices,sites", json=asked),
        reading_client.get(f"/studies/new/workbook?s={state}&without=names&without=prices&without=sites"),
        reading_client.post("/studies/new/workbook", data={"s": state, "without": list(ALL)}),
    ]
    for answer in answers:
        assert answer.status_code == 200, answer.text
        assert "Board of kept columns" not in answer.headers["content-disposition"]
    file, written = tmp_path / "study.yaml", tmp_path / "study.xlsx"
    file.write_text(write_yaml(asked), encoding="utf-8")
    given = ["report", str(file), "-o", str(written), "--without", "prices,names,sites"]
    done = CliRunner().invoke(command_line, given)
    assert done.exit_code == 0, done.output
    for content in (*(answer.content for answer in answers), written.read_bytes()):
        for name, text in texts("study.xlsx", content):
            assert not holds(text, ("Board of kept", "Eight of today", "Sixteen", "dallas", "soonest"), ()), (
                name
            )
    refused = reading_client.post("/api/v1/study/workbook?without=colours", json=asked)
    assert refused.status_code == 422
    assert reading_client.get(f"/studies/new/workbook?s={state}&without=colours").status_code == 422
