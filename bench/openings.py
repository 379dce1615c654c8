"""How soon every page opens: the first time after a start, and again."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from app.surfaces.pages.navigation import MENUS
from app.surfaces.pages.workspace import WHOLE, tabs_of
from bench.engine import EXAMPLE
from bench.studio import SERVING
from bench.timing import Measurement, measured
from tests.running_server import running_server

AIM_COLD_S, AIM_WARM_S = 2.0, 0.5
WARM = 3
ALONE = ("/", "/gallery", f"/serving/{SERVING}/cost", "/palette.json", f"/designs/{EXAMPLE}")
"""Each also as the very first page that a server is asked for, on a database that is filled."""


def addresses() -> Iterator[str]:
    """The pages of the navigation, of both kinds of design every section, and their tools."""
    for menu in MENUS:
        for place in menu.places:
            yield place.address
    yield "/palette.json"
    for key, serves in ((EXAMPLE, False), (SERVING, True)):
        for tab in tabs_of(serves=serves, published=not serves):
            for section in tab.sections:
                if section.place != WHOLE:
                    yield section.address(key)
            for tool, _ in tab.tools:
                yield f"/{tool}/{key}"


def opening_measurements(data_dir: Path) -> Iterator[Measurement]:
    """By the server alone, one page after another as a reader would click, while it still warms up."""
    with running_server(data_dir) as server:  # the first start fills the database
        taken_s(server.base_url + "/")
    for address in ALONE:
        with running_server(data_dir) as server:
            yield measured(
                f"first of all {address}", [taken_s(server.base_url + address)], unit="s", aim=AIM_COLD_S
            )
    with running_server(data_dir) as server:
        cold = {address: taken_s(server.base_url + address) for address in addresses()}
        warm = {address: [taken_s(server.base_url + address) for _ in range(WARM)] for address in cold}
    yield measured("every page, cold", list(cold.values()), unit="s", aim=AIM_COLD_S)
    yield measured(
        "every page, warm", [one for found in warm.values() for one in found], unit="s", aim=AIM_WARM_S
    )
    for address, found in cold.items():
        yield measured(f"  cold {address}", [found], unit="s", aim=AIM_COLD_S)
        yield measured(f"  warm {address}", warm[address], unit="s", aim=AIM_WARM_S)


def taken_s(address: str) -> float:
    """Seconds until a page is there, as a browser opens it: one that takes longer says so and asks for the rest."""
    request = urllib.request.Request(address, headers={"Sec-Fetch-Mode": "navigate"})
    start = time.perf_counter()
    with urllib.request.urlopen(request, timeout=120) as answer:
        answer.read()
    return time.perf_counter() - start
