"""podwright fabric growth and sizes: text, JSON, and options that cannot be used."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.slow

POD = "gpt_3_175b_on_128_dgx_a100"


def test_growth(run) -> None:
    code, out, err = run("fabric", "growth", POD, "--stages", "20,64,128")
    assert (code, err) == (0, "")
    assert "Laid out for the final size" in out
    assert out.count("links moved") == 2
    _, out, _ = run("fabric", "growth", POD, "--json")
    assert [stage["supernodes"] for stage in json.loads(out)["plans"][0]["stages"]] == [32, 64, 96, 128]


def test_sizes(run) -> None:
    code, out, err = run(
        "fabric", "sizes", POD, "--topologies", "fat_tree,dragonfly", "--supernodes", "16,1024"
    )
    assert (code, err) == (0, "")
    assert "Fat tree by rack" in out
    assert "Dragonfly" in out
    _, out, _ = run("fabric", "sizes", POD, "--json")
    assert len(json.loads(out)["topologies"]) == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("growth", POD, "--stages", "20,x"), "stages[1]: 'x' must be a whole number"),
        (("growth", "edge_node"), "The pod has no compute fabric."),
        (("sizes", POD, "--topologies", "fattree"), "Nearest: fat_tree"),
    ],
)
def test_what_cannot_be_used(run, words: tuple[str, ...], said: str) -> None:
    code, out, err = run("fabric", *words)
    assert (code, out) == (2, "")
    assert said in err
