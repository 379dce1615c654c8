"""What every test may ask for: settings of its own, a seeded database, a client, a server, a browser."""

from __future__ import annotations

import gc
import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import hypothesis
import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.asgi import AsgiClient
    from tests.browser import Contexts, OpenBrowser, Watch
    from tests.people import People
    from tests.running_server import Server


# The same examples for everybody, and a busy machine is no fault of the one being tried.
# `pytest --hypothesis-profile=exploring` looks for new ones.
BUSY = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("repeatable", **BUSY, derandomize=True)
hypothesis.settings.register_profile("exploring", **BUSY, max_examples=1000)
hypothesis.settings.load_profile("repeatable")

OPEN_BROWSER: pytest.StashKey[OpenBrowser] = pytest.StashKey()


@pytest.fixture(scope="session", autouse=True)
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """No test touches the database of anyone who runs it: the data folder of this process."""
    from app.settings import get_settings
    from tests.databases import HASTY, address_in, drop_all
    from tests.support import sweeps

    sweeps()  # what the environment says of them is read before it is cleared
    with pytest.MonkeyPatch.context() as patch:
        for name in [*os.environ]:
            if name.startswith("PODWRIGHT_") or name == "DATABASE_URL":
                patch.delenv(name)
        data_dir = tmp_path_factory.mktemp("data")
        patch.setenv("PODWRIGHT_DATA_DIR", str(data_dir))
        patch.setenv("PODWRIGHT_WARM_UP", "false")  # dozens of servers start
        patch.setenv("PODWRIGHT_HEAVY_WORKERS", "0")  # those that are about workers set it
        patch.setattr("app.settings.database_in", address_in)
        patch.setattr("app.db.engine.SQLITE_PRAGMAS", HASTY)
        get_settings.cache_clear()
        yield data_dir
    get_settings.cache_clear()
    drop_all()


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """Pytest's folder for a test; databases that belong to it are gone when the test is over."""
    from tests.databases import drop_below

    yield tmp_path
    drop_below(tmp_path)


@pytest.fixture(scope="session")
def seeded_data_dir(own_settings: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a migrated and seeded database; copied by who changes it, never changed itself.

    Seeding takes seconds, so the database of this process becomes a copy as well.
    """
    from app.catalog.ready import ready_catalog, ready_engine
    from app.settings import Settings
    from tests.databases import freeze

    data_dir = tmp_path_factory.mktemp("seeded")
    settings = Settings(data_dir=data_dir)
    ready_catalog(settings)
    ready_engine(settings).dispose()  # the last to leave brings the database file up to date
    freeze(data_dir)
    if not any(own_settings.iterdir()):  # nobody has used it yet
        shutil.copytree(data_dir, own_settings, dirs_exist_ok=True)
    return data_dir


@pytest.fixture(scope="session")
def reading_client(seeded_data_dir: Path, own_settings: Path) -> Iterator[AsgiClient]:
    """The application in this process, for tests that change nothing: one for all."""
    from app.main import create_app
    from app.settings import Settings
    from tests.asgi import asgi_client_of

    with asgi_client_of(create_app(Settings(data_dir=own_settings))) as client:
        yield client


@pytest.fixture(scope="module")
def asgi_client(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AsgiClient]:
    """The application in this process, with a fresh copy of the seeded database for each file of tests."""
    from app.main import create_app
    from app.settings import get_settings
    from tests.asgi import asgi_client_of
    from tests.databases import drop_below

    data_dir = tmp_path_factory.mktemp("asgi") / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PODWRIGHT_DATA_DIR", str(data_dir))
        get_settings.cache_clear()
        with asgi_client_of(create_app()) as client:
            yield client
    get_settings.cache_clear()
    drop_below(data_dir)


@pytest.fixture(scope="module")
def people(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[People]:
    """People of an application that asks for a sign-in, over a database of its own for each file of tests."""
    from tests.databases import drop_below
    from tests.people import people_over

    folder = tmp_path_factory.mktemp("people")
    with people_over(seeded_data_dir, folder) as made:
        yield made
    drop_below(folder)


@pytest.fixture(scope="session")
def server(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The real server over a copy of the seeded database, for all tests of this process."""
    from tests.running_server import running_server

    data_dir = tmp_path_factory.mktemp("server") / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    with running_server(data_dir) as running:
        yield running


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Where Chromium is; without one, browser tests fail under CI and are skipped elsewhere."""
    from tests.browser import find_browser

    found = find_browser()
    if found is None and os.environ.get("CI") == "true":
        pytest.fail("no Chromium found: sh scripts/ensure_chromium.sh installs one")
    if found is None:
        pytest.skip("NO CHROMIUM: the browser tests do not run; sh scripts/ensure_chromium.sh installs one")
    return found


@pytest.fixture(scope="session")
def open_browser(pytestconfig: pytest.Config) -> Iterator[OpenBrowser]:
    """What launches Chromium when a test asks for one."""
    from playwright.sync_api import expect

    from tests.browser import PATIENCE_MS, OpenBrowser

    expect.set_options(timeout=PATIENCE_MS)
    opened = pytestconfig.stash[OPEN_BROWSER] = OpenBrowser()
    yield opened
    opened.close()


@pytest.fixture
def browser(open_browser: OpenBrowser, chromium_path: str) -> Browser:
    """One Chromium for all tests of this process that ask for one."""
    return open_browser.get(chromium_path)


@pytest.fixture
def watch(server: Server) -> Iterator[Watch]:
    """Fails a test whose pages logged an error, broke the content policy or called another host."""
    from tests.browser import Watch

    watching = Watch(server.base_url)
    yield watching
    assert not watching.problems, "\n".join(watching.problems)


class OpenPage(Protocol):
    """Open a path of the server as someone with this screen and colour scheme sees it."""

    def __call__(
        self,
        path: str,
        *,
        scheme: str = "light",
        width: int = 1280,
        height: int = 900,
        bypass_csp: bool = False,
        scripts: bool = True,
    ) -> Page: ...


@pytest.fixture
def contexts(open_browser: OpenBrowser, browser: Browser, server: Server) -> Contexts:
    """Contexts at this test's server, used again when a test is done with them."""
    return open_browser.contexts(browser, server.base_url)


@pytest.fixture
def open_page(contexts: Contexts, watch: Watch) -> Iterator[OpenPage]:
    """Pages under watch; each has a context of its own until the test ends."""
    from tests.browser import with_patience

    taken = []

    def open_path(
        path: str,
        *,
        scheme: str = "light",
        width: int = 1280,
        height: int = 900,
        bypass_csp: bool = False,
        scripts: bool = True,
    ) -> Page:
        context = contexts.take(bypass_csp=bypass_csp, scripts=scripts)
        taken.append(context)
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        watch.over(page)
        if scripts:
            with_patience(page)
        page.goto(path)
        if scripts:  # a slow section follows its page
            page.locator("[data-later]").wait_for(state="detached", timeout=120_000)
        return page

    yield open_path
    for context in taken:
        contexts.give_back(context)


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The first page, on an ordinary screen."""
    return open_page("/")


@pytest.fixture
def axe() -> Callable[..., list[str]]:
    """`axe(page)` gives the accessibility violations of a page opened with `bypass_csp=True`."""
    from tests.axe import violations

    return violations


def pytest_configure(config: pytest.Config) -> None:
    """Draw what requests to the API are made from; processes that are started later have the same.

    Engines that tests leave to the garbage collector close their connections to a server that late.
    """
    gc.disable()
    os.environ.setdefault("CONTRACT_SEED", str(secrets.randbelow(1_000_000)))
    config.addinivalue_line("filterwarnings", "ignore:.*psycopg.Connection.* was deleted:ResourceWarning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever asks for a browser is a browser test; without a folder there is no database to write to.

    The first to ask for the catalog in a database waits for seconds, in each process.
    """
    for item in items:
        asked = getattr(item, "fixturenames", ())
        if "browser" in asked:
            item.add_marker(pytest.mark.browser)
        if "seeded_data_dir" in asked or "tmp_path" in asked:
            item.add_marker(pytest.mark.stored)
        if "seeded_data_dir" in asked:
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """What was collected stays: the garbage collector, which rests until then, need not look at it again and again."""
    gc.freeze()
    gc.enable()


def pytest_report_header() -> list[str]:
    """Which part of each sweep is tried, and what requests to the API are made from."""
    from tests.support import SWEEPS, sweeps

    return [
        f"sweeps: {SWEEPS}={sweeps()} (a third of each; all tries all)",
        f"contract: CONTRACT_SEED={os.environ['CONTRACT_SEED']} (tries the same requests again)",
    ]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """While a browser is open no event loop can be run: other tests follow without one."""
    opened = item.config.stash.get(OPEN_BROWSER, None)
    if opened is not None and "browser" not in getattr(item, "fixturenames", ()):
        opened.close()
