"""Charts in a browser: drawn, with tools that work, changed in place, in both themes and on every screen."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from app.charts import FIGURES
from tests.browser import until
from tests.conftest import OpenPage
from tests.e2e.looks import assert_usable, assert_well_drawn, switch
from tests.surfaces.pages.states import whole

LOOKS = [("whole", 1280, ("light", "dark")), ("whole", 360, ("light", "dark")),
         ("unknown", 1280, ("dark",)), ("single", 360, ("light",))]  # fmt: skip
PNG = b"\x89PNG\r\n\x1a\n"


def drawn(page: Page, name: str) -> Locator:
    figure = page.locator(f"#figure-{name}")
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".plot-frame .plot")).to_have_attribute("data-drawn", "true")
    return figure


@pytest.mark.parametrize(("state", "width", "schemes"), LOOKS)
def test_charts_are_drawn_and_usable(
    open_page: OpenPage, state: str, width: int, schemes: tuple[str, ...]
) -> None:
    page = open_page(f"/charts/{state}", scheme=schemes[0], width=width, bypass_csp=True)
    assert_well_drawn(page)
    assert_usable(page, *schemes, inside_charts=state == "whole")


def test_words_and_tables_are_there_before_scripts(open_page: OpenPage) -> None:
    page = open_page("/charts/whole", scripts=False)
    for name, draw in FIGURES.items():
        figure = page.locator(f"#figure-{name}")
        expect(figure.get_by_role("heading", level=3)).to_have_text(draw(whole()).takeaway)
        expect(figure.locator(".chart-data table")).to_be_visible()
        expect(figure.locator(".chart-tools")).to_be_hidden()


def test_data_takes_the_place_of_the_plot(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    figure = drawn(page, "pue_hours")
    button = figure.get_by_role("button", name="Data of PUE")
    expect(figure.locator(".chart-data table")).to_be_hidden()
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(figure.get_by_role("table")).to_contain_text("Jul")
    expect(figure.locator(".plot-frame")).to_be_hidden()
    button.press("Enter")
    expect(figure.locator(".plot-frame")).to_be_visible()


@pytest.mark.parametrize(("name", "scheme"), [("power_flow", "light"), ("topology", "dark")])
def test_large_view(open_page: OpenPage, name: str, scheme: str) -> None:
    page = open_page("/charts/whole", scheme=scheme)
    figure = drawn(page, name)
    plot = figure.locator(".plot-frame .main-svg").first
    small = plot.bounding_box()
    button = figure.get_by_role("button", name="Enlarge")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert dialog.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 900}
    expect(dialog.get_by_role("heading")).not_to_have_count(0)
    until(
        page,
        "least => document.querySelector('dialog .plot-frame .main-svg').getBoundingClientRect().height > least",
        arg=(small or {"height": 0})["height"] + 100,
    )
    assert page.evaluate("(() => { const d = document.querySelector('dialog');"
                         " return d.scrollHeight <= d.clientHeight && d.scrollWidth <= d.clientWidth })()")  # fmt: skip
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()
    expect(page.locator(f"#charts #figure-{name}")).to_be_visible()
    until(
        page,
        "([name, height]) => document.querySelector(`#figure-${name} .plot-frame .main-svg`)"
        ".getBoundingClientRect().height === height",
        arg=[name, (small or {"height": 0})["height"]],
    )


def save(page: Page, figure: Locator, kind: str, folder: Path) -> Path:
    figure.locator("summary").click()
    with page.expect_download() as waiting:
        figure.get_by_role("button", name=kind).click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    expect(figure.locator(".download-menu")).to_be_hidden()
    return path


def test_pictures_are_downloaded(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/charts/whole")
    figure = drawn(page, "tco")
    picture = save(page, figure, "Picture, PNG", tmp_path)
    assert picture.name == "charts-of-a-design-tco.png"
    content = picture.read_bytes()
    assert content.startswith(PNG)
    assert int.from_bytes(content[16:20]) == 2 * 1120
    for scheme in ("light", "dark"):
        switch(page, scheme)
        drawing = save(page, figure, "Drawing, SVG", tmp_path).read_text(encoding="utf-8")
        ElementTree.fromstring(drawing)
        assert "Compute is 45" in drawing
        assert "var(--" not in drawing
        assert ("rgb(18, 22, 28)" in drawing) == (scheme == "dark")


def test_every_chart_makes_a_picture(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/charts/whole")
    for name in FIGURES:
        assert save(page, drawn(page, name), "Picture, PNG", tmp_path).stat().st_size > 5000, name


def test_data_is_downloaded_as_numbers(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page("/charts/whole")
    text = save(page, drawn(page, "tco"), "CSV", tmp_path).read_text(encoding="utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["Item", "Kind", "Cost (M USD)", "Share (%)"]
    assert rows[-1][:3] == ["Total", "", "1503"]
    costs = [float(row[2]) for row in rows[1:-1]]
    assert min(costs) == -94
    assert sum(costs) == pytest.approx(1503, abs=3)


def test_menu_is_worked_by_keyboard(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    figure = drawn(page, "memory")
    summary = figure.locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(figure.get_by_role("button", name="Picture, PNG")).to_be_visible()
    page.keyboard.press("Tab")
    expect(figure.get_by_role("button", name="Picture, PNG")).to_be_focused()
    page.keyboard.press("Escape")
    expect(figure.get_by_role("button", name="Picture, PNG")).to_be_hidden()
    expect(summary).to_be_focused()


@pytest.mark.parametrize(("width", "least"), [(1280, 28), (360, 44)])
def test_tools_are_large_enough(open_page: OpenPage, width: int, least: int) -> None:
    page = open_page("/charts/whole", width=width)
    drawn(page, "topology")
    tools = page.locator("#figure-topology .tool:visible, #figure-topology .detail-open:visible").all()
    assert len(tools) == (6 if width > 400 else 5)
    boxes = [tool.bounding_box() for tool in tools]
    assert all(box and box["width"] >= least and box["height"] >= least for box in boxes)


def test_print_has_tables_and_no_tools(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    figure = drawn(page, "tco")
    page.emulate_media(media="print")
    expect(figure.locator(".chart-tools")).to_be_hidden()
    expect(figure.locator(".chart-data table")).to_be_visible()


def test_pod_opens_down_to_a_server(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    detail = drawn(page, "topology").locator(".detail")
    expect(detail.get_by_role("heading")).to_have_text("Unit 1")
    detail.get_by_role("button", name="Previous").click()
    expect(detail.get_by_role("heading")).to_have_text("Unit 64")
    opener = detail.get_by_role("button", name="Open SuperNode 1")
    opener.focus()
    page.keyboard.press("Enter")
    expect(detail.get_by_role("heading")).to_have_text("SuperNode 1")
    expect(detail.get_by_role("button", name="Back to Unit 64")).to_be_focused()
    expect(detail).to_contain_text("4 SuperNodes share a rack.")
    expect(detail).to_contain_text("8 × 400G")
    expect(detail.locator(".scatterlayer .point")).to_have_count(16)
    detail.get_by_role("button", name="Next").click()
    expect(detail.get_by_role("heading")).to_have_text("SuperNode 2")
    detail.get_by_role("button", name="Back to Unit 64").click()
    expect(detail.get_by_role("heading")).to_have_text("Unit 64")
    expect(opener).to_be_focused()


def test_supernode_is_opened_by_a_click_on_its_dots(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    detail = drawn(page, "topology").locator(".detail")
    expect(detail.locator(".scatterlayer .point")).to_have_count(12 + 12 * 8)
    dots = detail.locator(".scatterlayer .trace").nth(1).locator(".point")
    box = dots.nth(2 * 8 + 3).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(detail.get_by_role("heading")).to_have_text("SuperNode 3")


UPDATED = """async ([name, state]) => {
  const answer = await fetch(`/charts/${state}/${name}`);
  await update(`figure-${name}`, await answer.json());
}"""


def plain_html(figure: Locator) -> str:
    """The words and tables of a chart, without how it is drawn and without blanks that no one sees."""
    html = figure.evaluate(
        """figure => ['.chart-says', '.chart-legend', '.chart-key', '.chart-data', 'figcaption']
          .map(selector => figure.querySelector(selector).innerHTML).join('')"""
    )
    return re.sub(r"\s+", " ", html).replace("> <", "><").replace("> ", ">").replace(" <", "<")


def test_same_figure_as_json_gives_the_same_words(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    for name in FIGURES:
        figure = drawn(page, name)
        before = plain_html(figure)
        page.evaluate(UPDATED, [name, "whole"])
        assert plain_html(figure) == before, name


def test_update_changes_plot_words_and_table_in_place(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    figure = drawn(page, "memory")
    figure.evaluate("figure => { figure.querySelector('.plot-frame .plot').mine = true }")
    page.evaluate(UPDATED, ["memory", "infeasible"])
    expect(figure.get_by_role("heading", level=3)).to_contain_text("too much")
    expect(figure.locator(".plot-frame")).to_contain_text("94.3")
    expect(figure.locator(".chart-data")).to_contain_text("94.30")
    assert figure.evaluate("figure => figure.querySelector('.plot-frame .plot').mine")


def test_update_to_unknown_and_back(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    for name in ("tco", "topology"):
        drawn(page, name)
        page.evaluate(
            """async (name) => {
              const answer = await fetch(`/charts/whole/${name}`);
              const figure = await answer.json();
              window.known = figure;
              await update(`figure-${name}`, {...figure, plot: null, details: [], rows: [], columns: [],
                                              legend: [], legend_rows: [], takeaway: 'Not known.'});
            }""",
            name,
        )
        figure = page.locator(f"#figure-{name}")
        expect(figure).to_contain_text("Not known.")
        expect(figure.locator(".empty")).to_be_visible()
        expect(figure.locator(".chart-tools")).to_be_hidden()
        page.evaluate("name => update(`figure-${name}`, window.known)", name)
        drawn(page, name)
        expect(figure.locator(".empty")).to_be_hidden()
        expect(figure.get_by_role("button", name="Data of")).to_be_visible()


def test_opened_part_and_shown_table_stay_when_figures_change(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    detail = drawn(page, "topology").locator(".detail")
    detail.get_by_role("button", name="Next").click()
    tco = drawn(page, "tco")
    tco.get_by_role("button", name="Data of").click()
    page.evaluate(
        """async () => {
          const template = document.createElement('template');
          template.innerHTML = await (await fetch('/charts/infeasible/part')).text();
          const figures = [...template.content.querySelectorAll('figure.chart')];
          await Promise.all(figures.map((figure) => update(figure.id, figure)));
        }"""
    )
    expect(page.locator("#figure-topology .detail").get_by_role("heading")).to_have_text("Unit 2")
    expect(tco.locator(".chart-data table")).to_be_visible()
    expect(tco.get_by_role("button", name="Data of")).to_be_focused()
    expect(page.locator("#figure-memory").get_by_role("heading", level=3)).to_contain_text("too much")
    assert page.locator("figure.chart").count() == len(FIGURES)


def test_chart_that_becomes_unknown_leaves_the_large_view(open_page: OpenPage) -> None:
    page = open_page("/charts/whole")
    drawn(page, "tco").get_by_role("button", name="Enlarge").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate(UPDATED, ["tco", "infeasible"])
    expect(page.get_by_role("dialog")).to_be_visible()
    page.evaluate(UPDATED, ["tco", "unknown"])
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#charts #figure-tco .empty")).to_be_visible()
    assert page.locator("#figure-tco").count() == 1
