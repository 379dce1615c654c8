"""The shapes in which cables are asked for and compared."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from app.engine.fabric.cabling.compare import KINDS
from app.scenarios.fields import Part
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.shapes import request_shapes

NETWORK = "One network: compute, storage, in_band or out_of_band. Without it all that the design has."


class CableOptions(Part):
    """What is written of the cables of a scenario, beside the scenario."""

    format: Literal["csv", "xlsx", "topo", "dot"] = Field("csv", description="The kind of file.")
    network: str = Field("", description=NETWORK, max_length=80)


class CableDiffOptions(Part):
    """What is compared with the cables of a scenario, beside the scenario."""

    cables: str = Field(description="A point-to-point file as CSV, with its headings.", min_length=1)
    network: str = Field("", description=NETWORK, max_length=80)


class DifferenceAnswer(Answer):
    """One difference."""

    kind: str = Field(json_schema_extra={"enum": list(KINDS)})
    sheet: str = Field(description="Of the workbook; empty in a CSV file.")
    line: int = Field(description="Of the file; 0 for a cable that it does not have.")
    other_line: int = Field(
        description="Of the cable it is swapped with, or of the row that has its port already; else 0."
    )
    network: str
    designed: str = Field(description="Both ends as designed, or the part or length.")
    listed: str = Field(description="The same as the file has it.")


class CableDiffAnswer(Answer):
    """A point-to-point file against a design."""

    rows: int = Field(description="Cables in the file.")
    links: int = Field(description="Cables of the design.")
    matched: int = Field(description="Cables of the design whose two ends are as the file has them.")
    same: bool
    counts: dict[str, int] = Field(description="Differences by kind.")
    unknown_columns: list[str] = Field(description="Headings that are not known, and were not read.")
    skipped_sheets: list[str] = Field(description="Sheets without the headings of cables.")
    differences: list[DifferenceAnswer]
    left_out: int = Field(description="Differences beyond those listed; the CSV has all.")


def cable_schemas() -> dict[str, Any]:
    """JSON Schemas of what is asked, by name."""
    return request_shapes("CablesRequest", CableOptions) | request_shapes(
        "CableDiffRequest", CableDiffOptions
    )
