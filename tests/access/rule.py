"""What a route needs, and a request to it that is whole: only the caller may be what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.saved.records import Kind
from tests.access.actors import Need, Outcome, Scope, Somebody
from tests.access.world import SCENARIO, Item

Request = dict[str, Any]
Build = Callable[[Item], Request]
TEXT = json.dumps(SCENARIO)
"""A document as forms send it."""


class Rule(NamedTuple):
    """`instead` says what becomes of someone's request where it says anything; else it follows from `need`.

    `in_team` is for routes that take the workspace from the address. A `stream` does not end by itself, so it is only
    tried by those who are refused. `hidden` are answers to those who may not know that it is there; where `nothing` is
    there at all, whoever is allowed is told so.
    """

    need: Need
    scope: Scope = "workspace"
    send: Build = lambda item: {}
    instead: Callable[[Somebody], Outcome | None] = lambda somebody: None
    in_team: bool = False
    stream: bool = False
    kind: Kind = "scenario"
    hidden: tuple[int, ...] = (404,)
    nothing: bool = False
    place: Callable[[Item], dict[str, str]] = lambda item: {}


def body(value: Any, **headers: str) -> Build:
    return lambda item: {"json": value, "headers": headers}


def form(**fields: str) -> Build:
    headers = {"content-type": "application/x-www-form-urlencoded"}  # also where there are no fields
    return lambda item: {"content": urlencode(fields), "headers": headers}
