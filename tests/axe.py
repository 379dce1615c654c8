"""Accessibility of a page as it stands, looked at by axe-core (tests/vendor/axe)."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

SCRIPT = Path(__file__).parent / "vendor" / "axe" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa")


def violations(page: Page, *tags: str) -> list[str]:
    """One line a violated rule: its name, what it asks for and where it is broken.

    The page must have been opened with `bypass_csp`, for axe is not among its own scripts.
    """
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=SCRIPT)
    found = page.evaluate(
        "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']})",
        list(tags or TAGS),
    )
    return [
        f"{rule['id']}: {rule['help']}: " + "; ".join(str(node["target"][0]) for node in rule["nodes"])
        for rule in found["violations"]
    ]
