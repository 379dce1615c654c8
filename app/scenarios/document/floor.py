"""The floor of a pod: what its racks may take, how they stand and how cables run between them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.fields import PERCENT, Display, NotNegative, Part, Positive, Share, Whole

Metres = Annotated[float, Field(gt=0, le=100)]


class FloorDocument(Part):
    """What is left out follows from the SuperNode, or is a catalog assumption."""

    switch_position: Literal["auto", "in_rack", "end_of_row", "middle_of_row", "network_rows"] = Field(
        title="Switch placement",
        default="auto",
        description="Where the switches of a scalable unit stand: in_rack with its servers, end_of_row or "
        "middle_of_row beside its racks, or network_rows of their own; auto is middle_of_row.",
    )
    nodes_per_rack: Annotated[Whole, Field(ge=1, le=100)] | None = Field(
        title="Servers per rack",
        default=None,
        description="Servers of one rack; as many as its limits allow when left out.",
    )
    rack_power_w: Positive | None = Field(
        title="Rack power",
        default=None,
        description="Rated power that one rack may draw; what a SuperNode's own racks draw when left out.",
    )
    rack_air_heat_w: NotNegative | None = Field(
        title="Rack heat to air", default=None, description="Heat that air can take from one rack."
    )
    rack_liquid_heat_w: NotNegative | None = Field(
        title="Rack heat to liquid", default=None, description="Heat that liquid can take from one rack."
    )
    rack_weight_kg: Positive | None = Field(
        title="Rack weight", default=None, description="Weight of a full rack, at most."
    )
    rack_own_weight_kg: NotNegative | None = Field(
        title="Empty rack weight", default=None, description="Weight of an empty rack."
    )
    rack_units: Annotated[Annotated[Whole, Field(ge=1, le=100)] | None, Display(unit="U")] = Field(
        title="Rack height", default=None, description="Height of a rack in rack units."
    )
    service_units: Annotated[Annotated[Whole, Field(ge=0, le=50)] | None, Display(unit="U")] = Field(
        title="Service units",
        default=None,
        description="Rack units of each rack that power strips, patch panels and its manager take.",
    )
    rack_width_m: Metres | None = Field(title="Rack width", default=None, description="Width of a rack.")
    rack_depth_m: Metres | None = Field(title="Rack depth", default=None, description="Depth of a rack.")
    row_racks: Annotated[Whole, Field(ge=1, le=1_000)] | None = Field(
        title="Racks per row", default=None, description="Racks of one row, at most."
    )
    cold_aisle_m: Metres | None = Field(
        title="Cold aisle",
        default=None,
        description="Width of the aisle that racks face; of cross aisles too.",
    )
    hot_aisle_m: Metres | None = Field(
        title="Hot aisle", default=None, description="Width of the aisle behind racks."
    )
    tray_height_m: Metres | None = Field(
        title="Tray height", default=None, description="Height of the cable trays above floor."
    )
    slack_share: Annotated[Share | None, PERCENT] = Field(
        title="Cable slack",
        default=None,
        description="Cable beyond the length of its route, as a share of it.",
    )
    end_slack_m: Annotated[float, Field(ge=0, le=20)] | None = Field(
        title="Slack at each end",
        default=None,
        description="Cable at each end, from the port to the side of the rack, with its loop.",
    )
