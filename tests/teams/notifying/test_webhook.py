"""The webhook: what is signed, where it may lead, and what a receiver sees."""

from __future__ import annotations

import hashlib
import hmac
import http.server
import json
import socket
import ssl
import subprocess
import threading

import pytest

from app.teams.notifying import webhook
from app.teams.notifying.webhook import DeliveryError, allowed_address, post_webhook

SECRET = "a secret of these tests, long enough to be taken"


@pytest.fixture
def receiver(tmp_path):
    """A server with a certificate of its own on this machine; `answers` are the statuses that it gives."""
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    got, answers = [], [200]

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            got.append((self.path, dict(self.headers), self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(answers[0])
            self.send_header("location", "https://localhost/elsewhere")
            self.end_headers()

        def log_message(self, *_words):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    trust = ssl.create_default_context(cafile=str(certificate))
    yield f"https://localhost:{server.server_port}/hook?team=a", trust, got, answers
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_receiver_can_check_who_sent_it(receiver):
    url, trust, got, _ = receiver
    post_webhook(url, SECRET, "n1", {"says": "Größe"}, private_addresses=True, context=trust)
    ((path, headers, body),) = got
    assert path == "/hook?team=a"
    assert json.loads(body) == {"id": "n1", "says": "Größe"}
    moment, _, given = headers["X-Podwright-Signature"].partition(",v1=")
    signed = f"{moment.removeprefix('t=')}.".encode() + body
    assert hmac.compare_digest(given, hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest())


@pytest.mark.parametrize("status", [302, 400, 500])
def test_what_is_not_taken_is_a_fault_and_no_redirect_is_followed(receiver, status):
    url, trust, got, answers = receiver
    answers[0] = status
    with pytest.raises(DeliveryError, match=str(status)):
        post_webhook(url, SECRET, "n1", {}, private_addresses=True, context=trust)
    assert len(got) == 1


def test_a_certificate_that_no_one_vouches_for_is_refused(receiver):
    url, _, got, _ = receiver
    with pytest.raises(DeliveryError, match="cannot be reached"):
        post_webhook(url, SECRET, "n1", {}, private_addresses=True)
    assert got == []


def test_a_private_address_is_refused_before_anything_is_sent(receiver):
    url, trust, got, _ = receiver
    with pytest.raises(DeliveryError, match="private address"):
        post_webhook(url, SECRET, "n1", {}, private_addresses=False, context=trust)
    assert got == []


@pytest.mark.parametrize("url", ["http://example.org/", "ftp://example.org/", "https:///nowhere"])
def test_only_https_is_spoken(url):
    with pytest.raises(DeliveryError, match="https://"):
        post_webhook(url, SECRET, "n1", {}, private_addresses=True)


@pytest.mark.parametrize(
    "addresses",
    [["10.0.0.1"], ["127.0.0.1"], ["169.254.169.254"], ["192.168.1.1"], ["::1"], ["fd00::1"], ["::ffff:10.0.0.1"],
     ["0.0.0.0"], ["224.0.0.1"], ["93.184.216.34", "10.0.0.1"]],
)  # fmt: skip
def test_a_name_that_leads_into_the_house_is_refused(monkeypatch, addresses):
    def found(*_asked, **_more):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443)) for one in addresses]

    monkeypatch.setattr(webhook.socket, "getaddrinfo", found)
    with pytest.raises(DeliveryError, match="private address"):
        allowed_address("inside.example.org", 443, private_addresses=False)
    assert allowed_address("inside.example.org", 443, private_addresses=True) == addresses[0]
