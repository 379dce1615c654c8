"""The watch over browser pages sees what it is there to see."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest
from playwright.sync_api import Browser, Page

from tests.axe import violations
from tests.browser import Watch

pytestmark = pytest.mark.browser

START = "<!doctype html><html lang=en><title>Page</title><link rel=icon href=data:,><main><h1>Page</h1>"
PAGES = {
    "/good": START,
    "/console": START + "<script src=/console.js></script>",
    "/console.js": "console.error('so it goes')",
    "/thrown": START + "<script src=/thrown.js></script>",
    "/thrown.js": "throw new Error('thrown away')",
    "/inline": START + "<script>document.title = 'inline'</script>",
    "/elsewhere": START + "<img alt='' src='http://127.0.0.2:9/picture.png'>",
    "/missing": START + "<img alt='' src=/nothing.png>",
    "/unlabelled": START + "<input><p style='color:#ccc;background:#fff'>faint</p>",
}


class Handler(BaseHTTPRequestHandler):
    types: ClassVar = {".js": "text/javascript"}

    def do_GET(self) -> None:
        content = PAGES.get(self.path)
        self.send_response(200 if content else 404)
        self.send_header("Content-Type", self.types.get(self.path[-3:], "text/html"))
        policy = "default-src 'self'; img-src * data:; script-src 'self'; style-src 'self' 'unsafe-inline'"
        self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        self.wfile.write((content or "").encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def look(browser: Browser, base_url: str, path: str) -> tuple[Page, Watch]:
    watch = Watch(base_url)
    page = browser.new_page(bypass_csp=path == "/unlabelled")
    watch.over(page)
    page.goto(base_url + path)
    return page, watch


def test_a_good_page_passes(browser: Browser, base_url: str) -> None:
    page, watch = look(browser, base_url, "/good")
    assert page.title() == "Page"
    assert watch.problems == []
    page.close()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/console", "so it goes"),
        ("/thrown", "thrown away"),
        ("/inline", "CSP violation: script-src-elem"),
        ("/elsewhere", "request to another host: http://127.0.0.2:9/picture.png"),
        ("/missing", "404"),
    ],
)
def test_what_goes_wrong_is_seen(browser: Browser, base_url: str, path: str, said: str) -> None:
    page, watch = look(browser, base_url, path)
    for _ in range(100):  # it is told after the page is there
        if not any(said in problem for problem in watch.problems):
            page.wait_for_timeout(100)
    assert any(said in problem for problem in watch.problems), watch.problems
    page.close()


def test_what_is_expected_can_be_forgiven(browser: Browser, base_url: str) -> None:
    page, watch = look(browser, base_url, "/missing")
    with pytest.raises(AssertionError, match="no problem says"):
        watch.forgive("no such thing")
    watch.forgive("404")
    assert watch.problems == []
    page.close()


def test_axe_finds_what_a_reader_cannot_use(browser: Browser, base_url: str) -> None:
    page, _ = look(browser, base_url, "/unlabelled")
    assert {problem.split(":")[0] for problem in violations(page)} == {"color-contrast", "label"}
    page.close()
