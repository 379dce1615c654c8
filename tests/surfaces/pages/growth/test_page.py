"""The growth page: what was asked for, kept and refused in words."""

from __future__ import annotations

import html
import re

import pytest

from app.views.growth.series import SERIES
from tests.asgi import AsgiClient


def get(client: AsgiClient, status: int = 200, **query: str) -> str:
    answer = client.get("/trends", params=query)
    assert answer.status_code == status
    return html.unescape(answer.text)


def chosen(page: str, name: str) -> str:
    found = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    assert found
    (option,) = re.findall(r'value="([^"]*)" selected', found[0])
    return str(option)


def test_headlines_carry_their_numbers(reading_client: AsgiClient) -> None:
    page = get(reading_client)
    assert 'href="/trends" aria-current="page">Growth</a>' in page
    for name in ("growth_indexed", "growth_projection", "growth_gap"):
        says = re.search(rf'id="figure-{name}-says">([^<]+)<', page)
        assert says
        assert re.search(r"×\d", says[1])
    assert "doubles in 5.6" in page
    assert "“×40 compute, ×9 bus, ×4 RDMA in 8 years” holds" in page


def test_every_trend_and_every_rate_is_in_the_tables(reading_client: AsgiClient) -> None:
    page = get(reading_client)
    for key in SERIES:
        assert f'href="/trends?trend={key}#project"' in page
    cited = {int(number) for number in re.findall(r'href="#source-(\d+)"', page)}
    listed = {int(number) for number in re.findall(r'<li id="source-(\d+)"', page)}
    assert cited <= listed
    assert "Inside theirs" in page
    assert "nearly all small ones are left out" in page


def test_forms_keep_what_the_other_asked_for(reading_client: AsgiClient) -> None:
    page = get(reading_client, trend="cluster_power", **{"from": "nvidia_p100_sxm2", "to": "aws_trainium2"})
    assert (chosen(page, "trend"), chosen(page, "from"), chosen(page, "to")) == (
        "cluster_power", "nvidia_p100_sxm2", "aws_trainium2",
    )  # fmt: skip
    assert '<input type="hidden" name="trend" value="cluster_power">' in page
    assert '<input type="hidden" name="from" value="nvidia_p100_sxm2">' in page
    assert "binds in 2028" in page


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"trend": "frontier<b>"}, "There is no trend"),
        ({"from": "nvidia_v1"}, "is not a dated accelerator. Nearest: nvidia_v100_sxm2_32"),
        ({"from": "nvidia_b200_sxm", "to": "nvidia_h100_sxm"}, "is not later than"),
    ],
)
def test_what_cannot_be_used_is_said_and_kept(
    reading_client: AsgiClient, query: dict[str, str], said: str
) -> None:
    page = get(reading_client, 422, **query)
    assert said in page
    for name, text in query.items():
        assert chosen(page, name) == text
    assert "frontier<b>" not in reading_client.get("/trends", params=query).text


def test_a_long_name_is_cut(reading_client: AsgiClient) -> None:
    assert "x" * 81 not in get(reading_client, 422, trend="x" * 5000)
