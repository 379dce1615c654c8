"""The table of all runs: every run once, sorted and narrowed as asked."""

from __future__ import annotations

from app.catalog.validated import validated_runs
from app.validation.judged import BASES, judged
from tests.asgi import AsgiClient
from tests.surfaces.pages.validation.support import PAGE, get, ids_of, words

RUNS = validated_runs()
PATH = "/validation/training"


def test_pages_hold_every_run_once(reading_client: AsgiClient) -> None:
    pages = -(-len(RUNS) // 50)
    found = [run for page in range(1, pages + 1) for run in ids_of(get(reading_client, PATH, page=str(page)))]
    assert found == [run.id for run in RUNS]


def test_page_past_the_last(reading_client: AsgiClient) -> None:
    answer = reading_client.get(PATH, params={"page": "99"}, headers=PAGE)
    assert answer.status_code == 422
    assert "There is no page 99" in answer.text
    assert ids_of(answer.text)


def test_sorted_by_error_of_the_chosen_fit(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH, sort="error", order="desc", basis="source")
    expected = sorted(judged(RUNS, BASES["source"]), key=lambda one: -one.error)
    assert ids_of(page) == [one.run.id for one in expected[:50]]
    assert 'aria-sort="descending"' in page
    assert "basis=source" in page.split("Next</a>")[0].rsplit("href=", 1)[1]


def test_search_looks_through_names_and_sources(reading_client: AsgiClient) -> None:
    expected = [run.id for run in RUNS if "mosaic" in run.source.lower()]
    assert expected
    found = ids_of(get(reading_client, PATH, q="Mosaic"))
    assert found == expected[:50]


def test_ranges_and_filters_together(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH, accelerators_min="1000", precision="fp8")
    expected = [run.id for run in RUNS if run.accelerators >= 1000 and run.precision == "fp8"]
    assert 0 < len(expected) <= 50
    assert ids_of(page) == expected
    assert f"{len(expected)} of {len(RUNS)} runs" in words(page)


def test_counts_are_whole(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH, sort="accelerators", order="desc")
    largest = max(run.accelerators for run in RUNS)
    assert f"{largest:,}" in words(page)


def test_no_run_matches(reading_client: AsgiClient) -> None:
    assert "No runs match." in get(reading_client, PATH, q="zzzz")
