"""Writers of saved scenarios over HTTP, which keep account of what the server acknowledged."""

from __future__ import annotations

import copy
import http.client
import json
import random
import threading
import uuid
from dataclasses import dataclass, field
from typing import Any

SCENARIOS = "/api/v1/scenarios"
LOST = (OSError, http.client.HTTPException)
"""What a caller sees of a server that is killed in the middle of a request."""


@dataclass(slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    content: Any


def ask(
    port: int, method: str, path: str, content: Any = None, headers: dict[str, str] | None = None
) -> Answer:
    """One request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        body = None if content is None else json.dumps(content)
        connection.request(method, path, body, {"content-type": "application/json", **(headers or {})})
        answer = connection.getresponse()
        text = answer.read()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, json.loads(text) if text else None)
    finally:
        connection.close()


@dataclass(slots=True)
class Account:
    """What is known of one scenario: the notes of its acknowledged revisions, in their order."""

    notes: list[str]
    etag: str


@dataclass
class Writer:
    """Makes scenarios and saves revisions of them, one request after the other.

    At most one request is unanswered when the server is killed. It is sent again after the start: a new
    scenario under its Idempotency-Key, a revision under its If-Match, so that it is known what came of it.
    """

    document: dict[str, Any]
    seed: int
    kept: dict[str, Account] = field(default_factory=dict)
    unanswered: dict[str, str] | None = None
    touched: set[str] = field(default_factory=set)  # since they were last looked at
    faults: list[str] = field(default_factory=list)
    database_may_go: bool = False  # 503 then is no fault, and what was sent may have been saved or not

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)

    def write_until(self, ended: threading.Event, answered: threading.Event, port: int) -> None:
        """Save as fast as the server answers, until it does not."""
        try:
            while not ended.is_set():
                self.save(port)
                answered.set()
        except LOST:
            pass

    def save(self, port: int) -> None:
        """One save, of which an account is kept. What was not answered last time comes first."""
        if self.unanswered is None:
            few = len(self.kept) < 3 or self.dice.random() < 0.1
            id = "" if few else self.dice.choice(list(self.kept))
            self.unanswered = {"id": id, "note": uuid.uuid4().hex}
        id, note = self.unanswered["id"], self.unanswered["note"]
        self.touched.add(id)
        content = copy.deepcopy(self.document)
        content["description"] = note
        if id:
            self._replace(port, id, note, content)
        else:
            answer = ask(
                port, "POST", f"{SCENARIOS}?note={note}", content, {"idempotency-key": f"key-{note}"}
            )
            if self._expected(answer, 201):
                self.kept[answer.content["id"]] = Account([note], answer.headers["etag"])
                self.touched.add(answer.content["id"])
        self.unanswered = None

    def _replace(self, port: int, id: str, note: str, content: dict[str, Any]) -> None:
        account = self.kept[id]
        tag = {"if-match": account.etag}
        answer = ask(port, "PUT", f"{SCENARIOS}/{id}?note={note}", content, tag)
        if answer.status == 412:  # it was saved, and only the answer was lost
            now = ask(port, "GET", f"{SCENARIOS}/{id}")
            if self._expected(now, 200) and now.content["note"] != note:
                self.faults.append(f"{id} was changed by someone else")
            answer = now
        if self._expected(answer, 200):
            account.notes.append(note)
            account.etag = answer.headers["etag"]

    def _expected(self, answer: Answer, status: int) -> bool:
        if answer.status == 503 and self.database_may_go:
            raise ConnectionError("the database is away")
        if answer.status != status:
            self.faults.append(f"{answer.status}: {json.dumps(answer.content)[:300]}")
        return answer.status == status
