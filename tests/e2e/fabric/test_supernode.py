"""The parts and the sizes of a SuperNode in Chromium: in every look, and in the studio as its size is changed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn

DESIGN = "llama_3_1_405b_on_gb200_nvl72"
COST = "#figure-supernode_size_cost"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_supernode_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page(f"/fabric/{DESIGN}/supernode", width=width, bypass_csp=True)
    page.locator("#supernode-sizes").scroll_into_view_if_needed()
    expect(page.locator(f"{COST} .plot")).to_have_attribute("data-drawn", "true", timeout=60_000)
    expect(page.locator("figure.chart")).to_have_count(6)
    assert_well_drawn(page)
    assert_usable(page, "light", "dark")


@pytest.mark.slow
def test_another_size_moves_price_and_power(open_page: OpenPage) -> None:
    page = open_page(f"/designs/{DESIGN}/supernode")
    size = page.locator("#inputs").get_by_label("Accelerators per SuperNode", exact=False).first
    size.fill("144")
    size.press("Enter")
    page.locator("#supernode-sizes").scroll_into_view_if_needed()
    expect(page.locator(COST)).to_contain_text(
        "As it is laid out, this design costs", ignore_case=True, timeout=60_000
    )


@pytest.mark.parametrize("width", [1280, 360])
def test_two_tiers_of_switches_in_every_look(open_page: OpenPage, width: int) -> None:
    page = open_page("/fabric/deepseek_r1_on_cloudmatrix384/supernode", width=width, bypass_csp=True)
    inside = page.locator("#figure-supernode_inside")
    inside.scroll_into_view_if_needed()
    expect(inside.locator(".plot-frame .plot")).to_have_attribute("data-drawn", "true", timeout=60_000)
    expect(inside).to_contain_text("336 lower and 112 upper switch chips join 384 accelerators")
    expect(inside.locator(".detail h4")).to_have_text("Tray 1")
    expect(page.get_by_role("region", name="Limits, table")).to_contain_text("Floor load of a rack")
    expect(page.get_by_role("region", name="Impact of a failed part, and spares, table")).to_contain_text(
        "8 accelerators"
    )
    assert_usable(page, "light", "dark")


def test_a_torus_turns(open_page: OpenPage) -> None:
    """Its marks are drawn in space, under the usual content rules, and arrow keys move the eye."""
    page = open_page("/fabric/tpu_v5p_pod/supernode")
    plot = page.locator("#figure-supernode_inside .plot-frame .plot")
    plot.scroll_into_view_if_needed()
    expect(plot).to_have_attribute("data-drawn", "true", timeout=60_000)
    assert page.get_by_text("WebGL is not supported").count() == 0
    assert plot.locator("canvas").count() > 0
    eye = "plot => [plot._fullLayout.scene.camera.eye.x, plot._fullLayout.scene.camera.eye.y]"
    before = plot.evaluate(eye)
    frame = page.locator("#figure-supernode_inside .plot-frame")
    frame.focus()
    frame.press("ArrowLeft")
    until(
        page,
        "([x]) => document.querySelector('#figure-supernode_inside .plot')._fullLayout.scene.camera.eye.x !== x",
        before,
    )
    after = plot.evaluate(eye)
    assert sum(one**2 for one in after) == pytest.approx(sum(one**2 for one in before))


@pytest.mark.parametrize("design", [DESIGN, "deepseek_r1_on_cloudmatrix384", "tpu_v5p_pod"])
def test_words_of_a_slide_stay_on_it(open_page: OpenPage, design: str) -> None:
    """As a browser sets them, whatever its faces: the estimate of their width is from above."""
    page = open_page(f"/fabric/{design}/supernode")
    found = page.evaluate(
        """async ([address]) => {
          const text = await (await fetch(address)).text();
          const holder = document.createElement('div');
          holder.innerHTML = text.slice(text.indexOf('<svg'));
          document.body.prepend(holder);
          const slide = holder.querySelector('svg').getBoundingClientRect();
          return [...holder.querySelectorAll('text')]
            .map((word) => [word.textContent, word.getBoundingClientRect()])
            .filter(([, box]) => box.left < slide.left || box.right > slide.right || box.bottom > slide.bottom)
            .map(([words]) => words);
        }""",
        [f"/fabric/{design}/supernode/file?format=slide"],
    )
    assert found == []
