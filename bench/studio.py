"""How soon a change of an input is seen in the studio, in Chromium: numbers first, charts after them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.scenarios.examples import example
from app.surfaces.pages.studio.state import encode_state, with_value
from bench.engine import EXAMPLE
from bench.timing import Measurement, measured
from tests.running_server import running_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TRAINING: Mapping[str, tuple[str, ...]] = {
    "workload.sequence_length": (
        "4096", "6144", "10240", "5120", "7168", "9216", "3072", "11264", "2048", "12288",
    ),
    "workload.global_batch_sequences": (
        "1024", "3072", "4096", "1536", "512", "2560", "3584", "768", "1280", "1792",
    ),
    "workload.tokens": ("2", "3", "4", "5", "6", "7", "8", "9", "11", "12"),
    "economics.utilisation": ("50", "60", "70", "85", "90", "55", "65", "75", "80", "95"),
    "facility.coolant_supply_c": ("20", "24", "28", "32", "36", "22", "26", "30", "34", "38"),
}  # fmt: skip
SERVED: Mapping[str, tuple[str, ...]] = {
    "workload.requests.input_tokens": (
        "1024", "1500", "2500", "3000", "5000", "1200", "1800", "2200", "3500", "4000",
    ),
    "workload.requests.output_tokens": (
        "500", "700", "900", "1300", "1700", "600", "800", "1100", "1500", "1900",
    ),
    "economics.wacc": ("7", "8", "10", "11", "12", "6", "5", "13", "14", "15"),
    "economics.utilisation": TRAINING["economics.utilisation"],
    "facility.coolant_supply_c": TRAINING["facility.coolant_supply_c"],
}  # fmt: skip
ROUNDS = 10
SERVING = "deepseek_r1_on_gb200_nvl72"


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """A design whose inputs are changed.

    Parameters
    ----------
    values : what its example states otherwise, by path
    changes : texts that are typed into each field, one a round; every one makes a scenario that was not seen before
    """

    name: str
    key: str
    values: Mapping[str, Any] = field(default_factory=dict)
    changes: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: TRAINING)

    @property
    def address(self) -> str:
        """Where it opens."""
        if not self.values:
            return f"/designs/{self.key}"
        values = example(self.key).read().as_dict()
        for path, value in self.values.items():
            values = with_value(values, path, value)
        return f"/designs/{self.key}?s={encode_state(values)}"


SIZES = (
    Size(name="edge node", key="edge_node"),
    Size(name="16,384 GPUs", key=EXAMPLE),
    Size(name="serving", key=SERVING, changes=SERVED),
    Size(
        name="131,072 GPUs",
        key=EXAMPLE,
        values={"pod.supernodes": 16384, "workload.global_batch_sequences": 16384},
        changes={
            **TRAINING,
            "workload.global_batch_sequences": (
                "8192", "12288", "14336", "10240", "18432", "20480", "22528", "24576", "9216", "28672",
            ),
        },
    ),
)  # fmt: skip

AIM_NUMBERS_MS, AIM_CHARTS_MS, AIM_OPENED_S = 100, 200, 1.5
OPENINGS = 5
REST_MS = 200  # between a settled page and the next input, as between two thoughts
TYPE_AND_WAIT = """
([path, text]) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`${path} ${text} was not painted`)), 60000);
  const studio = document.getElementById('studio');
  const box = document.querySelector(`.field[data-path="${path}"] input[type="text"]`);
  const taken = {};
  const seen = new MutationObserver((changes) => {
    for (const { attributeName } of changes) {
      const what = attributeName === 'data-painted' ? 'charts' : 'numbers';
      requestAnimationFrame(() => {  // a message that is sent now is read when the frame has been painted
        const painted = new MessageChannel();
        painted.port1.onmessage = () => {
          taken[what] ??= performance.now() - start;
          if (what === 'numbers') return;
          seen.disconnect();
          const asked = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/studio/evaluate')).at(-1);
          taken.server = asked.responseEnd - asked.requestStart;
          resolve(taken);
        };
        painted.port2.postMessage(null);
      });
    }
  });
  seen.observe(studio, { attributes: true, attributeFilter: ['data-figures', 'data-painted'] });
  const start = performance.now();
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
})
"""
SETTLED = """
() => {
  performance.clearResourceTimings();
  const { painted, settled } = document.getElementById('studio').dataset;
  return painted === settled;
}
"""


def studio_measurements(data_dir: Path) -> Iterator[Measurement]:
    """From the input to painted numbers and charts, all changes together and each kind of change; and openings."""
    with chromium() as browser:
        if browser is None:
            return
        with running_server(data_dir) as server:
            for size in SIZES:
                page = browser.new_page(base_url=server.base_url, viewport={"width": 1280, "height": 900})
                times = changes_ms(page, size)
                page.close()
                yield from _of_changes(size, times)
            for size in SIZES:
                values = [_opening_s(browser, server.base_url, size) for _ in range(OPENINGS + 1)]
                yield measured(f"opened to first chart, {size.name}", values[1:], unit="s", aim=AIM_OPENED_S)


def _of_changes(size: Size, times: Mapping[str, list[Mapping[str, float]]]) -> Iterator[Measurement]:
    aims = {"numbers": AIM_NUMBERS_MS, "charts": AIM_CHARTS_MS, "server": AIM_NUMBERS_MS}
    for what, aim in aims.items():
        every = [one[what] for found in times.values() for one in found]
        title = f"  of it the server, {size.name}" if what == "server" else f"input to {what}, {size.name}"
        yield measured(title, every, unit="ms", aim=aim)
    for path, found in times.items():
        name = path.rpartition(".")[2].replace("_", " ")
        yield measured(
            f"  numbers after new {name}", [one["numbers"] for one in found], unit="ms", aim=AIM_NUMBERS_MS
        )


def changes_ms(page: Page, size: Size) -> dict[str, list[Mapping[str, float]]]:
    """Milliseconds from the input to painted numbers, to painted charts and of the server, by the field that was changed."""
    from tests.browser import until

    page.goto(size.address)
    page.wait_for_selector("#studio[data-live]")
    page.wait_for_selector('figure.chart .plot[data-drawn="true"]')
    page.evaluate(TYPE_AND_WAIT, ["economics.life_years", "6"])  # the first change warms the server up
    found: dict[str, list[Mapping[str, float]]] = {path: [] for path in size.changes}
    for number in range(ROUNDS):
        for path, texts in size.changes.items():
            until(page, SETTLED)
            page.wait_for_timeout(REST_MS)
            found[path].append(page.evaluate(TYPE_AND_WAIT, [path, texts[number]]))
    return found


def _opening_s(browser: Browser, base_url: str, size: Size) -> float:
    """Seconds until the first chart is drawn, in a browser that has nothing of the site."""
    from tests.browser import until

    page = browser.new_page(base_url=base_url, viewport={"width": 1280, "height": 900})
    page.add_init_script(
        """new MutationObserver(() => {
          if (window.firstChart || !document.querySelector('.plot[data-drawn]')) return;
          window.firstChart = performance.now();
        }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-drawn'] });"""
    )
    page.goto(size.address, wait_until="commit")
    until(page, "() => Boolean(window.firstChart)")
    taken = float(page.evaluate("window.firstChart"))
    page.close()
    return taken / 1e3


@contextmanager
def chromium() -> Iterator[Browser | None]:
    """A browser, or None with a message where there is none."""
    try:
        from playwright.sync_api import sync_playwright

        from tests.browser import find_browser, launch
    except ImportError:
        _say_it_is_left_out("Playwright is not installed: make test installs it")
        yield None
        return
    executable = find_browser()
    if executable is None:
        _say_it_is_left_out("there is no Chromium: sh scripts/ensure_chromium.sh installs one")
        yield None
        return
    with sync_playwright() as playwright:
        browser = launch(playwright, executable)
        yield browser
        browser.close()


def _say_it_is_left_out(reason: str) -> None:
    print(f"LEFT OUT: changes in the studio are not timed, for {reason}", file=sys.stderr)
