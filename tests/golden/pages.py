"""Pages as a reader sees them, with their charts and the files that they link to."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Generator, Iterator
from typing import Any
from urllib.parse import urlsplit

import orjson

from app.scenarios.examples import list_examples
from tests.golden.canonical import canonical_answer, canonical_json, page_of
from tests.golden.scene import Entry, Scene
from tests.golden.surfaces import exempt, pattern_of

MOST_PAGES, MOST_ROWS = 40, 4
"""Pages of one address pattern that are of no design; and single rows of one list, such as parts of the catalog."""


class PageRecorder:
    """Records pages."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._files: set[tuple[str, str]] = set()

    def of_design(self, design: str) -> Iterator[Entry]:
        for page in self._scene.surfaces.pages:
            method, path = page.split(" ")
            names = re.findall(r"\{(\w+)", path)
            if exempt(f"page {page}"):
                continue
            if method == "POST":
                yield from self._studio(path, design)
            elif path == "/designs/{key}/explain/{path}":
                yield from self._page(
                    path, f"/designs/{design}/explain/{self._scene.headline(design)}", design
                )
            elif names == ["key"] and not path.startswith(("/claims", "/scaling", "/validation", "/catalog")):
                yield from self._page(path, path.replace("{key}", design), design)

    def _page(self, view: str, address: str, design: str) -> Generator[Entry, None, list[str]]:
        """A page, its charts, and the files that it links to; gives its links."""
        if self._scene.is_left_out("page", view, design):
            return []
        if not (self._scene.wants("page", view, design) or self._scene.may_want(design, "chart", "file")):
            return []
        start = time.perf_counter()
        answer = self._scene.client.get(address)
        media_type = answer.headers.get("content-type", "")
        head = (
            f"{answer.status_code} {media_type} {urlsplit(answer.headers.get('location', '')).path}".rstrip()
        )
        answered = answer.status_code < 400
        if not media_type.startswith("text/html"):
            text = f"{head}\n{canonical_answer(answer.content, media_type)}"
            seconds = time.perf_counter() - start
            yield Entry("file" if media_type else "page", view, design, text, answered, seconds)
            return []
        page = page_of(answer.text)
        seconds = time.perf_counter() - start
        yield Entry("page", view, design, f"{head}\n{page.text}", answered, seconds)
        times: dict[str, int] = {}
        for name, chart in page.charts:
            times[name] = times.get(name, 0) + 1
            shown = f"{view} {name}" + (f" {times[name]}" if times[name] > 1 else "")
            yield Entry("chart", shown, design, canonical_json(chart))
        for link in dict.fromkeys(page.links):
            path = urlsplit(link).path
            if design and self._is_file(path) and (urlsplit(link).query or "/export/" in path):
                place = link.replace(f"/{design}/", "/{key}/")
                route = self._route_of(path)
                if len(place) < 120 and route and not exempt(f"page GET {route}"):
                    if (place, design) in self._files:  # several pages of a design link to its exports
                        continue
                    self._files.add((place, design))
                    yield from self._page(place, link, design)
        return page.links

    def _studio(self, path: str, design: str) -> Iterator[Entry]:
        """What the studio asks for while somebody types, of the design as it stands."""
        if not self._scene.wants("page", path, design):
            return
        body = {"key": design, "scenario": self._scene.document(design), "path": self._scene.headline(design)}
        start = time.perf_counter()
        answer = self._scene.client.post(path, json=body)
        media_type = answer.headers.get("content-type", "")
        text = f"{answer.status_code} {media_type}\n{_studio_text(answer.content, media_type)}"
        seconds = time.perf_counter() - start
        yield Entry("page", f"POST {path}", design, text, answer.status_code < 300, seconds)

    def common(self) -> Iterator[Entry]:
        """Pages that are of no design, then what they link to: up to `MOST_PAGES` of each address pattern."""
        for example in list_examples():  # the home page waits for no evaluation that is not at hand
            self._scene.client.get(f"/examples/{example.key}/card")
        wanted = [
            page
            for page in self._scene.surfaces.pages
            if page.startswith("GET ") and not exempt(f"page {page}")
        ]
        seen: dict[str, list[str]] = {}
        asked = [path for path in (page.split(" ")[1] for page in wanted) if "{" not in path]
        while asked:
            path = asked.pop(0)
            route = self._route_of(path)
            if route is None or f"GET {route}" not in wanted or self._is_of_a_design(path, route):
                continue
            is_row = route.endswith(("{key}", "{key:path}"))
            found = seen.setdefault(path.rpartition("/")[0] if is_row else route, [])
            if path in found or len(found) >= (MOST_ROWS if is_row else MOST_PAGES):
                continue
            found.append(path)
            links = yield from self._page(path, path, "")
            asked += sorted(urlsplit(link).path for link in links if link.startswith("/"))

    def _is_of_a_design(self, path: str, route: str) -> bool:
        return route != path and any(part in self._scene.designs or part == "new" for part in path.split("/"))

    def _is_file(self, path: str) -> bool:
        return bool(re.search(r"/file$|\.(csv|json|xlsx)$|/export/", path))

    def _route_of(self, path: str) -> str | None:
        """The address pattern of a path, as the first route that takes it."""
        for pattern, route in self._patterns:
            if pattern.fullmatch(path):
                return route
        return None

    @functools.cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        routes = [page.split(" ")[1] for page in self._scene.surfaces.pages if page.startswith("GET ")]
        return [(pattern_of(route), route) for route in routes]


def _studio_text(content: bytes, media_type: str) -> str:
    """An answer to the studio: the members of it that are HTML as their text."""
    if not media_type.startswith("application/json"):
        return canonical_answer(content, media_type)
    return canonical_json(_without_html(orjson.loads(content)))


def _without_html(value: Any) -> Any:
    match value:
        case str() if value.lstrip().startswith("<"):
            page = page_of(value)
            return {"text": page.text.splitlines(), "charts": [chart for _, chart in page.charts]}
        case dict():
            return {key: _without_html(item) for key, item in value.items()}
        case list():
            return [_without_html(item) for item in value]
    return value
