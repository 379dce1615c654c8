"""The inputs of each question, at most four; titles, units, bounds and defaults hold on every surface."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from app.scenarios.fields import Count, Display, Key, Part, Whole, each_once, fault
from app.views.questions.question import Of

Model = Annotated[Key, Of("models")]
System = Annotated[Key, Of("systems")]
Work = Literal["training", "serving"]
Tokens = Annotated[Annotated[float, Field(ge=1e6, le=1e18)], Display(unit="tokens")]
MOST_SYSTEMS, MOST_SIZES = 3, 8
LARGEST_SUPERNODE = 4_096


def _rising(sizes: tuple[int, ...]) -> tuple[int, ...]:
    if wrong := [size for size in sizes if not 1 <= size <= LARGEST_SUPERNODE]:
        raise fault(
            "size",
            f"has a size of {wrong[0]:,}",
            hint=f"state sizes of 1 to {LARGEST_SUPERNODE:,} accelerators",
        )
    if any(after <= before for before, after in pairwise(sizes)):
        raise fault(
            "rising", "is not a rising list of sizes", hint="state each size once, the smallest first"
        )
    return sizes


class TrainOptions(Part):
    """A model to train by a deadline."""

    model: Model = Field(title="Model", default="llama_3_1_70b", description="Catalog key of a model.")
    tokens: Tokens = Field(
        title="Training tokens", default=15e12, description="Tokens that it is trained on."
    )
    system: System = Field(
        title="System", default="gb200_nvl72", description="Catalog key of the SuperNode that is bought."
    )
    deadline_days: Annotated[Annotated[float, Field(ge=0.1, le=3_650)], Display(unit="days")] = Field(
        title="Deadline",
        default=60.0,
        description="Days until it is trained, failures and restarts included.",
    )


class ServeOptions(Part):
    """A model to serve at a load, within a latency."""

    model: Model = Field(title="Model", default="llama_3_1_70b", description="Catalog key of a model.")
    requests_per_s: Annotated[Annotated[float, Field(gt=0, le=1e6)], Display(unit="req/s")] = Field(
        title="Load", default=20.0, description="Requests a second, mean over the year."
    )
    tpot_s: Annotated[Annotated[float, Field(ge=1e-4, le=10)], Display(unit="s_of_a_wait")] = Field(
        title="Time per output token",
        default=0.05,
        description="Longest time of an output token, for 95 % of the requests.",
    )
    system: System = Field(
        title="System", default="hgx_h200", description="Catalog key of the SuperNode that is bought."
    )


class CompareOptions(Part):
    """The same work on several systems."""

    work: Work = Field(title="Workload", default="training", description="training or serving.")
    model: Model = Field(title="Model", default="llama_3_1_70b", description="Catalog key of a model.")
    systems: Annotated[
        tuple[System, ...],
        Field(strict=False, min_length=1, max_length=MOST_SYSTEMS),
        AfterValidator(each_once),
    ] = Field(
        title="Systems",
        default=("dgx_h100", "gb200_nvl72", "amd_mi355x_8way"),
        description="Catalog keys of one to three systems.",
    )
    accelerators: Annotated[Whole, Field(ge=1, le=131_072)] = Field(
        title="Accelerators",
        default=1_152,
        description="Accelerators of each system; whole SuperNodes are bought.",
    )


class SizeOptions(Part):
    """SuperNodes of several sizes of one accelerator."""

    accelerator: Annotated[Key, Of("accelerators")] = Field(
        title="Accelerator", default="nvidia_gb200", description="Catalog key of an accelerator."
    )
    work: Work = Field(title="Workload", default="training", description="training or serving.")
    model: Model = Field(title="Model", default="deepseek_v3", description="Catalog key of a model.")
    sizes: Annotated[
        tuple[Whole, ...],
        Field(strict=False, min_length=1, max_length=MOST_SIZES),
        AfterValidator(_rising),
    ] = Field(
        title="Sizes",
        default=(8, 16, 36, 72, 144, 288, 576),
        description="Accelerators of one SuperNode, rising, at most eight sizes.",
    )


class SiteOptions(Part):
    """A site for as many SuperNodes as its power carries."""

    power_w: Annotated[Annotated[float, Field(ge=1e4, le=5e9)], Display(unit="W_of_site")] = Field(
        title="Utility power", default=20e6, description="Power that the utility grants at the meter."
    )
    system: System = Field(
        title="System", default="gb200_nvl72", description="Catalog key of the SuperNode that is bought."
    )
    site: Annotated[Key, Of("sites")] = Field(
        title="Place", default="ashburn", description="Catalog key of a site."
    )
    building: Literal["owned", "colocation"] = Field(
        title="Building",
        default="owned",
        description="owned: shell and plant are bought; colocation: they are rented by the kW.",
    )


class ExtendOptions(Part):
    """A cluster with SuperNodes added to it."""

    system: System = Field(
        title="System", default="dgx_h100", description="Catalog key of the SuperNodes of the cluster."
    )
    supernodes: Count = Field(title="SuperNodes today", default=64, description="SuperNodes of the cluster.")
    added: Count = Field(title="SuperNodes added", default=64, description="SuperNodes that are added.")
    month: Annotated[Annotated[Whole, Field(ge=1, le=120)], Display(unit="months")] = Field(
        title="Ordered in", default=12, description="Months after the first order of the cluster."
    )
