"""The server over TLS and over plain http on the same port: certificates, limits, bad and slow clients, silence."""

from __future__ import annotations

import http.client
import logging
import socket
import ssl
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from ipaddress import ip_address

import pytest
from conftest import serving
from flask import Flask, Response, request

from webui.authority import Keyring
from webui.secure import Identity
from webui.serve import wsgi_server

BIG = 4_000_000


def echo() -> Flask:
    """An app that says what it was asked, and can be long-winded."""
    app = Flask(__name__)

    @app.route("/", methods=["GET", "POST"])
    def index() -> str:
        return f"{request.scheme} {len(request.get_data())}"

    @app.get("/big")
    def big() -> Response:
        return Response(bytes(range(256)) * (BIG // 256))

    return app


@pytest.fixture
def port(identity: Identity, caplog: pytest.LogCaptureFixture) -> Iterator[int]:
    """The port of such an app; whatever comes in, the server has nothing to say about it."""
    caplog.set_level(logging.WARNING)
    with serving(echo(), identity) as address:
        yield int(address.rpartition(":")[2])
    assert caplog.messages == []


def trusting(identity: Identity) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=identity.authority.pem.decode())


@contextmanager
def secured(identity: Identity, port: int, host: str = "127.0.0.1") -> Iterator[ssl.SSLSocket]:
    """A connection whose certificate was checked against the authority."""
    with (
        socket.create_connection((host, port), timeout=20) as plain,
        trusting(identity).wrap_socket(plain, server_hostname=host) as connection,
    ):
        yield connection


@contextmanager
def asked(connection: http.client.HTTPConnection) -> Iterator[http.client.HTTPConnection]:
    try:
        yield connection
    finally:
        connection.close()


def https(identity: Identity, port: int) -> http.client.HTTPSConnection:
    return http.client.HTTPSConnection("127.0.0.1", port, context=trusting(identity), timeout=20)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_one_connection_carries_large_and_small_requests(
    identity: Identity, port: int, version: ssl.TLSVersion
) -> None:
    context = trusting(identity)
    context.minimum_version = context.maximum_version = version
    with asked(http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=20)) as connection:
        for size in (0, 3_000_000, 1):
            connection.request("POST", "/", b"x" * size)
            assert connection.getresponse().read() == f"https {size}".encode()
        connection.request("GET", "/big")
        assert connection.getresponse().read() == bytes(range(256)) * (BIG // 256)


def test_the_same_port_answers_plain_requests_as_plain(port: int) -> None:
    with asked(http.client.HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        for _ in range(2):
            connection.request("GET", "/")
            response = connection.getresponse()
            assert response.read() == b"http 0"
            assert "Server" not in response.headers


def test_the_server_does_not_name_itself(identity: Identity, port: int) -> None:
    with asked(https(identity, port)) as connection:
        connection.request("GET", "/")
        response = connection.getresponse()
        assert response.read() == b"https 0"
        assert "Server" not in response.headers


def test_old_protocols_are_not_spoken(identity: Identity, port: int) -> None:
    context = trusting(identity)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    refused = pytest.raises((ssl.SSLError, ConnectionError))
    with socket.create_connection(("127.0.0.1", port), timeout=20) as plain, refused:
        context.wrap_socket(plain, server_hostname="127.0.0.1")


def test_a_client_that_does_not_trust_yet_disturbs_no_one(identity: Identity, port: int) -> None:
    for _ in range(5):
        with (
            socket.create_connection(("127.0.0.1", port), timeout=20) as plain,
            pytest.raises(ssl.SSLCertVerificationError),
        ):
            ssl.create_default_context().wrap_socket(plain, server_hostname="127.0.0.1")
    with asked(https(identity, port)) as connection:
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"https 0"


@pytest.mark.parametrize(
    "junk",
    [
        b"\x16",
        b"\x16\x03\x01",
        b"\x16\x03\x01\x02\x00" + b"\x00" * 600,
        b"\x16" + b"\xff" * 5000,
        b"\x00\x01\x02\r\n\r\n",
    ],
)
def test_junk_is_turned_away_without_a_word(identity: Identity, port: int, junk: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(junk)
    with asked(https(identity, port)) as connection:
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"https 0"


def test_junk_inside_a_good_connection_is_a_bad_request(identity: Identity, port: int) -> None:
    with secured(identity, port) as connection:
        connection.sendall(b"\x00\x01\x02\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.0 400")


def test_a_broken_record_ends_the_connection(identity: Identity, port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
        inward, outward = ssl.MemoryBIO(), ssl.MemoryBIO()
        client = trusting(identity).wrap_bio(inward, outward, server_hostname="127.0.0.1")
        while True:
            try:
                client.do_handshake()
                break
            except ssl.SSLWantReadError:
                plain.sendall(outward.read())
                inward.write(plain.recv(65536))
        client.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        record = bytearray(outward.read())
        record[-1] ^= 1
        plain.sendall(record)
        rest = b"".join(iter(lambda: plain.recv(65536), b""))
        assert b"HTTP/1.1" not in rest


def test_clients_that_go_away_in_the_middle_are_forgotten(identity: Identity, port: int) -> None:
    for reset in (False, True):
        with secured(identity, port) as connection:
            connection.sendall(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
            connection.recv(100)
            if reset:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with asked(https(identity, port)) as connection:
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"https 0"


def test_slow_clients_do_not_hold_up_the_others(identity: Identity, port: int) -> None:
    with ExitStack() as open_now:
        for _ in range(20):  # more than there are workers
            uploading = open_now.enter_context(secured(identity, port))
            uploading.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx")
            greeting = open_now.enter_context(socket.create_connection(("127.0.0.1", port)))
            greeting.sendall(b"\x16\x03\x01")
        begun = time.monotonic()
        connection = open_now.enter_context(asked(https(identity, port)))
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"https 0"
        assert time.monotonic() - begun < 5


def test_ten_viewers_get_each_picture_whole(identity: Identity, port: int) -> None:
    wrong: list[object] = []

    def view() -> None:
        with asked(https(identity, port)) as connection:
            for _ in range(4):
                connection.request("GET", "/big")
                if connection.getresponse().read() != bytes(range(256)) * (BIG // 256):
                    wrong.append(connection)

    viewers = [threading.Thread(target=view) for _ in range(10)]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join()
    assert wrong == []


def test_a_slow_reader_gets_everything(identity: Identity, port: int) -> None:
    with secured(identity, port) as connection:
        connection.sendall(b"GET /big HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        time.sleep(0.5)  # the server's buffers fill
        head, _, body = b"".join(iter(lambda: connection.recv(50_000), b"")).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert body == bytes(range(256)) * (BIG // 256)


def test_too_large_a_body_is_refused_before_it_comes(identity: Identity, port: int) -> None:
    with secured(identity, port) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000000\r\n\r\nx")
        assert connection.recv(100).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("sent", [b"", b"\x16", b"\x16\x03\x01\x02\x00", b"GET / HT"])
def test_who_begins_and_says_no_more_is_left(identity: Identity, sent: bytes) -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = wsgi_server(echo(), listener, identity)
    server.adj.channel_timeout = server.adj.cleanup_interval = 1
    server.adj.asyncore_loop_timeout = 0.2
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        with socket.create_connection(("127.0.0.1", server.effective_port), timeout=20) as connection:
            connection.sendall(sent)
            with suppress(ConnectionResetError):
                assert connection.recv(100) == b""
    finally:
        server.close()
        thread.join(10)


def test_an_address_that_is_new_is_certified_when_it_is_first_used(identity: Identity, port: int) -> None:
    with serving(echo(), identity, "127.0.0.9") as address:
        port = int(address.rpartition(":")[2])
        before = identity.certificate
        assert ip_address("127.0.0.9") not in before.names
        with secured(identity, port, "127.0.0.9") as connection:
            assert connection.version()
        assert ip_address("127.0.0.9") in identity.certificate.names
        assert before.names < identity.certificate.names
        renewed = identity.certificate
        with secured(identity, port, "127.0.0.9"):
            assert identity.certificate == renewed


def test_an_address_that_may_not_be_certified_changes_nothing(identity: Identity) -> None:
    before = identity.certificate
    identity.context("203.0.113.9")
    identity.context("fe80::1%lo")
    identity.context("::ffff:127.0.0.1")
    assert identity.certificate.names - before.names == {ip_address("fe80::1")}


def test_a_certificate_that_cannot_be_renewed_still_serves(identity: Identity, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = identity.certificate
    monkeypatch.setattr(Keyring, "certificate", full)
    assert identity.context("10.0.0.9").minimum_version == ssl.TLSVersion.TLSv1_2
    assert identity.certificate == before
