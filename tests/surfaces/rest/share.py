"""What examples of shares speak of: a team, a share with it and a link, of what is saved under the examples' id."""

from __future__ import annotations

from sqlalchemy import Engine
from sqlmodel import select

from app.db.session import write_session
from app.db.tables import ShareGrantRow, ShareLinkRow, WorkspaceRow
from app.saved.errors import NotSavedError
from app.saved.store import SavedWork
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.load import build_document
from app.surfaces.rest.saved.declared import EXAMPLE_ID
from app.surfaces.rest.saved.designs import EXAMPLES
from app.surfaces.rest.saved.fleets import EXAMPLES as FLEETS
from app.surfaces.rest.saved.projections import EXAMPLES as PROJECTIONS
from app.surfaces.rest.saved.sharing import EXAMPLE_LINK
from app.surfaces.rest.saved.studies import EXAMPLES as STUDIES
from app.views.fleet.answer import fleet_answer
from app.views.written import written
from tests.support import read_example

TEAM = "platform"


def keep_examples_saved(saved: SavedWork, about: str = "") -> None:
    """The saved examples are there, also after one was deleted for good; for requests that do so, they are deleted."""
    documents = {
        "scenario": read_example("edge_node").as_dict(),
        "supernode": EXAMPLES["supernode"],
        "projection": PROJECTIONS["deadline"],
        "study": STUDIES["two"],
        "fleet": FLEETS["one"],
    }
    for kind, document in documents.items():
        try:
            saved.restore(kind, EXAMPLE_ID)
        except NotSavedError:
            saved.create(kind, document, id=EXAMPLE_ID)
        if kind == "fleet" and "/answer" in about:
            document_of_it = build_document(FleetDocument, document)
            found = written(fleet_answer(document_of_it, []))
            saved.keep_answer(kind, EXAMPLE_ID, found, version=None, note="")
        if "/erase" in about:
            saved.delete(kind, EXAMPLE_ID, version=None)


def keep_shares(engine: Engine, about: str) -> None:
    """The share and the link are there, where a request is about one."""
    if "/shares" not in about and "/links" not in about:
        return
    with write_session(engine) as session:
        team = session.exec(select(WorkspaceRow).where(WorkspaceRow.key == TEAM)).first()
        if team is None:
            team = WorkspaceRow(key=TEAM, name="Platform", kind="team")
            session.add(team)
            session.flush()
        share = {"saved_id": EXAMPLE_ID, "workspace_id": team.id or 0, "kind": "scenario", "role": "viewer"}
        session.merge(ShareGrantRow(**share))
        link = {
            "id": EXAMPLE_LINK,
            "workspace_id": 1,
            "kind": "scenario",
            "saved_id": EXAMPLE_ID,
            "role": "viewer",
        }
        session.merge(ShareLinkRow(**link, revoked_at=None))
