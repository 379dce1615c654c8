"""What the tests of the validation pages have in common."""

from __future__ import annotations

import re

from tests.asgi import AsgiClient

PAGE = {"accept": "text/html"}


def get(client: AsgiClient, path: str, **parameters: str) -> str:
    """A page that is there."""
    answer = client.get(path, params=parameters or None, headers=PAGE)
    assert answer.status_code == 200, answer.text
    return answer.text


def words(page: str) -> str:
    """The text of a page, without tags and with plain spaces."""
    text = re.sub(r"<script.*?</script>", " ", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).replace("\u202f", " ").split())


def table(page: str, id: str) -> list[list[str]]:
    """The rows of an error table, each cell as text."""
    body = page.split(f'id="errors-{id}"')[1].split("<tbody>")[1].split("</tbody>", maxsplit=1)[0]
    return [
        [words(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, flags=re.DOTALL)]
        for row in body.split("</tr>")
        if "<tr>" in row
    ]


def ids_of(page: str) -> list[str]:
    """Runs of the table of all runs, in order."""
    return re.findall(r'<th scope="row"><a href="/validation/training/([\w-]+)', page)
