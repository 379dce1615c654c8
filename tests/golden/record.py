"""Recording in several processes: each has an application over a database of its own, on one fixed day."""

from __future__ import annotations

import functools
import json
import os
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest import mock

from tests.golden.canonical import short_hash
from tests.golden.compare import Key, Texts
from tests.golden.recorder import COMMON, Recorder
from tests.golden.scene import Scene
from tests.golden.surfaces import Surfaces, designs, exempt, surfaces_of

DAY = "2026-12-01"
"""The day on which everything is recorded: prices age, and exchange rates have a date."""
PATIENCE_S = 900.0
"""Of one answer. A server gives up earlier; which answers it gives up must not depend on the machine."""
ENVIRONMENT = {
    "PODWRIGHT_WARM_UP": "false",
    "PODWRIGHT_HEAVY_WORKERS": "0",
    "PODWRIGHT_RATE_PER_MINUTE": "0",
    "PODWRIGHT_REQUEST_SECONDS": str(PATIENCE_S),
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry without its text."""

    key: Key
    hash: str
    answered: bool
    seconds: float


@dataclass(frozen=True)
class Recording:
    """All entries, and the surfaces that have none although they are not exempt."""

    entries: tuple[Recorded, ...]
    unrecorded: tuple[str, ...]
    units: dict[str, float]
    """Seconds of processor by unit of work."""

    @property
    def hashes(self) -> dict[Key, str]:
        return {entry.key: entry.hash for entry in self.entries}


def record(
    into: Path, *, wanted: str = "", processes: int = 2, day: str = DAY, resume: bool = False
) -> Recording:
    """Record every surface; the texts go into a folder that is emptied first.

    With `resume` it is not: units that an interrupted recording of the same code has left there are taken from it.

    Raises
    ------
    ValueError : two different texts have the same key
    """
    if not resume:
        shutil.rmtree(into, ignore_errors=True)
    done = into / "units"
    done.mkdir(parents=True, exist_ok=True)
    units = [*designs(), *COMMON]
    found: list[Recorded] = []
    seconds: dict[str, float] = {}
    for file in sorted(done.glob("*.json")):
        kept = json.loads(file.read_text(encoding="utf-8"))
        found += [Recorded(tuple(key), *rest) for key, *rest in kept["entries"]]
        seconds[file.stem] = kept["seconds"]
    with tempfile.TemporaryDirectory(prefix="golden-") as folder, _settings(Path(folder)):
        with _on(day):
            declared = _seeded()
        with ProcessPoolExecutor(
            processes, get_context("spawn"), initializer=_begin, initargs=(Path(folder), into, wanted, day)
        ) as pool:
            waiting = {pool.submit(_unit, unit): unit for unit in units if unit not in seconds}
            for future in as_completed(waiting):
                unit = waiting[future]
                entries, seconds[unit] = future.result()
                found += entries
                made = {"seconds": seconds[unit], "entries": [astuple(entry) for entry in entries]}
                (done / f"{unit}.json").write_text(json.dumps(made), encoding="utf-8")
    if len({entry.key for entry in found}) != len(found):
        keys = [entry.key for entry in found]
        raise ValueError(f"recorded twice: {sorted({key for key in keys if keys.count(key) > 1})}")
    unrecorded = () if wanted else tuple(unrecorded_of(declared, found))
    return Recording(tuple(sorted(found, key=lambda one: one.key)), unrecorded, seconds)


def unrecorded_of(surfaces: Surfaces, found: Iterable[Recorded]) -> Iterator[str]:
    """Surfaces without an answer in the record that are not exempt."""
    answered, refused = set(), set()
    for entry in found:
        surface, view, _ = entry.key
        (answered if entry.answered else refused).add(surfaces.declared_by(surface, view))
    for name in surfaces.declared:
        if name not in answered and exempt(name) is None:
            yield f"{name}: only refusals" if name in refused else name


def recorder_in(folder: Path, stack: ExitStack, wanted: str = "") -> Recorder:
    """A recorder over an application with its data in a folder, for as long as the stack."""
    from app.main import create_app
    from app.settings import Settings, get_settings
    from app.surfaces.rest.limits import Limits
    from app.surfaces.rest.router import create_api
    from tests.asgi import asgi_client_of

    get_settings.cache_clear()
    patient = functools.partial(create_api, limits=Limits(time_limit_s=PATIENCE_S))
    with mock.patch("app.main.create_api", patient):
        app = create_app(Settings(data_dir=folder))
    client = stack.enter_context(asgi_client_of(app))
    files = folder / "files"
    files.mkdir(exist_ok=True)
    return Recorder(Scene(client, surfaces_of(app), files, wanted))


@dataclass
class _Process:
    """What a recording process works with."""

    folder: Path
    texts: Texts
    wanted: str
    recorder: Recorder | None = None
    kept: ExitStack = field(default_factory=ExitStack)

    def fresh(self, name: str, stack: ExitStack) -> Recorder:
        """A recorder over a copy of the seeded database that nobody has written to."""
        own = self.folder / f"{name}-{os.getpid()}"
        shutil.copytree(self.folder / "data", own)
        os.environ["PODWRIGHT_DATA_DIR"] = str(own)
        return recorder_in(own, stack, self.wanted)


_here: _Process | None = None


def _begin(folder: Path, into: Path, wanted: str, day: str) -> None:
    """Make this process ready."""
    global _here  # noqa: PLW0603 - what an initializer of a pool can hand on
    warnings.simplefilter("ignore")
    _here = _Process(folder, Texts(into), wanted)
    _here.kept.enter_context(_on(day))


def _unit(unit: str) -> tuple[list[Recorded], float]:
    """Record one unit. What saves work has a database of its own; designs of one process share another."""
    here = _here
    from app.settings import get_settings

    assert here is not None
    start = time.process_time()
    found = []
    with ExitStack() as stack:
        if unit in COMMON:
            recorder = here.fresh(unit, stack)
        else:
            recorder = here.recorder = here.recorder or here.fresh("designs", here.kept)
            os.environ["PODWRIGHT_DATA_DIR"] = str(recorder.scene.folder.parent)
        get_settings.cache_clear()
        for entry in recorder.record(unit):
            here.texts.write(entry.key, entry.text)
            own = short_hash(entry.text)
            found.append(Recorded(entry.key, own, entry.answered, entry.seconds))
    return found, time.process_time() - start


def _seeded() -> Surfaces:
    """Fill the database that the processes copy; gives what the application declares."""
    from app.catalog.ready import ready_catalog, ready_engine
    from app.main import create_app
    from app.settings import Settings, get_settings

    get_settings.cache_clear()
    settings = Settings()
    ready_catalog(settings)
    ready_engine(settings).dispose()
    return surfaces_of(create_app(settings))


@contextmanager
def _settings(folder: Path) -> Iterator[None]:
    """Settings of nobody: what this machine states does not count."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("PODWRIGHT_") and name != "DATABASE_URL"
    }
    own: dict[str, Any] = kept | ENVIRONMENT | {"PODWRIGHT_DATA_DIR": str(folder / "data")}
    with mock.patch.dict(os.environ, own, clear=True):
        yield


@contextmanager
def _on(day: str) -> Iterator[None]:
    """The clock shows noon of a day, and goes on from there."""
    import time_machine

    noon = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
    with time_machine.travel(noon, tick=True):
        yield
