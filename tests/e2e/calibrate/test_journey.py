"""Calibrating a design on own runs, in Chromium, against the real server."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser import Watch
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable
from tests.validation.calibration.logs import MEGATRON, log

EDGE = "edge_node"


def test_from_the_studio_to_a_corrected_design(open_page: OpenPage, watch: Watch, tmp_path: Path) -> None:
    page = open_page(f"/designs/{EDGE}", bypass_csp=True)
    page.locator('.field[data-path="name"] input').fill("Not saved yet")
    batch = page.locator(
        '.field[data-path="workload.global_batch_sequences"] input[type="text"]'
    ).input_value()
    page.locator("#panel-workload-more > summary").click()
    page.get_by_role("link", name="Calibrate on measured runs").click()
    expect(page.locator(".back")).to_have_text("Not saved yet")
    assert_usable(page)
    # a mistake is said beside its field, and stays there to be mended
    page.get_by_label("Step times").fill("15.6 fast")
    page.get_by_role("button", name="Calibrate", exact=True).click()
    expect(page.locator("#step_times-error")).to_contain_text("is not a number")
    expect(page.get_by_label("Step times")).to_have_value("15.6 fast")
    watch.forgive("422")
    page.get_by_label("Step times").fill("15.6")
    # the log of a run, from a file
    path = tmp_path / "run.log"
    path.write_text(log(MEGATRON, seconds=15.8, batch=int(batch.replace(",", ""))), encoding="utf-8")
    page.locator("#log-file").set_input_files(path)
    expect(page.locator("#log-file-said")).to_have_text("run.log")
    page.get_by_role("button", name="Calibrate", exact=True).click()
    expect(page.locator("#headline")).to_have_text(re.compile("slower than predicted$"))
    assert_usable(page, "dark", "light")
    page.set_viewport_size({"width": 360, "height": 780})
    assert_no_sideways_scrolling(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    # kept, the run counts for other designs too
    page.get_by_role("button", name="Calibrate and keep").click()
    kept = page.get_by_role("group", name="Kept runs")
    expect(kept.locator("tbody tr")).to_have_count(2)
    expect(page.get_by_role("checkbox", name="Count the 2 kept runs of this deployment too")).to_be_visible()
    assert_usable(page, "dark", "light")
    page.get_by_role("link", name="Apply to the design").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not saved yet")
    expect(page.locator("#figure-step_time")).to_contain_text("Own runs take")
    stated = page.locator('.field[data-path="workload.calibration.measured_over_predicted"] input')
    expect(stated).to_have_value(re.compile(r"^0\.(9|89)"))
    page.goto(f"/calibrate/{EDGE}")
    for left in (1, 0):
        kept.get_by_role("button", name="Remove").first.click()
        expect(kept.locator("tbody tr")).to_have_count(left)
