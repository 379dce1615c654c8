"""How soon a change of an input is seen in the studio, in Chromium."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bench.engine import EXAMPLE
from bench.timing import Measurement, measured
from tests.running_server import running_server

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

ROUNDS = 5
REST_MS = 200  # between a settled page and the next input, as between two thoughts
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
    """From the input to the painted figures, all changes together and each kind of change."""
    try:
        from playwright.sync_api import sync_playwright

        from tests.browser import find_browser, launch
    except ImportError:
        _say_it_is_left_out("Playwright is not installed: make test installs it")
        return
    executable = find_browser()
    if executable is None:
        _say_it_is_left_out("there is no Chromium: sh scripts/ensure_chromium.sh installs one")
        return
    with running_server(data_dir) as server, sync_playwright() as playwright:
        browser = launch(playwright, executable)
        for name, key in DESIGNS.items():
            page = browser.new_page(base_url=server.base_url, viewport={"width": 1280, "height": 900})
            times = changes_ms(page, key)
            page.close()
            every = [value for values in times.values() for value in values]
            yield measured(f"input to painted, {name}", every, unit="ms", aim=150)
            for path, values in times.items():
                field = path.rpartition(".")[2].replace("_", " ")
                yield measured(f"  after a new {field}", values, unit="ms", aim=150)
        browser.close()


def changes_ms(page: Page, key: str) -> dict[str, list[float]]:
    """Milliseconds from the input to the painted figures, by the field that was changed."""
    from tests.browser import until

    page.goto(f"/designs/{key}")
    page.wait_for_selector("#studio[data-live]")
    page.wait_for_selector('#figure-step_time .plot[data-drawn="true"]')
    page.evaluate(TYPE_AND_WAIT, ["economics.wacc", "9"])  # the first change warms the server up
    found: dict[str, list[float]] = {path: [] for path in CHANGES}
    for number in range(ROUNDS):
        for path, texts in CHANGES.items():
            until(page, SETTLED)
            page.wait_for_timeout(REST_MS)
            found[path].append(page.evaluate(TYPE_AND_WAIT, [path, texts[number]]))
    return found


def _say_it_is_left_out(reason: str) -> None:
    print(f"LEFT OUT: changes in the studio are not timed, for {reason}", file=sys.stderr)
