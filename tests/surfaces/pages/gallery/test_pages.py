"""The gallery's pages, and the same over REST and on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.catalog.gallery import reference_designs
from app.catalog.ready import ready_catalog
from app.surfaces.cli import app
from app.views.gallery.answer import gallery_answer
from tests.asgi import AsgiClient


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


@pytest.fixture(scope="module")
def worked_out(seeded_data_dir: Path) -> None:
    """No one has to wait for the figures."""
    gallery_answer(ready_catalog())


@pytest.mark.slow
@pytest.mark.usefixtures("worked_out")
def test_every_design_is_listed_with_its_figures(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/gallery")
    assert answer.status_code == 200
    for key, design in reference_designs().items():
        assert f'href="/gallery/{key}"' in answer.text
        assert design.name in words(answer.text)
    assert 'href="/compare?a=variant_one_gpu&amp;b=variant_supernode"' in answer.text
    assert 'aria-current="page">Reference designs' in answer.text


def test_a_design_shows_published_against_ours(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/gallery/gb200_nvl72")
    page = words(answer.text)
    for shown in (
        "Published and computed",
        "Printed with 2:4 sparsity",
        "180 PFLOP/s",
        "0.5",
        "Differs",
        "Agrees",
    ):
        assert shown in page, shown
    assert 'href="/designs/gb200_nvl72"' in answer.text
    assert 'href="/designs/gb200_nvl72/explain/cost.supernode_price_usd"' in answer.text


def test_it_opens_in_the_studio_and_explains_itself(reading_client: AsgiClient) -> None:
    assert "GB200 NVL72, one rack" in reading_client.get("/designs/gb200_nvl72").text
    assert reading_client.get("/designs/gb200_nvl72/explain/cost.supernode_price_usd").status_code == 200


def test_an_unknown_design_names_the_nearest(reading_client: AsgiClient) -> None:
    answer = reading_client.get("/gallery/gb200")
    assert answer.status_code == 404
    assert "gb200_nvl72" in answer.text


@pytest.mark.slow
@pytest.mark.usefixtures("worked_out")
def test_over_rest(reading_client: AsgiClient) -> None:
    listed = reading_client.get("/api/v1/gallery")
    assert [one["key"] for one in listed.json()["items"]] == list(reference_designs())
    again = reading_client.get("/api/v1/gallery", headers={"If-None-Match": listed.headers["etag"]})
    assert again.status_code == 304
    one = reading_client.get(listed.json()["items"][0]["href"]).json()
    assert {figure["verdict"] for figure in one["published"]} == {"agrees", "stated", "differs"}
    missing = reading_client.get("/api/v1/gallery/nothing")
    assert missing.status_code == 404
    assert missing.headers["content-type"].startswith("application/problem+json")


@pytest.mark.slow
def test_on_the_command_line(seeded_data_dir) -> None:
    whole = CliRunner().invoke(app, ["gallery"])
    assert whole.exit_code == 0
    assert "meta_rsc" in whole.stdout
    one = CliRunner().invoke(app, ["gallery", "meta_rsc"])
    assert "Meta says 16,000." in one.stdout
    found = json.loads(CliRunner().invoke(app, ["gallery", "meta_rsc", "--json"]).stdout)
    assert found["key"] == "meta_rsc"


@pytest.mark.slow
@pytest.mark.usefixtures("worked_out")
def test_what_is_rent_only_is_not_called_unknown(reading_client: AsgiClient) -> None:
    row = (
        reading_client.get("/gallery").text.partition('href="/gallery/tpu_v5p_pod"')[2].partition("</tr>")[0]
    )
    assert "rent only" in words(row)
    assert "USD/h rented" in words(row).replace("\u2009", " ").replace("\u00a0", " ")
    page = words(reading_client.get("/gallery/tpu_v5p_pod").text)
    assert "rent only" in page
    found = CliRunner().invoke(app, ["gallery"]).output
    line = next(line for line in found.splitlines() if line.strip().startswith("tpu_v5p_pod"))
    assert "rent only, at" in line
    assert "unknown to build" not in line
