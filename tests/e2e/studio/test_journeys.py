"""What people do in the studio, in Chromium, against the real server."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from app.surfaces.pages.studio.state import encode_state
from tests.browser import Watch, held_back
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_usable
from tests.e2e.navigation import follow_menu
from tests.support import without_estimates

MAIN = "/designs/llama_3_1_405b_on_2048_dgx_h100"
TPU = f"/designs/dense_128b_on_tpu_v5p?s={encode_state(without_estimates('dense_128b_on_tpu_v5p').as_dict())}"


def field(page: Page, path: str) -> Locator:
    return page.locator(f'.field[data-path="{path}"]')


def box(page: Page, path: str) -> Locator:
    return field(page, path).locator('input[type="text"]')


def elapsed(page: Page) -> Locator:
    return page.locator(".key-figures .key-value").first


def after_change(page: Page, change: Callable[[], object]) -> None:
    """Make a change, and wait until its result is in the page and drawn."""
    studio = page.locator("#studio")
    before = studio.get_attribute("data-painted") or ""
    change()
    expect(studio).to_have_attribute("data-painted", re.compile(f"^(?!{before}$)\\d+$"))


def test_change_a_number_see_the_figures_move_and_undo(open_page: OpenPage) -> None:
    page = open_page(MAIN)
    expect(page.locator("#figure-step_time .plot")).to_have_attribute("data-drawn", "true")
    first, chart = elapsed(page).inner_text(), page.locator("#figure-step_time .plot").inner_text()
    after_change(page, lambda: box(page, "workload.sequence_length").fill("4096"))
    expect(elapsed(page)).not_to_have_text(first)
    assert page.locator("#figure-step_time .plot").inner_text() != chart
    expect(page.locator(".last-change")).to_contain_text("Sequence length 8,192 tokens to 4,096 tokens")
    expect(page.locator(".panel-head .chip")).to_have_text("1 changed")
    expect(field(page, "workload.sequence_length")).to_contain_text("was 8,192")
    expect(page.locator("#live")).to_contain_text("Last change: Sequence length")
    after_change(page, lambda: page.keyboard.press("Control+z"))
    expect(elapsed(page)).to_have_text(first)
    expect(box(page, "workload.sequence_length")).to_have_value("8,192")
    after_change(page, lambda: page.get_by_role("button", name="Redo").click())
    expect(box(page, "workload.sequence_length")).to_have_value("4,096")
    after_change(
        page, lambda: field(page, "workload.sequence_length").get_by_role("button", name="Reset").click()
    )
    expect(elapsed(page)).to_have_text(first)
    expect(page.locator(".panel-head .chip")).to_have_count(0)


def test_address_keeps_the_scenario(open_page: OpenPage) -> None:
    page = open_page(MAIN)
    opened = page.url
    after_change(page, lambda: field(page, "workload.precision").get_by_label("FP8", exact=True).check())
    page.wait_for_url(lambda url: url != opened)
    changed, address = elapsed(page).inner_text(), page.url
    page.reload()
    expect(elapsed(page)).to_have_text(changed)
    expect(field(page, "workload.precision").get_by_label("FP8", exact=True)).to_be_checked()
    follow_menu(page, "Reference", "Catalog")
    page.wait_for_url("**/catalog")
    page.go_back()
    expect(elapsed(page)).to_have_text(changed)
    other = open_page(address.split("/", 3)[3].join(["/", ""]))
    expect(elapsed(other)).to_have_text(changed)
    after_change(page, lambda: page.get_by_role("link", name="Reset to the example").click())
    page.wait_for_url(f"**{MAIN}")


def test_design_takes_the_name_that_is_typed(open_page: OpenPage) -> None:
    page = open_page(MAIN)
    after_change(page, lambda: box(page, "name").fill("Ours"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Ours")
    expect(page).to_have_title(re.compile("^Ours"))
    after_change(page, lambda: page.get_by_role("button", name="Undo").click())
    expect(box(page, "name")).to_have_value("Llama 3.1 405B on 2,048 DGX H100")


def test_slider_moves_figures_and_charts(open_page: OpenPage) -> None:
    page = open_page("/designs/new")
    first = elapsed(page).inner_text()
    slider = field(page, "pod.supernodes").get_by_role("slider")
    slider.focus()
    after_change(page, lambda: page.keyboard.press("ArrowRight"))
    expect(box(page, "pod.supernodes")).to_have_value("2")
    expect(elapsed(page)).not_to_have_text(first)
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^2"))


def test_infeasible_becomes_feasible_by_the_offered_change(open_page: OpenPage) -> None:
    page = open_page(MAIN)
    after_change(page, lambda: box(page, "pod.supernodes").fill("128"))
    note = page.locator("#infeasible")
    expect(note).to_contain_text("GB too much")
    expect(page.locator(".design-head .chip:not([title])")).to_have_text("Does not fit")
    after_change(page, note.locator('[data-action="offer"]').first.click)
    expect(page.locator(".design-head .chip:not([title])")).to_have_text("Fits")
    expect(page.locator("#verdict")).to_contain_text("It fits")
    expect(page.locator(".last-change")).to_contain_text("now fits")
    expect(field(page, "parallelism.recompute").get_by_label("Selective")).to_be_checked()


def test_missing_input_becomes_an_accepted_estimate(open_page: OpenPage) -> None:
    page = open_page(TPU)
    expect(page.locator(".key-figures")).to_contain_text("needs TPU v5p slice of 128 chips, max power")
    one = page.locator("#missing li").filter(has_text="Suggested: 340\u202fW")
    after_change(page, one.get_by_role("link", name="Accept").click)
    expect(page.locator("#accepted")).to_contain_text("TPU v5p, tdp: 340\u202fW")
    after_change(page, page.get_by_role("link", name="Accept all suggestions").click)
    expect(page.locator('.key-figures a[data-explain="power.utility_peak_w"] .unknown')).to_have_count(0)
    expect(page.locator(".key-figures")).to_contain_text("Cost per run, rented")


def test_refused_value_stays_and_names_the_way_out(open_page: OpenPage) -> None:
    page = open_page(MAIN)
    first = elapsed(page).inner_text()
    box(page, "parallelism.tp").fill("12")
    error = field(page, "parallelism.tp").locator(".field-error")
    expect(error).to_contain_text("tp 12 does not divide the 128 heads. Nearest choices: 8 and 16.")
    expect(box(page, "parallelism.tp")).to_have_value("12")
    expect(box(page, "parallelism.tp")).to_have_attribute("aria-invalid", "true")
    expect(elapsed(page)).to_have_text(first)
    expect(page.locator("#refused")).to_contain_text("your last good result")
    box(page, "workload.tokens").fill("a lot")
    expect(field(page, "workload.tokens").locator(".field-error")).to_contain_text("'a lot' must be a number")
    expect(box(page, "workload.tokens")).to_have_value("a lot")
    box(page, "workload.tokens").fill("15.6")
    expect(error).to_be_visible()
    after_change(page, lambda: error.get_by_role("button", name="Use 8").click())
    expect(error).to_be_hidden()
    expect(page.locator("#refused")).to_have_count(0)
    expect(box(page, "parallelism.tp")).to_have_value("8")


def test_explain_down_to_a_source(open_page: OpenPage) -> None:
    page = open_page(MAIN)
    opener = page.locator('.key-figures a[data-explain="performance.mfu"]')
    opener.click()
    panel = page.get_by_role("region", name="Explain this number")
    expect(panel).to_contain_text("mfu = model_flop_per_s_per_accelerator / peak_flop_per_s")
    expect(panel.locator(".put-in").first).to_have_attribute("data-text", re.compile(r"TFLOP/s / 989"))
    expect(panel.locator(".formula mfrac").first).to_be_visible()
    expect(opener).to_have_class(re.compile("is-explained"))
    panel.locator(".all-sources summary").click()
    expect(panel.locator(".sources")).to_contain_text("H100")
    value = panel.locator(".explain-value").inner_text()
    after_change(page, lambda: box(page, "workload.sequence_length").fill("4096"))
    expect(panel.locator(".explain-value")).not_to_have_text(value)
    panel.focus()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(opener).to_be_focused()
    page.goto(f"{MAIN}?explain=cost.usd_per_run")
    expect(panel).to_contain_text("Explain: ")


def test_explanation_that_takes_its_time_is_announced(open_page: OpenPage, watch: Watch) -> None:
    page = open_page(MAIN)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/studio/explain", hold)
    page.locator('.key-figures a[data-explain="performance.mfu"]').click()
    panel = page.get_by_role("region", name="Explain this number")
    expect(panel).to_be_focused()
    expect(panel.get_by_role("status")).to_contain_text("Recalculating")
    held_back(page, held).fulfill(status=422, json={"detail": "parallelism.tp: 7 is refused."})
    expect(panel.get_by_role("alert")).to_contain_text("parallelism.tp: 7 is refused.")
    page.unroute("**/studio/explain")
    panel.get_by_role("button", name="Try again").click()
    expect(panel).to_contain_text("mfu = ")
    expect(panel).to_be_focused()
    watch.forgive("422")


def test_source_of_a_field_leads_to_the_catalog(open_page: OpenPage) -> None:
    page = open_page(MAIN)
    field(page, "supernode.system").get_by_role("button", name="Source of System").click()
    note = page.locator("#source-note")
    expect(note).to_contain_text("DGX H100")
    note.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("DGX H100")


def test_select_is_searched_by_typing(open_page: OpenPage) -> None:
    page = open_page("/designs/new")
    model = page.get_by_role("combobox", name="Model")
    model.focus()
    page.keyboard.type("gpt-3 175")
    expect(page.get_by_role("option", name="GPT-3 175B")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    after_change(page, lambda: page.keyboard.press("Enter"))
    expect(model).to_have_value("GPT-3 175B")
    expect(field(page, "workload.model")).to_contain_text("96 layers")
    expect(field(page, "workload.model")).to_contain_text("was Llama 3.1 8B")


def test_layout_can_be_searched_and_stated(open_page: OpenPage) -> None:
    page = open_page("/designs/new")
    layout = field(page, "parallelism")
    expect(layout).to_contain_text("Found: TP")
    first = elapsed(page).inner_text()
    after_change(page, lambda: layout.get_by_label("Specify").check())
    expect(box(page, "parallelism.tp")).to_be_visible()
    expect(elapsed(page)).to_have_text(first)
    after_change(page, lambda: layout.get_by_label("Search").check())
    expect(box(page, "parallelism.tp")).to_have_count(0)


def test_everything_can_be_edited_as_yaml(open_page: OpenPage) -> None:
    page = open_page("/designs/new")
    page.locator("#advanced > summary").click()
    text = page.get_by_label("The whole scenario")
    expect(text).to_have_value(re.compile("llama_3_1_8b"))
    written = text.input_value()
    text.fill(written.replace("llama_3_1_8b", "nothing here"))
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#yaml-error")).to_contain_text("workload.model")
    text.fill(written + "assumptions: {performance.straggler_slowdown: 0.2}\n" if "assumptions" not in written
              else written.replace("sequence_length: 8192", "sequence_length: 4096"))  # fmt: skip
    after_change(page, lambda: page.get_by_role("button", name="Apply").click())
    expect(page.locator("#yaml-error")).to_be_hidden()
    expect(page.locator(".panel-head .chip")).to_contain_text("changed")


def test_keyboard_only(open_page: OpenPage) -> None:
    """From the top of the page to a changed figure and its explanation without a pointer."""
    page = open_page(MAIN)
    first = elapsed(page).inner_text()

    def tab_to(target: Locator) -> None:
        for _ in range(120):
            page.keyboard.press("Tab")
            if target.evaluate("node => node === document.activeElement"):
                return
        raise AssertionError("not reached by Tab")

    tab_to(box(page, "workload.tokens"))
    page.keyboard.press("Control+a")
    after_change(page, lambda: page.keyboard.type("7"))
    expect(elapsed(page)).not_to_have_text(first)
    tab_to(page.get_by_role("slider", name="Training tokens"))
    after_change(page, lambda: page.keyboard.press("ArrowLeft"))
    tab_to(page.locator('.key-figures a[data-explain="performance.elapsed_time_s"]'))
    page.keyboard.press("Enter")
    panel = page.get_by_role("region", name="Explain this number")
    expect(panel.locator(".formula").first).to_be_visible()
    expect(panel).to_be_focused()
    page.keyboard.press("Tab")
    expect(panel.get_by_role("button", name="Copy the link")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator('.key-figures a[data-explain="performance.elapsed_time_s"]')).to_be_focused()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    expect(elapsed(page)).to_have_text(first)


def test_small_screen(open_page: OpenPage) -> None:
    page = open_page(MAIN, width=360, height=780)
    button = page.locator(".sheet-button")
    expect(button).to_have_text("Inputs")
    expect(page.locator("#inputs")).to_be_hidden()
    button.click()
    expect(button).to_have_text(re.compile(r"Show results: \d+\.?\d*\sdays"))
    expect(page.locator("#results")).to_be_hidden()
    after_change(page, lambda: box(page, "workload.tokens").fill("7.8"))
    assert_no_sideways_scrolling(page)
    button.click()
    expect(button).to_have_text("Inputs, 1 changed")
    expect(page.locator("#verdict")).to_contain_text("7.80 T")
    page.locator('.key-figures a[data-explain="performance.mfu"]').click()
    panel = page.get_by_role("region", name="Explain this number")
    expect(panel).to_be_visible()
    assert (panel.bounding_box() or {})["width"] == 360
    assert_no_sideways_scrolling(page)


@pytest.mark.parametrize("width", [1280, 360])
def test_every_state_is_usable_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(MAIN, width=width, height=800, bypass_csp=True)
    sheet = page.locator(".sheet-button")
    if width == 360:
        sheet.click()
    # Every section of the form open, a list of choices, and a value that is refused.
    for name in ("supernode-more", "pod-more", "facility", "operations", "economics"):
        page.locator(f"#panel-{name} > summary").click()
    page.locator("#advanced > summary").click()
    box(page, "parallelism.tp").fill("12")
    expect(page.locator("#refused")).to_have_count(1)
    page.get_by_role("combobox", name="System").click()
    assert_usable(page, "light", "dark")
    page.keyboard.press("Escape")
    field(page, "parallelism.tp").get_by_role("button", name="Use 8").click()
    after_change(page, lambda: box(page, "pod.supernodes").fill("128"))
    if width == 360:
        sheet.click()
    # A design that does not fit, with one of its figures explained beside.
    expect(page.locator("#infeasible")).to_be_visible()
    page.locator('.key-figures a[data-explain="performance.mfu"]').click()
    expect(page.locator("#explain-panel")).to_be_visible()
    assert_usable(page, "dark", "light")


def test_without_scripts_the_form_is_answered(open_page: OpenPage) -> None:
    bare = open_page(MAIN, scripts=False)
    bare.locator('[name="workload.tokens"]').fill("7.8")
    bare.get_by_role("button", name="Evaluate").click()
    expect(bare.locator("#verdict")).to_contain_text("7.80 T")
    bare.locator('[data-explain="performance.elapsed_time_s"]').first.click()
    expect(bare.get_by_role("heading", level=1)).to_contain_text("Explain")
    bare.locator(".back a").click()
    expect(bare.locator("#verdict")).to_contain_text("7.80 T")
