"""`seed_data/LICENSES.md`: whose figures these are, on what terms, with the credits they ask for.

`python -m app.catalog.licences` writes it again.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from app.catalog.growth import FILES as GROWTH_FILES
from app.catalog.provenance import NEEDING_CHECK, SourceFamily
from app.catalog.seed import Seed, read_seed
from app.catalog.validated import (
    COLLECTIVE_ERRORS_FILE,
    COLLECTIVES_FILE,
    COST_FIGURES_FILE,
    ERRORS_FILE,
    LATENCIES_FILE,
    POWER_FIGURES_FILE,
    RELIABILITY_FIGURES_FILE,
    RUNS_FILE,
    SCALING_FIGURES_FILE,
    THROUGHPUTS_FILE,
)

FILE = "LICENSES.md"
LATENCIES_SOURCE = "ai-dynamo/aiconfigurator: measured samples of serving"
CLAIMS_FILE, PUBLISHED_FILE = "claims/claims.csv", "claims/published.csv"

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
    return (
        "\n".join(
            [
                *_introduction(),
                *_families(seed),
                *_training_runs(seed),
                *_collectives(seed),
                *_power(seed),
                *_costs(seed),
                *_reliability(seed),
                *_serving(seed),
                *_growth(seed),
                *_claims(seed),
                *_climate(seed),
            ]
        )
        + "\n"
    )


def write_licences(seed_dir: Path) -> Path:
    """Write the page beside the data that it is about."""
    path = seed_dir / FILE
    path.write_text(licences_markdown(read_seed(seed_dir)), encoding="utf-8")
    return path


def _introduction() -> Iterator[str]:
    yield "# Licences and credits of the catalog's data"
    yield ""
    yield "Written from `sources.csv`, `climate/index.csv` and the files of `validation/` and `growth/` by"
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
    yield f"where it stands. `{ERRORS_FILE}` holds the predictions of the engine, under the licence of the program."
    yield ""
    yield from _source_table(seed, "runs", runs)


def _collectives(seed: Seed) -> Iterator[str]:
    """Measured collectives and figures of scaling laws, the same way."""
    yield "## Measured collectives"
    yield ""
    yield f"`{COLLECTIVES_FILE}` holds measured times of collectives; each row names its source and commit."
    yield f"`{COLLECTIVE_ERRORS_FILE}` holds the predictions of the engine, under the licence of the program."
    yield ""
    yield from _source_table(seed, "rows", _cited(seed, COLLECTIVES_FILE))
    yield "## Figures of scaling laws"
    yield ""
    yield f"`{SCALING_FIGURES_FILE}` holds figures that papers print of their laws, and what the printed formula gives."
    yield ""
    yield from _source_table(seed, "rows", _cited(seed, SCALING_FIGURES_FILE))


def _figures(title: str, file: str, holds: str) -> Callable[[Seed], Iterator[str]]:
    """Part of a file of published figures, by source and where it stands."""

    def part(seed: Seed) -> Iterator[str]:
        rows = Counter(
            (row["source"], seed.families.family_of(f"{row['source']} {row['url']}").key)
            for row in _rows(seed.directory / file)
        )
        yield f"## {title}"
        yield ""
        yield f"`{file}` holds {holds}; each row names its source and"
        yield "where it stands."
        yield ""
        yield from _source_table(seed, "rows", rows)

    return part


_power = _figures(
    "Figures of power and cooling", POWER_FIGURES_FILE, "single figures that were measured or printed"
)
_reliability = _figures(
    "Failures and spares",
    RELIABILITY_FIGURES_FILE,
    "published interruptions, times between failures and spares",
)
_costs = _figures("Costs of runs", COST_FIGURES_FILE, "single figures of what runs cost and take")


def _serving(seed: Seed) -> Iterator[str]:
    """Latencies, which are all of one project, and throughputs by their source."""
    latencies = Counter(
        (LATENCIES_SOURCE, seed.families.family_of(LATENCIES_SOURCE).key)
        for _ in _rows(seed.directory / LATENCIES_FILE)
    )
    yield "## Latencies and throughputs of served models"
    yield ""
    yield f"`{LATENCIES_FILE}` holds measured times to the first and of each further token, a selection of what"
    yield f"NVIDIA's aiconfigurator project publishes; `{THROUGHPUTS_FILE}` holds published throughputs, each with its"
    yield "source."
    yield ""
    yield from _source_table(seed, "rows", latencies)
    throughputs = Counter(
        (row["source"].split(": ")[0], seed.families.family_of(row["source"]).key)
        for row in _rows(seed.directory / THROUGHPUTS_FILE)
    )
    yield from _source_table(seed, "rows", throughputs)


def _cited(seed: Seed, file: str) -> Counter[tuple[str, str]]:
    """Rows of a file by source and its family."""
    return Counter(
        (row["source"], seed.families.family_of(row["source"]).key) for row in _rows(seed.directory / file)
    )


def _source_table(seed: Seed, counted: str, sources: Counter[tuple[str, str]]) -> Iterator[str]:
    yield f"| source | {counted} | family | licence | passing on |"
    yield "| --- | ---: | --- | --- | --- |"
    for (source, key), count in sources.items():
        family = _family(seed, key)
        yield _row((source, str(count), key, family.licence, SHIP_WORDS[family.ship]))
    yield ""


def _growth(seed: Seed) -> Iterator[str]:
    """Rows of the dated figures of growth by their source, with the terms of its family."""
    rows = Counter(
        (file, row["source"], seed.families.family_of(row["source"]).key)
        for file in GROWTH_FILES
        for row in _rows(seed.directory / file)
    )
    yield "## Growth"
    yield ""
    yield "`growth/` holds dated figures and published rates and limits; each row names its source."
    yield ""
    yield "| file | source | rows | family | licence | passing on |"
    yield "| --- | --- | ---: | --- | --- | --- |"
    for (file, source, key), count in rows.items():
        family = _family(seed, key)
        yield _row((f"`{file}`", source, str(count), key, family.licence, SHIP_WORDS[family.ship]))
    yield ""


def _claims(seed: Seed) -> Iterator[str]:
    """Figures that calculations of the articles' claims start from, by their source."""
    yield "## Claims of the articles"
    yield ""
    yield f"`{CLAIMS_FILE}` says in our own words what single claims the articles make, and names the source of each"
    yield f"correction; no text of the articles is passed on. `{PUBLISHED_FILE}` holds single figures of other sources."
    yield ""
    yield from _source_table(seed, "rows", _cited(seed, PUBLISHED_FILE))


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
