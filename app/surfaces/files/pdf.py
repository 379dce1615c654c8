"""HTML as PDF by a headless Chromium: tagged, with an outline, and without network.

Pages that are printed forbid scripts themselves, by their content security policy.
"""

from __future__ import annotations

import contextlib
import html
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from app.settings import Settings

NAMES = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
)  # fmt: skip
SECONDS = 45.0
AT_ONCE = threading.BoundedSemaphore(2)
"""Browsers that print at the same time: each takes some hundred megabytes."""
NOWHERE = "127.0.0.1:9"  # the discard port: nothing answers
FLAGS = (
    "--headless", "--disable-gpu", "--disable-extensions", "--disable-sync", "--disable-background-networking",
    "--disable-component-update", "--disable-default-apps", "--no-first-run", "--no-default-browser-check",
    "--mute-audio", "--hide-scrollbars", "--disable-dev-shm-usage",
    f"--proxy-server={NOWHERE}", "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--no-pdf-header-footer", "--export-tagged-pdf", "--generate-pdf-document-outline",
)  # fmt: skip


SHEETS = (
    "@page{size:A3 landscape;margin:14mm}body{margin:0;font-family:Inter,'Helvetica Neue',Arial,sans-serif;color:#1B2430}"
    "section{break-after:page}section:last-child{break-after:auto}h2{font-size:20px;margin:0 0 4px}p{font-size:14px;margin:0 0 12px}"
    "svg{display:block;width:100%;height:auto;max-height:235mm}"
)
TIME_OF_DAY = re.compile(rb"\(D:\d{14}[+-]\d\d'\d\d'\)")


class NoPdfError(RuntimeError):
    """No PDF was made; the message says why, and what to do instead."""


def chromium_path(settings: Settings) -> str:
    """The Chromium that prints: that of the settings, else the first on the path; "" where there is none."""
    if settings.chromium:
        return "" if settings.chromium == "none" else shutil.which(settings.chromium) or ""
    return next((found for name in NAMES if (found := shutil.which(name))), "")


def html_pdf(page_text: str, settings: Settings) -> bytes:
    """A page as PDF, in a browser of its own that is ended after it.

    Raises
    ------
    NoPdfError : there is no Chromium, or it did not print in time
    """
    program = chromium_path(settings)
    if not program:
        raise NoPdfError(
            "PDF needs Chromium on this machine: PODWRIGHT_CHROMIUM names its program. The page itself prints the same "
            "from any browser."
        )
    with AT_ONCE, tempfile.TemporaryDirectory(prefix="podwright-pdf-", ignore_cleanup_errors=True) as folder:
        page, output = Path(folder) / "report.html", Path(folder) / "report.pdf"
        page.write_text(page_text, encoding="utf-8")
        _print(program, page, output, Path(folder), (f"--print-to-pdf={output}",))
        return output.read_bytes()


def sheets_pdf(title: str, sheets: Sequence[tuple[str, str, str]], settings: Settings) -> bytes:
    """Drawings as PDF, one a sheet of A3: a heading, what it shows, and the drawing as SVG.

    The same drawings give the same bytes, as long as the Chromium is the same: no time of day is in them.

    Raises
    ------
    NoPdfError : there is no Chromium, or it did not print in time
    """
    body = "\n".join(
        f"<section><h2>{html.escape(heading)}</h2><p>{html.escape(said)}</p>{drawing}</section>"
        for heading, said, drawing in sheets
    )
    page = (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f"content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>{html.escape(title)}: drawings</title>"
        f"<style>{SHEETS}</style></head><body>\n{body}\n</body></html>\n"
    )
    return TIME_OF_DAY.sub(rb"(D:19800101000000+00'00')", html_pdf(page, settings))


def svg_png(drawing: str, wide: int, high: int, settings: Settings) -> bytes:
    """A drawing as PNG of exactly its size, by the same Chromium.

    Raises
    ------
    NoPdfError : there is no Chromium, or it did not answer in time
    """
    page_text = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>Picture</title>"
        "<style>html,body{margin:0;overflow:hidden}svg{display:block}</style></head><body>"
        f"{drawing.partition('?>')[2] or drawing}</body></html>\n"
    )
    program = chromium_path(settings)
    if not program:
        raise NoPdfError(
            "PNG needs Chromium on this machine: PODWRIGHT_CHROMIUM names its program. SVG needs none."
        )
    with AT_ONCE, tempfile.TemporaryDirectory(prefix="podwright-png-", ignore_cleanup_errors=True) as folder:
        page, output = Path(folder) / "picture.html", Path(folder) / "picture.png"
        page.write_text(page_text, encoding="utf-8")
        wanted = (f"--screenshot={output}", f"--window-size={wide},{high}", "--force-device-scale-factor=1")
        _print(program, page, output, Path(folder), wanted)
        return output.read_bytes()


def _print(program: str, page: Path, output: Path, folder: Path, wanted: Sequence[str]) -> None:
    command = [
        program,
        *FLAGS,
        f"--user-data-dir={folder / 'profile'}",
        *wanted,
        page.as_uri(),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.insert(
            1, "--no-sandbox"
        )  # Chromium refuses its sandbox to root; what it reads is our own page
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "TMPDIR": str(folder),
    }
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=folder,
        env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        raise NoPdfError(
            f"Chromium did not print within {SECONDS:g} s. Print the page from a browser instead."
        ) from None
    finally:
        _end(process)
    if not output.exists() or output.stat().st_size == 0:
        raise NoPdfError(
            f"Chromium ({program}) ended with {process.returncode} without a PDF. Print the page from a browser instead."
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the browser: it has processes of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
