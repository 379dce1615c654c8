"""The cables tab: counts, the rows that are asked for, downloads, and a comparison."""

from __future__ import annotations

import html

import pytest

from tests.asgi import AsgiClient

pytestmark = pytest.mark.slow

POD = "gpt_3_175b_on_128_dgx_a100"
PAGE = f"/fabric/{POD}/cables"
HEADING = "A-Node Name,A-Port,Z-Node Name,Z-Port"


def text(client: AsgiClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return html.unescape(answer.text)


def compare(client: AsgiClient, content: str, **fields: str):
    files = {"file": ("laid.csv", content.encode(), "text/csv")}
    return client.post(f"{PAGE}/diff", files=files, data=fields)


def test_the_page_counts_and_shows_the_first_rows(reading_client: AsgiClient) -> None:
    page = text(reading_client, PAGE)
    assert "3,264 links in 3,264 cables" in page
    assert "the first 25 of 3,264 links" in page
    assert "node-0001 <b>1</b>" in page
    for format in ("csv", "xlsx", "topo", "dot"):
        assert f'href="{PAGE}/file?format={format}"' in page


def test_links_are_searched_by_device_and_rack(reading_client: AsgiClient) -> None:
    page = text(reading_client, f"{PAGE}?q=node-0003")
    assert "the first 8 of 8 links at “node-0003”" in page
    assert "node-0001" not in page
    nothing = text(reading_client, f"{PAGE}?q=<b>")
    assert "No device or rack has “<b>”" in nothing
    assert "<b>”" not in reading_client.get(f"{PAGE}?q=<b>").text


def test_files_are_downloads(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"{PAGE}/file?format=dot")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.text.startswith("graph cables {")
    assert reading_client.get(f"{PAGE}/file?format=pdf").status_code == 404
    assert reading_client.get(f"{PAGE}/file?network=wan").status_code == 404


def test_a_comparison_tells_each_difference(reading_client: AsgiClient) -> None:
    rows = reading_client.get(f"{PAGE}/file").text.splitlines()
    same = compare(reading_client, "\n".join(rows))
    assert same.status_code == 200
    assert "Nothing differs" in same.text
    rows[3] = rows[3].replace("leaf-01-3", "leaf-01-9")
    page = html.unescape(compare(reading_client, "\n".join(rows)).text)
    assert "at a wrong port" in page
    assert "node-0001 3 to leaf-01-9 1" in page
    csv = compare(reading_client, "\n".join(rows), answer="csv")
    assert csv.headers["content-type"].startswith("text/csv")
    assert csv.text.count("\r\n") == 2


def test_a_bad_file_comes_back_with_its_faults(reading_client: AsgiClient) -> None:
    answer = compare(reading_client, f"{HEADING}\nnode-0001,,leaf-01-1,1")
    assert answer.status_code == 422
    assert "A-Port (line 2): The cell is empty." in html.unescape(answer.text)
    nothing = reading_client.post(f"{PAGE}/diff", files={"file": ("", b"", "application/octet-stream")})
    assert nothing.status_code == 422
    assert "No file was chosen" in nothing.text


def test_another_site_may_not_compare(reading_client: AsgiClient) -> None:
    files = {"file": ("laid.csv", HEADING.encode(), "text/csv")}
    answer = reading_client.post(f"{PAGE}/diff", files=files, headers={"origin": "https://elsewhere.example"})
    assert answer.status_code == 403


def test_a_single_supernode_has_no_cables(reading_client: AsgiClient) -> None:
    assert "No cables" in text(reading_client, "/fabric/edge_node/cables")
