"""What every structure says of one scale-up domain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Links of one sort with the switches above them."""

    name: str
    switches: Array
    links: Array
    cables_per_link: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Accelerators at one distance from an accelerator.

    A step is a switch, or a link where there are none.
    """

    name: str
    accelerators: Array
    bandwidth_bytes_per_s: Array
    steps: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class CircuitSwitches:
    """Optical switches that patch cubes together; they are set before a job, and none is on a packet's path."""

    switches: Array
    ports: Array  # in use, of each
    ends: Array  # of links that end in them


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One scale-up domain."""

    layers: tuple[Layer, ...]
    planes: Array
    accelerator_bandwidth_bytes_per_s: Array
    bisection_bandwidth_bytes_per_s: Array
    oversubscription: Array
    diameter_links: Array
    mean_distance_links: Array
    steps: Array  # on the longest path
    reaches: tuple[Reach, ...]
    circuits: CircuitSwitches


def no_circuits() -> CircuitSwitches:
    """Of a domain whose links are all wired for good."""
    nothing = np.zeros(1)
    return CircuitSwitches(switches=nothing, ports=nothing, ends=nothing)
