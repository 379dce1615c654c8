"""Checkpoints, spares and storage."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.fields import CountOrZero, Either, Key, NotNegative, Part, Positive, Value, Word


class InlineStorage(Part):
    """A shared file system. Bandwidths are of the whole system; what is left out is unknown."""

    read_bandwidth_bytes_per_s: Positive | None = Field(
        title="Storage read bandwidth", default=None, description="Read bandwidth."
    )
    write_bandwidth_bytes_per_s: Positive | None = Field(
        title="Storage write bandwidth", default=None, description="Write bandwidth."
    )
    price_usd_per_tb: NotNegative | None = Field(
        title="Storage price", default=None, description="Price of one TB."
    )


class OperationsDocument(Part):
    """Checkpoints, spares and storage."""

    checkpoint: Literal["two_level", "blocking"] = Field(
        title="Checkpoints",
        default="two_level",
        description="two_level keeps a copy in memory and drains it; blocking writes through.",
    )
    spares: Annotated[
        Annotated[Literal["auto"], Word] | Annotated[CountOrZero, Value],
        Either,
    ] = Field(
        title="Spare units",
        default="auto",
        description="Spare units of what is replaced as a whole: hosts, trays of a rack, cubes of a torus. auto, or a "
        "number.",
    )
    storage: Annotated[Annotated[Key, Word] | Annotated[InlineStorage | None, Value], Either] = Field(
        title="Storage",
        default=None,
        description="Catalog key of a storage system, or one written out; sized to the pod when left out.",
    )
