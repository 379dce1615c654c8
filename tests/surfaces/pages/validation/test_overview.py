"""How right it is: figures that are computed from the runs asked for, and from no others."""

from __future__ import annotations

import re

import pytest

from app.catalog.validated import validated_runs
from app.validation.judged import BASES, GROUPINGS, Summary, groups, judged, summary_of
from tests.asgi import AsgiClient
from tests.surfaces.pages.validation.support import PAGE, get, table, words

pytestmark = pytest.mark.slow

RUNS = validated_runs()


def summary(basis: str, **chosen: str) -> Summary:
    found = [run for run in RUNS if all(getattr(run, name) == value for name, value in chosen.items())]
    made = summary_of(judged(found, BASES[basis]))
    assert made is not None
    return made


@pytest.mark.parametrize("basis", BASES)
def test_key_figures_are_those_of_the_fit(reading_client: AsgiClient, basis: str) -> None:
    said = words(get(reading_client, "/validation", basis=basis))
    expected = summary(basis)
    assert f"Published runs {expected.runs}" in said
    assert f"Median error {100 * expected.median_abs_error:.1f} %" in said
    assert f"90th percentile error {100 * expected.p90_abs_error:.1f} %" in said
    assert f"Interval coverage {100 * expected.held:.0f} % aim 80 %" in said
    assert BASES[basis].says in said


def test_without_being_asked_source_and_accelerator_are_left_out(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation")
    assert re.findall(r'aria-current="true"><span>([^<]+)', page) == ["Source and accelerator left out"]
    assert f"{100 * summary('both').median_abs_error:.1f} %" in words(page)


@pytest.mark.parametrize("name", GROUPINGS)
def test_groups_add_up(reading_client: AsgiClient, name: str) -> None:
    lines = table(get(reading_client, "/validation"), name)
    expected = groups(judged(RUNS, BASES["both"]), GROUPINGS[name])
    assert [int(line[1]) for line in lines] == [len(group.members) for group in expected]
    assert sum(int(line[1]) for line in lines) == len(RUNS)


def test_filters_narrow_everything(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation", architecture="moe", basis="fitted")
    expected = summary("fitted", architecture="moe")
    said = words(page)
    assert f"{expected.runs} of {len(RUNS)} runs" in said
    assert f"Median error {100 * expected.median_abs_error:.1f} %" in said
    assert [line[:2] for line in table(page, "architecture")] == [["Mixture of experts", str(expected.runs)]]
    assert '<input type="hidden" name="basis" value="fitted">' in page
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="(/validation/training/[^"]+)"', page)]
    assert links
    assert all("architecture=moe" in link for link in links if "?" in link)


def test_group_leads_to_its_runs(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation", basis="source")
    assert 'href="/validation/training?basis=source&amp;precision=fp8"' in page


def test_worst_runs_are_listed(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation")
    worst = max(judged(RUNS, BASES["both"]), key=lambda one: abs(one.error))
    misses = page.split('id="misses-say"')[1].split("</section>")[0]
    assert re.findall(r'href="/validation/training/([\w-]+)"', misses)[0] == worst.run.id


def test_every_run_is_in_the_data_of_the_chart(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation")
    data = page.split('id="figure-predicted_measured-data"')[1].split("</table>")[0]
    assert sorted(re.findall(r'href="/validation/training/([\w-]+)"', data)) == sorted(run.id for run in RUNS)


def test_no_run_matches(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation", q="zzzz", precision="fp8")
    said = words(page)
    assert "No runs match." in said
    assert "Looked for “zzzz”, precision FP8" in said
    assert 'value="zzzz"' in page
    assert "<figure" not in page


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"accelerator": "nvidia_h10_sxm"}, "The nearest is “nvidia_h100_sxm”."),
        ({"basis": "hardware"}, "Basis cannot be “hardware”."),
        ({"acelerator": "x"}, "The nearest is accelerator."),
        ({"error_min": "much"}, "“much” is not a number."),
        ({"source": "vendor"}, "is not something to filter runs by."),
    ],
)
def test_what_cannot_be_used_is_said(
    reading_client: AsgiClient, parameters: dict[str, str], message: str
) -> None:
    answer = reading_client.get("/validation", params=parameters, headers=PAGE)
    assert answer.status_code == 422
    assert message in words(answer.text)
    assert f"{len(RUNS)} runs" in answer.text  # the rest of the page is there


def test_text_of_a_search_is_escaped(reading_client: AsgiClient) -> None:
    page = get(reading_client, "/validation", q='"><script>alert(1)</script>')
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_the_way_there(reading_client: AsgiClient) -> None:
    assert 'href="/validation" aria-current="page">Validation</a>' in get(reading_client, "/validation")
    assert 'href="/validation">published runs' in get(reading_client, "/")
