"""`seed_data/LICENSES.md`: whose figures these are, on what terms, with the credits they ask for.

`python -m app.catalog.licences` writes it anew.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from app.catalog.provenance import NEEDING_CHECK, SourceFamily
from app.catalog.seed import Seed, read_seed
from app.catalog.validated_runs import ERRORS_FILE, RUNS_FILE

FILE = "LICENSES.md"

SHIP_WORDS = {
    "yes": "may be passed on",
    "facts_only": "figures with a link, no text",
    "check": "ask before a release",
    "no": "not passed on",
}
BASIS_WORDS = {
    "stated": "stated in the source",
    "recalled": "recalled, not read in the source",
    "none": "not stated",
}


def licences_markdown(seed: Seed) -> str:
    """The whole page."""
    return "\n".join([*_introduction(), *_families(seed), *_training_runs(seed), *_climate(seed)]) + "\n"


def write_licences(seed_dir: Path) -> Path:
    """Write the page beside the data that it is about."""
    path = seed_dir / FILE
    path.write_text(licences_markdown(read_seed(seed_dir)), encoding="utf-8")
    return path


def _introduction() -> Iterator[str]:
    yield "# Licences and credits of the catalog's data"
    yield ""
    yield "Written from `sources.csv`, `climate/index.csv` and `validation/training_runs.csv` by"
    yield "`python -m app.catalog.licences`; do not edit."
    yield ""
    yield "Each figure of the catalog names its source; the source belongs to one of the families below, and a"
    yield "figure with several sources has the terms of the strictest. The program itself is under Apache-2.0."
    yield "What the columns say: *licence* as read or recalled (*basis*), *passing on* what may be done with it."
    yield ""


def _families(seed: Seed) -> Iterator[str]:
    cited = Counter(
        key
        for kind, records in seed.records.items()
        if kind != "assumptions"  # written by us, with sources of their own
        for record in records
        for fact in record.facts.values()
        for key in fact.citation.families
    )
    yield "## Source families"
    yield ""
    yield "| family | licence | basis | passing on | credit | figures |"
    yield "| --- | --- | --- | --- | --- | ---: |"
    for family in seed.families:
        cells = (
            f"**{family.key}**: {family.name}",
            family.licence,
            BASIS_WORDS[family.licence_basis],
            SHIP_WORDS[family.ship],
            family.credit,
            str(cited[family.key]),
        )
        yield _row(cells)
    yield ""


def _training_runs(seed: Seed) -> Iterator[str]:
    """Runs by what their sources are called, with the terms of the family of each."""
    runs = Counter(
        (row["source"], seed.families.family_of(f"{row['source']} {row['url_or_repo_path']}").key)
        for row in _rows(seed.directory / RUNS_FILE)
    )
    yield "## Measured training runs"
    yield ""
    yield f"`{RUNS_FILE}` holds facts of published runs (sizes, settings, speeds); each row names its source and"
    yield f"where it stands. `{ERRORS_FILE}` is what the engine says of them, and under the licence of the program."
    yield ""
    yield "| source | runs | family | licence | passing on |"
    yield "| --- | ---: | --- | --- | --- |"
    for (source, key), count in runs.items():
        family = _family(seed, key)
        yield _row((source, str(count), key, family.licence, SHIP_WORDS[family.ship]))
    yield ""


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _climate(seed: Seed) -> Iterator[str]:
    yield "## Climate files"
    yield ""
    yield "Files marked *ask before a release* are left out by `podwright seed --without-unchecked-climate`, by"
    yield "`PODWRIGHT_SHIP_CLIMATE_NEEDING_CHECK=false`, and from copies made by `app.catalog.distribution`."
    yield "Wet-bulb temperatures were computed with PsychroLib; none of the sources holds them."
    yield ""
    yield "| file | place | year | source | licence | passing on | credit |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for record in seed.records["climate"]:
        family = _family(seed, record.row.cells["licence_key"])
        cells = (
            f"`{record.key}.csv.gz`",
            f"{record.attributes['name']}, {record.attributes['country']}",
            record.attributes["year_kind"],
            record.citation.text,
            f"{family.licence}. {record.attributes['licence_note']}",
            SHIP_WORDS[family.ship],
            family.credit,
        )
        yield _row(cells)


def _family(seed: Seed, key: str) -> SourceFamily:
    family = seed.families.get(key)
    assert family is not None  # checked as a foreign key
    return family


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def needing_check(seed: Seed) -> list[str]:
    """Keys of the climate files whose redistribution needs a check."""
    return [record.key for record in seed.records["climate"] if record.citation.ship in NEEDING_CHECK]


if __name__ == "__main__":
    from app.paths import seed_data

    write_licences(seed_data())
