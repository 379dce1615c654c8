"""Pages in a browser, in every state: drawn, accessible, quiet, on every screen and in both themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.figures import FIGURES
from tests.conftest import OpenPage
from tests.e2e.looks import assert_no_sideways_scrolling, assert_well_drawn, draw_all

SCREENS = [("light", 1280), ("dark", 1280), ("light", 360), ("dark", 360)]


LOOKS = [
    ("whole", "light", 1280),
    ("whole", "dark", 360),
    ("infeasible", "dark", 1280),
    ("unknown", "light", 360),
    ("single", "light", 1280),
]


@pytest.mark.parametrize(("state", "scheme", "width"), LOOKS)
def test_design(
    open_page: OpenPage, axe: Callable[..., list[str]], state: str, scheme: str, width: int
) -> None:
    page = open_page(f"/designs/{state}", scheme=scheme, width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_no_sideways_scrolling(page)
    assert axe(page) == []


@pytest.mark.parametrize(("scheme", "width"), SCREENS)
@pytest.mark.parametrize("path", ["/", "/designs/whole/explain/performance.elapsed_time_s"])
def test_page_without_charts(
    open_page: OpenPage, axe: Callable[..., list[str]], path: str, scheme: str, width: int
) -> None:
    page = open_page(path, scheme=scheme, width=width, bypass_csp=True)
    assert_no_sideways_scrolling(page)
    assert axe(page) == []


def test_content_policy_holds(open_page: OpenPage) -> None:
    """The watch fails this test on any violation; here the policy is in force."""
    page = open_page("/designs/whole")
    assert draw_all(page) == len(FIGURES)
    page.get_by_role("button", name="Dark theme").click()
    page.locator("#figure-topology [data-step='1']").click()


def units(page: Page) -> list[dict[str, float]]:
    """Where the units stand on the screen."""
    found: list[dict[str, float]] = page.evaluate(
        """() => {
          const plot = document.querySelector('#figure-topology .plot-frame .plot');
          plot.scrollIntoView({block: 'center'});
          const points = [...plot.querySelectorAll('.scatterlayer .trace:last-child .point')];
          return points.map((point) => {
            const {x, y, width, height} = point.getBoundingClientRect();
            return {x: x + width / 2, y: y + height / 2};
          });
        }"""
    )
    return found


def test_unit_opens_beside(open_page: OpenPage) -> None:
    page = open_page("/designs/whole", width=1440)
    draw_all(page)
    detail = page.locator("#figure-topology .detail")
    expect(detail.get_by_role("heading")).to_have_text("Unit 1")
    points = units(page)
    assert len(points) == 64
    page.mouse.move(points[55]["x"], points[55]["y"])
    expect(page.locator("#figure-topology .plot-frame .hoverlayer")).to_contain_text("Unit 56")
    page.mouse.click(points[55]["x"], points[55]["y"])
    expect(detail.get_by_role("heading")).to_have_text("Unit 56")
    expect(detail).to_contain_text("32 SuperNodes, 256 GPUs")
    assert detail.locator(".scatterlayer .point").count() == 12 + 12 * 8


def test_units_are_reached_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/designs/whole")
    draw_all(page)
    heading = page.locator("#figure-topology .detail").get_by_role("heading")
    page.locator("#figure-topology").get_by_role("button", name="Previous").focus()
    page.keyboard.press("Enter")
    expect(heading).to_have_text("Unit 64")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(heading).to_have_text("Unit 1")


def bar_colour(page: Page) -> str:
    colour: str = page.evaluate(
        "getComputedStyle(document.querySelector('#figure-step_time .barlayer .point path')).fill"
    )
    return colour


def test_theme_is_toggled_kept_and_reaches_the_charts(open_page: OpenPage) -> None:
    page = open_page("/designs/whole", scheme="light")
    draw_all(page)
    assert bar_colour(page) == "rgb(43, 89, 195)"
    toggle = page.get_by_role("button", name="Dark theme")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    toggle.click()
    expect(toggle).to_have_attribute("aria-pressed", "true")
    page.wait_for_function(
        "getComputedStyle(document.querySelector('#figure-step_time .barlayer .point path')).fill"
        " === 'rgb(125, 162, 255)'"
    )
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"
    draw_all(page)
    assert bar_colour(page) == "rgb(125, 162, 255)"


def test_data_takes_the_place_of_the_plot(open_page: OpenPage) -> None:
    page = open_page("/designs/whole")
    draw_all(page)
    figure = page.locator("#figure-tco")
    button = figure.get_by_role("button", name="Data of Total cost of ownership")
    expect(figure.get_by_role("table")).to_be_hidden()
    button.click()
    expect(figure.get_by_role("table")).to_contain_text("Capital cost")
    expect(figure.locator(".plot-frame")).to_be_hidden()
    button.click()
    expect(figure.locator(".plot-frame")).to_be_visible()


def test_charts_are_fetched_once_and_only_where_there_are_any(open_page: OpenPage) -> None:
    page = open_page("/")
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.reload(wait_until="networkidle")
    assert not any("plotly" in url for url in fetched)
    page.goto("/designs/whole")
    draw_all(page)
    assert sum("plotly" in url for url in fetched) == 1


def test_key_figure_leads_to_its_explanation(open_page: OpenPage) -> None:
    page = open_page("/designs/whole")
    figure = page.get_by_role("link", name="Elapsed time 78.4")
    figure.click()
    beside = page.get_by_role("region", name="Explain this number")
    beside.get_by_text("Productive training time").click()
    expect(beside.get_by_text("training_time_s = tokens / tokens_per_s")).to_be_visible()
    page.goto(str(figure.get_attribute("href")))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Elapsed time")
    page.get_by_text("Productive training time").click()
    expect(page.get_by_text("training_time_s = tokens / tokens_per_s")).to_be_visible()


def test_page_can_be_read_without_scripts(open_page: OpenPage, browser: object) -> None:
    page = open_page("/designs/whole")
    context = page.context.browser.new_context(java_script_enabled=False) if page.context.browser else None
    assert context
    bare = context.new_page()
    bare.goto(page.url)
    assert bare.locator("#figure-tco table").is_visible()
    assert bare.get_by_text("78.4").first.is_visible()
    context.close()


def test_print_is_light_even_from_the_dark_theme(open_page: OpenPage) -> None:
    page = open_page("/designs/whole", scheme="dark")
    draw_all(page)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(
        "getComputedStyle(document.querySelector('#figure-step_time .barlayer .point path')).fill"
        " === 'rgb(43, 89, 195)'"
    )
