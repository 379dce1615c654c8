"""Signed posts to a webhook over HTTPS, to one address that was checked before, without redirects."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ipaddress
import json
import socket
import ssl
import time
from typing import Any
from urllib.parse import urlsplit

TIMEOUT_S = 10.0
SIGNATURE = "X-Podwright-Signature"


class DeliveryError(Exception):
    """A message was not accepted; the text says why."""


class _Pinned(http.client.HTTPSConnection):
    """Connects to an address that was looked up and allowed, so that no second lookup leads elsewhere."""

    def __init__(self, host: str, port: int, address: str, context: ssl.SSLContext) -> None:
        super().__init__(host, port, timeout=TIMEOUT_S, context=context)
        self._address, self._tls = address, context

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), self.timeout)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host)


def signature(secret: str, moment: int, body: bytes) -> str:
    """The header by which a receiver knows that it came from here, and when: HMAC-SHA256 of "TIME.BODY".

    >>> signature("k" * 32, 1700000000, b"{}")[:28]
    't=1700000000,v1=0b3b35525c10'
    """
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"


def post_webhook(
    url: str,
    secret: str,
    id: str,
    content: dict[str, Any],
    *,
    private_addresses: bool,
    context: ssl.SSLContext | None = None,
) -> None:
    """Send one message; a receiver that has seen its `id` has it already.

    Raises
    ------
    DeliveryError : the address is not allowed or cannot be reached, or the answer is no success
    """
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise DeliveryError("The address does not begin with https://.")
    port = parts.port or 443
    address = allowed_address(parts.hostname, port, private_addresses=private_addresses)
    body = json.dumps({"id": id, **content}, ensure_ascii=False, sort_keys=True).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Podwright",
        SIGNATURE: signature(secret, int(time.time()), body),
    }
    connection = _Pinned(parts.hostname, port, address, context or ssl.create_default_context())
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    try:
        connection.request("POST", target, body=body, headers=headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise DeliveryError(f"The webhook cannot be reached: {error}") from None
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise DeliveryError(f"The webhook answered {status}.")


def allowed_address(host: str, port: int, *, private_addresses: bool) -> str:
    """An address of a host that may be posted to; one private address among several refuses every one.

    Raises
    ------
    DeliveryError : it has none, or a private one where these are not allowed
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise DeliveryError(f"{host} has no address: {error}") from None
    addresses = [str(each[4][0]) for each in found]
    private = next((one for one in addresses if not _is_public(one)), None)
    if private is not None and not private_addresses:
        raise DeliveryError(f"{host} is the private address {private}, which is not allowed.")
    return addresses[0]


def _is_public(address: str) -> bool:
    """
    >>> [_is_public(one) for one in ("93.184.216.34", "10.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1")]
    [True, False, False, False, False]
    """
    one = ipaddress.ip_address(address.partition("%")[0])
    inside = getattr(one, "ipv4_mapped", None) or one
    return bool(inside.is_global and not inside.is_multicast)
