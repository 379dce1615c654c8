"""Accessibility of a page as it is, looked at by axe-core (tests/vendor/axe)."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

SCRIPT = Path(__file__).parent / "vendor" / "axe" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")


COLOURS = ("color-contrast", "link-in-text-block")
"""Rules that another colour scheme may break; all others hold in one if they hold in the other."""


RUN = """async ([only, insideCharts]) => {
  const drawings = insideCharts ? [] : [...document.querySelectorAll('.js-plotly-plot .main-svg')];
  const inside = drawings.map((drawing) => [...drawing.childNodes]);
  drawings.forEach((drawing) => drawing.replaceChildren());
  try {
    return await axe.run(document, { runOnly: only, resultTypes: ['violations'] });
  } finally {
    drawings.forEach((drawing, place) => drawing.replaceChildren(...inside[place]));
  }
}"""
"""Up to three quarters of a page's elements are shapes of its charts, and axe looks at each."""


def violations(page: Page, *, colours_only: bool = False, inside_charts: bool = False) -> list[str]:
    """One line a violated rule: its name, what it asks for and where it is broken.

    The page must have been opened with `bypass_csp`, for axe is not among its own scripts. The shapes that charts
    are drawn of are looked at `inside_charts` only: by the test that draws every chart.
    """
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=SCRIPT)
    only = {"type": "rule", "values": COLOURS} if colours_only else {"type": "tag", "values": TAGS}
    found = page.evaluate(RUN, [only, inside_charts])
    return [
        f"{rule['id']}: {rule['help']}: " + "; ".join(str(node["target"][0]) for node in rule["nodes"])
        for rule in found["violations"]
    ]
