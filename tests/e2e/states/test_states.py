"""Pages in a browser, in every state: drawn, accessible, quiet, on every screen and in both themes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from app.charts import FIGURES
from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, draw_all

LOOKS = [
    ("infeasible", 1280, ("dark",)),
    ("unknown", 360, ("light",)),
    ("single", 1280, ("light",)),
]


@pytest.mark.parametrize(("state", "width", "schemes"), LOOKS)
def test_design(open_page: OpenPage, state: str, width: int, schemes: tuple[str, ...]) -> None:
    page = open_page(f"/designs/{state}/all", scheme=schemes[0], width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, *schemes)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("path", ["/", "/designs/whole/explain/performance.elapsed_time_s"])
def test_page_without_charts(open_page: OpenPage, path: str, width: int) -> None:
    page = open_page(path, width=width, bypass_csp=True)
    assert_usable(page, "light", "dark")


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


def test_units_open_beside_by_pointer_and_by_keyboard(open_page: OpenPage) -> None:
    """With the content policy in force, like every page that is opened without `bypass_csp`."""
    page = open_page("/designs/whole/all", width=1440)
    assert draw_all(page) == len(FIGURES)
    detail = page.locator("#figure-topology .detail")
    heading = detail.get_by_role("heading")
    expect(heading).to_have_text("Unit 1")
    points = units(page)
    assert len(points) == 64
    page.mouse.move(points[55]["x"], points[55]["y"])
    expect(page.locator("#figure-topology .plot-frame .hoverlayer")).to_contain_text("Unit 56")
    page.mouse.click(points[55]["x"], points[55]["y"])
    expect(heading).to_have_text("Unit 56")
    expect(detail).to_contain_text("32 SuperNodes, 256 GPUs")
    expect(detail.locator(".scatterlayer .point")).to_have_count(12 + 12 * 8)
    page.locator("#figure-topology").get_by_role("button", name="Previous").focus()
    page.keyboard.press("Enter")
    expect(heading).to_have_text("Unit 55")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(heading).to_have_text("Unit 56")


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
    until(
        page,
        "getComputedStyle(document.querySelector('#figure-step_time .barlayer .point path')).fill"
        " === 'rgb(125, 162, 255)'",
    )
    until(page, "getComputedStyle(document.body).backgroundColor === 'rgb(18, 22, 28)'")
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"
    draw_all(page)
    assert bar_colour(page) == "rgb(125, 162, 255)"


def test_charts_are_fetched_once_and_only_where_there_are_any(open_page: OpenPage) -> None:
    page = open_page("/")
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.reload(wait_until="networkidle")
    assert not any("plotly" in url for url in fetched)
    page.goto("/designs/whole")
    draw_all(page)
    assert sum("plotly" in url for url in fetched) == 1


def assert_formula_shown(place: Page | Locator) -> None:
    """The formula is shown as mathematics, its code on demand."""
    formula = place.get_by_role("group", name="Formula").filter(has_text="tokens_per_s")
    expect(formula.locator("math").first).to_be_visible()
    code = formula.get_by_text("training_time_s = tokens / tokens_per_s")
    expect(code).to_be_hidden()
    formula.get_by_text("Code", exact=True).click()
    expect(code).to_be_visible()


def test_key_figure_leads_to_its_explanation(open_page: OpenPage) -> None:
    page = open_page("/designs/whole")
    figure = page.get_by_role("link", name="Elapsed time 78.4")
    figure.click()
    beside = page.get_by_role("region", name="Explain this number")
    beside.get_by_text("Productive training time").click()
    assert_formula_shown(beside)
    page.goto(str(figure.get_attribute("href")))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Elapsed time")
    page.get_by_text("Productive training time").click()
    assert_formula_shown(page)


def test_page_can_be_read_without_scripts(open_page: OpenPage) -> None:
    page = open_page("/designs/whole", scripts=False)
    assert page.locator("#figure-tco table").is_visible()
    assert page.get_by_text("78.4").first.is_visible()
