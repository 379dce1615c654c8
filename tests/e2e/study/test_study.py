"""From what one wants to build to ranked designs, in Chromium, against the real server."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from app.scenarios.reading.yaml_text import read_yaml
from app.surfaces.pages.studio.state import encode_state
from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable, assert_well_drawn

pytestmark = pytest.mark.slow

WAIT_MS = 240_000
STUDY = {
    "name": "Which servers",
    "question": "How many servers train it in a week?",
    "workload": {
        "training": {
            "kind": "training", "model": "llama_3_1_8b", "tokens": 2e11, "sequence_length": 8192,
            "global_batch_sequences": 256,
        }
    },
    "limits": {"finish_within_days": 14},
    "candidates": {"systems": ["dgx_h100"], "supernodes": [4, 8], "sites": ["ashburn", "oslo"]},
}  # fmt: skip


def answered(page: Page) -> None:
    expect(page.locator("#verdict")).to_be_visible(timeout=WAIT_MS)
    expect(page.locator("#progress")).to_be_hidden()


def test_from_home_in_eight_fields_and_three_clicks(open_page: OpenPage) -> None:
    page = open_page("/")
    form = page.get_by_role("form", name="What do you want to build?")
    assert form.locator(".question-field").count() <= 8
    form.get_by_label("Model").select_option("llama_3_1_8b")
    form.get_by_label("Training tokens").fill("0.2")
    form.get_by_label("Finish within").fill("14")
    form.get_by_label("With probability").fill("80")
    form.get_by_label("Capital cost at most").fill("60")
    form.get_by_label("Power at the meter at most").fill("8")
    for name, key in (("site", "oslo"), ("system", "dgx_h100")):
        # ticked as a person does, without counting: the list is one field
        form.locator(f'input[name="{name}.{key}"]').evaluate("(box) => { box.checked = true }")
    form.get_by_role("button", name="Find designs").click()  # the one click
    expect(page.locator(".study-found tbody tr").first).to_be_visible(
        timeout=WAIT_MS
    )  # rows as they are found
    answered(page)
    expect(page.locator("#verdict")).to_contain_text("DGX H100")
    assert page.locator(".study-ranked tbody tr").count() >= 1
    expect(page.locator("#searched")).to_contain_text("ruled out by bounds")


def test_the_board_of_a_study(open_page: OpenPage) -> None:
    page = open_page(f"/studies/new?s={encode_state(STUDY)}", bypass_csp=True)
    answered(page)
    board = page.get_by_role("table", name="Candidates side by side")
    expect(board.locator("thead th")).to_have_count(3)  # the best number at each of two sites
    # only what differs, until all is asked for
    expect(board.locator('tr[data-row="system"]')).to_be_hidden()
    page.get_by_label("Show rows that are alike").check()
    expect(board.locator('tr[data-row="system"]')).to_be_visible()
    assert_well_drawn(page)
    assert_usable(page, "light", "dark", inside_charts=True)
    narrowed(page)
    # a candidate is kept, another is the base case
    board.get_by_role("button", name=re.compile("Make base case")).first.click()
    answered(page)
    expect(page.locator(".study-board thead")).to_contain_text("Base case")
    assert "base" in page.locator('textarea[name="text"]').input_value()
    page.locator(".study-acts").get_by_role("button", name=re.compile("Keep")).first.click()
    answered(page)
    expect(page.locator("#board-title ~ .basis")).to_contain_text("kept by hand")
    page.set_viewport_size({"width": 360, "height": 780})
    assert_no_sideways_scrolling(page)


def narrowed(page: Page) -> None:
    """Ranges typed and drawn narrow the table, say how many are left, and are taken back."""
    rows, count = page.locator(".study-ranked tbody tr"), page.locator("#brushed")
    total = int(count.inner_text())
    boxes = page.get_by_role("form", name="Narrow the candidates")
    most = boxes.get_by_label("Cost, most")
    least = boxes.get_by_label("Cost, least").get_attribute("placeholder")
    assert least
    most.fill(str(1.002 * float(least.replace(",", ""))))  # what is shown is rounded
    expect(count).not_to_have_text(str(total))
    left = int(count.inner_text())
    assert 0 < left < total
    expect(page.locator(".study-ranked tbody tr:visible")).to_have_count(left)
    expect(page.locator("#brush-scatter circle:not(.is-out)")).to_have_count(left)
    expect(page.locator("#brush-parallel .brush-line:not(.is-out)")).to_have_count(left)
    page.get_by_role("button", name="Show all").click()
    expect(count).to_have_text(str(total))
    expect(most).to_have_value("")
    expect(rows).to_have_count(total)
    # what is no number narrows nothing, and says so
    most.fill("soon")
    expect(boxes.get_by_text("Cost: enter a number")).to_be_visible()
    expect(count).to_have_text(str(total))
    most.fill("")
    # other axes, and a rectangle over all of them
    page.get_by_label("Across").select_option(label="Carbon")
    scatter = page.locator("#brush-scatter svg")
    expect(scatter).to_have_attribute("aria-label", re.compile("Cost against Carbon"))
    scatter.scroll_into_view_if_needed()
    box = scatter.bounding_box()
    assert box
    page.mouse.move(box["x"] + 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2, steps=4)
    page.mouse.up()
    expect(boxes.get_by_label("Cost, most")).not_to_have_value("")
    assert 0 < int(count.inner_text()) < total
    page.get_by_role("button", name="Show all").click()
    expect(count).to_have_text(str(total))


def test_a_candidate_becomes_a_design_in_one_click(open_page: OpenPage) -> None:
    page = open_page(f"/studies/new?s={encode_state(STUDY)}")
    answered(page)
    page.get_by_role("button", name="Adopt as a design A").click()
    page.wait_for_url(re.compile("/designs/new"))
    expect(page.locator("#studio[data-live]")).to_have_count(1)
    expect(page.locator('.field[data-path="facility.site"]')).to_have_count(1)


def test_a_search_is_cancelled_and_made_again(open_page: OpenPage) -> None:
    many = {
        **STUDY,
        "candidates": {**STUDY["candidates"], "systems": "search", "supernodes": {"from": 1, "to": 4000}},
    }
    page = open_page(f"/studies/new?s={encode_state(many)}")
    expect(page.locator("#progress")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#progress-says")).to_contain_text("Cancelled")
    expect(page.get_by_role("button", name="Search again")).to_be_visible()


def test_what_cannot_be_is_said_beside_its_box(open_page: OpenPage, watch: Watch) -> None:
    page = open_page("/studies/new?days=soon&tokens=1")
    watch.forgive("422")
    expect(page.locator("#ask-days-error")).to_be_visible()
    expect(page.locator("#ask-days")).to_have_value("soon")
    page = open_page(f"/studies/new?s={encode_state({**STUDY, 'limits': {'finish_within_days': 0.001}})}")
    answered(page)
    expect(page.locator(".question-verdict.is-refused")).to_be_visible()


def test_a_study_without_scripts(open_page: OpenPage) -> None:
    page = open_page(f"/studies/new?s={encode_state(STUDY)}", scripts=False)
    page.set_default_timeout(WAIT_MS)
    page.get_by_role("button", name="Calculate").click()
    expect(page.locator("#verdict")).to_be_visible(timeout=WAIT_MS)
    expect(page.get_by_role("button", name="Adopt as a design A")).to_be_visible()


def test_the_list_begins_empty_and_shows_what_is_saved(open_page: OpenPage) -> None:
    page = open_page("/studies", bypass_csp=True)
    expect(page.get_by_role("heading", name="Studies", level=1)).to_be_visible()
    assert_usable(page, "light", "dark")
    page.goto("/studies/import")
    page.get_by_label("Study as YAML or JSON").fill(json.dumps(STUDY))
    page.get_by_role("button", name="Open", exact=True).click()
    page.wait_for_url(re.compile("/studies/new"))
    page.get_by_role("link", name="Save", exact=True).click()
    page.get_by_role("textbox", name="Name").press("Enter")
    page.wait_for_url(re.compile("/studies/[0-9a-f]{32}"))
    expect(page.get_by_role("heading", name="Which servers", level=1)).to_be_visible()
    page.goto("/studies")
    expect(page.get_by_role("link", name="Which servers")).to_be_visible()


def test_a_study_is_copied_as_calls_and_tables(open_page: OpenPage) -> None:
    page = open_page(f"/studies/new?s={encode_state(STUDY)}")
    answered(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu = page.locator("#copy-as")
    copied = {}
    page.get_by_role("button", name="Copy as").click()
    for kind in ("YAML", "curl", "Python", "Markdown"):
        menu.get_by_role("button", name=kind).click()
        expect(menu.get_by_role("status")).to_have_text(f"Copied as {kind}")
        copied[kind] = str(page.evaluate("navigator.clipboard.readText()"))
    assert set(STUDY) <= set(read_yaml(copied["YAML"]).values)
    assert "/api/v1/study -H 'content-type: application/yaml' --data-binary '" in copied["curl"]
    assert copied["YAML"].replace("'", "'\\''") in copied["curl"]
    assert compile(copied["Python"], "copied", "exec")
    assert json.dumps(copied["YAML"], ensure_ascii=False) in copied["Python"]
    assert copied["Markdown"].startswith("# ")
    assert "| ---" in copied["Markdown"]
