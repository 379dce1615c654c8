"""What any page of a design must pass in a browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

DRAWN = ", ".join(
    f".js-plotly-plot {mark}"
    for mark in (".trace", ".shapelayer path", ".sankey-node", ".heatmaplayer image")
)


def draw_all(page: Page) -> int:
    """Scroll to every chart and wait until it is drawn; the number of charts."""
    charts = page.locator("figure.chart:not(.is-empty)")
    for position in range(charts.count()):
        chart = charts.nth(position)
        chart.scroll_into_view_if_needed()
        expect(chart.locator(".plot-frame .plot")).to_have_attribute("data-drawn", "true", timeout=20_000)
        assert chart.locator(".plot-frame").locator(DRAWN).count() > 0
    page.evaluate("scrollTo(0, 0)")
    return charts.count()


def assert_well_drawn(page: Page) -> None:
    """Charts are there, nothing says otherwise, and nothing offers to send them away."""
    assert draw_all(page) > 0
    assert page.get_by_text("WebGL is not supported").count() == 0
    assert page.locator(".modebar, [data-title*='loud'], [data-title*='hare']").count() == 0


def assert_no_sideways_scrolling(page: Page) -> None:
    """The page is no wider than its window."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
