"""catalog and version."""

from __future__ import annotations


def test_catalog_shows_kinds_rows_and_parts(run):
    assert "nvidia_h100_sxm" in run("catalog", "accelerators")[1]
    assert "989.4" in run("catalog", "accelerators", "nvidia_h100_sxm")[1]
    assert run("catalog", "accelerator")[0] == 2


def test_version(run):
    assert run("version")[1].strip()
