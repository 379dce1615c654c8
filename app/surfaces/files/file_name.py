"""Names of exported files, and the header that gives them to a browser (RFC 6266)."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

LONGEST_STEM = 80
UNWRITABLE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')  # in file names of one system or another


def file_name(name: str, suffix: str) -> str:
    """The name of a scenario as the name of a file.

    >>> file_name("Llama 3.1: 405B / H100", ".yaml")
    'Llama 3.1 405B H100.yaml'
    """
    words = UNWRITABLE.sub(" ", "".join(letter for letter in name if letter.isprintable()))
    stem = " ".join(words.split()).strip(". ")[:LONGEST_STEM].strip(". ")
    return f"{stem or 'scenario'}{suffix}"


def content_disposition(name: str, suffix: str) -> str:
    """The header of a download: a name in ASCII for everyone, and the whole name for who can read it.

    >>> print(content_disposition("Münster", ".csv"))
    attachment; filename="Munster.csv"; filename*=UTF-8''M%C3%BCnster.csv
    """
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    simple = file_name(bare.replace("%", " "), suffix)
    return f"attachment; filename=\"{simple}\"; filename*=UTF-8''{quote(file_name(name, suffix), safe='')}"
