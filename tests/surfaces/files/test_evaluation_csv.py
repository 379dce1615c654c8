"""The CSV export: RFC 4180, every figure once, nothing that a spreadsheet would compute."""

from __future__ import annotations

import csv
import dataclasses
import io

import numpy as np
import pytest

from app.charts.figure import get_path
from app.engine.leaves import leaves
from app.scenarios.reading.spreadsheets.text import from_cell
from app.surfaces.files.formats import COLUMNS, evaluation_csv
from app.surfaces.files.work import Work
from tests.surfaces.files.conftest import WITH_UNKNOWNS


def table(work: Work) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(evaluation_csv(work).decode(), newline="")))


def test_it_is_rfc_4180(flagship):
    content = evaluation_csv(flagship)
    assert content.startswith(",".join(COLUMNS).encode() + b"\r\n")
    assert content.endswith(b"\r\n")
    rows = list(csv.reader(io.StringIO(content.decode(), newline=""), strict=True))
    assert {len(row) for row in rows} == {len(COLUMNS)}
    assert content.count(b"\n") == content.count(b"\r\n")


def test_every_number_of_the_evaluation_is_a_row_and_can_be_read_back_exactly(flagship):
    rows = {row["path"]: row for row in table(flagship)}
    figures = dict(leaves(flagship.evaluated.evaluation.sections))
    assert len(rows) == len(table(flagship)), "a path twice"
    for path, value in figures.items():
        if value.size == 1 and np.isfinite(value).all():
            assert float(rows[path]["value"]) == float(value.reshape(-1)[0]), path
            assert rows[path]["label"], path
            assert rows[path]["unit"], path
            assert rows[path]["source"], path


def test_arrays_are_in_long_form(flagship):
    hours = [row for row in table(flagship) if row["path"].startswith("cooling.pue_by_month_and_hour[")]
    assert len(hours) == 12 * 24
    matrix = get_path(flagship.evaluated.as_json, "cooling.pue_by_month_and_hour")
    assert float(hours[24 * 6 + 13]["value"]) == matrix[6][13]
    assert hours[24 * 6 + 13]["path"].endswith("[6][13]")


def test_a_row_of_a_list_says_what_it_belongs_to(flagship):
    labels = {row["path"]: row["label"] for row in table(flagship)}
    assert labels["fabric.tiers[1].switches"] == "Switches of the tier, spine"
    assert labels["fabric.bill[0].price_usd"] == "Price of the line item, Leaf switches"


def test_unknown_is_an_empty_cell_and_never_nought(work_of_example):
    rows = {row["path"]: row for row in table(work_of_example(WITH_UNKNOWNS))}
    assert rows["cost.tco_usd"]["value"] == ""
    assert rows["problems[0].message"]["value"]
    assert not {"nan", "inf", "None", "NaN"} & {row["value"] for row in rows.values()}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", " =", "＝"])
def test_text_that_looks_like_a_formula_is_quoted(flagship, start):
    name = f'{start}HYPERLINK("http://example.org","a"),"b"\n'
    changed = dataclasses.replace(flagship)
    changed.__dict__["evaluated"] = dataclasses.replace(flagship.evaluated)
    changed.evaluated.__dict__["as_json"] = flagship.evaluated.as_json | {"name": name}
    rows = {row["path"]: row["value"] for row in table(changed)}
    assert rows["name"] == f"'{name}"
    assert from_cell(rows["name"]) == name


def test_negative_numbers_stay_numbers(flagship):
    rows = {row["path"]: row["value"] for row in table(flagship)}
    assert float(rows["cost.tco_breakdown_usd.resale"]) < 0


def test_figures_of_speed_have_the_ends_of_their_interval(flagship):
    bounds = flagship.evaluated.as_json["intervals"]
    rows = {row["path"]: row for row in table(flagship)}
    for room in ("performance", "cost"):
        for name, interval in bounds[room].items():
            row = rows[f"{room}.{name}"]
            assert (float(row["low"]), float(row["high"])) == (interval["low"], interval["high"])
    assert (rows["cooling.pue"]["low"], rows["cooling.pue"]["high"]) == ("", "")
