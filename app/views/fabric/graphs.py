"""The networks of a design as devices and links."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.graph.graph import FabricGraph
from app.engine.fabric.networks.graphs import graphs_of
from app.engine.fabric.topologies import asked_of
from app.engine.fabric.topologies.shape import Ask
from app.engine.mixed import all_kinds, blended
from app.engine.specs import Design


def network_graphs(design: Design, *, with_ports: bool = True) -> dict[str, FabricGraph]:
    """Every network by name: compute, storage, in_band, out_of_band, as far as they are built and known.

    Hosts have the same numbers in all. Several kinds of SuperNode are their mean, as in the evaluation.
    """
    return graphs_of(ask_of(design), with_ports=with_ports)


def ask_of(design: Design) -> Ask:
    """Input of a topology; several kinds of SuperNode are replaced by their mean."""
    mean = blended(design, all_kinds(design))
    with np.errstate(all="ignore"):
        return asked_of(pod=mean.pod, supernode=mean.supernode, assumptions=mean.assumptions.rooms["fabric"])
