"""Failures as stated in a request."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.fields import Count, CountOrZero, Line, Part, Whole

Names = Annotated[tuple[Line, ...], Field(strict=False, max_length=1_000)]
Numbers = Annotated[tuple[Count, ...], Field(strict=False, max_length=64)]


class FeedDocument(Part):
    """A power feed that fails. A device with two supplies lives on the other one."""

    feed: Literal["A", "B"] = Field(description="Which of the two feeds fails.")
    racks: Annotated[tuple[Line, ...], Field(strict=False, min_length=1, max_length=10_000)] | None = Field(
        default=None,
        description="Racks of the floor plan whose feed fails, such as R01-05; all racks when left out.",
    )
    one_supply: Annotated[tuple[Line, ...], Field(strict=False, max_length=16)] = Field(
        default=(),
        description="Kinds of device that have one supply, such as leaf; odd ones of a kind hang on feed A and "
        "even ones on feed B. Every other device has two.",
    )


class FaultsDocument(Part):
    """Simultaneous failures. Nothing at all leaves the fabric whole."""

    links: Names = Field(
        default=(),
        description="Links as DEVICE:PORT, ports counted from 1, or DEVICE/DEVICE for all between two devices.",
    )
    switches: Names = Field(default=(), description="Switches by name, such as leaf-3 or spine-p2-07.")
    planes: Numbers = Field(default=(), description="Planes, counted from 1.")
    rails: Numbers = Field(default=(), description="Rails, counted from 1.")
    power: FeedDocument | None = Field(default=None, description="A power feed that fails.")
    random_links: CountOrZero = Field(default=0, description="Further links, drawn by chance.")
    random_switches: CountOrZero = Field(default=0, description="Further switches, drawn by chance.")
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] = Field(
        default=0, description="Seed of the draw: the same seed draws the same parts."
    )
    between: Annotated[tuple[Line, Line], Field(strict=False)] | None = Field(
        default=None, description="Two hosts or units, such as node-0001 and unit-2, to see what joins them."
    )
    single: bool = Field(
        default=True,
        description="Also show the loss of one link, switch, plane and rail of each tier by itself.",
    )
