"""How soon a change of an input is seen in the studio, in Chromium; and how soon pages are made."""

from __future__ import annotations

import statistics
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bench.engine import EXAMPLE
from bench.timing import Measurement, measured
from tests.browser import find_browser, launch
from tests.server import running_server

if TYPE_CHECKING:
    from playwright.sync_api import Page

DESIGNS = {"8 GPUs": "new", "16,384 GPUs": EXAMPLE}
CHANGES: Mapping[str, tuple[str, ...]] = {
    "workload.sequence_length": ("4096", "6144", "10240", "5120", "7168"),
    "workload.global_batch_sequences": ("1024", "3072", "4096", "1536", "512"),
    "workload.tokens": ("1", "2", "3", "4", "5"),
    "economics.utilisation": ("50", "60", "70", "85", "90"),
    "facility.coolant_supply_c": ("20", "24", "28", "32", "36"),
}
"""What is typed into which field; every one makes a scenario that was not seen before."""

PAGES = ("/catalog", "/catalog/accelerators", "/catalog/aliases", "/catalog/accelerators/nvidia_h100_sxm")
RENDERS = 15

TYPE_AND_WAIT = """
([path, text]) => new Promise((resolve) => {
  const studio = document.getElementById('studio');
  const box = document.querySelector(`.field[data-path="${path}"] input[type="text"]`);
  const seen = new MutationObserver(() => {
    seen.disconnect();
    requestAnimationFrame(() => {  // a message that is sent now is read when the frame has been painted
      const painted = new MessageChannel();
      painted.port1.onmessage = () => resolve(performance.now() - start);
      painted.port2.postMessage(null);
    });
  });
  seen.observe(studio, { attributes: true, attributeFilter: ['data-painted'] });
  const start = performance.now();
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
})
"""
SETTLED = """
() => {
  const { painted, settled } = document.getElementById('studio').dataset;
  return painted === settled;
}
"""


def studio_measurements(data_dir: Path) -> Iterator[Measurement]:
    """One server process; pages first, then Chromium where there is one."""
    with running_server(data_dir) as server:
        for path in (*PAGES, *(f"/designs/{key}" for key in DESIGNS.values())):
            yield measured(f"page {path}", _renders(server.base_url + path), unit="ms", aim=100)
        executable = find_browser()
        if executable is None:
            print(
                "NO CHROMIUM: changes in the studio are not timed; sh scripts/ensure_chromium.sh installs one",
                file=sys.stderr,
            )
            return
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            browser = launch(playwright, executable)
            for name, key in DESIGNS.items():
                page = browser.new_page(base_url=server.base_url, viewport={"width": 1280, "height": 900})
                changes = changes_ms(page, key)
                page.close()
                everything = [value for values in changes.values() for value in values]
                yield measured(f"input to painted, {name}", everything, unit="ms", aim=150)
                slowest = max(changes, key=lambda path: statistics.median(changes[path]))
                yield measured(f"the same, {slowest}"[:35], changes[slowest], unit="ms", aim=150)
            browser.close()


def changes_ms(page: Page, key: str) -> dict[str, list[float]]:
    """Milliseconds from the input to the painted figures, by the field that was changed."""
    page.goto(f"/designs/{key}")
    page.wait_for_selector("#studio[data-live]")
    page.wait_for_selector('#figure-step_time .plot[data-drawn="true"]')
    page.evaluate(TYPE_AND_WAIT, ["economics.wacc", "9"])  # the first change warms the server up
    found: dict[str, list[float]] = {path: [] for path in CHANGES}
    for number in range(len(CHANGES["workload.tokens"])):
        for path, texts in CHANGES.items():
            page.wait_for_function(SETTLED)
            page.wait_for_timeout(200)  # nobody types while the page is still answering
            found[path].append(page.evaluate(TYPE_AND_WAIT, [path, texts[number]]))
    return found


def _renders(address: str) -> list[float]:
    times = []
    for _ in range(RENDERS + 1):
        start = time.perf_counter()
        with urllib.request.urlopen(address, timeout=60) as answer:
            answer.read()
        times.append((time.perf_counter() - start) * 1e3)
    return times[1:]
