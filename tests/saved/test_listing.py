"""Lists: filters, order, and pages that meet everything once."""

from __future__ import annotations

import random
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from app.catalog.lookup import Catalog
from app.saved.errors import BadCursorError
from app.saved.records import Saved
from app.saved.store import SavedWork, Sort
from tests.databases import engine_in, freeze
from tests.saved.support import document, pod_design, supernode_design

pytestmark = pytest.mark.slow


def walk(work: SavedWork, *, limit: int = 3, **asked: Any) -> Iterator[Saved]:
    after = None
    while True:
        page = work.listed(asked.pop("kind", "supernode"), limit=limit, after=after, **asked)
        assert len(page.items) <= limit
        yield from page.items
        after = page.next
        if after is None:
            return


def names(found: Any) -> list[str]:
    return [saved.name for saved in found]


@pytest.fixture(scope="module")
def filled(empty_data_dir: Path, tmp_path_factory: pytest.TempPathFactory, catalog: Catalog) -> Path:
    """A data folder with three scenarios that differ in model, system and feasibility."""
    data_dir = Path(shutil.copytree(empty_data_dir, tmp_path_factory.mktemp("shelf") / "data"))
    engine = engine_in(data_dir)
    work = SavedWork(engine, lambda: catalog)
    work.create("scenario", document("Alpha 50%"), tags=["blue", "2027"])
    work.create("scenario", document("beta_x", supernode__system="gb200_nvl72"), tags=["blue"])
    big = document("Gamma É", workload__model="llama_3_1_405b")
    work.create("scenario", {**big, "parallelism": {"tp": 1}}, tags=["red"])
    engine.dispose()
    freeze(data_dir)
    return data_dir


@pytest.fixture
def shelf(filled: Path, tmp_path: Path, catalog: Catalog) -> Iterator[SavedWork]:
    """A copy of it to work with."""
    engine = engine_in(shutil.copytree(filled, tmp_path / "shelf"))
    yield SavedWork(engine, lambda: catalog)
    engine.dispose()


def test_what_was_changed_last_stands_first(shelf: SavedWork) -> None:
    assert names(shelf.listed("scenario").items) == ["Gamma É", "beta_x", "Alpha 50%"]
    (alpha,) = shelf.listed("scenario", search="alpha").items
    shelf.update("scenario", alpha.id, version=1, tags=["touched"])
    assert names(shelf.listed("scenario").items)[0] == "Alpha 50%"


def test_by_name_whatever_the_case(shelf: SavedWork) -> None:
    assert names(shelf.listed("scenario", sort="name").items) == ["Alpha 50%", "beta_x", "Gamma É"]


def test_the_order_is_that_of_letters_on_every_database(work: SavedWork) -> None:
    """Not that of the country that a server was set up for."""
    given = [
        "a b",
        "a-b",
        "a_b",
        "ab",
        "A.b",
        "aB",
        "ä",
        "Z",
        "z2",
        "z10",
        "é",
        "е",
        "ﬁ",
        "中",
        "😀",
        "10",
        "(x)",
    ]
    for name in given:
        work.create("supernode", supernode_design(name), tags=[name])
    listed = [saved.name.casefold() for saved in walk(work, sort="name")]
    assert listed == sorted(name.casefold() for name in given)
    tags = [tag for tag, count in work.tags("supernode") if count == 1]
    assert tags == sorted(tags)
    assert len(tags) > 10


def test_the_longest_names_and_tags_fit_into_the_indexes(work: SavedWork) -> None:
    """As many bytes as can be in letters that no index compresses: three for each when the case is folded."""
    dice = random.Random(1)
    widest = [chr(code) for code in range(0x1F50, 0x1FF8) if len(chr(code).casefold().encode()) >= 5]
    emoji = [chr(code) for code in range(0x20000, 0x2A000)]
    for letters in (widest, emoji):
        name = "".join(dice.choices(letters, k=200))
        tags = ["".join(dice.choices(emoji, k=40)) for _ in range(20)]
        saved = work.create("supernode", supernode_design(name), tags=tags)
        assert work.listed("supernode", search=name, sort="name").items == (saved,)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"search": "ALPHA"}, ["Alpha 50%"]),
        ({"search": "gamma é"}, ["Gamma É"]),
        ({"search": "50%"}, ["Alpha 50%"]),
        ({"search": "a_x"}, ["beta_x"]),
        ({"search": "5%0"}, []),
        ({"search": "h100 llama"}, ["Gamma É", "Alpha 50%"]),
        ({"search": "2027"}, ["Alpha 50%"]),
        ({"search": "nothing of the kind"}, []),
        ({"tag": "blue"}, ["beta_x", "Alpha 50%"]),
        ({"tag": " Blue"}, ["beta_x", "Alpha 50%"]),
        ({"tag": "blue", "sort": "name"}, ["Alpha 50%", "beta_x"]),
        ({"tag": "green"}, []),
        ({"model": "llama_3_1_405b"}, ["Gamma É"]),
        ({"system": "gb200_nvl72"}, ["beta_x"]),
        ({"system": "gb200_nvl72", "tag": "red"}, []),
        ({"deleted": True}, []),
    ],
)
def test_filters(shelf: SavedWork, asked: dict[str, Any], expected: list[str]) -> None:
    assert names(shelf.listed("scenario", **asked).items) == expected


def test_feasible_or_not(shelf: SavedWork) -> None:
    for feasible in (True, False):
        found = shelf.listed("scenario", feasible=feasible).items
        assert found
        assert found == tuple(
            saved for saved in shelf.listed("scenario").items if saved.summary["feasible"] is feasible
        )


def test_what_was_deleted_is_in_its_own_list(shelf: SavedWork) -> None:
    (beta,) = shelf.listed("scenario", search="beta").items
    shelf.delete("scenario", beta.id, version=1)
    assert names(shelf.listed("scenario").items) == ["Gamma É", "Alpha 50%"]
    assert names(shelf.listed("scenario", deleted=True).items) == ["beta_x"]
    assert names(shelf.listed("scenario", tag="blue").items) == ["Alpha 50%"]
    assert names(shelf.listed("scenario", tag="blue", deleted=True).items) == ["beta_x"]
    assert dict(shelf.tags("scenario")) == {"2027": 1, "blue": 1, "red": 1}


def test_tags_in_use_the_most_used_first(shelf: SavedWork) -> None:
    assert shelf.tags("scenario") == (("blue", 2), ("2027", 1), ("red", 1))
    assert shelf.tags("supernode") == ()


def test_kinds_are_lists_of_their_own(work: SavedWork) -> None:
    work.create("supernode", supernode_design("Node"), tags=["node"])
    work.create("pod", pod_design("Pod"), tags=["pod"])
    assert names(work.listed("supernode").items) == ["Node"]
    assert names(work.listed("pod", sort="name").items) == ["Pod"]
    assert work.listed("scenario").items == ()
    assert (work.tags("supernode"), work.tags("pod")) == ((("node", 1),), (("pod", 1),))
    # what no design has finds none
    assert work.listed("pod", feasible=True).items == ()


def test_a_custom_system_is_found_by_its_name(work: SavedWork) -> None:
    custom = {"name": "Mine", "accelerator": "nvidia_h100_sxm", "accelerators": 16}
    work.create("scenario", document(supernode={"custom": custom}))
    assert len(work.listed("scenario", system="Mine").items) == 1


def test_a_page_shows_the_newest_document(work: SavedWork) -> None:
    saved = work.create("supernode", supernode_design("Node"))
    newest = work.replace("supernode", saved.id, supernode_design("Node 2"), version=1, note="Better")
    assert work.listed("supernode").items == (newest,)


@pytest.mark.parametrize("sort", ["updated", "name"])
@pytest.mark.parametrize("asked", [{}, {"tag": "even"}, {"search": "node"}])
def test_pages_meet_everything_once(work: SavedWork, sort: Sort, asked: dict[str, str]) -> None:
    for number in range(11):
        work.create(
            "supernode", supernode_design(f"Node {number % 4}"), tags=["even"] if number % 2 == 0 else []
        )
    whole = work.listed("supernode", limit=500, sort=sort, **asked)
    assert whole.next is None
    for limit in (1, 2, 3, 11, 12):
        assert tuple(walk(work, limit=limit, sort=sort, **asked)) == whole.items


def test_items_of_the_same_moment_are_all_met(work: SavedWork) -> None:
    for number in range(7):
        work.create("supernode", supernode_design(f"Node {number}"))
    with work._sessions.engine.begin() as connection:
        connection.execute(text("UPDATE design SET updated_at = '2026-01-01 00:00:00.000000'"))
    assert len({saved.id for saved in walk(work, limit=2)}) == 7


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_a_walk_holds_while_others_save(work: SavedWork, data: st.DataObject) -> None:
    """By name each item is met once, whatever is saved between the pages; by time none is met twice."""
    sort: Sort = data.draw(st.sampled_from(["name", "updated"]))
    for saved in walk(work, limit=500):
        work.delete("supernode", saved.id, version=None)
    items = [work.create("supernode", supernode_design(f"Node {number}")) for number in range(6)]
    seen: list[str] = []
    touched: set[str] = set()
    after = None
    while True:
        page = work.listed("supernode", limit=2, after=after, sort=sort)
        seen += [saved.id for saved in page.items]
        after = page.next
        if after is None:
            break
        changed = data.draw(st.sampled_from(items))
        work.replace("supernode", changed.id, supernode_design(changed.name), version=None)
        touched.add(changed.id)
        if data.draw(st.booleans()):
            work.create("supernode", supernode_design(data.draw(st.sampled_from(["A", "Node 3b", "Z"]))))
    expected = {saved.id for saved in items}
    assert len(seen) == len(set(seen))
    assert expected - set(seen) <= (touched if sort == "updated" else set())


@pytest.mark.slow
def test_a_walk_holds_while_threads_save(work: SavedWork) -> None:
    items = {work.create("supernode", supernode_design(f"Node {number:02}")).id for number in range(30)}
    done = threading.Event()

    def save() -> None:
        while not done.is_set():
            for id in sorted(items)[:5]:
                work.replace("supernode", id, supernode_design(work.get("supernode", id).name), version=None)
            work.create("supernode", supernode_design("Another"))

    writer = threading.Thread(target=save)
    writer.start()
    try:
        for _ in range(5):
            seen = [saved.id for saved in walk(work, limit=4, sort="name") if saved.id in items]
            assert sorted(seen) == sorted(items)
    finally:
        done.set()
        writer.join()


@pytest.mark.parametrize("limit", [0, 501, -1])
def test_a_page_has_a_size(work: SavedWork, limit: int) -> None:
    with pytest.raises(ValueError, match="1 to 500"):
        work.listed("scenario", limit=limit)


def test_a_token_is_good_for_its_own_list_only(work: SavedWork) -> None:
    for number in range(3):
        work.create("supernode", supernode_design(f"Node {number}"))
    token = work.listed("supernode", limit=1).next
    assert token
    assert len(work.listed("supernode", limit=1, after=token).items) == 1
    for asked in ({"sort": "name"}, {"deleted": True}):
        with pytest.raises(BadCursorError, match="Leave it out to start again"):
            work.listed("supernode", after=token, **asked)  # type: ignore[arg-type]
    with pytest.raises(BadCursorError):
        work.listed("pod", after=token)
    with pytest.raises(BadCursorError):
        work.revisions("supernode", work.listed("supernode").items[0].id, after=token)
