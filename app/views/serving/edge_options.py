"""Where users, cloud and edge are, for the comparison of the two."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from app.scenarios.fields import Count, Key, Part, Positive

Kilometres = Annotated[float, Field(ge=0, le=20_040)]


class EdgeOptions(Part):
    """An edge site beside the pod of the scenario. Distances are examples until they are stated."""

    edge_system: Key | None = Field(
        default=None,
        description="Catalog key of the edge site's SuperNode; the scenario's own when left out.",
    )
    edge_supernodes: Count = Field(default=1, description="SuperNodes of the edge site.")
    edge_share: Annotated[float, Field(gt=0, le=1)] = Field(
        default=0.1, description="Share of the requests that the edge site answers."
    )
    edge_distance_km: Kilometres = Field(
        default=30, description="Distance of users to the edge site, by fibre."
    )
    edge_round_trip_s: Annotated[float, Field(ge=0, le=1e6)] | None = Field(
        default=None,
        description="Round trip of the network to the edge site; that of light in fibre when left out.",
    )
    cloud_distance_km: Kilometres = Field(
        default=1_000,
        description="Distance of users to the pod, by fibre, where the demand states no regions.",
    )
    latency_budget_s: Positive = Field(
        default=0.02,
        description="From the question to the first token, of places that state none: 20 ms is the article's.",
    )
