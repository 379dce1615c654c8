"""Every format of every example: the same bytes each time, and read again to identical figures."""

from __future__ import annotations

import pytest

from app.catalog.ready import ready_catalog
from app.saved.imports import import_scenario
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.surfaces.files.formats import FORMATS, format_for_file, format_of
from tests.surfaces.files.conftest import EXAMPLES

READ_AGAIN = [one for one in FORMATS if one.name != "csv"]


def named(one):
    return f"{one.name}-{one.what}"


@pytest.mark.slow
@pytest.mark.parametrize("one", READ_AGAIN, ids=named)
@pytest.mark.parametrize("key", EXAMPLES)
def test_an_export_that_is_imported_gives_identical_figures(work_of_example, key, one):
    work = work_of_example(key)
    imported = import_scenario(one.write(work), f"export{one.suffix}")
    assert imported == work.document
    assert evaluate_scenario(imported, ready_catalog()).as_json == work.evaluated.as_json


@pytest.mark.parametrize("one", READ_AGAIN, ids=named)
def test_what_a_file_is_can_be_told_without_its_name(flagship, one):
    assert import_scenario(one.write(flagship)) == flagship.document


@pytest.mark.slow
@pytest.mark.parametrize("one", FORMATS, ids=named)
def test_two_exports_of_the_same_work_are_equal(flagship, one):
    assert one.write(flagship) == one.write(flagship)


def test_a_format_is_of_what_it_can_hold():
    assert format_of("yaml").what == format_of("json").what == "scenario"
    assert format_of("csv").what == format_of("xlsx").what == "evaluation"
    assert format_of("json", "evaluation").suffix == ".evaluation.json"


@pytest.mark.parametrize(
    ("name", "what", "said"),
    [
        ("pdf", None, "Formats: yaml, json, csv, xlsx."),
        ("json", "all", "One of: scenario, evaluation."),
        ("csv", "scenario", "Formats of the scenario: yaml, json."),
        ("yaml", "evaluation", "Formats of the evaluation: json, csv, xlsx."),
    ],
)
def test_a_format_that_there_is_not_names_those_that_there_are(name, what, said):
    with pytest.raises(ScenarioError, match=said):
        format_of(name, what)


@pytest.mark.parametrize(
    ("file", "what", "suffix"),
    [
        ("pod.XLSX", None, ".xlsx"),
        ("pod.yml", None, ".yaml"),
        ("pod.json", "evaluation", ".evaluation.json"),
        ("pod", None, ".yaml"),
        ("", "evaluation", ".evaluation.json"),
    ],
)
def test_the_name_of_a_file_says_its_format(file, what, suffix):
    assert format_for_file(file, what).suffix == suffix
