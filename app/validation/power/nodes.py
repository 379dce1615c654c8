"""Power of nodes: mean, peak, pauses and idle, energy of a run, and ratios of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.validation.power.asked import Asked, Predicted
from app.validation.power.evaluated import NodePower, nodes_at_work
from app.validation.power.hardware import Hardware, hardware_of
from app.validation.power.statement import Statement
from app.validation.power.workload import OTHER_NETWORKS, SERVING, profile_of
from app.validation.rows import UnsupportedRowError

WHOLE_CLUSTER = r"\b(cluster|all nodes|sum of (the )?nodes|total)\b"
EACH = r"\b(per node|divided by nodes|per gpu)\b"


class Measured(NamedTuple):
    """The nodes that a row speaks of, and what the engine says of each."""

    hardware: Hardware
    nodes: int
    power: NodePower
    assumed: tuple[str, ...]


def power_of(figure: Callable[[NodePower], float]) -> Callable[[Asked], Predicted]:
    """A power of nodes: of one, of one accelerator, or of all together, as the row says."""

    def predict(asked: Asked) -> Predicted:
        found = _measured(asked)
        return Predicted(
            value=figure(found.power) * _share(asked.statement, found),
            assumed=found.assumed,
            hardware=found.hardware.system.name,
        )

    return predict


def energy(asked: Asked) -> Predicted:
    """Energy of a run: mean power of its nodes for as long as it took."""
    duration_s = asked.statement.duration_s
    if duration_s is None:
        raise UnsupportedRowError("it does not say how long the run took")
    found = _measured(asked)
    return Predicted(value=found.power.mean_w * found.nodes * duration_s, assumed=found.assumed)


def diversity(asked: Asked) -> Predicted:
    """Coincident peak over the sum of the nodes' own peaks."""
    found = _measured(asked)
    return Predicted(value=found.power.peak_w / found.power.own_peak_w, assumed=found.assumed)


def share_of_rating(figure: Callable[[NodePower], float]) -> Callable[[Asked], Predicted]:
    """A power over the rating."""

    def predict(asked: Asked) -> Predicted:
        found = _measured(asked)
        return Predicted(value=figure(found.power) / found.power.rating_w, assumed=found.assumed)

    return predict


def _measured(asked: Asked) -> Measured:
    statement = asked.statement
    hardware = hardware_of(statement, asked.neighbours, asked.catalog)
    stated = statement.nodes or _of_racks(statement, hardware)
    nodes = stated or 1
    assumed = hardware.assumed if stated else (*hardware.assumed, "one node")
    profile = profile_of(statement, nodes * hardware.accelerators)
    if profile == SERVING and statement.says(OTHER_NETWORKS):
        raise UnsupportedRowError(
            "how a served network that is no language model loads its node is not known"
        )
    power = nodes_at_work(asked.catalog, supernode=hardware.supernode, supernodes=nodes, load_profile=profile)
    return Measured(
        hardware, nodes, power, (*assumed, f"{hardware.system.name}, {profile.replace('_', ' ')}")
    )


def _of_racks(statement: Statement, hardware: Hardware) -> int | None:
    """SuperNodes in so many racks, where each of them fills one or more."""
    racks = hardware.system.facts.get("racks")
    if statement.racks is None or racks is None or racks.value < 1:
        return None
    return max(1, int(statement.racks / racks.value))


def _share(statement: Statement, found: Measured) -> float:
    """How many nodes the printed power is of."""
    if statement.unit.endswith("/gpu") or statement.asks(r"\bper gpu\b"):
        return 1 / found.hardware.accelerators
    if statement.unit.endswith("/node") or statement.asks(EACH) or not statement.asks(WHOLE_CLUSTER):
        return 1.0
    return float(found.nodes)
