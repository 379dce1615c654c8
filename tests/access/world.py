"""One team with its work, everybody around it, and fresh copies of what a request may change."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from app.catalog.ready import ready_catalog
from app.db.session import write_session
from app.db.tables import (
    CommentRow,
    InvitationRow,
    JobRow,
    OwnRunRow,
    RevisionNameRow,
    ShareGrantRow,
    ShareLinkRow,
    TeamWebhookRow,
)
from app.db.tables.base import now
from app.saved.access import ROLES, Actor
from app.saved.records import Kind
from app.saved.store import SavedWork
from app.scenarios.examples import example
from app.teams.secrets import new_secret
from tests.access.actors import Somebody
from tests.people import ActingClient, People, Person

TEAM = "team"
SHELVES: dict[str, Kind] = {
    "scenarios": "scenario",
    "designs": "supernode",
    "saved-projections": "projection",
    "saved-studies": "study",
    "saved-fleets": "fleet",
}
SCENARIO = {**example("edge_node").read().as_dict(), "uncertainty": {"samples": 32}}
"""Quickly evaluated: it is asked for some thousand times, and only by whom matters."""
TRAINING = {
    "kind": "training", "model": "llama_3_1_8b", "tokens": 1e12, "sequence_length": 8192,
    "global_batch_sequences": 256,
}  # fmt: skip
SWEEP = {"scenario": SCENARIO, "axes": [{"field": "economics.wacc", "values": [0.1]}]}
FLEET = {
    "classes": [{"name": "Research", "jobs_per_hour": 2, "sizes": [1], "duration_hours": 2}],
    "pods": [{"supernodes": 1, "accelerators": 8}],
}
DOCUMENTS: dict[Kind, dict[str, Any]] = {
    "scenario": SCENARIO,
    "supernode": {"name": "Node", "supernode": {"system": "dgx_h100"}},
    "fleet": {"name": "Shared", **FLEET},
    "projection": {"name": "Compute", "flops": 5.76e23, "law": "chinchilla_1"},
    "study": {
        "name": "Which",
        "workload": {
            "training": SCENARIO["workload"] if SCENARIO["workload"]["kind"] == "training" else TRAINING
        },
        "candidates": {
            "systems": ["dgx_h100"],
            "supernodes": [8],
            "networks": [{"name": "Fat tree", "fabric": {"topology": "fat_tree"}}],
        },
    },
}
SHARE_ROLES = ROLES[:-1]


class Item(dict[str, str]):
    """What stands in the addresses of an item: id, comment_id, ... and the tokens of its links.

    Few requests are about a job, a fleet run or a spare team: those are made for the first that asks for them.
    """

    def __init__(self, there: dict[str, str], later: Mapping[str, Callable[[], dict[str, str]]]) -> None:
        super().__init__(there)
        self._later = later

    def __missing__(self, name: str) -> str:
        self.update(self._later[name]())
        return self[name]

    def complete(self) -> Item:
        for name in self._later:
            self[name]
        return self


class World:
    """`item` is one that is only looked at; `fresh` makes another that a request may change."""

    def __init__(self, people: People) -> None:
        self.people = people
        self._count = itertools.count()
        members = {role: role for role in ROLES}
        self.team = people.team(TEAM, members)
        self._friends = {
            role: people.team(f"friends-{role}", {f"shared {role}": "owner"}) for role in SHARE_ROLES
        }
        people.account("outsider")
        people.account("administrator", admin=True)
        owner = Actor(name="owner", account_id=people.account("owner").id, roles={self.team: "owner"})
        catalog = ready_catalog(people.settings)
        self._work = SavedWork(people.engine, lambda: catalog).of(owner, self.team)
        self._owner = owner
        self._items: dict[Kind, Item] = {}
        self._run = self._measured()
        self._tokens = {
            "token reading": people.token("owner", ["read"], self.team),
            "token writing": people.token("owner", ["read", "write"], self.team),
            "token elsewhere": people.token("owner", ["read", "write"], people.home("owner")),
        }
        self._signed_in: dict[str, Person] = {}

    def item(self, kind: Kind) -> Item:
        if kind not in self._items:
            self._items[kind] = self.fresh(kind).complete()
        return self._items[kind]

    def fresh(self, kind: Kind) -> Item:
        """Something saved twice, named, commented on, and shared with everybody who has a share."""
        work = self._work
        saved = work.create(kind, DOCUMENTS[kind])
        work.replace(kind, saved.id, {**DOCUMENTS[kind], "name": "Again"}, version=None)
        common = {"saved_id": saved.id, "kind": kind, "workspace_id": self.team}
        comment = CommentRow(
            **common, revision=1, body="Why?", author_id=self._owner.account_id, author_name="owner"
        )
        links = {role: ShareLinkRow(**common, role=role) for role in SHARE_ROLES}
        links["pinned"] = ShareLinkRow(**common, role="viewer", revision=1)
        with write_session(self.people.engine) as session:
            session.add(comment)
            session.add_all(links.values())
            session.add(RevisionNameRow(saved_id=saved.id, revision=1, kind=kind, name="First"))
            session.add_all(
                ShareGrantRow(saved_id=saved.id, kind=kind, workspace_id=self._friends[role], role=role)
                for role in SHARE_ROLES
            )
        tokens = {f"link {name}": self._token(row.id) for name, row in links.items()}
        there = {
            "id": saved.id,
            "key": saved.id,
            "kind": kind,
            "number": "1",
            "comment_id": comment.id,
            "link": links["viewer"].id,
            "team": "friends-viewer",
            "run": self._run,
            **tokens,
        }
        return Item(
            there,
            {
                "job": lambda: {"job": self._job("sweep", SWEEP, ["cost.tco_usd"], ["economics.wacc"])},
                "fleet": lambda: {"fleet": self._job("fleet", FLEET)},
                **dict.fromkeys(("spare", "another", "invitation"), self._spare),
            },
        )

    def _job(
        self, kind: str, document: dict[str, Any], outputs: Sequence[str] = (), columns: Sequence[str] = ()
    ) -> str:
        """A job of the team that was cancelled before it began."""
        job = JobRow(
            workspace_id=self.team, kind=kind, name=kind.capitalize(), outputs=list(outputs), columns=list(columns),
            document=document, state="cancelled", total=1, blocks=1, catalog_revision="", engine_version="",
        )  # fmt: skip
        with write_session(self.people.engine) as session:
            session.add(job)
            session.flush()
            return job.id

    def _measured(self) -> str:
        """A measured run of the team."""
        run = OwnRunRow(
            workspace_id=self.team, accelerator="a", framework="f", precision="bf16", source="log",
            measured_tokens_per_s=1.0, document=SCENARIO,
        )  # fmt: skip
        with write_session(self.people.engine) as session:
            session.add(run)
            session.flush()
            return str(run.id)

    def _spare(self) -> dict[str, str]:
        """A team of the same members that may be changed, someone who may be put out of it, an invitation and a webhook."""
        number = next(self._count)
        key, another = f"spare-{number}", f"another {number}"
        team = self.people.team(key, {**{role: role for role in ROLES}, another: "viewer"})
        row = InvitationRow(
            workspace_id=team, role="viewer", secret_hash=new_secret(), expires_at=now() + timedelta(days=1)
        )
        # a private address, which is refused without a connection
        hook = TeamWebhookRow(workspace_id=team, url="https://127.0.0.1/", secret=new_secret())
        with write_session(self.people.engine) as session:
            session.add_all([row, hook])
        return {"spare": key, "another": self.people.account(another).id, "invitation": row.id}

    def client(self, somebody: Somebody, item: Item | None = None, *, changes: bool = False) -> ActingClient:
        """A client of someone; a guest's is of the link to that item.

        Whoever only reads stays signed in; a change may end any sign-in, this one's or another's.
        """
        name = somebody.name
        people = self.people
        if name == "nobody":
            return people.client()
        if name.startswith("link "):
            return people.client((item or self.item("scenario"))[name])
        if name.startswith("token "):
            return people.client(self._tokens[name])
        if changes:
            self._signed_in.clear()
        if name not in self._signed_in:
            self._signed_in[name] = people.signed_in(people.account(name).id)
        client = people.client()
        client.headers = self._signed_in[name].writing
        return client

    def _token(self, link_id: str) -> str:
        return f"pwl_{link_id}.{self.people.secrets.proof('link', link_id)}"
