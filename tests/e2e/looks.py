"""What any page must pass in a browser, whatever it shows."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.axe import violations
from tests.browser import until

DRAW_ALL = """async () => {
  const MARKS = ['.trace', '.shapelayer path', '.sankey-node', '.heatmaplayer image', '.gl-container canvas'];
  const charts = [...document.querySelectorAll('figure.chart:not(.is-empty)')];
  const bare = [];
  for (const chart of charts) {
    const plot = chart.querySelector('.plot-frame .plot');
    const patience = performance.now() + 60_000;
    chart.scrollIntoView({ block: 'center' });
    while (plot.dataset.drawn !== 'true' && performance.now() < patience) await new Promise(requestAnimationFrame);
    if (!plot.querySelector(MARKS.map((mark) => `.js-plotly-plot ${mark}, :scope.js-plotly-plot ${mark}`))) {
      bare.push(chart.id);
    }
  }
  scrollTo(0, 0);
  return [charts.length, bare];
}"""
COLOURS = """[...document.querySelectorAll('.js-plotly-plot')]
  .filter((plot) => plot.offsetParent).map((plot) => plot.layout.font.color)"""
SETTLED = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const passing = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(passing.map((one) => one.finished));
}"""


def draw_all(page: Page) -> int:
    """Scroll to every chart and wait until it is drawn; the number of charts."""
    page.wait_for_load_state()  # modules have run, and charts are waited for
    drawn, bare = page.evaluate(DRAW_ALL)
    assert bare == [], "these charts show nothing"
    return int(drawn)


def assert_well_drawn(page: Page) -> None:
    """Charts are there, nothing says otherwise, and nothing offers to send them away."""
    assert draw_all(page) > 0
    assert page.get_by_text("WebGL is not supported").count() == 0
    assert page.locator(".modebar, [data-title*='loud'], [data-title*='hare']").count() == 0


def assert_no_sideways_scrolling(page: Page) -> None:
    """The page is no wider than its window."""
    page.wait_for_load_state("domcontentloaded")  # while one page gives way to the next there is no document
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def assert_usable(page: Page, *schemes: str, inside_charts: bool = False) -> None:
    """axe finds nothing and nothing sticks out, in these colour schemes or in the one the page is in.

    The page must have been opened with `bypass_csp`.
    """
    for place, scheme in enumerate(schemes or [None]):
        if scheme:
            switch(page, scheme)
        assert_no_sideways_scrolling(page)
        found = violations(page, colours_only=place > 0, inside_charts=inside_charts)
        assert found == [], f"{scheme}: {found}"


def switch(page: Page, scheme: str) -> None:
    """To light or dark, charts included."""
    if page.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches"):
        return
    before = page.evaluate(COLOURS)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    until(page, f"before => {COLOURS}.every((colour, place) => colour !== before[place])", arg=before)
    page.evaluate(SETTLED)  # colours that pass over are neither those of the one scheme nor of the other


def click_mark(page: Page, plot: str, x: float, y: float) -> None:
    """Click a mark of a chart at a place of the window, once the chart has seen that the pointer is there."""
    page.mouse.move(x, y)
    until(page, "name => (document.querySelector(name)._hoverdata ?? []).length > 0", plot)
    page.mouse.click(x, y)
