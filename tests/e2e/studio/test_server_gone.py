"""The server stops in the middle: the last good result stays, and nothing typed is lost."""

from __future__ import annotations

import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import Watch, until
from tests.conftest import OpenPage
from tests.e2e.looks import draw_all
from tests.e2e.studio.test_journeys import MAIN, box, elapsed
from tests.running_server import Server, environment_of, running_server


@pytest.fixture(scope="module")
def data_dir(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copied = tmp_path_factory.mktemp("gone") / "data"
    shutil.copytree(seeded_data_dir, copied)
    return copied


@pytest.fixture(scope="module")
def server(data_dir: Path) -> Iterator[Server]:
    """A server of this file's own, for it is stopped."""
    with running_server(data_dir) as running:
        yield running


def test_nothing_typed_is_lost(
    open_page: OpenPage, axe: Callable[..., list[str]], server: Server, data_dir: Path, watch: Watch
) -> None:
    page: Page = open_page(MAIN, bypass_csp=True)
    first = elapsed(page).inner_text()
    draw_all(page)
    until(
        page, "(CSS.highlights.get('glossary')?.size ?? 0) > 0"
    )  # nothing is on its way when the server goes
    server.process.terminate()
    server.process.wait(timeout=10)
    box(page, "workload.tokens").fill("7.8")
    note = page.locator("#lost")
    expect(note).to_contain_text("Not recalculated since")
    expect(note).to_contain_text("Your entries are kept in this browser.")
    expect(elapsed(page)).to_have_text(first)
    box(page, "pod.supernodes").fill("1024")
    expect(box(page, "workload.tokens")).to_have_value("7.8")
    page.keyboard.press("Control+z")
    expect(box(page, "pod.supernodes")).to_have_value("2,048")
    page.keyboard.press("Control+Shift+z")
    expect(box(page, "pod.supernodes")).to_have_value("1,024")
    assert axe(page) == []
    page.get_by_role("button", name="Try again").click()
    expect(note).to_be_visible()
    # Back up: one click, and all that was typed meanwhile is evaluated.
    with started_again(server, data_dir):
        page.get_by_role("button", name="Try again").click()
        expect(note).to_have_count(0)
        expect(page.locator(".panel-head .chip")).to_have_text("2 changed")
        expect(page.locator("#answer-block")).to_contain_text("7.80 T")
        page.close()  # before the server ends again: the page may still ask for charts
    watch.forgive("net::ERR_CONNECTION_REFUSED")


@contextmanager
def started_again(server: Server, data_dir: Path) -> Iterator[None]:
    """The same program at the same address."""
    command = [*map(str, server.process.args)]  # type: ignore[arg-type]
    again = subprocess.Popen(command, env=environment_of(data_dir), stdout=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{server.base_url}/healthz", timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield
    finally:
        again.terminate()
        again.wait(timeout=10)
