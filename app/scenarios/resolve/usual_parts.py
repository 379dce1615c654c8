"""Switches, NICs and modules for people who name none: by the ecosystem of the accelerator, the network and the rate.

Rows of the catalog declare the ecosystems whose usual part they are (`ecosystems`) and the networks that they are
usual in (`usual_in`). An ecosystem without a switch of its own in the catalog takes an open Ethernet one; the NIC of
an ecosystem that has none there is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.values import Part
from app.engine.fabric.kinds import AUTO, KINDS, spoken_kinds
from app.scenarios.resolve.inputs import Inputs

OPEN = "open"
"""The ecosystem of switches that join whatever speaks Ethernet."""
NVIDIA = "nvidia"
MERCHANT = "generic"
"""The vendor of modules that many makers sell."""


def ecosystem_of(inputs: Inputs, accelerator: str) -> str:
    """The ecosystem whose switches and NICs join an accelerator; empty where its row declares none."""
    try:
        part = inputs.catalog.today.part("accelerators", accelerator)
    except CatalogLookupError:
        return ""  # it has left the catalog since
    return str(part.attributes.get("ecosystem", ""))


def usual_switch(inputs: Inputs, ecosystem: str, network: str, gbit_s: float, kind: str = AUTO) -> str | None:
    """The usual switch: of the ecosystem, else an open one, else of whichever speaks the kind that is asked for."""
    speaking = [
        part
        for part in _usual_in(inputs, "switches", network)
        if kind == AUTO or kind in spoken_kinds(str(part.attributes.get("protocol", "")))
    ]
    for choice in (ecosystem, OPEN):
        if found := _by_rate([part for part in speaking if choice in _ecosystems(part)], choice, gbit_s):
            return found.key
    return speaking[0].key if speaking else None


def usual_nic(
    inputs: Inputs, ecosystem: str, network: str, gbit_s: float, kind: str = AUTO, *, exact: bool = False
) -> Part | None:
    """The usual NIC of an ecosystem, one that speaks the kind of fabric before others; None where it has none.

    Parameters
    ----------
    exact : whether one of another rate will not do
    """
    own = [
        part
        for part in _usual_in(inputs, "nics", network)
        if ecosystem in _ecosystems(part) and not (exact and _gbit_s(part) != gbit_s)
    ]
    words = KINDS[kind].nics if kind in KINDS else ()
    speaking = [part for part in own if any(word in str(part.attributes["protocol"]) for word in words)]
    return _by_rate(speaking or own, ecosystem, gbit_s)


def usual_module(inputs: Inputs, ecosystem: str, key: str) -> str:
    """The module of its class for an ecosystem: NVIDIA's own is for NVIDIA, merchant ones are for all others.

    Classes are alike in type, cage, fibre and the links carried; one without a merchant module in the catalog keeps
    the named one.
    """
    today = inputs.catalog.today
    named = today.part("optics", key)
    if ecosystem in ("", NVIDIA) or not str(named.attributes.get("vendor", "")).startswith("NVIDIA"):
        return key
    of_class = _class_of(named)
    merchant = (today.part("optics", other) for other in today.keys("optics"))
    alike = [
        part.key
        for part in merchant
        if part.attributes.get("vendor") == MERCHANT and _class_of(part) == of_class
    ]
    return alike[0] if alike else key


def _class_of(module: Part) -> tuple[object, ...]:
    words = [module.attributes.get(name) for name in ("type", "form_factor", "fibre_or_medium")]
    rates = [module.facts.get(name) for name in ("links", "link_bandwidth_bytes_per_s")]
    return (*words, *(fact.value if fact else None for fact in rates))


def _usual_in(inputs: Inputs, kind: str, network: str) -> Iterator[Part]:
    # The rule is today's, as one written in code would be; the facts of what it names are those of the revision.
    today = inputs.catalog.today
    for key in today.keys(kind):
        part = today.part(kind, key)
        if network in str(part.attributes.get("usual_in", "")).split():
            yield part


def _ecosystems(part: Part) -> list[str]:
    """Ecosystems of a part, those first for which it is the first choice."""
    return str(part.attributes.get("ecosystems", "")).split()


def _gbit_s(part: Part) -> float:
    fact = part.facts.get("port_bandwidth_bytes_per_s")
    return np.inf if fact is None else fact.value * 8 / 1e9


def _by_rate(parts: list[Part], ecosystem: str, gbit_s: float) -> Part | None:
    """The slowest that carries a link of this rate, else the fastest there is; the first choice of equals."""

    def rank(part: Part) -> tuple[int, float]:
        named = _ecosystems(part)
        return (named.index(ecosystem) if ecosystem in named else len(named), _gbit_s(part))

    fitting = [part for part in parts if np.isnan(gbit_s) or _gbit_s(part) >= gbit_s * (1 - 1e-9)]
    if fitting:
        return min(fitting, key=rank)
    return max(parts, key=_gbit_s, default=None)
