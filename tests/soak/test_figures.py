"""The table of what a soak measured."""

from __future__ import annotations

from tests.soak.figures import BEGIN, END, PAGES, lines_of, tables


def test_plain_figures_are_one_row_and_each_thing_measured_by_itself_has_its_own() -> None:
    test = {
        "shown": "no one is slowed",
        "outcome": "passed",
        "seconds": 12.34,
        "figures": {
            "lost": 0,
            "grown_mb": 11.26,
            "four imports": {"median_ms": 45.15, "answered": {"429": 1200}},
        },
    }
    assert list(lines_of(test)) == [
        "| no one is slowed | 12 s | lost 0, grown 11.26 MB |",
        "| no one is slowed: four imports | 12 s | median 45.15 ms, answered 1,200 of 429 |",
    ]


def test_what_measured_nothing_and_what_failed_are_rows_too() -> None:
    test = {"shown": "kills", "outcome": "failed", "seconds": 1.0, "figures": {}}
    assert list(lines_of(test)) == ["| kills | **failed** |  |"]


def test_pages_keep_their_words_around_the_table(tmp_path) -> None:
    page = tmp_path / PAGES[0].name
    page.write_text(f"Before.\n\n{BEGIN}old\n{END}\nAfter.\n")
    run = {"version": "1", "date": "2026-01-02", "machine": "2 cores", "tests": []}
    made = tables(page, run)
    assert made.startswith("Before.")
    assert made.endswith("After.\n")
    assert "old" not in made
    page.write_text(made)
    assert tables(page, run) == made
