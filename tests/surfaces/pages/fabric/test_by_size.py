"""The tabs of sizes and of growth."""

from __future__ import annotations

import html

import pytest

from tests.asgi import AsgiClient
from tests.surfaces.pages.part import section_text

pytestmark = pytest.mark.slow

DESIGN = "/fabric/gpt_3_175b_on_128_dgx_a100"


def text(client: AsgiClient, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


def test_sizes_show_curves_and_crossings(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{DESIGN}/sizes")
    assert 'id="figure-price_by_size"' in page
    assert 'id="figure-power_by_size"' in page
    assert 'value="rail_only" checked' in page
    assert "From accelerators" in page
    chosen = text(asgi_client, f"{DESIGN}/sizes?topology=fat_tree&topology=full_mesh")
    assert 'value="full_mesh" checked' in chosen
    assert 'value="rail_only" checked' not in chosen
    assert "End of curves" in chosen


def test_what_cannot_be_compared_is_said_and_kept(asgi_client: AsgiClient) -> None:
    many = "&".join(
        f"topology={name}"
        for name in ("fat_tree", "rail_only", "dual_tor", "dragonfly", "torus_2d", "torus_3d", "hyperx")
    )
    page = text(asgi_client, f"{DESIGN}/sizes?{many}", 422)
    assert 'role="alert"' in page
    assert 'value="hyperx" checked' in page
    assert "Nearest: fat_tree" in text(asgi_client, f"{DESIGN}/sizes?topology=fattree", 422)


def test_growth_shows_both_ways(asgi_client: AsgiClient) -> None:
    page = text(asgi_client, f"{DESIGN}/growth?stages=20 64, 128")
    assert 'value="20 64, 128"' in page
    assert "Laid out for each stage" in page
    assert "Laid out for the final size" in page
    assert "Purchases by stage" in page
    usual = text(asgi_client, f"{DESIGN}/growth")
    assert 'value="32, 64, 96, 128"' in usual
    assert 'id="figure-growth_stages"' in usual
    other = text(asgi_client, f"{DESIGN}/growth?stages=64, 256")
    assert "figure-growth_stages" not in other
    assert "where the last one is the size of this design" in other


@pytest.mark.parametrize(("stages", "said"), [("64,32", "does not rise"), ("a", "must be a whole number")])
def test_stages_that_cannot_be_are_said_and_kept(asgi_client: AsgiClient, stages: str, said: str) -> None:
    page = text(asgi_client, f"{DESIGN}/growth?stages={stages}", 422)
    assert said in page
    assert f'value="{stages}"' in page


@pytest.mark.parametrize("tab", ["growth", "sizes"])
def test_a_design_without_a_fabric_says_so_and_is_no_mistake(asgi_client: AsgiClient, tab: str) -> None:
    page = section_text(asgi_client, f"/fabric/edge_node/{tab}")
    assert "The pod has no compute fabric." in page
    assert 'role="alert"' not in page
    assert "scenario.pod" not in page
