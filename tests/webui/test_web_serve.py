"""Serving the page: the links, the QR code, the ports, and the command line over it."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from click.testing import CliRunner, Result

from hupai.serve import serve as serve_command
from webui.invite import Invitation
from webui.language import words
from webui.machine import own_address, own_addresses, own_names


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


def get(link: str, headers: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Status, cookie and body of a page."""
    address, _, path = link.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(address, timeout=10)
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
        _, complaints = process.communicate(timeout=15)
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
