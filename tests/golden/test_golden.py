"""The golden record notices what it is for, and leaves no surface out."""

from __future__ import annotations

import copy
import io
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from tests.asgi import AsgiClient
from tests.golden.__main__ import RECORD
from tests.golden.canonical import canonical_answer, canonical_json, normalised, page_of, short_hash
from tests.golden.compare import Texts, brief, changes_of, described, read_record, write_record
from tests.golden.recorder import Recorder
from tests.golden.scene import Entry, Scene
from tests.golden.surfaces import EXEMPT, Surfaces, designs, exempt, surfaces_of

COST = "rest POST /api/v1/economics/cost edge_node"


@pytest.fixture(scope="module")
def surfaces() -> Surfaces:
    from app.main import create_app

    return surfaces_of(create_app())


@pytest.fixture
def recorder(reading_client: AsgiClient, surfaces: Surfaces, tmp_path: Path) -> Recorder:
    return Recorder(Scene(reading_client, surfaces, tmp_path, f"^{COST}$"))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("id 0123456789abcdef0123456789abcdef", "id fedcba9876543210fedcba9876543210"),
        ("saved 2026-01-02T03:04:05.678Z", "saved 2027-11-12 13:14:15+00:00"),
        ("Podwright 0.9.1, catalog afa23b7b4f2a7423", "Podwright 1.0.0.dev1, catalog bfa23b7b4f2a7424"),
        ("Searched in 0.12 s; ranked by cost.", "Searched in 3.4 s; ranked by cost."),
        ("mfu 0.12345678901234", "mfu 0.12345678900001"),
        ("a line  \n\n", "a line"),
    ],
)
def test_what_differs_between_two_recordings_is_the_same_text(text: str, same: str) -> None:
    assert normalised(text) == normalised(same)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("mfu 0.123456789", "mfu 0.123456788"),
        ("step 0.12 s", "step 0.13 s"),
        ("priced 2026-01-02", "priced 2026-01-03"),
        ("10000000001 tokens", "10000000002 tokens"),
        ("95.2 %", "95.20 %"),
    ],
)
def test_what_people_read_is_kept(text: str, other: str) -> None:
    assert normalised(text) != normalised(other)


def test_documents_have_one_text() -> None:
    assert canonical_json({"b": 3.0, "a": [0.1 + 0.2]}) == canonical_json({"a": [0.3], "b": 3})
    assert canonical_json({"a": 1}) != canonical_json({"a": "1"})
    assert canonical_json({"search_time_s": 0.3}) == canonical_json({"search_time_s": 0.4})
    assert canonical_json({"a": None}) != canonical_json({})


def test_a_workbook_is_its_cells() -> None:
    book = openpyxl.Workbook()
    book.active.title = "Cost"
    book.active.append(["Total", 0.1 + 0.2, "=B1*2", None])
    content = io.BytesIO()
    book.save(content)
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert canonical_answer(content.getvalue(), kind) == "[Cost]\nTotal\t0.3\t=B1*2\n"


def test_an_unknown_media_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="image/png"):
        canonical_answer(b"", "image/png")


def test_a_page_is_what_a_reader_sees() -> None:
    page = page_of(
        """<html><head><title>Cost</title><style>p {color: red}</style></head><body class="wide">
        <h1>Total  <b>cost</b></h1><a href="/file?format=csv">CSV</a><input type="hidden" value="secret">
        <label><input type="checkbox" checked> Own</label><input value="8"><svg><title>icon</title></svg>
        <select><option>A</option><option selected>B</option></select>
        <figure id="figure-tco"><script type="application/json" class="chart-plot">{"plot": 1}</script></figure>
        <table><tr><th>Capital</th><td>1.2</td></tr></table></body></html>"""
    )
    shown = page.text.split("\n")
    assert shown == ["Cost", "Total cost", "CSV", "[x] Own", "[8]", "B", "(of 2)", "Capital 1.2", ""]
    assert page.charts == [("figure-tco", {"plot": 1})]
    assert page.links == ["/file?format=csv"]


def recorded(entries: Iterator[Entry], folder: Path) -> tuple[dict[tuple[str, str, str], str], Texts]:
    texts, hashes = Texts(folder), {}
    for entry in entries:
        texts.write(entry.key, entry.text)
        hashes[entry.key] = short_hash(entry.text)
    return hashes, texts


def test_a_changed_figure_changes_its_entry_and_is_shown(
    recorder: Recorder, surfaces: Surfaces, reading_client: AsgiClient, tmp_path: Path
) -> None:
    before, texts = recorded(recorder.record("edge_node"), tmp_path / "before")
    assert [" ".join(key) for key in before] == [COST]
    again, _ = recorded(recorder.record("edge_node"), tmp_path / "again")
    assert not changes_of(before, again)

    changed = copy.deepcopy(recorder.scene.document("edge_node"))
    changed.setdefault("economics", {})["electricity_price_usd_per_kwh"] = 0.123
    scene = Scene(reading_client, surfaces, tmp_path, f"^{COST}$")
    scene.document = lambda design: changed  # type: ignore[method-assign]
    other = Recorder(scene)
    now, new = recorded(other.record("edge_node"), tmp_path / "now")

    changes = changes_of(before, now)
    assert [" ".join(key) for key in changes.changed] == [COST]
    lines = list(described(changes, before, texts, new))
    assert "=== rest | POST /api/v1/economics/cost | edge_node" in lines
    assert any(line.startswith("    +") and "0.123" in line for line in lines)


def test_the_same_change_is_shown_once_and_long_ones_are_cut(tmp_path: Path) -> None:
    old, new = Texts(tmp_path / "old"), Texts(tmp_path / "new")
    before, now = {}, {}
    for design in "abc":
        key = ("page", "/x", design)
        for texts, hashes, body in (
            (old, before, ["Cost"]),
            (new, now, ["Total cost", *map(str, range(100))]),
        ):
            text = "\n".join([design, *body])
            texts.write(key, text)
            hashes[key] = short_hash(text)
    before["cli", "gone", ""] = now["cli", "come", ""] = "0"
    lines = list(described(changes_of(before, now), before, old, new))
    assert lines.count("    -Cost") == 1
    assert "    and the same in 2 more: page | /x | b; page | /x | c" in lines
    assert lines[:4] == ["No longer recorded: 1", "    cli | gone | ", "New: 1", "    cli | come | "]
    assert len(list(brief(lines))) < len(lines)


def test_a_text_that_is_not_the_recorded_one_is_not_compared_with(tmp_path: Path) -> None:
    key = ("page", "/x", "a")
    old, new = Texts(tmp_path / "old"), Texts(tmp_path / "new")
    old.write(key, "of another commit")
    new.write(key, "now")
    lines = list(described(changes_of({key: "1"}, {key: "2"}), {key: "1"}, old, new))
    assert any("make golden-texts" in line for line in lines)
    assert not any(line.startswith("===") for line in lines)


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    hashes = {("page", '/x "y", z', "b"): "1", ("cli", "evaluate", ""): "2"}
    write_record(tmp_path / "record.csv", hashes)
    assert read_record(tmp_path / "record.csv") == hashes


def test_every_surface_is_recorded_or_exempt_with_a_reason(surfaces: Surfaces) -> None:
    covered = {surfaces.declared_by(surface, view) for surface, view, _ in read_record(RECORD)}
    missing = [name for name in surfaces.declared if name not in covered and exempt(name) is None]
    assert missing == [], "make golden records them; EXEMPT says why one is not"
    assert [name for name in covered if name and exempt(name)] == []


def test_no_exemption_is_without_a_surface(surfaces: Surfaces) -> None:
    used = {exempt(name) for name in surfaces.declared}
    assert [pattern for pattern, reason in EXEMPT.items() if reason not in used] == []


def test_every_design_is_recorded_on_every_kind_of_surface() -> None:
    found = {(surface, design) for surface, _, design in read_record(RECORD)}
    kinds = ("evaluation", "explanation", "rest", "page", "chart", "file", "cli")
    assert [(kind, key) for kind in kinds for key in designs() if (kind, key) not in found] == []
