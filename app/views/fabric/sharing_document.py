"""Jobs that share a fabric, as people ask for them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.scenarios.fields import Count, Line, Part, Share, Whole, fault

MOST_JOBS = 8


class JobDocument(Part):
    """A job: how many hosts it has and where, and what it does when it communicates."""

    name: Line | None = Field(default=None, description="Name of the job; its number when left out.")
    hosts: Count | None = Field(default=None, description="Hosts that the job gets, of those still free.")
    on: Annotated[tuple[Line, ...], Field(strict=False, min_length=1, max_length=10_000)] | None = Field(
        default=None,
        description="The very hosts or units in place of a number, such as node-0001 or unit-2, in the order of "
        "its ranks.",
    )
    placement: Literal["packed", "spread", "random"] = Field(
        default="packed",
        description="packed: free hosts side by side. spread: one of each unit in turn. random: drawn by chance, "
        "ranks too.",
    )
    pattern: Literal["ring", "all_to_all"] = Field(
        default="ring",
        description="ring: each host sends to the next at the full rate of its NICs, as data-parallel rings do. "
        "all_to_all: each host sends to all others in equal parts.",
    )
    exposed_share: Share | None = Field(
        default=None,
        description="Share of its step that waits for communication over the fabric when the job is alone; that of "
        "the scenario's workload when left out.",
    )

    @model_validator(mode="after")
    def _has_hosts_once(self) -> Self:
        if (self.hosts is None) == (self.on is None):
            raise fault(
                "hosts",
                "says neither how many hosts it has nor which"
                if self.hosts is None
                else "says both hosts and on",
                hint="give hosts, or name them under on",
                field="hosts",
            )
        return self


class SharingDocument(Part):
    """The jobs of a fabric; those that come first choose their hosts first."""

    jobs: Annotated[tuple[JobDocument, ...], Field(strict=False, min_length=1, max_length=MOST_JOBS)] = Field(
        description=f"One to {MOST_JOBS} jobs."
    )
    routing: Literal["adaptive", "ecmp"] = Field(
        default="adaptive",
        description="adaptive: traffic is spread evenly over all shortest paths. ecmp: each stream of a ring keeps "
        "to one shortest path, chosen by a hash.",
    )
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] = Field(
        default=0, description="Seed of random placements and of the hash."
    )
