"""Static files: addresses that name their content, compression, what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.paths import static
from app.surfaces.pages.static_files import FOR_GOOD, StaticFiles
from tests.asgi import AsgiClient


def test_address_changes_with_the_content(tmp_path: Path) -> None:
    (tmp_path / "css").mkdir()
    (tmp_path / "vendor").mkdir()
    (tmp_path / "css" / "app.css").write_text("a{}")
    (tmp_path / "vendor" / "library.js").write_text("1")
    before = StaticFiles(tmp_path)
    first, vendored = before.url("css/app.css"), before.url("vendor/library.js")
    (tmp_path / "css" / "app.css").write_text("b{}")
    after = StaticFiles(tmp_path)
    assert after.url("css/app.css") != first
    assert after.url("vendor/library.js") == vendored


def test_unknown_file_has_no_address() -> None:
    with pytest.raises(KeyError):
        StaticFiles(static()).url("css/nothing.css")


def test_kept_for_good_only_under_the_right_address(client: AsgiClient) -> None:
    url = StaticFiles(static()).url("css/tokens.css")
    assert client.get(url).headers["cache-control"] == FOR_GOOD
    stale = re.sub(r"/static/\w+/", "/static/000000000000/", url)
    assert client.get(stale).headers["cache-control"] == "no-cache"


def test_unchanged_file_is_not_sent_again(client: AsgiClient) -> None:
    url = StaticFiles(static()).url("css/tokens.css")
    tag = client.get(url).headers["etag"]
    again = client.get(url, headers={"if-none-match": tag})
    assert again.status_code == 304
    assert not again.content


def test_chart_library_is_sent_compressed(client: AsgiClient) -> None:
    url = StaticFiles(static()).url("vendor/plotly/plotly-strict.min.js")
    answer = client.get(url, headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.num_bytes_downloaded < 1_700_000
    plain = client.get(url, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert len(plain.content) == len(answer.content)


@pytest.mark.parametrize(
    "path", ["../pyproject.toml", "%2e%2e/pyproject.toml", "css/../../app/main.py", "nothing"]
)
def test_nothing_outside_the_folder_is_served(client: AsgiClient, path: str) -> None:
    assert client.get(f"/static/0/{path}").status_code == 404


def test_vendored_files_bring_their_licence() -> None:
    for folder in (static() / "vendor").iterdir():
        assert any(file.name.startswith("LICENSE") for file in folder.iterdir())
        assert (folder / "VERSION").read_text(encoding="utf-8").strip()
