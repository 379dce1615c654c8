"""Measured collectives on the validation pages, and the figures of scaling laws."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.catalog.validated import ValidatedCollective, validated_collectives
from app.validation.judged import COLLECTIVE_BASES, COLLECTIVE_GROUPINGS, Summary, groups, judged, summary_of
from app.validation.scaling.study import SCALING
from tests.asgi import AsgiClient
from tests.databases import engine_in
from tests.surfaces.pages.validation.support import PAGE, get, table, words

pytestmark = pytest.mark.slow

ALL = validated_collectives()
OVERVIEW = "/validation/collectives"
TABLE = f"{OVERVIEW}/table"


def summary(basis: str, members: tuple[ValidatedCollective, ...] = ALL) -> Summary:
    made = summary_of(judged(members, COLLECTIVE_BASES[basis]))
    assert made is not None
    return made


def ids_of(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/validation/collectives/table/(\d+)', page)


@pytest.mark.parametrize("basis", COLLECTIVE_BASES)
def test_key_figures_are_those_of_the_fit(reading_client: AsgiClient, basis: str) -> None:
    page = get(reading_client, OVERVIEW, basis=basis, system="AWS p5.48xlarge x2")
    some = tuple(one for one in ALL if one.system == "AWS p5.48xlarge x2")
    expected = summary(basis, some)
    said = words(page)
    assert f"{len(some)} of {len(ALL):,} measurements" in said
    assert f"Median error {100 * expected.median_abs_error:.1f} %" in said
    assert COLLECTIVE_BASES[basis].says in said


def test_every_group_is_counted_and_leads_on(reading_client: AsgiClient) -> None:
    page = get(reading_client, OVERVIEW)
    for name, grouping in COLLECTIVE_GROUPINGS.items():
        expected = groups(judged(ALL, COLLECTIVE_BASES["system"]), grouping)
        lines = table(page, name)
        assert [int(line[1].replace(",", "")) for line in lines] == [len(group.members) for group in expected]
    assert 'aria-current="page">Collectives</a>' in page
    assert "The table holds the 500 furthest off." in page
    assert page.count('data-explain="') <= 500


def test_the_table_is_filtered_and_sorted(reading_client: AsgiClient) -> None:
    page = get(reading_client, TABLE, collective="all_to_all", level="scale-out", size_min="1", sort="error")
    some = [one for one in ALL if one.collective == "all_to_all" and one.level == "scale-out"]
    some = [one for one in some if one.message_bytes and one.message_bytes >= 1e6]
    errors = {one.run.id: one.error for one in judged(some, COLLECTIVE_BASES["system"])}
    assert ids_of(page) == sorted(errors, key=lambda id: errors[id])[:50]


@pytest.mark.parametrize("collective", sorted({one.collective for one in ALL}))
def test_a_measurement_is_explained(reading_client: AsgiClient, collective: str) -> None:
    one = next(one for one in ALL if one.collective == collective)
    page = get(reading_client, f"{TABLE}/{one.id}")
    said = words(page)
    assert one.system in said
    assert "Computation" in said
    assert 'class="source-mark measured"' in page
    assert "Computation" in page.split('id="figure-collective_sizes"')[1]
    assert f"{float(f'{one.measured_us:.3g}'):,g} µs" in said.replace("\u202f", " ")


def test_what_is_not_there_is_refused(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"{TABLE}/999999", headers=PAGE)
    assert answer.status_code == 404
    assert "no published measurement" in answer.text
    wrong = reading_client.get(OVERVIEW, params={"collective": "all_to_none"}, headers=PAGE)
    assert wrong.status_code == 422
    assert "all_to_all" in wrong.text


def test_every_figure_of_a_law_is_beside_ours(reading_client: AsgiClient, seeded_data_dir: Path) -> None:
    page = get(reading_client, "/validation/scaling")
    figures = SCALING.shipped(Catalog.open(engine_in(seeded_data_dir))).compared.figures
    assert page.count("<details><summary>") == len(figures) == 68
    explained = [one for one in figures if one.found.reason]
    assert page.count(">explained</span>") == len(explained)
    assert "not explained</span>" not in page
    assert all(one.found.agrees or one.found.reason for one in figures)
    assert "2.017 × 10¹⁰" in page
