"""Sources that own rows of a workspace cite: one row each, however many cite it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from app.catalog.own.entries import VALUE_KINDS
from app.catalog.provenance import Citation
from app.catalog.store import CLIMATE, FACT, PART, PRICE, SOURCE


@dataclass
class Sources:
    """`insert` writes a row of the workspace, and says its number."""

    connection: Connection
    workspace_id: int
    insert: Callable[[sa.Table, dict[str, Any]], int]
    written: dict[tuple[str, str], int] = field(default_factory=dict)

    def number(self, citation: Citation) -> int:
        """The row of a source, which says from now on what this citation does."""
        cited = (citation.text, citation.url)
        if cited in self.written:
            return self.written[cited]
        values: dict[str, Any] = {
            "families": ";".join(citation.families),
            "kind": citation.kind if citation.kind in VALUE_KINDS else "assumption",
            "licence": citation.licence,
            "licence_basis": citation.licence_basis,
            "ship": citation.ship,
            "credit": citation.credit,
            "as_of": citation.as_of,
        }
        mine = (SOURCE.c.workspace_id == self.workspace_id,)
        same = (SOURCE.c.citation == citation.text, SOURCE.c.url == citation.url)
        found = self.connection.execute(sa.select(SOURCE.c.id).where(*mine, *same)).scalar()
        if found is None:
            found = self.insert(SOURCE, {"citation": citation.text, "url": citation.url, **values})
        else:
            self.connection.execute(SOURCE.update().where(SOURCE.c.id == found).values(**values))
        self.written[cited] = found
        return found

    def forget_uncited(self) -> None:
        """Sources of the workspace that nothing cites any more."""
        cited = sa.union(
            *(
                sa.select(table.c.source_id).where(
                    table.c.workspace_id == self.workspace_id, table.c.source_id.is_not(None)
                )
                for table in (PART, FACT, PRICE, CLIMATE)
            )
        )
        mine = SOURCE.c.workspace_id == self.workspace_id
        self.connection.execute(SOURCE.delete().where(mine, SOURCE.c.id.not_in(cited)))
