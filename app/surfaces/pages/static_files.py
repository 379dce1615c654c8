"""Static files under addresses that name their content, so that browsers may keep them for good."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import posixpath
import re
from functools import cached_property
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request, Response

IMPORTED = re.compile(r"""^import [^'"]*['"](\.[^'"]+)['"]""", re.MULTILINE)
FOR_GOOD = "public, max-age=31536000, immutable"
COMPRESSED = frozenset({".css", ".js", ".svg", ".json", ".txt", ".map", ""})
TYPES = {".woff2": "font/woff2", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class StaticFiles:
    """A folder of files, each at `/static/<hash>/<path>`.

    Vendored files carry their own hash. All others share one of the whole folder, so that
    modules and style sheets may name each other by relative paths.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._compressed: dict[str, bytes] = {}

    def url(self, path: str) -> str:
        """The address of a file.

        Raises
        ------
        KeyError : there is no such file
        """
        own = self._hashes[path]
        return f"/static/{own if path.startswith('vendor/') else self._whole}/{path}"

    def modules(self, path: str) -> tuple[str, ...]:
        """The addresses of a module and of all that it imports, for a page to fetch at once."""
        found, waiting = [path], [path]
        while waiting:
            here = waiting.pop()
            for name in IMPORTED.findall((self.folder / here).read_text()):
                there = posixpath.normpath(posixpath.join(posixpath.dirname(here), name))
                if there not in found:
                    found.append(there)
                    waiting.append(there)
        return tuple(self.url(one) for one in found)

    def respond(self, version: str, path: str, request: Request) -> Response:
        """The file, compressed where that helps; kept for good only under its right address."""
        if path not in self._hashes:
            raise HTTPException(404, "There is no such file.")
        own = self._hashes[path]
        current = version in (own, self._whole)
        headers = {
            "cache-control": FOR_GOOD if current else "no-cache",
            "etag": f'"{own}"',
            "vary": "accept-encoding",
        }
        if headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        suffix = Path(path).suffix
        kind = TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "text/plain"
        if suffix in COMPRESSED and "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self._gzip(path), media_type=kind, headers=headers)
        return Response((self.folder / path).read_bytes(), media_type=kind, headers=headers)

    @cached_property
    def _hashes(self) -> dict[str, str]:
        files = sorted(file for file in self.folder.rglob("*") if file.is_file())
        return {file.relative_to(self.folder).as_posix(): _digest(file.read_bytes()) for file in files}

    @cached_property
    def _whole(self) -> str:
        return _digest("\n".join(f"{path} {own}" for path, own in self._hashes.items()).encode())

    def _gzip(self, path: str) -> bytes:
        """Compressed on first use and kept: the chart library takes a quarter of a second."""
        if path not in self._compressed:
            self._compressed[path] = gzip.compress((self.folder / path).read_bytes(), 6, mtime=0)
        return self._compressed[path]


def static_router(files: StaticFiles) -> APIRouter:
    """The route of the static files."""
    router = APIRouter()

    @router.api_route("/static/{version}/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    def static_file(version: str, path: str, request: Request) -> Response:
        return files.respond(version, path, request)

    return router


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
