"""The files of the cable schedule: one table for the command line, the API and the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from app.engine.fabric.cabling.schedule import NetworkCables
from app.scenarios.errors import refuse, shorten
from app.surfaces.files.cables.csv_file import cables_csv
from app.surfaces.files.cables.dot import cables_dot
from app.surfaces.files.cables.topo import cables_topo
from app.surfaces.files.cables.workbook import cables_xlsx
from app.views.file_format import XLSX_TYPE


@dataclass(frozen=True, slots=True)
class CableFormat:
    """One kind of file: what it is called and sent as, and what writes it, block by block."""

    name: str
    media_type: str
    suffix: str
    title: str
    write: Callable[[Sequence[NetworkCables]], Iterator[bytes]]


CABLE_FORMATS = (
    CableFormat("csv", "text/csv; charset=utf-8", ".cables.csv", "Schedule, CSV", cables_csv),
    CableFormat("xlsx", XLSX_TYPE, ".cables.xlsx", "Point to point, Excel", cables_xlsx),
    CableFormat("topo", "text/plain; charset=utf-8", ".topo", "Topology for ibdiagnet", cables_topo),
    CableFormat("dot", "text/vnd.graphviz; charset=utf-8", ".dot", "Graph, Graphviz", cables_dot),
)
CABLE_FORMAT_NAMES = tuple(one.name for one in CABLE_FORMATS)


def cable_format(name: str) -> CableFormat:
    """The format of that name.

    Raises
    ------
    ScenarioError : there is none
    """
    for one in CABLE_FORMATS:
        if one.name == name:
            return one
    raise refuse(
        f"{shorten(name)} is not a format of cables.",
        rule="one_of",
        path="format",
        value=name,
        hint=f"Formats: {', '.join(CABLE_FORMAT_NAMES)}.",
        stated=True,
    )


def written_cables(networks: Sequence[NetworkCables], chosen: CableFormat) -> Iterator[bytes]:
    """The file in blocks. A topology file is of one subnet: the first network, when none has been chosen.

    Raises
    ------
    ScenarioError : the network is no InfiniBand, which alone has topology files
    """
    if chosen.name == "topo":
        networks = networks[:1]
        if networks and networks[0].ethernet:
            name = networks[0].network.replace("_", " ")
            raise refuse(
                f"The {name} network is not InfiniBand, and ibdiagnet compares no other.",
                rule="protocol",
                path="format",
                value=chosen.name,
                hint="Take xlsx or dot, which the Cable Validation Tool reads for Ethernet.",
            )
    return chosen.write(networks)


def cable_format_of_file(name: str) -> CableFormat:
    """The format that a file's name ends in; CSV where it ends in none of them.

    >>> cable_format_of_file("pod.topo").name, cable_format_of_file("").name
    ('topo', 'csv')
    """
    ending = name.lower().rpartition(".")[2]
    return cable_format(ending if ending in CABLE_FORMAT_NAMES else "csv")
