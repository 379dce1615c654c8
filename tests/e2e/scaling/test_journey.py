"""Scaling laws in Chromium: the answer follows the form, a projection is saved and compared, a scenario is fed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, draw_all
from tests.running_server import Server, running_server

VERDICT = "#verdict"
SAVED = re.compile(r"/scaling/[0-9a-f]{32}$")
DASHED = """(id) => document.querySelectorAll(`#${id} .scatterlayer path.js-line[style*="stroke-dasharray"]`).length"""


@pytest.fixture(scope="module")
def data_dir(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = tmp_path_factory.mktemp("scaling") / "data"
    shutil.copytree(seeded_data_dir, copied)
    return copied


@pytest.fixture(scope="module")
def server(data_dir: Path) -> Iterator[Server]:
    """A server of its own: what is saved here is seen by no other test."""
    with running_server(data_dir) as running:
        yield running


def test_from_a_question_to_a_saved_answer_and_a_scenario(open_page: OpenPage) -> None:
    page = open_page("/designs/edge_node")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="Project this by a scaling law").click()
    expect(page.locator(VERDICT)).to_contain_text("8.03 billion parameters on 1.00 G tokens take")
    assert draw_all(page) == 3
    assert page.evaluate(DASHED, "figure-scaling_loss") >= 3
    # the answer follows the form, and the last good one stays under what cannot be used
    for name in ("Parameters, active", "Training tokens"):
        page.get_by_role("textbox", name=name).fill("")
    page.get_by_role("textbox", name="Deadline").fill("90")
    expect(page.locator(VERDICT)).to_contain_text("can train in 90 days")
    expect(page).to_have_url(re.compile("deadline_days=90"))
    expect(page.locator("#live")).to_contain_text("can train in 90 days")
    page.get_by_role("textbox", name="Loss").fill("1.2")
    expect(page.locator("#loss-error")).to_contain_text("Give a loss above 1.8172")
    expect(page.get_by_role("textbox", name="Loss")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_role("heading", name="Not projected")).to_be_visible()
    expect(page.locator("#answer")).to_have_class(re.compile("is-old"))
    expect(page.locator(VERDICT)).to_contain_text("can train in 90 days")
    page.get_by_role("textbox", name="Loss").fill("")
    expect(page.locator("#loss-error")).to_be_hidden()
    # saved from a dialog, opened again, saved on
    page.get_by_role("link", name="Save", exact=True).click()
    asked = page.get_by_role("dialog", name="Save this projection")
    asked.get_by_label("Name").fill("Edge in a quarter")
    asked.get_by_role("button", name="Save").click()
    page.wait_for_url(SAVED)
    expect(page.get_by_role("heading", level=1)).to_have_text("Edge in a quarter")
    page.get_by_role("link", name="Open", exact=True).click()
    expect(page.get_by_role("textbox", name="Deadline")).to_have_value("90")
    page.get_by_role("textbox", name="Deadline").fill("45")
    expect(page.locator(VERDICT)).to_contain_text("can train in 45 days")
    page.get_by_role("link", name="Save", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Save as revision 2").click()
    page.wait_for_url(SAVED)
    expect(page.locator("tbody tr").filter(has_text="Deadline 90 to 45")).to_be_visible()
    page.get_by_role("button", name="Compare those marked").click()
    expect(page.get_by_role("row", name=re.compile("^Given"))).to_contain_text("deadline 45 days")
    # and back into a scenario
    page.goto("/scaling?parameters=8B&tokens=200G&design=edge_node")
    page.get_by_role("link", name="Use in a scenario").click()
    page.get_by_role("link", name=re.compile("^Open in the studio with Llama 3.1 8B")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Llama 3.1 8B on 200 G tokens")


@pytest.mark.slow
def test_pages_in_every_look_and_without_scripts(open_page: OpenPage) -> None:
    bare = open_page("/scaling", scripts=False, width=360, height=740)
    bare.get_by_label("Deadline").fill("30")
    bare.get_by_role("button", name="Project").click()
    expect(bare.locator(VERDICT)).to_contain_text("can train in 30 days")
    bare.get_by_role("link", name="Save", exact=True).click()
    bare.get_by_label("Name").fill("Saved without scripts")
    bare.get_by_role("button", name="Save").click()
    expect(bare.get_by_role("heading", level=1)).to_have_text("Saved without scripts")
    saved = bare.url
    page = open_page("/scaling?parameters=70B&tokens=15T&deadline_days=30&design=edge_node", bypass_csp=True)
    assert draw_all(page) == 3
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert_usable(page, "light", "dark")
    for address in (
        saved,
        "/scaling/use?flops=1e22",
        f"/scaling/compare?p={saved[-32:]}&p={saved[-32:]}@1",
        "/library",
    ):
        page.goto(address)
        for width, scheme in ((1280, "dark"), (360, "light")):
            page.set_viewport_size({"width": width, "height": 800})
            assert_usable(page, scheme)
