"""Published fabrics of the catalog beside ours, count by count."""

from __future__ import annotations

import functools
from typing import NamedTuple

from app.catalog.kinds.reference_architectures import ReferenceArchitecture
from app.catalog.lookup import Catalog
from app.paths import seed_data
from app.validation.fabric.printed import COLUMNS
from app.validation.fabric.validate import Checked, checked_rows
from app.validation.published.left_out import LeftOut
from app.validation.rows import read_rows


class PublishedFabrics(NamedTuple):
    checked: tuple[Checked, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def exact(self) -> int:
        """Fabrics of which every printed count comes out."""
        return sum(one.exact for one in self.checked)

    @property
    def flagged(self) -> int:
        """Fabrics that cannot be right as printed, or that nobody read in their source."""
        return sum(bool(one.doubts) for one in self.checked)


def published_fabrics(catalog: Catalog) -> PublishedFabrics:
    """Every fabric of the catalog's own file; computed once a catalog revision."""
    return _published(catalog.builtin)


@functools.lru_cache(maxsize=2)
def _published(catalog: Catalog) -> PublishedFabrics:
    path = seed_data() / ReferenceArchitecture.file
    checked, unsupported, _ = checked_rows(path, catalog)
    rows = {row.key: row for row in read_rows(path, COLUMNS)}
    return PublishedFabrics(
        checked=tuple(checked), left_out=tuple(LeftOut(rows[one.id], one.reason) for one in unsupported)
    )
