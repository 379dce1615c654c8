"""Latencies and throughputs of served models on the validation pages."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.surfaces.pages.validation.subjects import LATENCIES
from app.validation.judged import groups, judged
from app.validation.serving.published import (
    SERVING_BASES,
    SERVING_GROUPINGS,
    PublishedServing,
    constants_by_owner,
    published_serving,
)
from app.validation.serving.report import score_of
from app.validation.serving.throughput import THROUGHPUT
from tests.asgi import AsgiClient
from tests.databases import engine_in
from tests.surfaces.pages.validation.support import PAGE, get, table, words

pytestmark = pytest.mark.slow

SUMMARY = "/validation/serving"
THROUGHPUTS = f"{SUMMARY}/throughput"
TABLE = f"{SUMMARY}/tpot/table"


@pytest.fixture(scope="module")
def catalog(seeded_data_dir: Path) -> Catalog:
    return Catalog.open(engine_in(seeded_data_dir))


@pytest.fixture(scope="module")
def found(catalog: Catalog) -> PublishedServing:
    return published_serving(catalog)


def percent(share: float | None, digits: int = 0) -> str:
    assert share is not None
    return f"{100 * share:.{digits}f} %"


def test_the_summary_has_every_score_by_every_fit(
    reading_client: AsgiClient, found: PublishedServing
) -> None:
    page = get(reading_client, SUMMARY)
    for place, (score, latency) in enumerate(LATENCIES.items(), start=1):
        for line, basis in zip(table(page, f"score-{place}"), SERVING_BASES.values(), strict=True):
            expected = score_of([one.prediction for one in judged(found.measurements[score], basis)])
            assert line[:4] == [
                basis.name,
                f"{expected.rows:,}",
                percent(expected.median_abs_error, 1),
                percent(expected.within_33_pct),
            ]
            assert line[4] == percent(expected.within_2x)
        assert f'href="{latency.address}"' in page


def test_a_measurement_is_explained_by_its_scenario(
    reading_client: AsgiClient, found: PublishedServing
) -> None:
    for score in ("tpot", "tpot_disaggregated", "ttft"):
        latency = LATENCIES[score]
        run = found.measurements[score][0]
        page = get(reading_client, f"{latency.address}/table/{run.id}")
        assert "evaluated by the engine as it is now" in words(page)
        assert f'id="figure-{"first_token" if score == "ttft" else "step_time"}"' in page
        how = re.search(rf'href="(/designs/new/explain/performance\.{latency.time}\?s=[^"]+)"', page)
        assert how
        assert reading_client.get(html.unescape(how[1])).status_code == 200


def test_the_summary_says_what_no_score_counts(reading_client: AsgiClient, found: PublishedServing) -> None:
    said = words(get(reading_client, SUMMARY))
    assert "not to be trusted above 128 requests in flight" in said
    assert f"{sum(constants_by_owner().values())} constants are fitted" in said
    assert "none belongs to a model" in said
    for one in (*found.unscored, *found.unsupported):
        assert f"{one.reason} Rows {', '.join(one.rows)} {len(one.rows):,}" in said
    assert f"counted measurement {found.repeats:,}" in said
    assert f"Rows {', '.join(found.cold_starts)} {len(found.cold_starts)}" in said


@pytest.mark.parametrize("score", LATENCIES)
@pytest.mark.parametrize("basis", SERVING_BASES)
def test_key_figures_are_those_of_the_fit(
    reading_client: AsgiClient, found: PublishedServing, score: str, basis: str
) -> None:
    said = words(get(reading_client, LATENCIES[score].address, basis=basis, system="nvidia_b200_sxm"))
    every = found.measurements[score]
    some = [one for one in every if one.accelerator_key == "nvidia_b200_sxm"]
    expected = score_of([one.prediction for one in judged(some, SERVING_BASES[basis])])
    assert f"{len(some):,} of {len(every):,} measurements" in said
    assert f"Median error {percent(expected.median_abs_error, 1)}" in said
    assert SERVING_BASES[basis].says in said
    assert ("not to be trusted" in said) == (score == "ttft")


def test_every_group_has_what_was_left_out_beside_the_fit(
    reading_client: AsgiClient, found: PublishedServing
) -> None:
    page = get(reading_client, LATENCIES["tpot"].address)
    everything = judged(found.measurements["tpot"], SERVING_BASES["model"])
    for name, grouping in SERVING_GROUPINGS.items():
        expected = groups(everything, grouping)
        lines = [line for line in table(page, name) if len(line) > 2]
        assert [line[1] for line in lines] == [f"{len(group.members):,}" for group in expected]
        scores = [
            score_of([one.prediction for one in judged([one.run for one in group.members], basis)])
            for group in expected[:1]
            for basis in SERVING_BASES.values()
        ]
        assert lines[0][2::2] == [percent(score.median_abs_error, 1) for score in scores]
        assert lines[0][3::2] == [percent(score.within_33_pct) for score in scores]
    assert page.count('data-explain="') <= 500


def test_the_table_is_filtered_and_sorted(reading_client: AsgiClient, found: PublishedServing) -> None:
    page = get(reading_client, TABLE, engine="sglang", concurrency_min="64", sort="error", basis="fitted")
    some = [one for one in found.measurements["tpot"] if one.engine == "sglang" and one.concurrency >= 64]
    errors = {one.run.id: one.error for one in judged(some, SERVING_BASES["fitted"])}
    ids = re.findall(rf'<th scope="row"><a href="{TABLE}/(\d+)', page)
    assert ids == sorted(errors, key=lambda id: errors[id])[:50]


@pytest.mark.parametrize("score", LATENCIES)
def test_a_measurement_stands_beside_its_deployment_under_other_loads(
    reading_client: AsgiClient, found: PublishedServing, score: str
) -> None:
    every = found.measurements[score]
    one = every[0]
    page = get(reading_client, f"{LATENCIES[score].address}/table/{one.id}")
    said = words(page)
    alike = [other for other in every if other.deployment == one.deployment]
    assert ("No measurement under another load." in said) == (len(alike) == 1)
    assert page.count(f'<a href="{LATENCIES[score].address}/table/') == len(alike) - 1
    assert f"{float(f'{one.measured_ms:.3g}'):,g} ms" in said
    assert all(basis.name in said for basis in SERVING_BASES.values())
    assert one.layout in said
    assert "ai-dynamo/aiconfigurator" in said


def test_throughputs_stand_source_by_source_and_idealised_ones_are_labelled(
    reading_client: AsgiClient, catalog: Catalog
) -> None:
    shipped, report = THROUGHPUT.shipped(catalog)
    page = get(reading_client, THROUGHPUTS)
    said = words(page)
    assert f"{len(report.predictions)} of {report.scored} published throughputs" in said
    assert page.count("<tr id=") == len(shipped.figures)
    assert page.count("idealised, not scored</span>") == 2
    assert f"Median error {percent(report.totals.median_abs_error, 1)}" in said
    for one in shipped.unscored:
        assert f"{one.reason[:1].upper()}{one.reason[1:]}" in said


def test_what_is_not_there_is_refused(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"{TABLE}/999999", headers=PAGE)
    assert answer.status_code == 404
    assert "no published measurement" in answer.text
    assert reading_client.get(f"{SUMMARY}/itl", headers=PAGE).status_code == 404
    wrong = reading_client.get(LATENCIES["tpot"].address, params={"engine": "atom"}, headers=PAGE)
    assert wrong.status_code == 422
    assert "sglang" in wrong.text
    empty = reading_client.get(LATENCIES["ttft"].address, params={"q": "no such words"}, headers=PAGE)
    assert "No measurements match." in empty.text


def test_serving_is_one_of_the_kinds(reading_client: AsgiClient) -> None:
    assert f'href="{SUMMARY}"' in get(reading_client, "/validation")
    assert 'aria-current="page">Serving</a>' in get(reading_client, SUMMARY)
