"""Following the main navigation as people do."""

from __future__ import annotations

from playwright.sync_api import Page


def follow_menu(page: Page, menu: str, place: str) -> None:
    """Open a menu of the header and follow one of its links."""
    navigation = page.get_by_role("navigation", name="Main")
    navigation.locator("summary", has_text=menu).click()
    navigation.get_by_role("link", name=place, exact=True).click()


def open_section(page: Page, tab: str, section: str = "") -> None:
    """Open a tab of the workspace, and one of its sections: by its own links, as figures and parts have such names too."""
    tabs = page.get_by_role("navigation", name="Tabs of the design")
    tabs.get_by_role("link", name=tab, exact=True).click()
    if section:
        sections = page.get_by_role("navigation", name=tab, exact=True)
        sections.get_by_role("link", name=section, exact=True).click()
