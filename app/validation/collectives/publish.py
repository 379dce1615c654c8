"""The errors that the product ships: `python -m app.validation.collectives.publish` writes them again.

Every scored row of `seed_data/validation/collectives.csv` becomes a line of `collective_errors.csv` alongside
it. To be run whenever a constant or a formula of the collective model changes; a test says when the file is
out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from app.catalog.lookup import Catalog
from app.catalog.validated import (
    COLLECTIVE_ERRORS_FILE,
    COLLECTIVES_FILE,
    ValidatedCollective,
    write_validated,
)
from app.validation.collectives.case import COLUMNS, accelerator_of, case_of
from app.validation.collectives.study import SYSTEM, validate_collectives
from app.validation.study import Prediction, Report, Row, read_rows


def publish(seed_dir: Path, catalog: Catalog, progress: Callable[[str], None] = lambda _: None) -> Path:
    """Predict the shipped measurements and write what came out, with each system left out."""
    source = seed_dir / COLLECTIVES_FILE
    report = validate_collectives(source, catalog, progress=progress)
    path = seed_dir / COLLECTIVE_ERRORS_FILE
    write_validated(
        path, ValidatedCollective, published_collectives(report, read_rows(source, COLUMNS), catalog)
    )
    return path


def published_collectives(
    report: Report, rows: Iterable[Row], catalog: Catalog
) -> tuple[ValidatedCollective, ...]:
    """The predicted rows of a report, with every prediction of each."""
    by_key = {row.key: row for row in rows}
    return tuple(
        _published(one, left_out, by_key[one.key], catalog)
        for one, left_out in zip(report.predictions, report.left_out[SYSTEM], strict=True)
    )


def _published(one: Prediction, left_out: Prediction, row: Row, catalog: Catalog) -> ValidatedCollective:
    case = case_of(row, catalog)
    part = accelerator_of(row, catalog)
    assert one.low is not None  # as of any system that was left out
    assert one.high is not None
    return ValidatedCollective(
        id=one.key,
        system=case.system,
        accelerator_key=part.key,
        generation=str(part.attributes.get("generation", "")),
        collective=case.collective,
        level=one.groups["level"],
        library=row.text("algorithm_or_library"),
        ranks=round(case.place.ranks),
        domains=round(case.place.domains),
        message_bytes=None if case.experts else case.message_bytes,
        tokens=round(case.experts.tokens) if case.experts else None,
        measured_us=one.measured,
        predicted_us=one.predicted,
        left_out_us=left_out.predicted,
        low_us=one.low,
        high_us=one.high,
        assumed=one.assumed,
    )


if __name__ == "__main__":
    from app.catalog.ready import ready_catalog
    from app.paths import seed_data

    def say(text: str) -> None:
        sys.stdout.write(f"{text}\n")

    say(f"wrote {publish(seed_data(), ready_catalog(), say)}")
