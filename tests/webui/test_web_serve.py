"""Serving the page: the links, the QR code, the ports, and the command line over it."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from waitress.server import TcpWSGIServer

from hupai.serve import serve as serve_command
from webui.authority import Keyring
from webui.invite import Invitation
from webui.language import words
from webui.machine import local_name, own_address, own_addresses, own_names


@contextmanager
def running(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`hupai serve` on a free port, and what it said up to the line that tells how to stop it."""
    command = [sys.executable, "-u", "-m", "hupai", "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = ""
        while "Ctrl+C" not in said:
            line = process.stdout.readline()
            assert line, process.stderr.read() if process.stderr else ""
            said += line
        try:
            yield process, said
        finally:
            process.kill()


def get(
    link: str, headers: dict[str, str] | None = None, trusted: ssl.SSLContext | None = None
) -> tuple[int, str, str]:
    """Status, cookie and body of a page; over https where `trusted` knows whom to trust."""
    address, _, path = link.partition("://")[2].partition("/")
    connection = (
        http.client.HTTPSConnection(address, timeout=20, context=trusted)
        if trusted
        else http.client.HTTPConnection(address, timeout=20)
    )
    connection.request("GET", f"/{path}", headers=headers or {})
    response = connection.getresponse()
    body = response.read().decode()
    connection.close()
    return response.status, response.headers.get("Set-Cookie", ""), body


def test_the_page_is_served_to_this_machine_and_stops_quietly() -> None:
    with running() as (process, said):
        link = re.search(r"http://127\.0\.0\.1:\d+/", said)
        assert link is not None
        assert "join/" not in said
        status, _, body = get(link[0])
        assert status == 200
        assert "hupai" in body
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=90)
        assert "Traceback" not in complaints
        assert process.returncode == 0


def test_on_the_network_the_link_carries_a_key_and_a_qr_code_is_shown() -> None:
    with running("--lan") as (_, said):
        here, network = re.findall(r"http://[\d.]+:\d+/join/[\w-]{32}", said)
        assert "█" in said or "▄" in said
        bare, _, key = here.partition("/join/")
        assert key in network
        assert get(bare)[0] == 403
        assert get(f"{bare}/join/{key[:-1]}x")[0] == 403
        status, cookie, _ = get(here)
        assert status == 200
        assert get(bare, {"Cookie": cookie.split(";")[0]})[0] == 200
        assert get(here, {"Host": "evil.example"})[0] == 403


def test_a_slow_upload_does_not_hold_up_the_others() -> None:
    with running() as (_, said):
        link = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert link is not None
        hanging = []
        for _ in range(20):
            connection = socket.create_connection(("127.0.0.1", int(link[1])))
            connection.sendall(b"POST /api/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nx")
            hanging.append(connection)
        begun = time.monotonic()
        assert get(link[0])[0] == 200
        assert time.monotonic() - begun < 5
        for connection in hanging:
            connection.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("HUPAI_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def not_served(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data directory, and a command that does everything but wait for visitors."""
    monkeypatch.setattr("webui.serve.warm", lambda app: None)
    monkeypatch.setattr(TcpWSGIServer, "run", lambda server: None)
    return home


def fingerprint(said: str) -> str:
    return "".join(re.findall(r"^  ([0-9A-F:]{47,48})$", said, re.MULTILINE))


def test_over_https_a_phone_fetches_the_authority_and_joins(home: Path) -> None:
    with running("--lan", "--https") as (process, said):
        (here,) = re.findall(r"this machine: (http://127\.0\.0\.1:\d+/join/[\w-]{32})\n", said)
        (network,) = re.findall(r"this link: (https://[\w.]+:\d+/join/[\w-]{32})\n", said)
        (trust,) = re.findall(r"^(http://[\w.]+:\d+/trust)$", said, re.MULTILINE)
        assert get(trust)[0] == 200
        pem = get(f"{trust}/hupai.crt")[2]
        shown = x509.load_pem_x509_certificate(pem.encode()).fingerprint(hashes.SHA256()).hex(":").upper()
        assert shown == fingerprint(said)
        trusted = ssl.create_default_context(cadata=pem)
        status, cookie, _ = get(network, trusted=trusted)
        assert status == 200
        page = network.partition("join/")[0]
        assert get(page, trusted=trusted)[0] == 403
        assert get(page, {"Cookie": cookie.split(";")[0]}, trusted)[0] == 200
        assert get(page.replace("https", "http", 1))[0] == 302
        assert get(here)[0] == 200
        with pytest.raises(ssl.SSLCertVerificationError):
            get(network, trusted=ssl.create_default_context())
        port = int(network.split(":")[2].partition("/")[0])
        with ExitStack() as hanging:  # nobody who began something holds up the end
            for sent in (b"", b"\x16\x03\x01", b"GET / HT"):
                connection = hanging.enter_context(socket.create_connection(("127.0.0.1", port)))
                connection.sendall(sent)
            process.send_signal(signal.SIGINT)
            rest, complaints = process.communicate(timeout=90)
        assert (rest.strip(), complaints, process.returncode) == ("", "", 0)


def test_a_restart_keeps_what_phones_trust_and_new_authority_does_not(not_served: Path) -> None:
    starts: list[list[str]] = [[], [], ["--new-authority"], []]
    prints = [fingerprint(command("--lan", "--https", "--port", "0", *options).stdout) for options in starts]
    assert len(prints[0]) == 95
    assert prints[0] == prints[1]
    assert prints[1] != prints[2]
    assert prints[2] == prints[3]


def test_one_address_alone_is_served_under_its_own_certificate(home: Path) -> None:
    address = own_address()
    with running("--lan", "--https", "--host", address) as (_, said):
        (trust,) = re.findall(r"^(http://\S+/trust)$", said, re.MULTILINE)
        trusted = ssl.create_default_context(cadata=get(f"{trust}/hupai.crt")[2])
        assert get(trust.replace("http", "https", 1), trusted=trusted)[0] == 200


def test_a_damaged_authority_is_one_line_and_can_be_made_anew(not_served: Path) -> None:
    home = not_served
    (home / "https").mkdir()
    (home / "https" / "authority.pem").write_text("-----BEGIN PRIVATE KEY-----\nhalf")
    result = command("--lan", "--https", "--port", "0")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "--new-authority" in result.stderr
    assert fingerprint(command("--lan", "--https", "--port", "0", "--new-authority").stdout)


def test_a_port_in_use_costs_no_authority(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        result = command("--lan", "--https", "--new-authority", "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 2
    assert "--port" in result.stderr
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [(("--https",), "--lan"), (("--new-authority",), "--https"), (("--lan", "--new-authority"), "--https")],
)
def test_https_is_for_the_network(home: Path, arguments: list[str], advice: str) -> None:
    result = command(*arguments, "--port", "0")
    assert result.exit_code == 2
    assert advice in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(home.iterdir()) == []


def test_an_address_that_cannot_be_certified_gives_way_to_the_name(
    not_served: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The authority was made in another network; this one gives out public addresses.
    Keyring(not_served / "https").authority("laptop", own_names())
    monkeypatch.setattr("webui.serve.own_address", lambda: "203.0.113.9")
    monkeypatch.setattr("webui.serve.own_addresses", lambda: frozenset({ip_address("203.0.113.9")}))
    result = command("--lan", "--https", "--port", "0")
    assert result.exit_code == 0
    assert re.search(rf"https://{local_name()}:\d+/join/", result.stdout)
    assert re.search(rf"http://{local_name()}:\d+/trust", result.stdout)
    assert "203.0.113.9" not in result.stdout


def command(*arguments: str) -> Result:
    return CliRunner().invoke(serve_command, arguments)


def test_an_address_of_the_network_needs_to_be_meant() -> None:
    result = command("--host", "192.0.2.5")
    assert result.exit_code == 2
    assert "--lan" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("host", ["203.0.113.9", "no.such.host.invalid"])
def test_an_address_of_another_machine_cannot_be_had(host: str) -> None:
    result = command("--host", host, "--lan", "--port", "0")
    assert result.exit_code == 2
    assert host in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_port_in_use_is_said_so() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = command("--port", str(port))
    assert result.exit_code == 2
    assert f"127.0.0.1:{port}" in result.stderr
    assert "--port" in result.stderr


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_must_be_one(port: str) -> None:
    assert command("--port", port).exit_code == 2


def test_the_invitation_names_both_links() -> None:
    text = Invitation("http://127.0.0.1:8420/join/k", "http://192.168.1.7:8420/join/k").text(words("en"))
    assert "http://127.0.0.1:8420/join/k" in text
    assert "http://192.168.1.7:8420/join/k" in text


def test_this_machine_knows_its_address_and_names() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+\.\d+", own_address())
    assert own_address() in {str(address) for address in own_addresses()}
    assert all(name == name.lower() for name in own_names())
    assert any(name.endswith(".local") for name in own_names())
