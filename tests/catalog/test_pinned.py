"""Catalogs that take notes, and give the noted answers again."""

from __future__ import annotations

import inspect
import zlib
from pathlib import Path

import orjson
import pytest

from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Catalog
from app.catalog.pinned import LatestCatalog, PinnedCatalog, RecordingCatalog
from app.catalog.snapshot import READERS, Snapshot, SnapshotError
from app.catalog.view import CatalogView
from tests.databases import engine_in

CONTEXT = {"precision": "bf16", "generation": "hopper"}


@pytest.fixture(scope="module")
def today(seeded_data_dir: Path) -> Catalog:
    return Catalog.open(engine_in(seeded_data_dir))


def ask_everything(catalog: CatalogView) -> list[object]:
    """Every question of the view, with answers of every shape."""
    part = catalog.part("accelerators", "nvidia_h100_sxm")
    return [
        part,
        catalog.keys("accelerators"),
        catalog.price("dgx_h100"),
        catalog.price("nobody_sells_this"),
        catalog.price_absence("dgx_b300"),
        catalog.price_estimate("dgx_h100"),
        catalog.price_estimate("nobody_sells_this"),
        catalog.price_item("server_power_chip_tdp_h100"),
        catalog.rental("nvidia_h100_sxm", "on_demand"),
        catalog.rental("nobody_rents_this", "on_demand"),
        catalog.assumption("operations", "failures_per_node_day", CONTEXT),
        catalog.assumption_names("scenario"),
        catalog.climate("ashburn_va").key,
    ]


def reopened(snapshot: Snapshot) -> Snapshot:
    return Snapshot.unpacked(snapshot.packed()[1]())


@pytest.mark.slow
def test_a_recording_catalog_answers_as_today(today: Catalog) -> None:
    recording = RecordingCatalog(today)
    assert ask_everything(recording) == ask_everything(today)
    assert ask_everything(recording) == ask_everything(today)  # from its notes
    assert recording.revision == today.revision


def test_a_pinned_catalog_answers_from_the_notes_alone(today: Catalog) -> None:
    recording = RecordingCatalog(today)
    then = ask_everything(recording)
    pinned = PinnedCatalog(OnlyClimate(today), reopened(recording.snapshot), "then")  # type: ignore[arg-type]
    assert ask_everything(pinned) == then
    assert pinned.from_today == ()
    assert pinned.revision == "then"


class OnlyClimate:
    """A catalog that gives hourly years and nothing else."""

    def __init__(self, today: Catalog) -> None:
        self.climate = today.climate


def test_what_was_not_asked_comes_from_today_and_is_named(today: Catalog) -> None:
    pinned = PinnedCatalog(today, Snapshot(), "then")
    assert pinned.part("systems", "dgx_h100") == today.part("systems", "dgx_h100")
    assert pinned.climate("ashburn_va") is today.climate("ashburn_va")
    assert pinned.from_today == ("part systems/dgx_h100", "climate ashburn_va")


def test_what_left_the_catalog_is_named(today: Catalog) -> None:
    snapshot = Snapshot()
    snapshot.keep("part", "accelerators/gone", today.part("accelerators", "nvidia_h100_sxm"))
    latest = LatestCatalog(today, snapshot)
    assert latest.part("accelerators", "gone").key == "nvidia_h100_sxm"
    assert latest.part("systems", "dgx_h100") is today.part("systems", "dgx_h100")
    assert latest.gone == ("accelerators/gone",)
    with pytest.raises(CatalogLookupError, match="nearest"):
        latest.part("accelerators", "never_was")


def test_an_assumption_without_a_row_that_holds_is_refused_as_today(today: Catalog) -> None:
    for catalog in (RecordingCatalog(today), PinnedCatalog(today, Snapshot(), "then")):
        with pytest.raises(CatalogLookupError, match="nearest"):
            catalog.assumption("operations", "failures_per_node_dya", CONTEXT)


def test_every_question_of_the_view_is_noted(today: Catalog) -> None:
    questions = {name for name, _ in inspect.getmembers(CatalogView, inspect.isfunction) if name[0] != "_"}
    recording = RecordingCatalog(today)
    ask_everything(recording)
    kinds = orjson.loads(zlib.decompress(recording.snapshot.packed()[1]()))["answers"]
    assert set(kinds) == set(READERS) == questions


def test_the_same_answers_have_the_same_hash(today: Catalog) -> None:
    first, second, other = (RecordingCatalog(today) for _ in range(3))
    first.part("systems", "dgx_h100")
    first.price("dgx_h100")
    second.price("dgx_h100")
    second.part("systems", "dgx_h100")
    other.part("systems", "dgx_h100")
    assert first.snapshot.packed()[0] == second.snapshot.packed()[0] != other.snapshot.packed()[0]
    assert reopened(first.snapshot).packed()[0] == first.snapshot.packed()[0]


def test_the_hash_is_that_of_the_content(today: Catalog) -> None:
    recording = RecordingCatalog(today)
    ask_everything(recording)
    hash, pack = recording.snapshot.packed()
    assert Snapshot.hash_of(pack()) == hash


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00",
        zlib.compress(b"no JSON"),
        zlib.compress(b"[]"),
        zlib.compress(b'{"format": 1}'),
        zlib.compress(b'{"format": 2, "answers": {}}'),
    ],
)
def test_what_is_no_snapshot_is_said(content: bytes) -> None:
    with pytest.raises(SnapshotError, match="kept catalog values"):
        Snapshot.unpacked(content)
