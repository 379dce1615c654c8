"""Candidates of a study: the space that is searched, and designs that are named one by one."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator
from typing_extensions import TypeAliasType

from app.scenarios.document.pod import FabricDocument, Parallelism
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.fields import (
    Count,
    Display,
    Either,
    Key,
    Line,
    Part,
    Precision,
    Value,
    Whole,
    Word,
    each_once,
    fault,
)
from app.scenarios.study.limits import Term

MOST_SYSTEMS, MOST_NETWORKS, MOST_SITES, MOST_LAYOUTS = 16, 8, 24, 8
MOST_COUNTS, MOST_DOMAINS, MOST_CHOSEN = 1_000, 40, 12
LARGEST_DOMAIN = 10_000
LARGEST_POD = 131_072


def _each_count_once(values: tuple[int, ...]) -> tuple[int, ...]:
    twice = next((value for place, value in enumerate(values) if value in values[:place]), None)
    if twice is not None:
        raise fault("twice", f"names {twice:,} twice", hint="name each once")
    return values


Domain = Annotated[Annotated[Whole, Field(ge=1, le=LARGEST_DOMAIN)], Display(unit="accelerators")]
PodSize = TypeAliasType("PodSize", Annotated[Whole, Field(ge=1, le=LARGEST_POD)])
"""SuperNodes of a pod, by a name that clients made of the schema have."""
Counts = Annotated[
    tuple[PodSize, ...],
    Field(strict=False, min_length=1, max_length=MOST_COUNTS),
    AfterValidator(_each_count_once),
]
Keys = Annotated[
    tuple[Key, ...], Field(strict=False, min_length=1, max_length=MOST_SYSTEMS), AfterValidator(each_once)
]


class CountsDocument(Part):
    """A range of numbers of SuperNodes, every whole one of it."""

    first: Count = Field(default=1, alias="from", description="Fewest SuperNodes.")
    last: Annotated[Count, Field(le=LARGEST_POD)] = Field(
        default=LARGEST_POD, alias="to", description="Most SuperNodes."
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.first > self.last:
            raise fault(
                "above",
                f"is {self.last:,}, below from, which is {self.first:,}",
                hint="swap them",
                field="to",
            )
        return self


class NetworkDocument(Part):
    """A scale-out network under a name."""

    name: Line = Field(title="Name", description="Name of the network, by which candidates state it.")
    fabric: FabricDocument = Field(
        default=FabricDocument(), description="Fabric between SuperNodes, as under pod.fabric of a scenario."
    )


def _word_range_or_list(value: Any) -> str:
    if isinstance(value, str):
        return "<word>"
    return "<range>" if isinstance(value, dict | CountsDocument) else "<value>"


class CandidatesDocument(Part):
    """Every combination of these is a candidate; what is left out is one usual choice."""

    systems: Annotated[Annotated[Literal["search"], Word] | Annotated[Keys, Value], Either] = Field(
        title="Systems",
        default="search",
        description="Catalog keys of systems, or search: the systems on sale of which most prices are known.",
    )
    supernodes: Annotated[
        Annotated[Literal["search"], Word]
        | Annotated[CountsDocument, Tag("<range>")]
        | Annotated[Counts, Value],
        Discriminator(_word_range_or_list),
    ] = Field(
        title="SuperNodes",
        default="search",
        description="Numbers of SuperNodes: a list, from and to, or search: the fewest that keep every limit, exact to "
        "one SuperNode, and the next larger ones.",
    )
    domain_sizes: Annotated[
        Annotated[Literal["as_sold", "search"], Word]
        | Annotated[
            Annotated[
                tuple[Domain, ...],
                Field(strict=False, min_length=1, max_length=MOST_DOMAINS),
                AfterValidator(_each_count_once),
            ],
            Value,
        ],
        Either,
    ] = Field(
        title="Scale-up domain sizes",
        default="as_sold",
        description="Accelerators of one SuperNode: as_sold, a list, or search: 1 to 1,024 by doubling, and as sold. Other "
        "sizes than as sold are built and priced from their parts.",
    )
    networks: Annotated[
        tuple[NetworkDocument, ...], Field(strict=False, min_length=1, max_length=MOST_NETWORKS)
    ] = Field(
        title="Networks",
        default=(NetworkDocument(name="Usual fabric"),),
        description="Networks between SuperNodes; the usual one of the system when left out.",
    )
    sites: Annotated[
        Annotated[Literal["search"], Word]
        | Annotated[
            Annotated[
                tuple[Key, ...],
                Field(strict=False, min_length=1, max_length=MOST_SITES),
                AfterValidator(each_once),
            ],
            Value,
        ],
        Either,
    ] = Field(
        title="Sites",
        default=("ashburn",),
        description="Catalog keys of sites, or search: the sites of the limits, else every site of the catalog whose price of "
        "electricity is known.",
    )
    number_formats: Annotated[
        tuple[Precision, ...], Field(strict=False, max_length=6), AfterValidator(each_once)
    ] = Field(
        title="Number formats",
        default=(),
        description="Formats to train in; that of the workload when left out.",
    )
    layouts: Annotated[
        tuple[Parallelism, ...], Field(strict=False, min_length=1, max_length=MOST_LAYOUTS)
    ] = Field(
        title="Layouts",
        default=("auto",),
        description="Layouts of the training: auto is the fastest of those that fit at each size.",
    )
    terms: Annotated[
        tuple[Term, ...], Field(strict=False, min_length=1, max_length=4), AfterValidator(each_once)
    ] = Field(
        title="Financial terms",
        default=("own",),
        description="own: buy and build; colocate: buy and rent the hall; rent_reserved and rent_on_demand: rent "
        "accelerator-hours.",
    )

    @model_validator(mode="after")
    def _networks_told_apart(self) -> Self:
        names = [network.name for network in self.networks]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise fault(
                "names",
                f"has two networks called '{twice[:60]}'",
                hint="give each a name of its own",
                field="networks",
            )
        return self


class CandidateDocument(Part):
    """One candidate, written out."""

    system: Key = Field(title="System", description="Catalog key of a system.")
    supernodes: Annotated[Count, Field(le=LARGEST_POD)] = Field(
        title="SuperNodes", description="Number of SuperNodes."
    )
    domain_size: Domain | None = Field(
        title="Scale-up domain size",
        default=None,
        description="Accelerators of one SuperNode; as sold when left out.",
    )
    network: Line | None = Field(
        title="Network", default=None, description="Name of a network of the study; the first when left out."
    )
    site: Key = Field(title="Site", default="ashburn", description="Catalog key of a site.")
    number_format: Precision | None = Field(
        title="Number format",
        default=None,
        description="Format to train in; that of the workload when left out.",
    )
    layout: Parallelism = Field(
        title="Layout", default="auto", description="auto, or a layout of the training."
    )
    terms: Term = Field(
        title="Financial terms", default="own", description="own, colocate, rent_reserved or rent_on_demand."
    )


class ChosenDocument(Part):
    """A column of the board: a candidate, or a scenario of its own."""

    name: Line = Field(title="Name", description="Name of the column.")
    candidate: CandidateDocument | None = Field(default=None, description="A candidate of this study.")
    scenario: Annotated[Annotated[Line, Word] | Annotated[ScenarioDocument, Value], Either] | None = Field(
        default=None,
        description="In place of a candidate: key of an example, id of a saved scenario, or a scenario written out.",
    )

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if (self.candidate is None) == (self.scenario is None):
            raise fault(
                "one_of",
                "needs a candidate or a scenario, and not both",
                hint="state one of the two",
                field="candidate",
            )
        return self
