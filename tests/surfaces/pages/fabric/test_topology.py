"""The topology tab: the picture, what is explained, and every topology for the pod."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest

from app.engine.fabric.topologies import TOPOLOGIES
from app.surfaces.pages.studio.state import decode_state, encode_state
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario

KEY = "llama_3_1_405b_on_2048_dgx_h100"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def address(supernodes: int, **fabric: object) -> str:
    state = encode_state(scenario(pod__supernodes=supernodes, pod__fabric=fabric))
    return f"/fabric/edge_node/topology?s={state}"


@pytest.fixture(scope="module")
def shown(asgi_client: AsgiClient) -> str:
    return text(asgi_client, f"/fabric/{KEY}/topology")


def test_the_fabric_leads_to_its_first_tab(asgi_client: AsgiClient) -> None:
    answer = asgi_client.get(f"/fabric/{KEY}?s=x")
    assert answer.status_code == 303
    assert answer.headers["location"].startswith(f"/fabric/{KEY}/topology")
    text(asgi_client, "/fabric/nothing", 404)


def test_the_picture_has_the_tiers_and_every_figure_explains_itself(
    asgi_client: AsgiClient, shown: str
) -> None:
    assert "Rail fat tree; " in shown
    assert 'aria-current="page">Topology<' in shown
    paths = re.findall(rf'href="/designs/{KEY}/explain/([^"?]+)"', shown)
    assert {
        "fabric.bisection_bandwidth_bytes_per_s",
        "fabric.mean_distance_links",
        "fabric.tiers[2].switches",
    } <= set(paths)
    assert "Bisection bandwidth" in text(
        asgi_client, f"/designs/{KEY}/explain/fabric.bisection_bandwidth_bytes_per_s"
    )


def test_every_topology_stands_beside_the_others(shown: str) -> None:
    table = shown[shown.index('class="data alternatives"') :]
    assert [title for title in TOPOLOGIES if TOPOLOGIES[title].title not in table] == []
    assert "1,280" in table
    assert "Does not fit: A lattice of 9 holds 9 nodes, not 2,048" in table
    assert table.count(">this design<") == 1


@pytest.mark.slow
def test_another_topology_opens_in_the_studio_with_the_rest_as_it_was(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, address(32, topology="torus_2d", shape=[4, 8], switch="qm9700"))
    assert "A 2D torus of 4 × 8" in page
    link = re.search(r'<a href="(/designs/edge_node\?s=[^"]+)">HyperX</a>', page)
    assert link
    values = decode_state(parse_qs(urlsplit(link[1]).query)["s"][0])
    assert values is not None
    assert values["pod"]["fabric"] == {"topology": "hyperx", "switch": "qm9700"}
    studio = text(
        asgi_client,
        address(32, topology="torus_2d", shape=[4, 8])
        .replace("/fabric/", "/designs/")
        .replace("/topology?", "?"),
    )
    assert 'value="4 x 8"' in studio
    assert 'data-place="fabric"' in studio


def test_what_cannot_be_built_is_said_with_a_way_out(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, address(100, topology="torus_2d", shape="4 x 4"))
    assert "A lattice of 4 x 4 holds 16 nodes, not 100: 84 are not joined. Join 16 SuperNodes" in page
    assert "Does not fit: A lattice of 4 x 4" in page


def test_one_supernode_needs_no_fabric(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, "/fabric/edge_node/topology")
    assert "One SuperNode by itself needs no scale-out fabric" in page
    assert "SuperNode topology" in page


def test_what_cannot_be_read_is_refused_and_kept(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, address(8, topology="moebius"))
    assert "Not evaluated" in page
    assert "moebius" in page
