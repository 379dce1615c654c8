"""Finding Chromium and keeping watch over the pages it shows."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Route,
    sync_playwright,
)

PROGRAMS = (
    "chromium-headless-shell",  # the same engine without the windows around it, which take as much time again
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
QUIET = (
    "--font-render-hinting=none",  # letters as wide as in the whole browser
    "--renderer-process-limit=1",  # pages of a context share a process, and the scripts that it has compiled
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
REPORT_VIOLATIONS = """
document.addEventListener('securitypolicyviolation', (event) =>
  console.error(`CSP violation: ${event.violatedDirective} blocked ${event.blockedURI}`))
"""

LOADED = "addEventListener('load', () => document.documentElement.setAttribute('data-loaded', ''))"
SLOWNESS = "BROWSER_SLOWNESS"
"""Names the variable that tells how many times slower pages compute, each answer a little later: tests that race with
a page fail then on any machine."""
LATENCY_MS = 40
PATIENCE_MS = 60_000
"""For what is clicked, opened and expected: on a busy machine less passes quickly, and what is wrong is wrong after a
minute as well."""


def find_browser() -> str | None:
    """The Chromium on the PATH, else the one Playwright has downloaded, if there is either."""
    for program in PROGRAMS:
        if found := shutil.which(program):
            return found
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


def launch(playwright: Playwright, executable: str) -> Browser:
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    return playwright.chromium.launch(executable_path=executable, args=[*QUIET, *sandbox])


def until(page: Page, expression: str, arg: Any = None, *, within_s: float = 60.0) -> None:
    """Wait until an expression is true in the page.

    Playwright's own wait tries again from inside the page, where the content policy forbids it to evaluate text:
    it works only when the first try succeeds.
    """
    end = time.monotonic() + within_s
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, f"not true after {within_s:g} s: {expression}"
        page.wait_for_timeout(50)


def with_patience(page: Page) -> None:
    """Nothing is clicked, typed or expected in a page before its scripts have run.

    A link leads to a page whose boxes and buttons are there before anything listens to them.
    """
    page.add_init_script(LOADED)
    page.add_locator_handler(page.locator("html:not([data-loaded])"), lambda: None)


def slow_down(page: Page) -> None:
    """As on a machine that many others use, if that is asked for."""
    if slowness := float(os.environ.get(SLOWNESS, "1")) - 1:
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1 + slowness})
        conditions = {"offline": False, "latency": LATENCY_MS * slowness}
        session.send(
            "Network.emulateNetworkConditions",
            conditions | {"downloadThroughput": -1, "uploadThroughput": -1},
        )


def held_back(page: Page, routes: list[Route]) -> Route:
    """The first request that a test keeps from the server; it comes a moment after what asks for it."""
    end = time.monotonic() + PATIENCE_MS / 1000
    while not routes:
        assert time.monotonic() < end, "nothing was asked"
        page.wait_for_timeout(20)
    return routes[0]


class OpenBrowser:
    """The one Chromium of this process: launched when a test asks for it, and kept for the tests that follow.

    While it is open no event loop can be run in this thread: whoever runs a test without a browser closes it.
    """

    def __init__(self) -> None:
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._contexts: dict[str, Contexts] = {}

    def get(self, executable: str) -> Browser:
        if self._browser is None:
            self._playwright = sync_playwright().start()
            self._browser = launch(self._playwright, executable)
        return self._browser

    def contexts(self, browser: Browser, base_url: str) -> Contexts:
        """Those at a server, for as long as the browser is open."""
        return self._contexts.setdefault(base_url, Contexts(browser, base_url))

    def close(self) -> None:
        self._contexts.clear()
        if self._browser is not None:
            self._browser.close()
        if self._playwright is not None:
            self._playwright.stop()
        self._browser = self._playwright = None


class Contexts:
    """Browser contexts that are taken and given back, one for each page of a test.

    A new one would fetch and compile five megabytes of chart library for every page. Each is given back as new
    but for what it has fetched: its pages are closed, and what they stored is forgotten. One page of each stays
    at the server, since its process would end with the last page and forget what it has compiled.
    """

    def __init__(self, browser: Browser, base_url: str) -> None:
        self._browser = browser
        self._base_url = base_url
        self._free: dict[tuple[bool, bool], list[BrowserContext]] = {}
        self._kinds: dict[BrowserContext, tuple[bool, bool]] = {}
        self._staying: dict[BrowserContext, Page] = {}

    def take(self, *, bypass_csp: bool = False, scripts: bool = True) -> BrowserContext:
        kind = (bypass_csp, scripts)
        if free := self._free.get(kind):
            return free.pop()
        context = self._browser.new_context(
            base_url=self._base_url,
            viewport={"width": 1280, "height": 900},
            bypass_csp=bypass_csp,
            java_script_enabled=scripts,
        )
        context.set_default_timeout(PATIENCE_MS)
        self._kinds[context] = kind
        self._staying[context] = context.new_page()
        self._staying[context].goto("/healthz")
        return context

    def give_back(self, context: BrowserContext) -> None:
        staying = self._staying[context]
        for page in context.pages:
            if page is not staying:
                page.close()
        stored = {"origin": self._base_url, "storageTypes": "cookies,local_storage,indexeddb"}
        session = context.new_cdp_session(staying)
        session.send("Storage.clearDataForOrigin", stored)
        session.detach()
        context.clear_permissions()
        self._free.setdefault(self._kinds[context], []).append(context)


ALL_INPUTS = "localStorage.getItem('podwright-inputs') ?? localStorage.setItem('podwright-inputs', 'all')"
"""Every input of the studio is in sight, as for somebody who has chosen so."""
WITHOUT_A_GPU = ("willReadFrequently", "GPU stall due to ReadPixels")
"""Advice on speed that Chromium gives where charts in space are drawn by its own software, as here."""


class Watch:
    """What went wrong on the pages of one test: errors, policy violations, requests to other hosts.

    A test that provokes an error on purpose takes it out with `forgive`.
    """

    def __init__(self, base_url: str) -> None:
        self.host = urlsplit(base_url).netloc
        self._found: list[str] = []
        self._forgiven: list[str] = []

    @property
    def problems(self) -> list[str]:
        return [one for one in self._found if not any(text in one for text in self._forgiven)]

    def over(self, page: Page) -> None:
        page.add_init_script(REPORT_VIOLATIONS)
        page.add_init_script(ALL_INPUTS)
        slow_down(page)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._found.append(f"page error: {error}"))
        page.on("request", self._request)

    def forgive(self, text: str) -> None:
        """Expect at least one problem that contains `text`, and let it pass however often it comes.

        A refusal that is shown may be followed by another that was asked for meanwhile.
        """
        assert any(text in problem for problem in self.problems), f"no problem says {text!r}: {self.problems}"
        self._forgiven.append(text)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "warning" and any(words in message.text for words in WITHOUT_A_GPU):
            return
        if message.type in ("error", "warning"):
            self._found.append(f"console {message.type}: {message.text} {message.location.get('url', '')}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob", "about") and address.netloc != self.host:
            self._found.append(f"request to another host: {request.url}")
