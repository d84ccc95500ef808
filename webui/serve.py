"""Running the page: the WSGI server, the link and its QR code in the terminal."""

from __future__ import annotations

import io
import logging
import socket
import webbrowser
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import segno
import waitress

from vision.frames import MAX_BYTES
from webui.app import close, create_app, warm
from webui.guard import new_token
from webui.machine import is_loopback, own_address, own_names

PORT = 8420
THREADS = 8
ANY_ADDRESS = "0.0.0.0"


class ServeError(Exception):
    """The page cannot be served as asked; the message is one line and says how to mend it."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Under which links the page opens: `here` on this machine, `network` from others (None without `--lan`)."""

    here: str
    network: str | None

    def text(self) -> str:
        """What the terminal shows: the links, and for the network a QR code made of block characters."""
        if self.network is None:
            return f"hupai is open on this machine: {self.here}\nStop it with Ctrl+C. Phones can join with --lan.\n"
        code = io.StringIO()
        segno.make(self.network, error="l").terminal(out=code, compact=True)
        return (
            f"hupai is open on this machine: {self.here}\n"
            f"and on the network, for whoever has this link: {self.network}\n"
            f"{code.getvalue()}"
            "Scan it with a phone on the same network. The key in it is new at every start. Stop with Ctrl+C.\n"
        )


def _link(host: str, port: int, token: str | None) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"join/{token}" if token else "")


def _listening_socket(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise ServeError(f"cannot listen on {host}: {error.strerror}; give an address of this machine") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise ServeError(f"cannot listen on {host}:{port}: {error.strerror}; try another --port") from None
    return listener


def serve(
    *,
    host: str | None,
    port: int,
    lan: bool,
    open_browser: bool,
    say: Callable[[str], None],
    config: Mapping[str, Any] | None = None,
) -> None:
    """Serve the page until Ctrl+C; `say` prints the links, `config` holds further values of the app's configuration.

    `host` None means this machine alone, or with `lan` every address of it. With `lan` a visitor needs the token of the
    link. Port 0 takes any free one. Raises ServeError where the address or the port cannot be had, or the address
    belongs to the network and `lan` is not set.
    """
    host = host or (ANY_ADDRESS if lan else "127.0.0.1")
    if not lan and not is_loopback(host):
        raise ServeError(f"{host} is open to the network; add --lan if that is meant")
    listener = _listening_socket(host, port)
    port = listener.getsockname()[1]
    token = new_token() if lan else None
    app = create_app(
        {"TOKEN": token, "HOST_NAMES": own_names(), "SESSION_COOKIE_NAME": f"hupai-{port}", **(config or {})}
    )
    everywhere = host in (ANY_ADDRESS, "::")
    invitation = Invitation(
        here=_link("127.0.0.1" if everywhere else host, port, token),
        network=_link(own_address() if everywhere else host, port, token) if lan else None,
    )
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    server = waitress.create_server(
        app,
        sockets=[listener],
        threads=THREADS,
        channel_timeout=30,
        connection_limit=100,
        max_request_body_size=MAX_BYTES + 64 * 1024,
        ident=None,
    )
    warm(app)
    say(invitation.text())
    if open_browser:
        webbrowser.open(invitation.here)
    try:
        server.run()
    finally:
        server.close()
        close(app)
